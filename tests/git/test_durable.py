"""What a checkpoint needs is on the disk before anybody is told that it exists."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.repository import Repository
from tests.git.repositories import git, observe

ONE, TWO, UNDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo"))


OLD, YOUNG = 1_000_000_000, 4_000_000_000


def date(root: Path, seconds: int) -> None:
    """Git trusts no time that is as young as its index: such files stand in that part of it that is always written."""
    for path in root.rglob("*.txt"):
        os.utime(path, (seconds, seconds))
    git(root, "update-index", "-q", "--refresh")


@contextmanager
def flushes() -> Iterator[set[int]]:
    """The inodes that this process has had flushed to the disk; git's own flushes are not among them."""
    flushed: set[int] = set()

    def watch(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and called is os.fsync:
            # The builtin's argument cannot be seen from here, but what is open can.
            for descriptor in os.listdir("/proc/self/fd"):
                _note(int(descriptor), flushed)

    before: Callable[..., object] | None = sys.getprofile()
    sys.setprofile(watch)
    threading.setprofile(watch)
    try:
        yield flushed
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def _note(descriptor: int, flushed: set[int]) -> None:
    try:
        flushed.add(os.fstat(descriptor).st_ino)
    except OSError:
        return


def files_below(*places: Path) -> dict[Path, int]:
    found = (path for place in places for path in place.rglob("*") if path.is_file())
    return {path: path.stat().st_ino for path in found}


def kept_in(state: Path) -> tuple[Path, ...]:
    """Where objects and refs of a checkpoint lie; the links in `mirror` are as durable as what they link to."""
    return state / "git" / "objects", state / "git" / "refs"


def test_everything_a_checkpoint_writes_itself_is_flushed_with_its_directory(root: Path, tmp_path: Path) -> None:
    """WEB-6: the files are committed, so that no object is left for git to write."""
    places = kept_in(tmp_path / "state")
    checkpoints = Checkpoints(root, tmp_path / "state")
    before = files_below(*places)
    with flushes() as flushed:
        checkpoints.take(ONE)
    new = {path: inode for path, inode in files_below(*places).items() if path not in before}
    assert {place for place in places if any(path.is_relative_to(place) for path in new)} == set(places)
    assert [path for path, inode in new.items() if inode not in flushed] == []
    above = {parent for path in new for place in places for parent in path.parents if parent.is_relative_to(place)}
    assert [path for path in above if path.stat().st_ino not in flushed] == []


def test_git_writes_out_its_objects_before_the_flush_of_the_tree_that_names_them(root: Path, tmp_path: Path) -> None:
    """WEB-6: told by git itself."""
    shadow = Shadow(Repository.open(root), tmp_path / "state")
    for number in range(5):
        (root / f"new{number}").write_text(f"{number}\n")
    trace = tmp_path / "trace"
    shadow.git.run(
        "update-index", "--add", "--stdin", stdin=b"".join(b"new%d\n" % n for n in range(5)),
        env={"GIT_TRACE2_EVENT": str(trace)},
    )  # fmt: skip
    rows = [json.loads(line) for line in trace.read_text().splitlines()]
    counted = {row["key"]: int(row["value"]) for row in rows if row.get("category") == "fsync"}
    assert counted == {"fsync/writeout-only": 5}
    checkpoints = Checkpoints(root, tmp_path / "state")
    with flushes() as flushed:
        taken = checkpoints.take(ONE)
    top = shadow.git.text("rev-parse", f"{taken.commit}^{{tree}}")
    assert (tmp_path / "state" / "git" / "objects" / top[:2] / top[2:]).stat().st_ino in flushed


def test_an_unchanged_tree_costs_no_flush_but_that_of_its_ref(root: Path, tmp_path: Path) -> None:
    """WEB-6: the same state is the same commit, kept by a ref of its own."""
    places = kept_in(tmp_path / "state")
    checkpoints = Checkpoints(root, tmp_path / "state")
    first = checkpoints.take(ONE)
    before = files_below(*places)
    with flushes() as flushed:
        second = checkpoints.take(TWO)
    refs = tmp_path / "state" / "git" / "refs"
    assert second.commit == first.commit
    assert [path for path in files_below(*places) if path not in before] == [refs.parent / TWO]
    assert flushed & set(files_below(*places).values()) == {(refs.parent / TWO).stat().st_ino}
    assert checkpoints.forget(ONE) == 1
    (root / "a.txt").write_text("changed\n")
    checkpoints.restore(second.commit, UNDO)
    assert (root / "a.txt").read_text() == "a\n"


def test_the_state_is_saved_anew_once_its_only_checkpoint_was_forgotten(root: Path, tmp_path: Path) -> None:
    """WEB-6"""
    checkpoints = Checkpoints(root, tmp_path / "state")
    checkpoints.take(ONE)
    checkpoints.forget(ONE)
    again = checkpoints.take(TWO)
    (root / "a.txt").write_text("changed\n")
    checkpoints.restore(again.commit, UNDO)
    assert (root / "a.txt").read_text() == "a\n"


@pytest.mark.parametrize("torn", ["short", "mixed", "gone"])
@pytest.mark.parametrize("part", ["index", "sharedindex.*"])
def test_a_private_index_that_a_power_cut_tore_is_made_again(root: Path, tmp_path: Path, part: str, torn: str) -> None:
    """WEB-6: it is not flushed each time, so it is not believed after a start either."""
    date(root, YOUNG if part == "index" else OLD)
    (root / "new.txt").write_text("not committed\n")
    start = Checkpoints(root, tmp_path / "state").take(ONE)
    # The blob of one file under the name of another: an index that git reads without a complaint.
    one, other = (bytes.fromhex(git(root, "hash-object", name).decode().strip()) for name in ("a.txt", "b.txt"))
    [place] = (tmp_path / "state" / "git").glob(part)
    content = place.read_bytes()
    assert one in content
    torn_to = {"short": content[:-40], "mixed": content.replace(one, other, 1), "gone": None}[torn]
    place.unlink()
    if torn_to is not None:
        place.write_bytes(torn_to)
    before = observe(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    (root / "d" / "c.txt").unlink()
    found = checkpoints.take(TWO)
    assert [change.path for change in checkpoints.stat(start.commit, found.commit).files] == ["d/c.txt"]
    (root / "a.txt").write_text("changed\n")
    git(root, "add", "-A")
    checkpoints.restore(start.commit, UNDO)
    assert observe(root).files == before.files


def test_a_large_private_index_is_not_written_whole_for_one_change(root: Path, tmp_path: Path) -> None:
    """WEB-6: also where the repository's own index is split, and its parts come and go."""
    for number in range(200):
        (root / f"file{number}.txt").write_text(f"{number}\n")
    git(root, "update-index", "--split-index")
    git(root, "add", "-A")
    date(root, OLD)
    state = tmp_path / "state" / "git"
    checkpoints = Checkpoints(root, tmp_path / "state")
    start = checkpoints.take(ONE)
    (root / "file7.txt").write_text("changed\n")
    checkpoints.take(f"{ONE}b")
    [shared] = state.glob("sharedindex.*")
    (root / "a.txt").write_text("changed\n")
    git(root, "add", "a.txt")
    changed = checkpoints.take(TWO)
    assert list(state.glob("sharedindex.*")) == [shared]
    assert (state / "index").stat().st_size < shared.stat().st_size / 10
    files = [change.path for change in checkpoints.stat(start.commit, changed.commit).files]
    assert files == ["a.txt", "file7.txt"]
