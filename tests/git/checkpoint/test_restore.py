"""Checkpoints where the machine sets limits: size, permissions, space, locks, kills."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pilothouse.errors import CheckpointFailed
from pilothouse.git.checkpoints import Checkpoints
from tests.git.repositories import as_anybody, git, make_repository, observe, run_python

ONE, TWO, UNDO, REDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo", "redo"))


def test_huge_file_is_streamed_and_memory_stays_flat(root: Path, tmp_path: Path) -> None:
    """WEB-6: 300 MB in a process that may not grow by a third of that."""
    with (root / "huge.bin").open("wb") as file:
        file.truncate(300 << 20)
        file.seek(1 << 20)
        file.write(b"mark")
    program = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from pilothouse.git.checkpoints import Checkpoints\n"
        "root, state = map(Path, sys.argv[1:])\n"
        "checkpoints = Checkpoints(root, state)\n"
        f"start = checkpoints.take({ONE!r})\n"
        "(root / 'huge.bin').unlink()\n"
        f"checkpoints.restore(start.commit, {UNDO!r})\n"
        # Not ru_maxrss for ourselves: it starts at the size of whoever started us.
        "status = Path('/proc/self/status').read_text()\n"
        "own = int(status.split('VmHWM:')[1].split()[0])\n"
        "print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) // 1024)\n"
    )
    done = run_python(program, root, tmp_path / "state")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 100
    with (root / "huge.bin").open("rb") as file:
        file.seek(1 << 20)
        assert file.read(4) == b"mark"
    assert (root / "huge.bin").stat().st_size == 300 << 20


def test_read_only_file_and_directory_do_not_stop_a_restore(root: Path, tmp_path: Path) -> None:
    """WEB-6: as a user whom permissions bind; the directory has its mode again afterwards."""
    (root / "d" / "c.txt").chmod(0o444)
    done = as_anybody(
        root,
        tmp_path / "state",
        f"start = tree.take({ONE!r})",
        "(root / 'd/c.txt').unlink()",
        "(root / 'd/new.txt').write_text('agent')",
        "(root / 'd').chmod(0o555)",
        f"tree.restore(start.commit, {UNDO!r})",
    )
    assert done.returncode == 0, done.stderr
    assert (root / "d").stat().st_mode & 0o777 == 0o755
    assert (root / "d" / "c.txt").read_text() == "c\n"
    assert os.listdir(root / "d") == ["c.txt"]


@pytest.mark.skipif(os.geteuid() != 0, reason="a small file system has to be mounted")
def test_no_space_left_changes_nothing_or_can_be_repeated(tmp_path: Path) -> None:
    """WEB-6 BYD-3"""
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small], check=False, capture_output=True
    ).returncode:
        pytest.skip("this system lets nobody mount a file system")
    try:
        root = make_repository(small / "repository")
        checkpoints = Checkpoints(root, small / "state")
        (root / "random").write_bytes(os.urandom(600_000))
        start = checkpoints.take(ONE)
        (root / "random").unlink()
        (root / "agent").write_text("agent\n")
        ballast = small / "ballast"
        _fill(ballast)
        before = observe(root).files
        with pytest.raises(CheckpointFailed, match=r"No space left|unable to write|write error"):
            checkpoints.restore(start.commit, UNDO)
        assert observe(root).files.keys() >= before.keys()
        ballast.unlink()
        checkpoints.restore(start.commit, UNDO)
        assert checkpoints.same_as(start.commit)
        (root / "another").write_bytes(os.urandom(500_000))
        then = observe(root)
        _fill(ballast)
        with pytest.raises(CheckpointFailed):
            checkpoints.take(TWO)
        assert observe(root) == then
    finally:
        subprocess.run(["umount", small], check=True)


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return


def test_index_lock_of_another_git_is_waited_for_then_named(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    start = checkpoints.take(ONE)
    lock = root / ".git" / "index.lock"
    lock.touch()
    for action in (lambda: checkpoints.take(TWO), lambda: checkpoints.restore(start.commit, UNDO)):
        with pytest.raises(CheckpointFailed, match=r"index\.lock exists"):
            action()
    patient = Checkpoints(root, root.parent / "state", patience=30)
    timer = threading.Timer(0.2, lock.unlink)
    timer.start()
    assert patient.take(TWO).tree == start.tree
    timer.join()


def test_lock_that_a_killed_restore_left_is_taken_away(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    start = checkpoints.take(ONE)
    git_dir = root / ".git"
    (git_dir / "pilothouse.index").write_bytes((git_dir / "index").read_bytes())
    os.link(git_dir / "pilothouse.index", git_dir / "index.lock")
    checkpoints.restore(start.commit, UNDO)
    assert not (git_dir / "index.lock").exists()


def _changed_workspace(place: Path) -> tuple[Checkpoints, str, Callable[[], None]]:
    root = make_repository(
        place / "repository", {f"d{n}/f{n}.txt": f"{n}\n" for n in range(6)} | {".gitignore": "*.o\n"}
    )
    (root / "mine.txt").write_text("mine\n")
    make_repository(root / "nest", {"n.txt": "n\n"})
    checkpoints = Checkpoints(root, place / "state")
    start = checkpoints.take(ONE)

    def agent() -> None:
        for number in range(4):
            (root / f"d{number}" / f"f{number}.txt").write_text("agent\n")
        (root / "d5" / "f5.txt").unlink()
        (root / "mine.txt").unlink()
        (root / "mine.txt").mkdir()
        (root / "mine.txt" / "x.o").write_text("ignored\n")
        (root / ".gitignore").write_text("*.log\n")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "agent")
        git(root, "switch", "-q", "-c", "agent")
        (root / "nest" / "n.txt").write_text("agent\n")
        make_repository(root / "made", {"m.txt": "m\n"})

    return checkpoints, start.commit, agent


@pytest.mark.timeout(300)
def test_kills_throughout_a_restore_lose_nothing(tmp_path: Path) -> None:
    """WEB-6 BYD-3 BYD-8: after SIGKILL, restoring again and undoing both give the exact state."""
    changes = []
    checkpoints, start, agent = _changed_workspace(tmp_path)
    root = tmp_path / "repository"
    then = observe(root)
    agent()
    before = observe(root)
    undo = checkpoints.restore(start, UNDO, on_change=lambda: changes.append(1)).undo
    assert observe(root) == then
    checkpoints.restore(undo.commit, REDO)
    assert observe(root) == before
    assert len(changes) >= 15
    for number in range(1, len(changes), 3):
        ref = f"refs/pilothouse/kill/{number}"
        assert _killed_at(number, root, tmp_path / "state", start, ref) == -signal.SIGKILL
        # As after a restart of the server: nothing is remembered.
        fresh = Checkpoints(root, tmp_path / "state")
        if number % 2:
            again = fresh.restore(start, ref)
            assert observe(root) == then, f"restore again after a kill at change {number}"
            assert again.undo.ref == ref
        first = next(found for found in fresh.refs(ref) if found.ref == ref)
        fresh.restore(first.commit, f"{ref}-redo")
        assert observe(root) == before, f"undo after a kill at change {number}"


def _killed_at(number: int, root: Path, state: Path, commit: str, ref: str) -> int:
    program = (
        "import itertools, os, signal, sys\n"
        "from pathlib import Path\n"
        "from pilothouse.git.checkpoints import Checkpoints\n"
        "root, state, commit, ref, number = sys.argv[1:]\n"
        "count = itertools.count(1)\n"
        "def on_change():\n"
        "    if next(count) == int(number):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "Checkpoints(Path(root), Path(state)).restore(commit, ref, on_change)\n"
    )
    return run_python(program, root, state, commit, ref, str(number)).returncode
