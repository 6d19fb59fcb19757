"""A look at the present that a checkpoint may use, and when it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.errors import CheckpointFailed
from pilothouse.git import Checkpoints
from tests.git.repositories import make_repository

ONE, TWO, UNDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


@pytest.fixture
def looking(root: Path, tmp_path: Path) -> Checkpoints:
    return Checkpoints(root, tmp_path / "state", patience=0.3, recent=3600)


def test_a_look_just_before_is_what_is_taken(root: Path, looking: Checkpoints) -> None:
    """BYD-14"""
    (root / "a.txt").write_text("when it was sent\n")
    looking.look(ONE)
    assert looking.refs() == [], "nothing has a name yet"
    (root / "a.txt").write_text("afterwards\n")
    start = looking.take(ONE, looked=True)
    assert looking.diff(start.commit).text.count("+afterwards") == 1
    looking.restore(start.commit, UNDO)
    assert (root / "a.txt").read_text() == "when it was sent\n"


@pytest.mark.parametrize("between", ["take", "restore", "same_as", "preview", "look", "disregard", "nothing"])
def test_a_look_holds_only_until_anything_else_is_done(root: Path, looking: Checkpoints, between: str) -> None:
    """WEB-6: a checkpoint is what stands there"""
    start = looking.take(ONE)
    (root / "a.txt").write_text("agent\n")
    looking.look(TWO)
    (root / "a.txt").write_text("person\n")
    match between:
        case "take":
            looking.take(TWO)
        case "restore":
            looking.restore(start.commit, UNDO)
            (root / "a.txt").write_text("person\n")
        case "same_as":
            looking.same_as(start.commit)
        case "preview":
            looking.preview(start.commit)
        case "look":
            looking.look(TWO)
        case "disregard":
            looking.disregard()
    taken = looking.take(TWO, looked=between != "nothing")
    (root / "a.txt").unlink()
    looking.restore(taken.commit, f"{UNDO}-later")
    assert (root / "a.txt").read_text() == "person\n"


def test_a_look_that_is_not_recent_is_not_used(root: Path, tmp_path: Path) -> None:
    """WEB-6: a checkpoint is what stands there"""
    checkpoints = Checkpoints(root, tmp_path / "state", recent=0)
    checkpoints.look(ONE)
    (root / "a.txt").write_text("person\n")
    assert checkpoints.same_as(checkpoints.take(ONE, looked=True).commit)


def test_nothing_is_seen_while_a_git_of_the_person_works_on_the_index(root: Path, looking: Checkpoints) -> None:
    """WEB-6"""
    (root / ".git" / "index.lock").touch()
    looking.look(ONE)
    with pytest.raises(CheckpointFailed, match=r"index\.lock"):
        looking.take(ONE, looked=True)
    (root / ".git" / "index.lock").unlink()
    looking.look(ONE)
    (root / ".git" / "index.lock").touch()
    with pytest.raises(CheckpointFailed, match=r"index\.lock"):
        looking.take(ONE, looked=True)
    (root / ".git" / "index.lock").unlink()
    assert looking.same_as(looking.take(ONE, looked=True).commit)


def test_a_look_for_another_name_is_not_used(root: Path, looking: Checkpoints) -> None:
    """WEB-6"""
    looking.look(ONE)
    (root / "a.txt").write_text("person\n")
    assert looking.same_as(looking.take(TWO, looked=True).commit)
