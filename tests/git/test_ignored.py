"""What is ignored, and what is tracked though it is: told by rules and an index that change between two checkpoints."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pilothouse.git import Checkpoints
from tests.git.repositories import git, make_repository

ONE, TWO, UNDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo"))
MEANWHILE = """#!/bin/sh
case "$*" in *diff-files*) n=0; while [ -e "{mark}" ] && [ $n -lt 300 ]; do sleep 0.01; n=$((n + 1)); done ;; esac
{git} "$@"
code=$?
case "$*" in *-zci*) [ -e "{mark}" ] && printf 'a.txt\\n' > "{root}/.gitignore" && rm "{mark}" ;; esac
exit $code
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


@pytest.fixture
def checkpoints(root: Path, tmp_path: Path) -> Checkpoints:
    return Checkpoints(root, tmp_path / "state", patience=0.3)


def test_an_index_that_was_only_refreshed_hides_nothing_from_the_next_checkpoint(
    root: Path, checkpoints: Checkpoints
) -> None:
    """WEB-6: a `git status` writes new times into the index, and nothing else of it is asked again."""
    (root / ".gitignore").write_text("secret.txt\n")
    (root / "secret.txt").write_text("mine\n")
    git(root, "add", "-f", "secret.txt")
    checkpoints.take(ONE)
    index = (root / ".git" / "index").read_bytes()
    os.utime(root / "a.txt", (1, 1))
    git(root, "status")
    assert (root / ".git" / "index").read_bytes() != index
    base = checkpoints.take(TWO)
    (root / "secret.txt").write_text("the agent's\n")
    (root / "new.txt").write_text("new\n")
    git(root, "status")
    assert [change.path for change in checkpoints.stat(base.commit).files] == ["new.txt", "secret.txt"]
    # The next one that does say something new is asked in full again.
    git(root, "rm", "-qf", "--cached", "secret.txt")
    assert [change.path for change in checkpoints.stat(base.commit).files] == ["new.txt", "secret.txt"]
    checkpoints.restore(base.commit, UNDO)
    assert (root / "secret.txt").read_text() == "mine\n"
    assert git(root, "ls-files", "secret.txt").strip() == b"secret.txt"


def test_a_file_tracked_though_ignored_is_saved_also_where_a_repository_was_made_at_once(
    root: Path, checkpoints: Checkpoints
) -> None:
    """WEB-6: two things that move what is ignored, seen by the same scan."""
    (root / ".gitignore").write_text("secret.txt\n")
    (root / "secret.txt").write_text("mine\n")
    (root / "sub").mkdir()
    (root / "sub" / "s.txt").write_text("s\n")
    checkpoints.take(ONE)
    git(root, "add", "-f", "secret.txt")
    git(root / "sub", "init", "-q")
    base = checkpoints.take(TWO)
    (root / "secret.txt").write_text("the agent's\n")
    assert [change.path for change in checkpoints.stat(base.commit).files] == ["secret.txt"]
    checkpoints.restore(base.commit, UNDO)
    assert (root / "secret.txt").read_text() == "mine\n"


def test_rules_that_change_while_git_is_asked_take_no_tracked_file_away(
    root: Path, checkpoints: Checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WEB-6"""
    checkpoints.take(ONE)
    (root / "b.txt").write_text("staged\n")
    git(root, "add", "b.txt")
    mark, program = tmp_path / "mark", tmp_path / "bin" / "git"
    mark.touch()
    program.parent.mkdir()
    program.write_text(MEANWHILE.format(mark=mark, root=root, git=shutil.which("git")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    checkpoints.take(TWO)
    assert not mark.exists()
    (root / "a.txt").write_text("changed\n")
    later = checkpoints.take(f"{TWO}b")
    assert b"a.txt" in git(root, "ls-tree", "-r", "--name-only", later.tree).split()
