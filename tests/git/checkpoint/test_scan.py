"""What is ignored, and what is tracked though it is: told by rules and an index that change between two checkpoints."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pilothouse.errors import CheckpointFailed
from pilothouse.git.checkpoints import Checkpoints
from tests.git.repositories import git

ONE, TWO, UNDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo"))
# Once: git lists the tracked files that are ignored, and then the rules change.
RULES_MEANWHILE = """#!/bin/sh
{git} "$@"
code=$?
case "$*" in *-zci*) [ -e "{mark}" ] && printf 'a.txt\\n' > "{root}/.gitignore" && rm "{mark}" ;; esac
exit $code
"""


def git_stands_aside(script: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the script called in git's place; what it does once, it does while the mark that is returned stands."""
    mark, program = tmp_path / "mark", tmp_path / "bin" / "git"
    mark.touch()
    program.parent.mkdir()
    program.write_text(script.format(mark=mark, root=root, git=shutil.which("git")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return mark


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
    # The next one that does say something new is asked in full again: it is ignored alone by now.
    git(root, "rm", "-qf", "--cached", "secret.txt")
    now = [(change.path, change.status) for change in checkpoints.stat(base.commit).files]
    assert now == [("new.txt", "added"), ("secret.txt", "deleted")]
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
    mark = git_stands_aside(RULES_MEANWHILE, root, tmp_path, monkeypatch)
    taken = checkpoints.take(TWO)
    assert not mark.exists()
    (root / "a.txt").write_text("changed\n")
    later = checkpoints.take(f"{TWO}b")
    for checkpoint in (taken, later):
        assert (
            b"a.txt"
            in git(tmp_path / "state" / "git", "--git-dir=.", "ls-tree", "-r", "--name-only", checkpoint.tree).split()
        )


# Once: what is ignored is listed, and then the person tracks a file.
TRACKED_MEANWHILE = """#!/bin/sh
{git} "$@"
code=$?
case "$*" in *-zci*) [ -e "{mark}" ] && rm "{mark}" && {git} -C "{root}" add -f secret.txt ;; esac
exit $code
"""


def test_an_index_that_changes_while_git_is_asked_is_asked_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WEB-6: or a file that is tracked though ignored would be in no later checkpoint."""
    (root / ".gitignore").write_text("secret.txt\n")
    (root / "secret.txt").write_text("mine\n")
    mark = git_stands_aside(TRACKED_MEANWHILE, root, tmp_path, monkeypatch)
    checkpoints = Checkpoints(root, tmp_path / "state", patience=0.3)
    checkpoints.take(ONE)
    assert not mark.exists()
    base = checkpoints.take(TWO)
    (root / "secret.txt").write_text("the agent's\n")
    assert [change.path for change in checkpoints.stat(base.commit).files] == ["secret.txt"]


def test_what_a_scan_that_failed_had_learned_is_not_believed(
    root: Path, tmp_path: Path, checkpoints: Checkpoints
) -> None:
    """WEB-6: the index says again what it said before, and the lists of the failed scan are of another one."""
    (root / ".gitignore").write_text("secret.txt\n")
    (root / "secret.txt").write_text("mine\n")
    git(root, "add", "-f", "secret.txt")
    checkpoints.take(ONE)
    git(root, "rm", "-q", "--cached", "secret.txt")
    in_the_way = tmp_path / "state" / "git" / "modes.new"
    in_the_way.mkdir()
    with pytest.raises(CheckpointFailed, match=r"modes\.new"):
        checkpoints.take(TWO)
    in_the_way.rmdir()
    git(root, "add", "-f", "secret.txt")
    base = checkpoints.take(TWO)
    (root / "secret.txt").write_text("the agent's\n")
    assert [change.path for change in checkpoints.stat(base.commit).files] == ["secret.txt"]
