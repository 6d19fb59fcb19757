"""Locks that a killed git left behind."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pilothouse.errors import CheckpointFailed
from pilothouse.git.checkpoints import Checkpoints
from tests.git.repositories import ENVIRONMENT, git

REF = "refs/pilothouse/s/t/1/0"


@pytest.fixture
def committing(root: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A git in the middle of a commit: it holds the lock and waits for its editor."""
    (root / "a.txt").write_text("changed\n")
    os.mkfifo(tmp_path / "begun")
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\necho > {tmp_path / 'begun'}\nexec tail -f /dev/null\n")
    editor.chmod(0o700)
    env = {**ENVIRONMENT, "GIT_EDITOR": str(editor)}
    started = subprocess.Popen(["git", "commit", "-a"], cwd=root, env=env, start_new_session=True)
    (tmp_path / "begun").read_text()
    yield started
    os.killpg(started.pid, 9)
    started.wait()


def test_lock_of_a_killed_git_is_moved_aside_and_the_checkpoint_taken(
    root: Path, tmp_path: Path, committing: subprocess.Popen[bytes]
) -> None:
    """WEB-1"""
    checkpoints = Checkpoints(root, tmp_path / "state", patience=0.2)
    lock = root / ".git" / "index.lock"
    content = lock.read_bytes()
    committing.kill()
    committing.wait()
    with pytest.raises(CheckpointFailed):
        checkpoints.take(REF)
    (moved,) = checkpoints.free(time.time() - 60)
    assert (lock.exists(), moved.read_bytes()) == (False, content)
    checkpoints.take(REF)
    git(root, "commit", "-qam", "goes on")


def test_lock_of_a_living_git_stays(root: Path, tmp_path: Path, committing: subprocess.Popen[bytes]) -> None:
    """WEB-1: it waits for its editor, and has nothing open."""
    checkpoints = Checkpoints(root, tmp_path / "state", patience=0.2)
    assert checkpoints.free(time.time() - 60) == []
    assert (root / ".git" / "index.lock").exists()
    assert committing.poll() is None


def test_lock_from_before_and_one_that_is_open_stay(root: Path, tmp_path: Path) -> None:
    """WEB-1"""
    checkpoints = Checkpoints(root, tmp_path / "state", patience=0.2)
    lock = root / ".git" / "index.lock"
    lock.touch()
    assert checkpoints.free(time.time() + 60) == []
    holder = subprocess.Popen(["tail", "-f", str(lock)], stdout=subprocess.DEVNULL, cwd=tmp_path)
    try:
        while str(lock) not in [os.path.realpath(fd) for fd in Path(f"/proc/{holder.pid}/fd").iterdir()]:
            assert holder.poll() is None
        assert checkpoints.free(time.time() - 60) == []
        assert lock.exists()
    finally:
        holder.kill()
        holder.wait()
