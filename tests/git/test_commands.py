"""A git that does not end hinders nobody for ever."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from pilothouse.errors import CheckpointFailed, GitStuck
from pilothouse.git.changes import status
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.commands import Git
from pilothouse.git.repository import require

REF = "refs/pilothouse/s/t/1/0"
WAITS = ("-c", "alias.waits=!exec tail -f /dev/null")


def programs(root: Path) -> list[str]:
    """What runs in a directory."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.cwd() == str(root) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.name())
    return found


def until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < limit
        os.sched_yield()


@pytest.mark.parametrize("name", [".gitignore", "d/.gitattributes", ".git/info/exclude"])
def test_pipe_where_git_reads_a_file_is_named(root: Path, checkpoints: Checkpoints, name: str) -> None:
    """BYD-3"""
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)
    (root / "d" / "new.txt").write_text("new\n")
    with pytest.raises(CheckpointFailed) as failed:
        checkpoints.take(REF)
    assert name in failed.value.message
    assert not programs(root)
    (root / name).unlink()
    assert checkpoints.take(REF).commit


def test_pipe_as_configuration_is_named(root: Path) -> None:
    """BYD-3"""
    (root / ".git" / "config").unlink()
    os.mkfifo(root / ".git" / "config")
    with pytest.raises(GitStuck) as stuck:
        require(root)
    assert stuck.value.details == {"command": "git rev-parse", "path": ".git/config"}


def test_pipe_where_status_reads_a_file_is_named(root: Path) -> None:
    """WEB-13"""
    os.mkfifo(root / ".gitignore")
    with pytest.raises(GitStuck) as stuck:
        status(root)
    assert ".gitignore" in stuck.value.message


@pytest.mark.parametrize("streamed", [False, True])
def test_git_and_what_it_started_are_killed_when_the_time_is_up(root: Path, streamed: bool) -> None:
    """BYD-3"""
    git = Git(root, config=WAITS, limit=0.2)
    with pytest.raises(GitStuck, match="git waits did not end within"):
        list(git.stream("waits")) if streamed else git.run("waits")
    until(lambda: not programs(root))


def test_killed_process_leaves_no_git(root: Path, tmp_path: Path) -> None:
    """BYD-3"""
    os.mkfifo(root / ".gitignore")
    program = (
        "import sys, pathlib; from pilothouse.git.checkpoints import Checkpoints\n"
        "root, state = map(pathlib.Path, sys.argv[1:]); Checkpoints(root, state).take('refs/pilothouse/s/t/1/0')"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, str(root), str(tmp_path / "state")]
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL) as taking:
        until(lambda: "git" in programs(root))
        taking.kill()
    until(lambda: not programs(root))


def test_killed_process_leaves_no_hook(root: Path, tmp_path: Path) -> None:
    """WEB-13"""
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nexec tail -f /dev/null\n")
    hook.chmod(0o755)
    (root / "a.txt").write_text("changed\n")
    program = (
        "import sys, pathlib; from pilothouse.git import changes, programs, repository\n"
        "root = pathlib.Path(sys.argv[1]); found = programs.of_commit(repository.require(root))\n"
        "changes.commit(root, 'Change', None, [one.digest for one in found])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, str(root)]
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL) as committing:
        until(lambda: "tail" in programs(root))
        committing.kill()
    until(lambda: not programs(root))
