"""Reads the repository's index file whole, and puts it back whole, under git's own lock."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from pathlib import Path

from pilothouse.errors import CheckpointFailed, GitFailed
from pilothouse.git import obstacles
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.commands import Git, split_zero
from pilothouse.git.repository import Repository
from pilothouse.words import say

OURS = "pilothouse.index"
SHARED = "sharedindex.*"
"""The part of a split index that git rarely writes."""
INTENT_TO_ADD = 1 << 29
UNPORTABLE = (b"link", b"UNTR", b"FSMN")
"""Extensions that depend on other files or on time: split index, untracked cache, fsmonitor."""


def checksum(path: Path, id_length: int) -> bytes | None:
    """Tells two versions of an index apart. None: there is no index."""
    try:
        with obstacles.opened(path) as file:
            found = os.fstat(file.fileno())
            file.seek(-id_length, os.SEEK_END)
            trailer = file.read()
    except FileNotFoundError:
        return None
    # `index.skipHash` leaves the trailer empty, so the file's stat has to tell too.
    return trailer + b"%d %d %d" % (found.st_mtime_ns, found.st_size, found.st_ino)


def drop_damaged(shadow: Shadow) -> None:
    """Deletes a private index that a power cut damaged. It can be made again, so it is not flushed each time."""
    for place in (shadow.index, *shadow.path.glob(SHARED)):
        if place.exists() and not _is_whole(shadow.repository, place.read_bytes()):
            place.unlink()
            shadow.index.unlink(missing_ok=True)


def _is_whole(repository: Repository, content: bytes) -> bool:
    body, trailer = content[: -repository.id_length], content[-repository.id_length :]
    return hashlib.new(repository.algorithm, body, usedforsecurity=False).digest() == trailer


def portable_copy(shadow: Shadow, copy: Path) -> Path | None:
    """Copies the repository's index into one file that depends on no other. Its stat cache stays valid.

    Git hashes files when it writes an index, and would run the repository's filters. So commands on the copy run in
    the private directory.
    """
    git_dir = shadow.repository.git_dir
    try:
        shutil.copy2(git_dir / "index", copy)
    except FileNotFoundError:
        return None
    if any(mark in copy.read_bytes() for mark in UNPORTABLE):
        # Git looks for the shared part of a split index in the git directory; the private index may have one there too.
        lent = [part for part in git_dir.glob(SHARED) if not (shadow.path / part.name).exists()]
        for part in lent:
            shutil.copy2(part, shadow.path / part.name)
        args = ("update-index", "--no-split-index", "--no-untracked-cache", "--no-fsmonitor")
        shadow.git.run(*args, env={"GIT_INDEX_FILE": str(copy)})
        for part in lent:
            (shadow.path / part.name).unlink(missing_ok=True)
    return copy


def reachable_tree(shadow: Shadow, index: Path, scratch: Path) -> str:
    """Writes a tree that names every blob of the index, also those of a conflict, so that none is pruned."""
    env = {"GIT_INDEX_FILE": str(index)}
    with contextlib.suppress(GitFailed):
        return shadow.git.text("write-tree", env=env)
    rows = split_zero(shadow.git.run("ls-files", "-sz", env=env))
    lines = []
    for number, row in enumerate(rows):
        mode, name, _ = row.split(b"\t", 1)[0].split(b" ")
        lines.append(b"%s %s\t%d\0" % (mode, name, number))
    scratch.unlink(missing_ok=True)
    keep = {"GIT_INDEX_FILE": str(scratch)}
    shadow.git.run("update-index", "-z", "--index-info", stdin=b"".join(lines), env=keep)
    return shadow.git.text("write-tree", "--missing-ok", env=keep)


def entries(git: Git, index: Path) -> bytes:
    """Everything in an index but its stat cache: paths, stages, blobs and flags."""
    env = {"GIT_INDEX_FILE": str(index)}
    debug = git.run("ls-files", "--debug", "-z", env=env)
    flags = [int(line.rsplit(b"flags: ", 1)[1], 16) for line in debug.split(b"\n") if b"\tflags: " in line]
    return git.run("ls-files", "-stvz", env=env) + b"".join(b"%x " % (flag & INTENT_TO_ADD) for flag in flags)


def is_locked(repository: Repository) -> bool:
    return (repository.git_dir / "index.lock").exists()


def wait_until_unlocked(repository: Repository, patience: float) -> None:
    """Waits for a git that is at work. Removes a lock that our own killed restore left."""
    drop_own_lock(repository.git_dir)
    deadline = time.monotonic() + patience
    while is_locked(repository):
        if time.monotonic() >= deadline:
            raise _locked(repository.git_dir / "index.lock", repository.root)
        time.sleep(0.05)


def replace(repository: Repository, content: Path | None, mtime_ns: int, patience: float) -> None:
    """Replaces the index with `content`; None removes it.

    The lock is a hard link to our own file, so that a killed restore can be told from the user's git. The index gets
    its old modification time back: git compares it with the files' times to find those that changed in the same tick.
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


def drop_own_lock(git_dir: Path) -> None:
    lock = git_dir / "index.lock"
    for name in (OURS, "index"):
        with contextlib.suppress(FileNotFoundError):
            if lock.samefile(git_dir / name):
                lock.unlink()
    (git_dir / OURS).unlink(missing_ok=True)


def _locked(lock: Path, root: Path) -> CheckpointFailed:
    return CheckpointFailed(
        say("checkpoint.locked", root=str(root), lock=str(lock)),
        {"lock": str(lock)},
    )
