"""Writing a proposal over the workspace: exact, merged when the tree moved, refused when it cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pilothouse.errors import MergeNeeded, ProposalRefused
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.scratch import Scratch
from tests.git.repositories import Observed, git, make_repository, observe

BASE, PROPOSAL, UNDO, REDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("0", "proposal", "undo", "redo"))
LINES = "".join(f"line {n}\n" for n in range(20))


class Killed(BaseException):
    """Stands in for a kill: nothing in the package handles it."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {"a.txt": LINES, "b.txt": "b\n", "d/c.txt": "c\n", "d/gone.txt": "gone\n", ".gitignore": "*.log\nbuild/\n"}
    root = make_repository(tmp_path / "repository", files)
    (root / "image").write_bytes(b"\0one")
    (root / "staged.txt").write_text("staged\n")
    git(root, "add", "staged.txt")
    (root / "notes.log").write_text("ignored\n")
    return root


@pytest.fixture
def scratch(checkpoints: Checkpoints, tmp_path: Path) -> Scratch:
    return Scratch.make(checkpoints, checkpoints.take(BASE).commit, tmp_path / "scratch")


def propose(scratch: Scratch) -> tuple[str, str]:
    """Changes of every kind."""
    root = scratch.root
    (root / "a.txt").write_text(LINES.replace("line 3\n", "proposed 3\n"))
    (root / "image").write_bytes(b"\0two\xff\r\n")
    (root / "d" / "gone.txt").unlink()
    (root / "d" / "c.txt").rename(root / "moved.txt")
    (root / "d").rmdir()
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "tool").write_text("#!/bin/sh\n")
    (root / "deep" / "er" / "tool").chmod(0o750)
    (root / "b.txt").chmod(0o600)
    (root / "link").symlink_to("a.txt")
    git(root, "commit", "-q", "-a", "-m", "agent")
    return scratch.base, scratch.save(PROPOSAL).commit


def same_git(one: Observed, other: Observed) -> bool:
    """HEAD and index are the same. What is staged is asked of the index and HEAD alone."""
    return one.git == other.git


def test_exactly_the_proposal_is_written_and_can_be_undone(
    root: Path, checkpoints: Checkpoints, scratch: Scratch
) -> None:
    """TSK-7"""
    before = observe(root)
    base, proposed = propose(scratch)
    (root / "unrelated.txt").write_text("made since\n")
    git(root, "add", "unrelated.txt")
    moved = observe(root)
    applied = checkpoints.write_over(base, proposed, UNDO)
    after = observe(root)
    wanted = dict(observe(scratch.root).files)
    assert after.files == wanted | {
        b"notes.log": before.files[b"notes.log"], b"unrelated.txt": moved.files[b"unrelated.txt"]
    }  # fmt: skip
    assert same_git(after, moved)
    assert checkpoints.stat(proposed).files[0].path == "unrelated.txt"
    checkpoints.restore(applied.undo.commit, REDO)
    assert observe(root) == moved


def test_filters_and_line_endings_have_no_say(tmp_path: Path) -> None:
    """TSK-7"""
    root = make_repository(tmp_path / "r", {"a.txt": "one\ntwo\n", ".gitattributes": "* text eol=crlf filter=f\n"})
    git(root, "config", "filter.f.smudge", f"touch {tmp_path}/ran; cat")
    git(root, "config", "filter.f.clean", f"touch {tmp_path}/ran; cat")
    checkpoints = Checkpoints(root, tmp_path / "state")
    scratch = Scratch.make(checkpoints, checkpoints.take(BASE).commit, tmp_path / "scratch")
    (scratch.root / "a.txt").write_bytes(b"one\r\nmixed\n\xff")
    proposed = scratch.save(PROPOSAL)
    checkpoints.write_over(scratch.base, proposed.commit, UNDO)
    assert (root / "a.txt").read_bytes() == b"one\r\nmixed\n\xff"
    assert not (tmp_path / "ran").exists()


def test_merge_is_shown_first_and_written_only_when_that_one_is_confirmed(
    root: Path, checkpoints: Checkpoints, scratch: Scratch
) -> None:
    """TSK-7"""
    base, proposed = propose(scratch)
    (root / "a.txt").write_text(LINES.replace("line 16\n", "mine 16\n"))
    before = observe(root)
    with pytest.raises(MergeNeeded) as asked:
        checkpoints.write_over(base, proposed, UNDO)
    assert observe(root) == before
    assert checkpoints.refs(UNDO) == []
    details = asked.value.details or {}
    assert "+proposed 3" in details["patch"]
    assert "mine 16\n-" not in details["patch"]
    assert "deep/er/tool" in details["files"]

    (root / "a.txt").write_text(LINES.replace("line 16\n", "mine again 16\n"))
    with pytest.raises(MergeNeeded) as again:
        checkpoints.write_over(base, proposed, UNDO, details["merge"])
    confirmed = (again.value.details or {})["merge"]
    assert confirmed != details["merge"]
    then = observe(root)
    applied = checkpoints.write_over(base, proposed, UNDO, confirmed)
    merged = LINES.replace("line 3\n", "proposed 3\n").replace("line 16\n", "mine again 16\n")
    assert (root / "a.txt").read_text() == merged
    assert (root / "moved.txt").read_text() == "c\n"
    checkpoints.restore(applied.undo.commit, REDO)
    assert observe(root) == then


def test_merge_that_was_written_and_not_told_can_be_written_again(
    root: Path, checkpoints: Checkpoints, scratch: Scratch
) -> None:
    """TSK-7: the kill came behind the last byte."""
    base, proposed = propose(scratch)
    (root / "a.txt").write_text(LINES.replace("line 5\n", "mine 5\n"))
    merge = checkpoints.fit(base, proposed).merge
    assert merge is not None
    checkpoints.write_over(base, proposed, UNDO, merge)
    written = observe(root)
    assert checkpoints.fit(base, proposed).merge is None
    checkpoints.write_over(base, proposed, UNDO, merge)
    assert observe(root) == written


def test_same_change_made_by_the_person_needs_no_merge(root: Path, checkpoints: Checkpoints, scratch: Scratch) -> None:
    """TSK-7"""
    base, proposed = propose(scratch)
    (root / "a.txt").write_text(LINES.replace("line 3\n", "proposed 3\n"))
    (root / "d" / "gone.txt").unlink()
    fit = checkpoints.fit(base, proposed)
    assert (fit.clashes, fit.merge) == ((), None)
    checkpoints.write_over(base, proposed, UNDO)
    assert (root / "image").read_bytes() == b"\0two\xff\r\n"


def test_what_cannot_be_merged_is_refused_by_name(root: Path, checkpoints: Checkpoints, scratch: Scratch) -> None:
    """TSK-7"""
    base, proposed = propose(scratch)
    (root / "a.txt").write_text(LINES.replace("line 3\n", "mine 3\n"))
    (root / "image").write_bytes(b"\0three")
    (root / "d" / "gone.txt").write_text("still needed\n")
    (root / "d" / "c.txt").unlink()
    (root / "moved.txt").write_text("mine\n")
    (root / "deep").write_text("a file\n")
    (root / "b.txt").chmod(0o640)
    (root / "link").mkdir()
    (root / "link" / "x").write_text("x\n")
    before = observe(root)
    with pytest.raises(ProposalRefused) as refused:
        checkpoints.write_over(base, proposed, UNDO)
    clashes = {row["path"]: row["reason"] for row in (refused.value.details or {})["clashes"]}
    assert clashes.keys() == {"a.txt", "b.txt", "d/gone.txt", "deep/er/tool", "image", "link", "moved.txt"}
    assert "same lines" in clashes["a.txt"]
    assert "binary" in clashes["image"]
    assert observe(root) == before
    assert checkpoints.refs(UNDO) == []


def test_ignored_file_in_the_way_is_never_overwritten(root: Path, checkpoints: Checkpoints, scratch: Scratch) -> None:
    """TSK-7"""
    (scratch.root / ".gitignore").write_text("build/\n")
    (scratch.root / "notes.log").write_text("proposed\n")
    proposed = scratch.save(PROPOSAL).commit
    with pytest.raises(ProposalRefused):
        checkpoints.write_over(scratch.base, proposed, UNDO)
    assert (root / "notes.log").read_text() == "ignored\n"
    (root / "notes.log").rename(root / "other.log")
    applied = checkpoints.write_over(scratch.base, proposed, UNDO)
    assert (root / "notes.log").read_text() == "proposed\n"
    assert (root / "other.log").read_text() == "ignored\n"
    checkpoints.restore(applied.undo.commit, REDO)
    assert not (root / "notes.log").exists()
    assert (root / "other.log").read_text() == "ignored\n"


def test_file_that_became_ignored_is_changed_and_comes_back(
    root: Path, checkpoints: Checkpoints, scratch: Scratch
) -> None:
    """TSK-7"""
    (scratch.root / "b.txt").write_text("proposed\n")
    (scratch.root / "d" / "c.txt").unlink()
    proposed = scratch.save(PROPOSAL).commit
    git(root, "rm", "-q", "--cached", "b.txt", "d/c.txt")
    (root / ".git" / "info" / "exclude").write_text("b.txt\nc.txt\n")
    before = observe(root)
    applied = checkpoints.write_over(scratch.base, proposed, UNDO)
    assert (root / "b.txt").read_text() == "proposed\n"
    assert not (root / "d" / "c.txt").exists()
    checkpoints.restore(applied.undo.commit, REDO)
    assert observe(root) == before


def test_files_that_a_new_rule_shows_stay_where_they_are(
    root: Path, checkpoints: Checkpoints, scratch: Scratch
) -> None:
    """TSK-7"""
    (root / "build").mkdir()
    (root / "build" / "out.o").write_bytes(b"\0built")
    (scratch.root / ".gitignore").write_text("*.log\n")
    proposed = scratch.save(PROPOSAL).commit
    applied = checkpoints.write_over(scratch.base, proposed, UNDO)
    assert (root / "build" / "out.o").read_bytes() == b"\0built"
    checkpoints.restore(applied.undo.commit, REDO)
    assert (root / "build" / "out.o").read_bytes() == b"\0built"
    assert (root / ".gitignore").read_text() == "*.log\nbuild/\n"


@pytest.mark.parametrize("merging", [False, True])
def test_writing_again_and_undoing_both_work_after_a_kill_anywhere(
    root: Path, checkpoints: Checkpoints, scratch: Scratch, tmp_path: Path, merging: bool
) -> None:
    """TSK-7"""
    base, proposed = propose(scratch)
    if merging:
        (root / "a.txt").write_text(LINES.replace("line 16\n", "mine 16\n"))
    before, merge = observe(root), checkpoints.fit(base, proposed).merge
    assert (merge is not None) == merging
    steps: list[None] = []
    first = checkpoints.write_over(base, proposed, f"{UNDO}/count", merge, lambda: steps.append(None))
    after = observe(root)
    for at in range(1, len(steps), 3 if merging else 2):
        checkpoints.restore(first.undo.commit, f"{REDO}/{at}")
        left = [at]

        def kill(left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise Killed

        undo = f"{UNDO}/{at}"
        with pytest.raises(Killed):
            checkpoints.write_over(base, proposed, undo, merge, kill)
        restarted = Checkpoints(root, tmp_path / "state")
        again = restarted.write_over(base, proposed, undo, merge)
        assert observe(root) == after, at
        restarted.restore(again.undo.commit, f"{REDO}/again-{at}")
        assert observe(root) == before, at


def test_undo_of_a_half_written_proposal_brings_everything_back(
    root: Path, checkpoints: Checkpoints, scratch: Scratch, tmp_path: Path
) -> None:
    """TSK-7"""
    base, proposed = propose(scratch)
    before = observe(root)
    left = [4]

    def kill() -> None:
        left[0] -= 1
        if not left[0]:
            raise Killed

    with pytest.raises(Killed):
        checkpoints.write_over(base, proposed, UNDO, None, kill)
    assert observe(root) != before
    restarted = Checkpoints(root, tmp_path / "state")
    restarted.restore(restarted.refs(UNDO)[0].commit, REDO)
    assert observe(root) == before


def test_modes_alone_are_a_change(root: Path, checkpoints: Checkpoints, scratch: Scratch) -> None:
    """TSK-7"""
    (scratch.root / "b.txt").chmod(0o755)
    (scratch.root / "a.txt").chmod(0o640)
    (root / "d" / "c.txt").chmod(0o600)
    proposed = scratch.save(PROPOSAL).commit
    checkpoints.write_over(scratch.base, proposed, UNDO)
    modes = {name: os.stat(root / name).st_mode & 0o777 for name in ("a.txt", "b.txt", "d/c.txt")}
    assert modes == {"a.txt": 0o640, "b.txt": 0o755, "d/c.txt": 0o600}
