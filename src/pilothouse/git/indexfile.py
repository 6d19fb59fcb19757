"""The repository's index as a file: read whole, put back whole, under git's own lock."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

from pilothouse.errors import CheckpointFailed, GitFailed
from pilothouse.git.commands import Git, split_zero
from pilothouse.git.repository import Repository

OURS = "pilothouse.index"
UNPORTABLE = (b"link", b"UNTR", b"FSMN")
"""Extensions that lean on other files or on time: split index, untracked cache, fsmonitor."""


def checksum(path: Path, id_length: int) -> bytes | None:
    """What tells two versions of an index apart, or None where there is none."""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            file.seek(-id_length, os.SEEK_END)
            trailer = file.read()
    except FileNotFoundError:
        return None
    # `index.skipHash` leaves the trailer empty, so the file's own stat has to do as well.
    return trailer + b"%d %d %d" % (found.st_mtime_ns, found.st_size, found.st_ino)


def portable_copy(repository: Repository, scratch: Path) -> Path | None:
    """A copy of the index that says everything by itself; the stat cache stays valid."""
    source = repository.git_dir / "index"
    try:
        shutil.copy2(source, scratch)
    except FileNotFoundError:
        return None
    if any(mark in scratch.read_bytes() for mark in UNPORTABLE):
        # A split index names its shared part relative to the git directory, not to itself.
        args = ("update-index", "--no-split-index", "--no-untracked-cache", "--no-fsmonitor")
        repository.git.run("-c", "core.splitIndex=false", *args, env={"GIT_INDEX_FILE": str(scratch)})
    return scratch


def reachable_tree(repository: Repository, index: Path, scratch: Path) -> str:
    """A tree that names every blob of the index, also those of a conflict, so that none is pruned."""
    env = {"GIT_INDEX_FILE": str(index)}
    with contextlib.suppress(GitFailed):
        return repository.git.text("write-tree", env=env)
    rows = split_zero(repository.git.run("ls-files", "-sz", env=env))
    lines = []
    for number, row in enumerate(rows):
        mode, name, _ = row.split(b"\t", 1)[0].split(b" ")
        lines.append(b"%s %s\t%d\0" % (mode, name, number))
    scratch.unlink(missing_ok=True)
    keep = {"GIT_INDEX_FILE": str(scratch)}
    repository.git.run("update-index", "-z", "--index-info", stdin=b"".join(lines), env=keep)
    return repository.git.text("write-tree", "--missing-ok", env=keep)


def entries(git: Git, index: Path) -> bytes:
    """What an index says, apart from its stat cache: paths, stages, blobs and flags."""
    env = {"GIT_INDEX_FILE": str(index)}
    debug = git.run("ls-files", "--debug", "-z", env=env)
    flags = b" ".join(line.rsplit(b"flags: ", 1)[1] for line in debug.split(b"\n") if b"\tflags: " in line)
    return git.run("ls-files", "-stvz", env=env) + flags


def wait_until_unlocked(repository: Repository, patience: float) -> None:
    """Let a git that is at work finish; a lock our own killed restore left behind is taken away."""
    _drop_own_lock(repository.git_dir)
    deadline = time.monotonic() + patience
    lock = repository.git_dir / "index.lock"
    while lock.exists():
        if time.monotonic() >= deadline:
            raise _locked(lock, repository.root)
        time.sleep(0.05)


def replace(repository: Repository, content: Path | None, mtime_ns: int, patience: float) -> None:
    """Put `content` in the place of the index; None removes it.

    The lock is a hard link to our own file, which is how a killed restore is told from the user's git. The old
    modification time comes back too: git compares it with those of the files to find the ones that changed within
    the same tick.
    """
    wait_until_unlocked(repository, patience)
    own, lock, index = (repository.git_dir / name for name in (OURS, "index.lock", "index"))
    own.unlink(missing_ok=True)
    if content is None:
        own.touch()
    else:
        shutil.copyfile(content, own)
    if index.exists():
        shutil.copymode(index, own)
    os.utime(own, ns=(mtime_ns, mtime_ns))
    try:
        os.link(own, lock)
    except FileExistsError:
        own.unlink()
        raise _locked(lock, repository.root) from None
    if content is None:
        index.unlink(missing_ok=True)
    else:
        own.replace(index)
    lock.unlink()
    own.unlink(missing_ok=True)


def _drop_own_lock(git_dir: Path) -> None:
    lock = git_dir / "index.lock"
    for name in (OURS, "index"):
        with contextlib.suppress(FileNotFoundError):
            if lock.samefile(git_dir / name):
                lock.unlink()
    (git_dir / OURS).unlink(missing_ok=True)


def _locked(lock: Path, root: Path) -> CheckpointFailed:
    return CheckpointFailed(
        f"Another git program is at work in {root}: {lock} exists. Let it finish and try again; if none is "
        f"running, one was killed there: delete {lock}, then try again. Nothing was changed.",
        {"lock": str(lock)},
    )
