"""Refs read from files are what git says they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.git.checkpoint import heads
from pilothouse.git.checkpoint.progress import REFS
from pilothouse.git.repository import Repository
from tests.git.repositories import git, make_repository


def listed(root: Path) -> dict[str, str]:
    rows = git(root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", *REFS).decode().splitlines()
    return {name: commit for commit, name in (row.split(" ", 1) for row in rows)}


def read(root: Path) -> dict[str, str]:
    """What is read once git has said that all of it is there: from the files alone."""
    return heads.read(Repository.open(root), REFS, listed(root))


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
    found = read(root)
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
        assert read(place) == listed(place)
    assert "refs/bisect/good" in read(linked)


def test_what_the_files_alone_say_is_not_believed(root: Path) -> None:
    """RPL-2: a commit that is not there would be kept from pruning, and no `git gc` would come to its end again."""
    repository, known = Repository.open(root), listed(root)
    folder = root / ".git" / "refs" / "heads"
    (folder / "main (conflicted copy)").write_text(known["refs/heads/main"] + "\n")
    assert heads.read(repository, REFS, known) == known
    (folder / "zeros").write_text("0" * 40 + "\n")
    assert heads.read(repository, REFS, known) == known
    (folder / "lost").write_text("1" * 40 + "\n")
    assert heads.read(repository, REFS, known) == known


def test_a_ref_that_names_another_is_left_to_git(root: Path) -> None:
    """RPL-2"""
    git(root, "symbolic-ref", "refs/heads/also", "refs/heads/topic/one")
    found = read(root)
    assert found == listed(root)
    assert found["refs/heads/also"] == found["refs/heads/topic/one"]
