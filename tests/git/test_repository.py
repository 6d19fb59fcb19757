"""Which paths can be projects, and what a person is told about those that cannot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pilothouse.errors import InvalidInput
from pilothouse.git.repository import inspect
from tests.git.repositories import git, make_repository


def test_repository_is_found_through_a_symbolic_link(tmp_path: Path) -> None:
    """FTR-2"""
    root = make_repository(tmp_path / "repository")
    (tmp_path / "link").symlink_to(root)
    info = inspect(tmp_path / "link")
    assert (info.root, info.branch, info.worktree) == (root, "main", False)
    assert info.head == git(root, "rev-parse", "HEAD").decode().strip()


def test_worktree_and_repository_without_a_commit_are_projects(tmp_path: Path) -> None:
    """FTR-2"""
    root = make_repository(tmp_path / "repository")
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    info = inspect(tmp_path / "side")
    assert (info.worktree, info.branch, info.common_dir) == (True, "side", root / ".git")
    empty = inspect(make_repository(tmp_path / "empty", {}))
    assert (empty.head, empty.branch) == (None, "main")


def _refused(path: Path) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        inspect(path)
    assert caught.value.details is not None
    assert caught.value.details["field"] == "project_path"
    assert caught.value.details["remedy"] in caught.value.message
    return caught.value


def test_each_refusal_has_its_message_and_remedy(tmp_path: Path) -> None:
    """FTR-2"""
    root = make_repository(tmp_path / "repository")
    (tmp_path / "plain").mkdir()
    assert "does not exist" in _refused(tmp_path / "nowhere").message
    assert "is not a directory" in _refused(root / "a.txt").message
    assert "git init" in _refused(tmp_path / "plain").message
    assert f"Use its root: {root}" in _refused(root / "d").message
    assert "not an absolute path" in _refused(Path("repository")).message
    assert "is not a git repository" in _refused(root / ".git").message


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_unreadable_and_unwritable_directories_are_refused(tmp_path: Path) -> None:
    """FTR-2"""
    root = make_repository(tmp_path / "repository")
    root.chmod(0o555)
    assert "Cannot write" in _refused(root).message
    root.chmod(0o333)
    assert "Cannot read" in _refused(root).message
    root.chmod(0o755)


def test_a_root_that_ceases_to_be_one_is_noticed(tmp_path: Path) -> None:
    """FTR-2: though git is not asked again while nothing there looks different."""
    root = make_repository(tmp_path / "repository")
    inspect(root)
    (root / ".git").rename(tmp_path / "elsewhere")
    assert "is not a git repository" in _refused(root).message
    make_repository(tmp_path / "other")
    git(tmp_path / "other", "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side" / ".git").rename(root / ".git")
    assert inspect(root).worktree
    (tmp_path / "other").rename(tmp_path / "gone")
    with pytest.raises(InvalidInput):
        inspect(root)
