"""The rehearsal agent when it is asked for an answer, and may only look."""

from __future__ import annotations

from pilothouse.domain.talk.answers import invalid, read_answer
from tests.agents.playing import Theatre, Told

SCENARIO = """
scenarios:
  it:
    steps:
      - say: Working.
    ask:
      - answer_text: "[ANSWER]\\n{"
    ask 2:
      - answer: {files: [calc.py, "{reply}"], count: 2, done: true, none: null}
"""


async def asked(theatre: Theatre, prompt: str = "[[it]]", **more: str | int | None) -> Told:
    run = await theatre.start(prompt, role="ask", **more)  # type: ignore[arg-type]
    return Told([event async for event in run.events()])


async def test_without_the_tool_an_answer_stands_between_markers(theatre: Theatre) -> None:
    """BYD-13"""
    theatre.steps("say: I looked.", "answer: {a: {b: [1, two]}}")
    told = await asked(theatre)
    assert told.end.outcome == "done"
    assert told.end.text.startswith("I looked.\n[ANSWER]\n")
    assert read_answer(told.end.text) == {"a": {"b": [1, "two"]}}
    assert told.end.answer is None


async def test_what_is_answered_as_text_stands_as_it_is(theatre: Theatre) -> None:
    """BYD-13: so that an answer can be broken, and given again in the same conversation"""
    theatre.scenarios(SCENARIO)
    first = await asked(theatre)
    assert first.end.text == "[ANSWER]\n{"
    words = invalid(["It is not a JSON object."])
    again = await asked(theatre, words, resume=first.session, reply="way.py", turn=2)
    assert read_answer(again.end.text) == {"files": ["calc.py", "way.py"], "count": 2, "done": True, "none": None}
    third = await asked(theatre, words, resume=first.session, turn=3)
    assert third.end.text == first.end.text


async def test_a_scenario_without_steps_for_it_is_played_as_it_stands(theatre: Theatre) -> None:
    """BYD-13"""
    theatre.steps("say: Hello.")
    assert (await asked(theatre)).end.text == "Hello.\n"


async def test_who_is_asked_changes_nothing_and_says_what_was_refused(theatre: Theatre) -> None:
    """GRD-7"""
    kept = theatre.workspace / "kept.txt"
    kept.write_text("kept")
    theatre.steps(
        "write: {path: new.txt, text: x}",
        "edit: {path: kept.txt, find: kept, replace: lost}",
        "delete: {path: kept.txt}",
        "move: {from: kept.txt, to: moved.txt}",
        "chmod: {path: kept.txt, mode: 0600}",
        "symlink: {path: link, target: kept.txt}",
        "run: touch ran.txt",
        "commit: Never",
        "checkout: never",
        "spawn_child: {seconds: 600, how: plain}",
        "answer: {a: 1}",
    )
    before = sorted(path.name for path in theatre.workspace.iterdir()), kept.stat().st_mode
    told = await asked(theatre)
    assert [words.split(":")[0] for words in told.end.denied] == [
        *("write", "edit", "delete", "move", "chmod", "symlink", "run", "commit", "checkout", "spawn_child")
    ]
    assert (sorted(path.name for path in theatre.workspace.iterdir()), kept.stat().st_mode) == before
    assert kept.read_text() == "kept"
    assert read_answer(told.end.text) == {"a": 1}
