"""Every verb does the real thing."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pilothouse.agents.rehearsal.files import FORMS
from pilothouse.agents.rehearsal.verbs import VERBS
from pilothouse.domain.ports import Context, Heartbeat, TextOut, ToolFinished, ToolProgress, ToolStarted, Usage
from pilothouse.domain.task.task import ErrorKind
from tests.agents.playing import Theatre
from tests.process.watching import eventually


def test_every_verb_that_can_be_written_can_be_played() -> None:
    assert VERBS.keys() == FORMS.keys()


async def test_say_and_stream_are_the_final_words(theatre: Theatre) -> None:
    theatre.steps("say: One", "stream: {text: Two and more, chunk: 3, delay_ms: 1}", "run: echo not mine")
    told = await theatre.play()
    assert told.end.outcome == "done"
    assert told.end.text == "One\nTwo and more\n"
    assert TextOut("Two") in told.events
    assert TextOut(" an") in told.events
    assert "not mine\n" in told.text


async def test_files_are_written_edited_moved_and_deleted(theatre: Theatre) -> None:
    theatre.steps(
        'write: {path: new/deep/a.txt, text: "one two one"}',
        "edit: {path: new/deep/a.txt, find: one, replace: three}",
        "move: {from: new/deep/a.txt, to: other/b.txt}",
        'write: {path: gone.txt, text: ""}',
        "delete: {path: gone.txt}",
        "delete: {path: new}",
        "chmod: {path: other/b.txt, mode: 0600}",
        "symlink: {path: link, target: other/b.txt}",
    )
    told = await theatre.play()
    assert told.end.outcome == "done", told.end
    assert (theatre.workspace / "other/b.txt").read_text() == "three two one"
    assert not (theatre.workspace / "new").exists()
    assert not (theatre.workspace / "gone.txt").exists()
    assert stat.S_IMODE((theatre.workspace / "other/b.txt").stat().st_mode) == 0o600
    assert (theatre.workspace / "link").readlink() == Path("other/b.txt")
    assert [tool.name for tool in told.of(ToolStarted)][:3] == ["write", "edit", "move"]


@pytest.mark.parametrize(("written", "mode"), [("755", 0o755), ("0644", 0o644), ("'0o400'", 0o400), ("400", 0o400)])
async def test_modes_are_octal_however_they_are_written(theatre: Theatre, written: str, mode: int) -> None:
    theatre.steps("write: {path: f, text: x}", f"chmod: {{path: f, mode: {written}}}")
    await theatre.play()
    assert stat.S_IMODE((theatre.workspace / "f").stat().st_mode) == mode


async def test_edit_keeps_the_line_ends_and_bytes_around_it(theatre: Theatre) -> None:
    (theatre.workspace / "f").write_bytes(b"a\r\nold\r\n\xff")
    theatre.steps("edit: {path: f, find: old, replace: new}")
    await theatre.play()
    assert (theatre.workspace / "f").read_bytes() == b"a\r\nnew\r\n\xff"


async def test_run_streams_and_a_failing_command_does_not_end_the_scenario(theatre: Theatre) -> None:
    theatre.steps("run: echo first; echo wrong >&2; exit 3", "say: Still here")
    told = await theatre.play()
    started = told.of(ToolStarted)[0]
    assert started.name == "run"
    assert started.pid
    assert told.of(ToolProgress)
    finished = told.of(ToolFinished)[0]
    assert (finished.tool_id, finished.ok, finished.exit_code) == (started.tool_id, False, 3)
    assert "first\n" in told.text
    assert "wrong\n" in told.text
    assert told.end.outcome == "done"
    assert told.end.text == "Still here\n"


async def test_run_shows_output_before_the_command_ends(theatre: Theatre) -> None:
    """WEB-11"""
    theatre.steps("run: echo begun; while [ ! -e go ]; do sleep 0.02; done; echo done")
    run = await theatre.start()
    async for event in run.events():
        if event == TextOut("begun\n"):
            assert run.tool_alive()
            (theatre.workspace / "go").touch()
    assert not run.alive()


async def test_run_does_not_wait_for_what_a_command_leaves_in_the_background(theatre: Theatre) -> None:
    theatre.steps("run: sleep 600 & echo left", "say: On we go")
    told = await theatre.play()
    assert told.end.text == "On we go\n"


async def test_characters_split_between_reads_stay_whole(theatre: Theatre) -> None:
    theatre.steps(r"run: printf '\303'; sleep 0.2; printf '\244\n'")
    assert "ä\n" in (await theatre.play()).text


async def test_commit_and_checkout_are_real_git(theatre: Theatre) -> None:
    theatre.git("init", "-q", "-b", "main")
    theatre.steps(
        "write: {path: a.txt, text: a}",
        "commit: Add a",
        "checkout: topic/new",
        "write: {path: b.txt, text: b}",
        "commit: Add b",
        "checkout: main",
        "commit: Nothing",
        "checkout: topic/new",
    )
    told = await theatre.play(env={"GIT_CONFIG_GLOBAL": "/dev/null", "HOME": str(theatre.root)})
    assert told.end.outcome == "done", told.text
    assert theatre.git("log", "--format=%s", "topic/new") == "Add b\nAdd a"
    assert theatre.git("log", "--format=%an <%ae>", "-1") == "Rehearsal <rehearsal@pilothouse.invalid>"
    assert theatre.git("branch", "--show-current") == "topic/new"
    assert "Nothing to commit.\n" in told.text


async def test_commit_keeps_the_identity_that_is_configured(theatre: Theatre) -> None:
    theatre.git("init", "-q")
    theatre.git("config", "user.email", "own@example.invalid")
    theatre.git("config", "user.name", "Own")
    theatre.steps("write: {path: a.txt, text: a}", "commit: Add a")
    await theatre.play()
    assert theatre.git("log", "--format=%an <%ae>") == "Own <own@example.invalid>"


async def test_git_that_refuses_ends_the_run_with_its_words(theatre: Theatre) -> None:
    theatre.steps("commit: Not a repository")
    told = await theatre.play(env={"GIT_CEILING_DIRECTORIES": str(theatre.root)})
    assert (told.end.outcome, told.end.error_kind) == ("failed", ErrorKind.AGENT)
    assert "not a git repository" in told.text


async def test_wait_has_heartbeats(theatre: Theatre) -> None:
    """WEB-11"""
    theatre.steps("wait: 0.5", "heartbeat: true")
    assert len((await theatre.play()).of(Heartbeat)) >= 5


async def test_stall_is_silent_until_it_is_stopped(theatre: Theatre) -> None:
    """TSK-6"""
    theatre.steps("say: Quiet now", "stall: true", "say: Never")
    run = await theatre.start()
    events = []
    async for event in run.events():
        events.append(event)
        if event == TextOut("Quiet now\n"):
            await eventually(lambda: not run.tool_alive())
            await run.stop(1)
    assert events[-2:-1] == [TextOut("Quiet now\n")]
    end = events[-1]
    assert "crashed" in repr(end)
    assert "stopped" in repr(end)


async def test_flood_prints_every_line_once(theatre: Theatre) -> None:
    theatre.steps("flood: {lines: 12345}")
    told = await theatre.play()
    assert told.text == "".join(f"line {n} of 12345\n" for n in range(1, 12346))


async def test_fail_is_an_error_of_the_agent(theatre: Theatre) -> None:
    theatre.steps("say: Trying", "fail: It cannot be done")
    end = (await theatre.play()).end
    assert (end.outcome, end.error_kind, end.message) == ("failed", ErrorKind.AGENT, "It cannot be done")
    assert end.text == "Trying\n"


@pytest.mark.parametrize(("how", "code"), [("137", 137), ("3", 3), ("0", 0), ("SIGKILL", 137), ("segv", 139)])
async def test_crash_ends_the_program_without_a_result(theatre: Theatre, how: str, code: int) -> None:
    theatre.steps("say: Going down", f"crash: {how}")
    told = await theatre.play()
    assert told.end.outcome == "crashed"
    assert told.end.exit_code == code
    assert str(code) in told.end.message


@pytest.mark.parametrize(
    "step",
    [
        "write: {path: ../out.txt, text: x}",
        "write: {path: a/../../out.txt, text: x}",
        "write: {path: ABSOLUTE/out.txt, text: x}",
        "write: {path: door/out.txt, text: x}",
        "write: {path: window, text: x}",
        "edit: {path: door/victim.txt, find: safe, replace: x}",
        "delete: {path: door/victim.txt}",
        "delete: {path: .}",
        "move: {from: door/victim.txt, to: mine.txt}",
        "move: {from: own.txt, to: ../out.txt}",
        "chmod: {path: window, mode: 0000}",
        "symlink: {path: link, target: ../outside}",
        "symlink: {path: link, target: /etc/passwd}",
        "symlink: {path: ../link, target: own.txt}",
    ],
)
async def test_nothing_outside_the_workspace_is_touched(theatre: Theatre, step: str) -> None:
    outside = theatre.root / "outside"
    outside.mkdir()
    (outside / "victim.txt").write_text("safe")
    (theatre.workspace / "own.txt").write_text("own")
    (theatre.workspace / "door").symlink_to(outside)
    (theatre.workspace / "window").symlink_to(outside / "victim.txt")
    before = sorted(path.name for path in theatre.root.iterdir())
    theatre.steps(step.replace("ABSOLUTE", str(outside)), "say: Not reached")
    told = await theatre.play()
    assert told.end.outcome == "failed"
    assert "workspace" in told.end.message
    assert [path.name for path in outside.iterdir()] == ["victim.txt"]
    assert (outside / "victim.txt").read_text() == "safe"
    assert stat.S_IMODE((outside / "victim.txt").stat().st_mode) != 0
    assert not (theatre.workspace / "link").is_symlink()
    assert set(before) - {"logs", "state"} == {path.name for path in theatre.root.iterdir()} - {"logs", "state"}


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("edit: {path: missing.txt, find: a, replace: b}", "missing.txt"),
        ("edit: {path: own.txt, find: absent, replace: b}", "does not contain"),
        ("delete: {path: missing.txt}", "missing.txt"),
        ("move: {from: missing.txt, to: x}", "missing.txt"),
        ("checkout: 'no such..name'", "not a branch name"),
    ],
)
async def test_what_cannot_be_done_ends_the_run_and_says_so(theatre: Theatre, step: str, words: str) -> None:
    (theatre.workspace / "own.txt").write_text("own")
    theatre.steps(step, "say: Not reached")
    end = (await theatre.play()).end
    assert (end.outcome, end.error_kind) == ("failed", ErrorKind.AGENT)
    assert words in end.message
    assert end.text == ""


async def test_usage_and_context_are_reported_as_a_real_agent_would(theatre: Theatre) -> None:
    """GRD-8 FTR-19"""
    theatre.steps(
        "usage: {cost_usd: 0.25, input_tokens: 10, output_tokens: 20, cache_read_tokens: 30, model: a-model}",
        "usage: {cost_usd: 1, cache_write_tokens: 40}",
        "context: {tokens: 160000, window: 200000}",
    )
    told = await theatre.play()
    assert told.of(Usage) == [Usage(0.25, 10, 20, 30, 0, "a-model"), Usage(1.0, cache_write_tokens=40)]
    assert told.of(Context) == [Context(160_000, 200_000)]
