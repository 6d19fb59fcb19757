"""Refs read from files are what git says they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.git import heads
from pilothouse.git.progress import REFS
from pilothouse.git.repository import Repository
from tests.git.repositories import git, make_repository


def listed(root: Path) -> dict[str, str]:
    rows = git(root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", *REFS).decode().splitlines()
    return {name: commit for commit, name in (row.split(" ", 1) for row in rows)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "repository")
    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    for name in ("topic/one", "topic/日本語", "old"):
        git(root, "branch", "-q", name, "HEAD~1")
    git(root, "tag", "-a", "v1", "-m", "v1")
    return root


def test_single_and_packed_refs_are_read_and_the_single_ones_count(root: Path) -> None:
    """RPL-2"""
    git(root, "pack-refs", "--all")
    git(root, "branch", "-q", "-f", "topic/one", "main")
    git(root, "branch", "-q", "-D", "old")
    git(root, "update-ref", "refs/bisect/bad", "HEAD")
    git(root, "update-ref", "refs/worktree/mine", "HEAD~1")
    (root / ".git" / "refs" / "heads" / "held.lock").write_text("")
    found = heads.read(Repository.open(root), REFS)
    assert found == listed(root)
    assert set(found) == {
        "refs/heads/main", "refs/heads/topic/one", "refs/heads/topic/日本語", "refs/bisect/bad", "refs/worktree/mine"
    }  # fmt: skip


def test_a_linked_working_tree_has_the_branches_of_all_and_refs_of_its_own(root: Path, tmp_path: Path) -> None:
    """RPL-2"""
    linked = tmp_path / "linked"
    git(root, "worktree", "add", "-q", str(linked), "old")
    git(root, "update-ref", "refs/bisect/bad", "HEAD")
    git(linked, "update-ref", "refs/bisect/good", "HEAD")
    for place in (root, linked):
        assert heads.read(Repository.open(place), REFS) == listed(place)
    assert "refs/bisect/good" in heads.read(Repository.open(linked), REFS)


def test_a_ref_that_names_another_is_left_to_git(root: Path) -> None:
    """RPL-2"""
    git(root, "symbolic-ref", "refs/heads/also", "refs/heads/topic/one")
    found = heads.read(Repository.open(root), REFS)
    assert found == listed(root)
    assert found["refs/heads/also"] == found["refs/heads/topic/one"]
