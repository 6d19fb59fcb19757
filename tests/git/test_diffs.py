"""Diffs between checkpoints, and between a checkpoint and the present."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import FileChange, Patch
from tests.git.repositories import git, make_repository

ONE, TWO = "refs/pilothouse/s/t/1/one", "refs/pilothouse/s/t/1/two"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "a.txt": "one\ntwo\n",
        "moved.txt": "".join(f"{n}\n" for n in range(30)),
        "gone.txt": "gone\n",
        "type": "t\n",
    }
    return make_repository(tmp_path / "repository", files)


def _change(root: Path) -> None:
    (root / "a.txt").write_text("one\n2\nthree\n")
    (root / "moved.txt").rename(root / "there.txt")
    (root / "gone.txt").unlink()
    (root / "type").unlink()
    (root / "type").symlink_to("a.txt")
    (root / "picture.bin").write_bytes(bytes(range(256)) * 4)
    (root / "latin.txt").write_bytes("caf\xe9\n".encode("latin-1"))


def test_stat_tells_every_kind_of_change(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    start = checkpoints.take(ONE)
    _change(root)
    stat = checkpoints.stat(start.commit)
    assert stat.files == (
        FileChange("a.txt", "modified", 2, 1),
        FileChange("gone.txt", "deleted", 0, 1),
        FileChange("latin.txt", "added", 1, 0),
        FileChange("picture.bin", "added", None, None, binary=True),
        FileChange("there.txt", "renamed", 0, 0, old_path="moved.txt"),
        FileChange("type", "type", 1, 1),
    )
    assert (stat.insertions, stat.deletions) == (4, 3)
    end = checkpoints.take(TWO)
    assert checkpoints.stat(start.commit, end.commit) == stat
    assert checkpoints.restore(start.commit, "refs/pilothouse/undo").stat == stat


def test_patch_applies_to_the_same_bytes(root: Path, checkpoints: Checkpoints, tmp_path: Path) -> None:
    """WEB-6: binary files and bytes that are no text included, whatever diff programs the repository names."""
    (root / ".gitattributes").write_text("*.txt diff=odd\n*.bin -diff\n")
    for name, value in (("diff.odd.textconv", "false"), ("diff.odd.command", "false"), ("color.ui", "always")):
        git(root, "config", name, value)
    start = checkpoints.take(ONE)
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "clean"))
    (tmp_path / "clean" / ".gitattributes").write_text("*.txt diff=odd\n*.bin -diff\n")
    _change(root)
    pieces: list[bytes] = []
    checkpoints.patch(start.commit, None, pieces.append)
    subprocess.run(["git", "apply"], cwd=tmp_path / "clean", input=b"".join(pieces), check=True)
    for name in ("a.txt", "there.txt", "picture.bin", "latin.txt"):
        assert (tmp_path / "clean" / name).read_bytes() == (root / name).read_bytes()
    assert not (tmp_path / "clean" / "gone.txt").exists()
    text = checkpoints.diff(start.commit).text
    assert "\x1b" not in text
    assert "caf\ufffd" in text


def test_file_diff_is_the_part_about_one_file(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    make_repository(root / "nest", {"n.txt": "n\n"})
    start = checkpoints.take(ONE)
    _change(root)
    (root / "nest" / "n.txt").write_text("changed\n")
    part = checkpoints.diff(start.commit, None, "a.txt").text
    assert part.startswith("diff --git a/a.txt b/a.txt\n")
    assert part in checkpoints.diff(start.commit).text
    nested = checkpoints.diff(start.commit, None, "nest/n.txt").text
    assert nested.startswith("diff --git a/nest/n.txt b/nest/n.txt\n")
    assert nested in checkpoints.diff(start.commit).text
    assert checkpoints.diff(start.commit, start.commit, "a.txt") == Patch("", truncated=False)


def test_a_diff_ends_at_its_limit_and_says_so(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6: between two characters, also where a nested repository comes after."""
    make_repository(root / "nest", {"n.txt": "n\n"})
    start = checkpoints.take(ONE)
    (root / "a.txt").write_text("\u00e9" * 1000)
    (root / "nest" / "n.txt").write_text("changed\n")
    whole = checkpoints.diff(start.commit)
    size = len(whole.text.encode())
    assert not whole.truncated
    assert "nest/n.txt" in whole.text
    assert checkpoints.diff(start.commit, limit=size) == whole
    first = whole.text.encode().index("\u00e9".encode())
    for limit in (first + 7, first + 8, size - 1):
        shown = checkpoints.diff(start.commit, limit=limit)
        assert shown.truncated
        assert whole.text.startswith(shown.text)
        assert 0 <= limit - len(shown.text.encode()) <= 1
