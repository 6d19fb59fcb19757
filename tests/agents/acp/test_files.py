"""Files and commands that an agent uses through us."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pilothouse.domain.ports import Decision
from tests.agents.acp.stage import ALL, ASK, EDITS, staged
from tests.process.watching import runs


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Files beside the workspace, and links out of it."""
    workspace = tmp_path / "workspace"
    (workspace / ".git").mkdir(parents=True)
    (workspace / ".git" / "config").write_text("git's own")
    (tmp_path / "secret.txt").write_text("secret")
    (workspace / "link.txt").symlink_to(tmp_path / "secret.txt")
    (workspace / "dir").symlink_to(tmp_path)
    (workspace / "loop").symlink_to("loop")
    return tmp_path


ESCAPES = [
    "../secret.txt",
    "link.txt",
    "dir/secret.txt",
    ".git/config",
    ".GIT/config",
    "dir/workspace/.git/config",
    "loop",
]


@pytest.mark.parametrize("path", ESCAPES)
async def test_nothing_outside_the_workspace_and_nothing_of_gits_is_read_or_written(outside: Path, path: str) -> None:
    """BYD-1: links are followed before it is decided."""
    workspace = outside / "workspace"
    whole = str(workspace / path)
    told = await staged(outside).play(["readfile", whole], ["writefile", whole, "mine"], permission_mode=ALL)
    assert told.text.count("details") == 2, told.text
    assert (outside / "secret.txt").read_text() == "secret"
    assert (workspace / ".git" / "config").read_text() == "git's own"


async def test_files_of_the_workspace_are_read_whole_or_by_lines(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    file = stage.workspace / "a.txt"
    file.write_text("one\ntwo\nthree\n")
    (stage.workspace / "sub").mkdir()
    told = await stage.play(
        *(["readfile", str(file)], ["readfile", str(file), 2, 1], ["readfile", str(file), 9]),
        *(["readfile", str(stage.workspace / "none")], ["readfile", str(stage.workspace / "sub")]),
    )
    assert '{"content": "one\\ntwo\\nthree\\n"}{"content": "two\\n"}{"content": ""}' in told.text
    assert "uri" in told.text
    assert "is no file" in told.text


async def test_a_file_is_written_with_its_folders_and_keeps_its_mode(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    script = stage.workspace / "run.sh"
    script.write_text("old")
    script.chmod(0o755)
    new = stage.workspace / "a" / "b.txt"
    told = await stage.play(
        ["writefile", str(script), "new\r\n"],
        ["writefile", str(new), "x"],
        ["writefile", str(tmp_path / "workspace"), ""],
    )
    assert told.text.startswith("writtenwritten{")
    assert script.read_bytes() == b"new\r\n"
    assert os.access(script, os.X_OK)
    assert new.read_text() == "x"


async def test_read_only_writes_nothing_through_us_and_runs_nothing(tmp_path: Path) -> None:
    """BYD-1, GRD-7"""
    stage = staged(tmp_path)
    file = stage.workspace / "a.txt"
    script = [["writefile", str(file), "x"], ["terminal", "touch", "b.txt"]]
    told = await stage.play(*script, read_only=True, permission_mode=ALL)
    assert list(stage.workspace.iterdir()) == []
    assert told.end.denied == (f"edit: {file}", "execute: touch b.txt")


async def test_a_write_that_was_not_asked_for_is_asked_for_once(tmp_path: Path) -> None:
    """BYD-1: the agent's own question, when there was one, is enough; a second write needs another."""
    stage = staged(tmp_path)
    file = str(stage.workspace / "a.txt")
    may = ["may", "t1", "edit", "Edit", {"locations": [{"path": file}]}]
    first = await stage.play(may, ["writefile", file, "1"], ["writefile", file, "2"], session="s", permission_mode=ASK)
    allowed = {"session": "s", "resume": first.session, "decision": Decision("once"), "permission_mode": ASK}
    second = await stage.play(["x"], **allowed)
    assert Path(file).read_text() == "1"
    assert second.end.permission
    assert second.end.permission.detail == file
    third = await stage.play(["x"], **allowed)
    assert third.end.outcome == "done"
    assert Path(file).read_text() == "2"
    await stage.agent.forget()


async def test_an_agent_that_tells_of_a_change_it_made_itself_is_not_asked_about(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    file = stage.workspace / "a.txt"
    file.write_text("done")
    told = await stage.play(["writefile", str(file), "done"], permission_mode=ASK)
    assert (told.text, told.end.outcome) == ("written", "done")


async def test_a_command_runs_in_the_workspace_and_without_the_agents_key(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, source={"ACTOR_KEY": "k"}, credentials=("ACTOR_KEY",))
    told = await stage.play(["terminal", "sh", "-c", "pwd; echo $ACTOR_KEY; exit 3"], permission_mode=ALL)
    output = f"{stage.workspace}\n\n"
    expected = {"code": 3, "output": output, "truncated": False, "exitStatus": {"exitCode": 3}}
    assert json.loads(told.text) == expected
    assert output in stage.log()


async def test_a_line_for_a_shell_is_given_to_one_and_long_output_keeps_its_end(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["terminal", "yes é | head -n 500 && echo end"], permission_mode=ALL)
    found = json.loads(told.text)
    assert found["truncated"]
    assert found["output"].endswith("é\nend\n")
    assert len(found["output"].encode()) <= 200


@pytest.mark.parametrize("command", [["no-such-program-anywhere", "x"], ["./none", "x"]])
async def test_a_command_that_is_not_there_is_told(tmp_path: Path, command: list[str]) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["terminal", *command], permission_mode=ALL)
    assert "There is no program" in told.text


async def test_a_command_is_asked_for_unless_the_agent_asked_already(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    first = await stage.play(["terminal", "echo", "hi"], session="s", permission_mode=EDITS)
    assert first.end.permission
    assert first.end.permission.detail == "echo hi"
    may = ["may", "t1", "execute", "x", {"rawInput": {"command": "echo hi"}}]
    second = await stage.play(may, ["terminal", "echo", "hi"], permission_mode=EDITS, granted=("execute: echo hi",))
    assert json.loads(second.text.removeprefix("[t1: x4]"))["output"] == "hi\n"
    await stage.agent.forget()


async def test_a_killed_command_is_over_and_one_left_running_ends_with_the_run(tmp_path: Path) -> None:
    """BYD-1, BYD-8"""
    stage = staged(tmp_path)
    pid = stage.workspace / "pid"
    told = await stage.play(
        ["killed", "sleep", "600"],
        ["background", "sh", "-c", f"echo $$ > {pid}; sleep 600"],
        ["terminal", "sh", "-c", f"until [ -s {pid} ]; do sleep 0.01; done"],
        permission_mode=ALL,
        session="s",
    )
    assert json.loads(told.text.partition("}}")[0] + "}}")["exitStatus"] == {"exitCode": 143}
    assert not runs(int(pid.read_text()))
