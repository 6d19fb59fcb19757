"""Committing the changes of a workspace as a person does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pilothouse.errors import GitFailed, InvalidInput
from pilothouse.git import changes, programs
from pilothouse.git.changes import status
from pilothouse.git.model import ChangedFile
from pilothouse.git.repository import require
from tests.git.repositories import git, make_repository, observe


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "repository")
    git(root, "config", "user.name", "Person")
    git(root, "config", "user.email", "person@localhost")
    return root


def commit(root: Path, message: str, paths: Sequence[str] | None = None) -> str:
    """With everything accepted that it would run."""
    return changes.commit(root, message, paths, {found.digest for found in programs.of_commit(require(root))})


def _hook(root: Path, name: str, script: str) -> None:
    hook = root / ".git" / "hooks" / name
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)


def test_status_lists_every_changed_file(root: Path) -> None:
    """WEB-13"""
    (root / "a.txt").write_text("changed\n")
    git(root, "mv", "b.txt", "moved.txt")
    (root / "d" / "c.txt").unlink()
    (root / "new file").write_text("new\n")
    assert sorted(status(root), key=lambda file: file.path) == [
        ChangedFile("a.txt", "modified", staged=False),
        ChangedFile("d/c.txt", "deleted", staged=False),
        ChangedFile("moved.txt", "renamed", staged=True, old_path="b.txt"),
        ChangedFile("new file", "untracked", staged=False),
    ]


def test_all_changes_are_committed_with_the_persons_name_and_hooks(root: Path) -> None:
    """WEB-13"""
    _hook(root, "pre-commit", "touch ../hook-ran")
    (root / "a.txt").write_text("changed\n")
    (root / "new").write_text("new\n")
    made = commit(root, "Change a\n\nBecause.", None)
    assert git(root, "log", "-1", "--format=%H %an %s").decode().strip().startswith(f"{made} ")
    assert git(root, "status", "--porcelain") == b""
    assert (root.parent / "hook-ran").exists()


def test_chosen_files_are_committed_and_the_rest_stays_staged(root: Path) -> None:
    """WEB-13"""
    for name in ("a.txt", "b.txt", "*.txt"):
        (root / name).write_text("changed\n")
    (root / "d" / "c.txt").unlink()
    git(root, "add", "b.txt")
    commit(root, "Some", ["a.txt", "*.txt", "d/c.txt"])
    assert git(root, "show", "--name-status", "--format=", "HEAD") == b"A\t*.txt\nM\ta.txt\nD\td/c.txt\n"
    assert git(root, "status", "--porcelain") == b"M  b.txt\n"


def test_a_refused_commit_leaves_the_index_as_it_was(root: Path) -> None:
    """WEB-13"""
    _hook(root, "pre-commit", "echo 'the tests are red' >&2; git rm -q --cached b.txt; exit 1")
    (root / "a.txt").write_text("staged\n")
    git(root, "add", "a.txt")
    (root / "a.txt").write_text("work\n")
    (root / "new").write_text("new\n")
    before = observe(root)
    for paths in (None, ["new", "a.txt"]):
        with pytest.raises(GitFailed, match="the tests are red"):
            commit(root, "Change", paths)
        assert observe(root) == before
    assert not list((root / ".git").glob("pilothouse*"))


def test_nothing_to_commit_is_said_in_gits_words(root: Path) -> None:
    """WEB-13"""
    with pytest.raises(GitFailed, match="nothing to commit"):
        commit(root, "Nothing", None)
    with pytest.raises(GitFailed, match="did not match any file"):
        commit(root, "Nothing", ["nowhere.txt"])
    for message, paths in (("  ", None), ("x", [])):
        with pytest.raises(InvalidInput):
            commit(root, message, paths)
