"""Picking scenarios, refusing early, and understanding whatever the program prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.agents.rehearsal import files
from pilothouse.agents.rehearsal.adapter import RehearsalAgent, RehearsalRun, options
from pilothouse.agents.rehearsal.inbox import Inbox
from pilothouse.domain.agent.scouts import Scout, read
from pilothouse.domain.ports import Agent, AgentRun, AgentSession, TextOut, ToolFinished
from pilothouse.domain.task.task import ErrorKind
from pilothouse.errors import BadConfiguration, NoCredentials
from pilothouse.process.spawn import spawn
from tests.agents.playing import Theatre, Told


def test_it_is_an_agent_like_any_other(theatre: Theatre) -> None:
    agent: Agent = theatre.agent
    run: type[AgentRun] = RehearsalRun
    assert agent.name == "rehearsal"
    assert run


async def test_a_prompt_without_a_name_gets_an_honest_answer(theatre: Theatre) -> None:
    theatre.scenarios("scenarios:\n  mine: {description: does little, steps: [say: Hm]}\n")
    told = await theatre.play("Please write me a compiler")
    assert told.end.outcome == "done"
    assert "rehearsal agent" in told.end.text
    assert "- mine: does little\n" in told.end.text
    assert "- hello" in told.end.text
    assert "?" not in told.end.text


async def test_an_unknown_name_is_said_to_be_unknown(theatre: Theatre) -> None:
    told = await theatre.play("[[ no-such ]]")
    assert "no scenario called “no-such”" in told.end.text
    assert "- hello" in told.end.text


async def test_later_files_win(tmp_path: Path) -> None:
    extra = tmp_path / "extra.yaml"
    extra.write_text("scenarios:\n  hello:\n    - say: From the extra file\n  more:\n    - say: More\n")
    theatre = Theatre(tmp_path, scenario_file=extra)
    assert (await theatre.play("[[hello]]")).end.text == "From the extra file\n"
    theatre.scenarios("scenarios:\n  hello:\n    - say: From the workspace\n")
    assert (await theatre.play("[[hello]]")).end.text == "From the workspace\n"
    assert (await theatre.play("[[more]]")).end.text == "More\n"


async def test_a_scenario_has_its_own_words_for_each_role_and_turn(theatre: Theatre) -> None:
    """TSK-9"""
    theatre.scenarios(
        "scenarios:\n  it:\n    steps: [say: First]\n    fix: [say: Again]\n    fix 2: [say: Second fix]\n"
        "    scout A: [say: Seen]\n"
    )

    async def said(role: str, turn: int) -> str:
        return Told([event async for event in (await theatre.start(role=role, turn=turn)).events()]).end.text

    assert await said("edit", 1) == "First\n"
    assert [await said("fix", turn) for turn in (1, 2, 3)] == ["Again\n", "Second fix\n", "Again\n"]
    assert await said("scout A", 1) == "Seen\n"
    assert "leave the files as they are" in await said("replan", 1)
    assert "Hypotheses:" in await said("stuck", 1)
    assert read(Scout.B, await said("scout B", 1), failing=True).report


async def test_a_role_no_agent_has_is_refused_with_its_place(theatre: Theatre) -> None:
    theatre.scenarios("scenarios:\n  it:\n    steps: [say: First]\n    fox: [say: Again]\n")
    with pytest.raises(BadConfiguration, match="line 4, column 5: unknown key “fox”"):
        await theatre.agent.check("[[it]]", theatre.workspace, {})


async def test_a_prompt_larger_than_an_argument_arrives(theatre: Theatre) -> None:
    theatre.steps("say: Read")
    assert (await theatre.play("x" * 900_000 + "[[it]]")).end.text == "Read\n"


async def test_missing_credentials_are_refused_before_and_during_the_run(theatre: Theatre) -> None:
    theatre.scenarios("scenarios:\n  it: {requires_env: SOME_KEY, steps: [say: In]}\n")
    with pytest.raises(NoCredentials, match="SOME_KEY") as refusal:
        await theatre.agent.check("[[it]]", theatre.workspace, {})
    assert "PILOTHOUSE_AGENT_ENV=SOME_KEY" in refusal.value.message
    end = (await theatre.play()).end
    assert (end.outcome, end.error_kind) == ("failed", ErrorKind.CREDENTIALS)
    assert "SOME_KEY" in end.message
    await theatre.agent.check("[[it]]", theatre.workspace, {"SOME_KEY": "1"})
    assert (await theatre.play(env={"SOME_KEY": "1"})).end.text == "In\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("scenarios:\n  it:\n    - say: a: b\n", 3, 13, "mapping values are not allowed"),
        ("scenarios:\n  it:\n    - shout: Hello\n", 3, 7, "unknown verb “shout”"),
        ("scenarios:\n  it:\n    - write: {path: a}\n", 3, 14, "needs “text”"),
        ("scenarios:\n  it:\n    - write: {path: a, text: b, colour: c}\n", 3, 33, "no “colour”"),
        ("scenarios:\n  it:\n    - wait: long\n", 3, 13, "must be a number"),
        ("scenarios:\n  it:\n    - wait: -1\n", 3, 13, "must be a number"),
        ("scenarios:\n  it:\n    - chmod: {path: a, mode: 999}\n", 3, 30, "file mode"),
        ("scenarios:\n  it:\n    - crash: 256\n", 3, 14, "exit code"),
        ("scenarios:\n  it:\n    - crash: SIGNOT\n", 3, 14, "exit code"),
        ("scenarios:\n  it:\n    - spawn_child: {seconds: 1, how: magic}\n", 3, 38, "double_fork"),
        ("scenarios:\n  it:\n    - stall: false\n", 3, 14, "must be true"),
        ("scenarios:\n  it:\n    - answer: [1]\n", 3, 15, "is a JSON object"),
        ("scenarios:\n  it:\n    - answer: {day: 2026-11-18}\n", 3, 15, "must be JSON"),
        ("scenarios:\n  it:\n    - say:\n", 3, 11, "plain value"),
        ("scenarios:\n  it:\n    - {say: a, run: b}\n", 3, 7, "exactly one verb"),
        ("scenarios:\n  it:\n    - Hello\n", 3, 7, "a step is a verb"),
        ("scenarios:\n  it: Hello\n", 2, 7, "list of steps"),
        ("scenarios:\n  it: {description: d}\n", 2, 7, "no “steps”"),
        ("scenarios:\n  it: {steps: [], colour: c}\n", 2, 19, "unknown key “colour”"),
        ("scenarios:\n  it: []\n  it: []\n", 3, 3, "twice"),
        ("scenes:\n  it: []\n", 1, 1, "unknown key “scenes”"),
        ("- it\n", 1, 1, "starts with “scenarios:”"),
        ("{}\n", 1, 1, "starts with “scenarios:”"),
    ],
)
async def test_a_broken_file_is_refused_with_its_place(
    theatre: Theatre, text: str, line: int, column: int, words: str
) -> None:
    theatre.scenarios(text)
    with pytest.raises(BadConfiguration, match=words) as refusal:
        await theatre.agent.check("[[it]]", theatre.workspace, {})
    assert refusal.value.details is not None
    assert (refusal.value.details["line"], refusal.value.details["column"]) == (line, column)
    assert f"line {line}, column {column}" in refusal.value.message


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\xfa", b"a: \x07", None])
async def test_a_file_that_cannot_be_read_is_refused_too(theatre: Theatre, content: bytes | None) -> None:
    path = theatre.root / "extra.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadConfiguration, match=r"extra\.yaml"):
        files.load([path])
    health = await RehearsalAgent(theatre.state, theatre.environment, scenario_file=path).health()
    assert not health.ready
    assert "PILOTHOUSE_REHEARSAL" in health.fix


async def test_a_file_that_broke_after_the_check_ends_the_run(theatre: Theatre) -> None:
    theatre.scenarios("scenarios: a: b")
    end = (await theatre.play()).end
    assert (end.outcome, end.error_kind) == ("failed", ErrorKind.CONFIGURATION)
    assert "line 1" in end.message


async def test_health_says_it_is_ready(theatre: Theatre) -> None:
    health = await theatre.agent.health()
    assert (health.name, health.installed, health.ready) == ("rehearsal", True, True)


async def test_built_in_scenarios_are_sound_and_described() -> None:
    known = files.load([files.BUILT_IN])
    assert len(known) >= 5
    assert all(scenario.description for scenario in known.values())


async def test_lines_that_are_no_messages_are_shown_as_text(theatre: Theatre) -> None:
    script = r"""
printf 'plain words\n'
printf '{"type": "strange"}\n[1, 2]\n"text"\nnull\n{"type": ["x"]}\n'
printf '{"type": "tool_finished", "id": 7, "ok": "yes", "exit_code": "x"}\n'
printf '{"type": "session"}\n'
printf '\377\376\n'
printf '{"type": "text", "text": 5}\n'
printf '{"type": "end", "outcome": "done", "text": "ok"'
"""
    run = RehearsalRun(
        await spawn(
            ["sh", "-c", script],
            cwd=theatre.workspace,
            env=theatre.environment.for_spawn(),
            spawn_id="odd",
            log_path=theatre.root / "log",
        ),
        Inbox(theatre.state / "inbox"),
    )
    told = Told([event async for event in run.events()])
    assert told.events[0] == TextOut("plain words\n")
    for odd in ('{"type": "strange"}\n', "[1, 2]\n", '"text"\n', "null\n", '{"type": ["x"]}\n', "\ufffd\ufffd\n", "5"):
        assert odd in told.text
    assert told.of(ToolFinished) == [ToolFinished("7", False)]
    assert told.of(AgentSession) == [AgentSession("")]
    assert told.end.outcome == "crashed"


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which?\nA) Flat\nB) Nested", ["A", "B"]),
        ("Which?\n 1. Flat\n 2. Nested\n 3. Both", ["1", "2", "3"]),
        ("Only\nA) one", []),
        ("What is the name?", []),
    ],
)
def test_options_come_from_lettered_lines(question: str, values: list[str]) -> None:
    assert [option.value for option in options(question)] == values
