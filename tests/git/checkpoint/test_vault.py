"""Where the objects of checkpoints lie: taken over from earlier versions, linked or copied, and freed."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from pilothouse.git.checkpoints import Checkpoints
from tests.git.checkpoint.losses import LOSSES, furnish, remove, whole, work
from tests.git.repositories import git, make_repository, run_python

ONE, TWO, UNDO, REDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo", "redo"))
KILLED = """
import os, signal, sys
from pathlib import Path
from pilothouse.git.checkpoints import Checkpoints

left = int(sys.argv[1])

def hook(event, args):
    global left
    if event in ("os.link", "os.rename", "os.remove", "os.rmdir", "os.mkdir"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

root, state, commit, ref = sys.argv[2:]
sys.addaudithook(hook)
checkpoints = Checkpoints(Path(root), Path(state))
if commit:
    checkpoints.restore(commit, ref)
print(left)
"""


def killed(number: int, root: Path, state: Path, commit: str = "", ref: str = "") -> int | None:
    """Ends the process before the change of that number; returns how many are left if there are not so many."""
    done = run_python(KILLED, str(number), root, state, commit, ref)
    if done.returncode == -signal.SIGKILL:
        return None
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def as_before(root: Path, state: Path, ref: str) -> str:
    """Turns a checkpoint into one of an earlier version, whose objects a pin in the repository holds."""
    ours, objects = state / "git", root / ".git" / "objects"

    def private(*args: str) -> bytes:
        return git(ours, "--git-dir=.", *args)

    commit = (ours / ref).read_text().strip()
    rows = [row for row in private("ls-tree", f"{commit}^{{tree}}").decode().splitlines() if not row.endswith("\tgit")]
    (root / "rows").write_text("".join(f"{row}\n" for row in rows))
    with (root / "rows").open() as stdin:
        top = shell(ours, stdin, "mktree")
    (root / "rows").unlink()
    header, _, message = private("cat-file", "commit", commit).decode().partition("\n\n")
    (root / "rows").write_text("\n".join([f"tree {top}", *header.split("\n")[1:]]) + "\n\n" + message)
    with (root / "rows").open() as stdin:
        old = shell(ours, stdin, "hash-object", "-t", "commit", "-w", "--stdin")
    (root / "rows").unlink()
    (ours / ref).write_text(old + "\n")
    for file in (ours / "objects").glob("??/*"):
        if file.parent.name + file.name != old:
            (objects / file.parent.name).mkdir(exist_ok=True)
            file.replace(objects / file.parent.name / file.name)
    for place in (ours / "mirror", ours / "objects" / "info", ours / "objects" / "pack"):
        shutil.rmtree(place)
    whose = hashlib.sha256(os.fsencode(root) + b"\0" + os.fsencode(state)).hexdigest()[:16]
    entry = root / ".git" / "worktrees" / f"pilothouse-{whose}"
    entry.mkdir(parents=True)
    head = git(root, "rev-parse", "HEAD").decode().strip()
    pinned = git(root, "commit-tree", "-p", head, "-m", "Pilothouse checkpoints", top).decode()
    for name, text in (("HEAD", pinned), ("locked", "ours\n"), ("commondir", "../..\n"), ("gitdir", "none\n")):
        (entry / name).write_text(text)
    git(root, "gc", "-q", "--prune=now")
    return old


def shell(ours: Path, stdin: IO[str], *args: str) -> str:
    command = ["git", "--git-dir=.", *args]
    done = subprocess.run(command, cwd=ours, stdin=stdin, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_checkpoints_of_earlier_versions_are_taken_over(root: Path, tmp_path: Path) -> None:
    """BYD-3: under their old names, also when that is cut short, and the repository is free of us afterwards."""
    furnish(root)
    state = tmp_path / "state"
    Checkpoints(root, state).take(ONE)
    then = whole(root)
    old = as_before(root, state, ONE)
    for number in (1, 5, 9, 12, 14, 16, 18, 20, 22):
        if killed(number, root, state) is not None:
            break
    checkpoints = Checkpoints(root, state)
    assert not (root / ".git" / "worktrees").exists()
    work(root)
    (root / "new.txt").write_text("agent\n")
    git(root, "gc", "-q", "--prune=now")
    remove(root)
    assert [found.commit for found in checkpoints.refs()] == [old]
    checkpoints.restore(old, UNDO)
    assert whole(root).observed == then.observed
    assert git(root, "rev-parse", "main", "other") != b""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("loss", ["removed", "another with commits", "index cut"])
def test_a_kill_while_a_repository_is_made_again_loses_nothing(tmp_path: Path, loss: str) -> None:
    """BYD-3 BYD-8"""
    root, state = make_repository(tmp_path / "repository"), tmp_path / "state"
    furnish(root)
    start = Checkpoints(root, state).take(ONE)
    then = whole(root)
    work(root)
    LOSSES[loss][1](root)
    before = files_of(root)
    number, step = 1, 0
    while True:
        ref = f"refs/pilothouse/kill/{number}"
        if killed(number, root, state, start.commit, ref) is not None:
            break
        checkpoints = Checkpoints(root, state)
        first = next((found for found in checkpoints.refs(ref) if found.ref == ref), None)
        if step % 2 or first is None:
            undo = checkpoints.restore(start.commit, ref).undo
            assert whole(root) == then, f"restored after a kill before change {number}"
            checkpoints.restore(undo.commit, f"{ref}-undo")
        else:
            checkpoints.restore(first.commit, f"{ref}-undo")
        assert files_of(root) == before, f"undone after a kill before change {number}"
        step, number = step + 1, number + 9
    assert step > 3
    assert whole(root) == then


def files_of(root: Path) -> dict[str, bytes]:
    """Every file, those of git included, apart from objects and reflogs."""
    found = (path for path in root.rglob("*") if path.is_file() and not {"objects", "logs"} & {*path.parts})
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A place on another file system than the tests."""
    memory = Path("/dev/shm")
    here = Path(tempfile.gettempdir()).stat().st_dev
    place = memory if memory.is_dir() and memory.stat().st_dev != here else Path.cwd()
    if place.stat().st_dev == here:
        pytest.skip("there is one file system only")
    with tempfile.TemporaryDirectory(prefix="pilothouse-elsewhere-", dir=place) as folder:
        yield Path(folder)


@pytest.mark.parametrize("loss", ["removed", "another with commits", "packs removed", "single objects removed"])
def test_what_cannot_be_linked_is_copied(root: Path, elsewhere: Path, loss: str) -> None:
    """BYD-3: the checkpoints lie on another file system."""
    (root / "large.bin").write_bytes(os.urandom(400_000))
    git(root, "add", "large.bin")
    git(root, "commit", "-q", "-m", "large")
    furnish(root)
    checkpoints = Checkpoints(root, elsewhere / "state")
    then = whole(root)
    start = checkpoints.take(ONE)
    first = checkpoints.size()
    (root / "more.txt").write_text("more\n")
    git(root, "add", "more.txt")
    git(root, "commit", "-q", "-m", "more")
    git(root, "gc", "-q")
    checkpoints.take(TWO)
    assert checkpoints.size() < first * 1.5, "what was packed anew is not copied again"
    work(root)
    LOSSES[loss][1](root)
    restored = checkpoints.restore(start.commit, UNDO)
    assert whole(root) == then if loss != "packs removed" else restored.lost
    checkpoints.forget(TWO)
    checkpoints.tidy()
    checkpoints.restore(restored.undo.commit, REDO)
    checkpoints.restore(start.commit, f"{UNDO}-2")
    assert (root / "new.txt").read_text() == "untracked\n"


def test_links_take_no_room_until_the_repository_lets_go(root: Path, tmp_path: Path) -> None:
    """BYD-3: what is freed is what no checkpoint needs."""
    (root / "large.bin").write_bytes(os.urandom(400_000))
    git(root, "add", "large.bin")
    git(root, "commit", "-q", "-m", "large")
    checkpoints = Checkpoints(root, tmp_path / "state")
    start = checkpoints.take(ONE)
    assert checkpoints.size() < 20_000
    for number in range(3):
        (root / "a.txt").write_text(f"{number}\n")
        git(root, "commit", "-q", "-a", "-m", f"{number}")
        git(root, "gc", "-q", "--prune=now")
        checkpoints.take(f"{TWO}{number}")
    assert checkpoints.size() > 800_000
    checkpoints.tidy()
    assert checkpoints.size() < 40_000
    (root / "draft.bin").write_bytes(os.urandom(300_000))
    checkpoints.take(f"{TWO}-draft")
    (root / "draft.bin").unlink()
    assert checkpoints.size() > 300_000
    assert checkpoints.forget(f"{TWO}-draft") == 1
    checkpoints.take(f"{TWO}-after")
    checkpoints.tidy()
    assert checkpoints.size() < 60_000
    then = whole(root)
    later = checkpoints.take(f"{TWO}-last")
    remove(root)
    checkpoints.restore(later.commit, UNDO)
    assert whole(root) == then
    checkpoints.restore(start.commit, REDO)
    assert (root / "a.txt").read_text() == "a\n"
    git(root, "fsck", "--full", "--strict")


def test_tidying_keeps_every_tag_stash_and_branch_of_a_checkpoint(root: Path, tmp_path: Path) -> None:
    """BYD-3 BYD-22"""
    furnish(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    then = whole(root)
    start = checkpoints.take(ONE)
    git(root, "stash", "clear")
    git(root, "tag", "-d", "heavy", "light")
    git(root, "branch", "-D", "other")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    checkpoints.take(TWO)
    assert checkpoints.forget(TWO) == 1
    checkpoints.tidy()
    checkpoints.tidy()
    for move in reversed(checkpoints.restore(start.commit, UNDO).other_branches_moved):
        checkpoints.bring_back(start.commit, move)
    assert whole(root) == then
    assert sorted(found.ref for found in checkpoints.refs()) == [ONE, UNDO]


def test_what_was_staged_comes_back_though_the_repository_pruned_it_long_ago(root: Path, tmp_path: Path) -> None:
    """BYD-3 WEB-6: and the repository gets no more than it needs."""
    (root / "a.txt").write_text("staged\n")
    git(root, "add", "a.txt")
    checkpoints = Checkpoints(root, tmp_path / "state")
    then = whole(root)
    start = checkpoints.take(ONE)
    (root / "b.txt").write_text("agent\n")
    assert checkpoints.restore(start.commit, UNDO).lost == ()
    git(root, "reset", "-q", "--hard")
    git(root, "gc", "-q", "--prune=now")
    checkpoints.tidy()
    assert [loss.what for loss in checkpoints.restore(start.commit, REDO).lost] == ["objects"]
    assert whole(root) == then
    git(root, "fsck", "--strict")
    git(root, "gc", "-q", "--prune=now")
