"""Stopping in the middle, and going on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pilothouse.domain.ports import QuestionOption
from tests.agents.playing import Theatre

QUESTION = r'ask: "Which structure do you prefer?\nA) Flat\nB) Nested (recommended)"'


async def test_a_question_ends_the_run_with_its_options(theatre: Theatre) -> None:
    theatre.steps("say: Looking", QUESTION, "say: Not yet")
    told = await theatre.play()
    assert told.end.outcome == "asked"
    assert told.end.question == told.end.text == "Which structure do you prefer?\nA) Flat\nB) Nested (recommended)"
    assert told.end.options == (QuestionOption("A", "Flat"), QuestionOption("B", "Nested", recommended=True))
    assert "Which structure" in told.text
    assert "Not yet" not in told.text


async def test_the_reply_goes_on_after_the_question_and_reaches_every_later_string(theatre: Theatre) -> None:
    """RPL-3"""
    theatre.steps(
        "write: {path: once.txt, text: x}",
        QUESTION,
        'say: "You chose {reply}"',
        'write: {path: "{reply}.txt", text: "{reply} {other}"}',
        'run: echo "<{reply}>"',
    )
    first = await theatre.play()
    (theatre.workspace / "once.txt").unlink()
    second = await theatre.play("[Task]\n[[it]]\n[User Reply]\nflat", first.session, "flat")
    assert second.session == first.session
    assert second.end.text == "You chose flat\n"
    assert (theatre.workspace / "flat.txt").read_text() == "flat {other}"
    assert "<flat>\n" in second.text
    assert not (theatre.workspace / "once.txt").exists()


async def test_two_questions_each_get_their_own_reply(theatre: Theatre) -> None:
    """RPL-3"""
    theatre.steps("ask: First?", "say: 'one {reply}'", "ask: Second?", "say: 'two {reply}'")
    first = await theatre.play()
    second = await theatre.play(resume=first.session, reply="x")
    assert (second.end.outcome, second.end.question) == ("asked", "Second?")
    assert "one x" in second.text
    third = await theatre.play(resume=first.session, reply="y")
    assert third.end.text == "two y\n"


async def test_resumed_without_a_reply_it_asks_again(theatre: Theatre) -> None:
    theatre.steps("ask: Which?", "say: Never without an answer")
    first = await theatre.play()
    second = await theatre.play(resume=first.session)
    assert (second.end.outcome, second.end.question) == ("asked", "Which?")


@pytest.mark.parametrize(
    ("reply", "file"), [("A", "a"), ("b", "b"), ("B) Nested", "b"), ("B, please", "b"), ("Both", "a"), ("", "a")]
)
async def test_steps_can_depend_on_the_reply(theatre: Theatre, reply: str, file: str) -> None:
    theatre.steps(
        "ask: Which?", "write: {path: b, text: x}\n      when: B", "write: {path: a, text: x}\n      unless: B"
    )
    first = await theatre.play()
    await theatre.play(resume=first.session, reply=reply)
    assert [path.name for path in theatre.workspace.iterdir() if path.is_file()] == [file]


async def test_after_a_crash_it_continues_behind_the_last_completed_verb(theatre: Theatre) -> None:
    """RPL-3"""
    theatre.steps("run: echo ran >> runs.txt", "crash: 137", "say: Finished after all")
    first = await theatre.play()
    assert first.end.outcome == "crashed"
    second = await theatre.play(resume=first.session)
    assert second.end.outcome == "done"
    assert second.end.text == "Finished after all\n"
    assert (theatre.workspace / "runs.txt").read_text() == "ran\n"


async def test_a_verb_that_was_cut_short_is_done_again(theatre: Theatre) -> None:
    """RPL-3"""
    theatre.steps("run: echo ran >> runs.txt; [ -e ready ] || sleep 600", "say: Done")
    run = await theatre.start()
    session = ""
    async for event in run.events():
        session = getattr(event, "id", session)
        if type(event).__name__ == "ToolStarted":
            await run.stop(0.2)
    (theatre.workspace / "ready").touch()
    assert (await theatre.play(resume=session)).end.text == "Done\n"
    assert "ran\n" in (theatre.workspace / "runs.txt").read_text()


async def test_the_scenario_survives_the_loss_of_its_file(theatre: Theatre) -> None:
    theatre.steps("ask: Which?", "say: 'Still known: {reply}'")
    first = await theatre.play()
    (theatre.workspace / ".pilothouse" / "rehearsal.yaml").unlink()
    assert (await theatre.play(resume=first.session, reply="yes")).end.text == "Still known: yes\n"


@pytest.mark.parametrize("damage", ["unknown", "{not json", '{"scenario": {"name": "it"}}', "[]", "traversal"])
async def test_a_session_that_is_lost_starts_afresh_and_says_so(theatre: Theatre, damage: str) -> None:
    theatre.steps("say: 'From the start, {reply}'")
    theatre.state.mkdir()
    session = "../secret" if damage == "traversal" else "0" * 32
    if damage not in ("unknown", "traversal"):
        (theatre.state / f"{session}.json").write_text(damage)
    told = await theatre.play(resume=session, reply="x")
    assert told.session != session
    assert "no longer known" in told.text
    assert "From the start, x" in told.text
    assert told.end.outcome == "done"


async def test_a_finished_session_plays_what_the_next_prompt_names(theatre: Theatre) -> None:
    theatre.scenarios("scenarios:\n  one:\n    - say: First\n  two:\n    - say: Second\n")
    first = await theatre.play("[[one]]")
    second = await theatre.play("[[two]]", resume=first.session)
    assert (second.session, second.end.text) == (first.session, "Second\n")
    assert (await theatre.play("[[two]]", resume=first.session)).end.text == "Second\n"


async def test_another_name_leaves_an_unfinished_scenario(theatre: Theatre) -> None:
    theatre.scenarios("scenarios:\n  one:\n    - ask: First?\n  two:\n    - say: Second\n")
    first = await theatre.play("[[one]]")
    assert (await theatre.play("[[two]]", resume=first.session)).end.text == "Second\n"


async def test_state_is_private_and_never_half_written(theatre: Theatre) -> None:
    theatre.steps("say: One", "say: Two")
    told = await theatre.play()
    files = list(theatre.state.iterdir())
    assert files == [Path(theatre.state / f"{told.session}.json")]
    assert json.loads(files[0].read_text())["position"] == 2
    assert files[0].stat().st_mode & 0o077 == 0
