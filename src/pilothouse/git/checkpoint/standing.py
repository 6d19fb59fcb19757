"""Says how a working tree's repository stands: whole, gone or broken.

Where it is not whole, an empty repository of our own stands in for it. So everything that needs only files and stored
checkpoints goes on as usual.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pilothouse.errors import GitFailed
from pilothouse.git.commands import Git
from pilothouse.git.repository import Repository

Problem = Literal["", "gone", "broken"]
HEAD = re.compile(rb"ref: refs/\S.*\n?|[0-9a-f]{40}\n?|[0-9a-f]{64}\n?")
UNFINISHED = ".git.pilothouse"
"""A git directory that is being made, beside its place."""


@dataclass(frozen=True, slots=True)
class Standing:
    repository: Repository
    """Ours, if there is a problem."""
    problem: Problem = ""


class Watch:
    """Notices when the repository of a working tree becomes another, goes, breaks or is whole again."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._index: tuple[object, bool] = (None, True)
        self._seen: object = None

    def changed(self) -> bool:
        """Whether it changed since this was last asked."""
        seen, self._seen = self._seen, self._look()
        return seen != self._seen

    @property
    def index_is_whole(self) -> bool:
        return self._index[1]

    def _look(self) -> object:
        git_dir, common = directories(self._root)
        if git_dir is None or common is None:
            return _about(self._root / ".git")
        self._judge_index(git_dir / "index")
        places = (self._root / ".git", git_dir, common, common / "objects", common / "refs")
        try:
            head = bool(HEAD.fullmatch((git_dir / "HEAD").read_bytes()))
        except OSError:
            head = False
        try:
            about = (common / "config").stat()
            config = (about.st_mtime_ns, about.st_size, about.st_ino)
        except OSError:
            config = None
        return tuple(_about(place) for place in places), head, config, self._index[1]

    def _judge_index(self, index: Path) -> None:
        try:
            about = index.stat()
            key = (about.st_mtime_ns, about.st_size, about.st_ino)
            if self._index[0] != key:
                self._index = key, is_whole(index.read_bytes())
        except OSError:
            self._index = None, True


def directories(root: Path) -> tuple[Path | None, Path | None]:
    """The git directory and the one it shares, without asking git; None where there is no such directory."""
    git_dir = root / ".git"
    try:
        if git_dir.is_file():
            told = os.fsdecode(git_dir.read_bytes()).strip()
            git_dir = root / told.removeprefix("gitdir:").strip() if told.startswith("gitdir:") else git_dir
        shared = git_dir / "commondir"
        common = git_dir / os.fsdecode(shared.read_bytes()).strip() if shared.is_file() else git_dir
    except OSError:
        return None, None
    return (git_dir if git_dir.is_dir() else None), (common if common.is_dir() else None)


def algorithm_of(git_dir: Path) -> str | None:
    """That of a private git directory; None where there is none yet."""
    try:
        config = (git_dir / "config").read_text()
    except FileNotFoundError:
        return None
    return "sha256" if "objectFormat = sha256" in config else "sha1"


def find(root: Path, state_dir: Path, index_is_whole: bool) -> Standing:
    """Before the first checkpoint, only a whole one will do."""
    place, objects = state_dir / "stand-in", state_dir / "git" / "objects"
    algorithm = algorithm_of(state_dir / "git")
    problem: Problem = "broken" if os.path.lexists(root / ".git") else "gone"
    try:
        repository = Repository.open(root)
        if index_is_whole or algorithm is None:
            return Standing(repository)
    except GitFailed as error:
        unsafe = "dubious ownership" in error.message or shutil.which("git") is None
        if algorithm is None or unsafe or (problem == "broken" and not _is_readable(root / ".git")):
            raise
    shutil.rmtree(place, ignore_errors=True)
    for name in ("objects/info", "refs"):
        (place / name).mkdir(parents=True)
    (place / "HEAD").write_text("ref: refs/heads/none\n")
    (place / "objects" / "info" / "alternates").write_text(f"{os.path.realpath(objects)}\n")
    extension = f"[extensions]\n\tobjectFormat = {algorithm}\n" if algorithm != "sha1" else ""
    version = int(algorithm != "sha1")
    (place / "config").write_text(f"[core]\n\trepositoryformatversion = {version}\n\tbare = false\n{extension}")
    return Standing(repository_of(root, place, algorithm or "sha1"), problem)


def _is_readable(dot: Path) -> bool:
    return os.access(dot, os.R_OK | os.X_OK if dot.is_dir() else os.R_OK)


def repository_of(root: Path, git_dir: Path, algorithm: str) -> Repository:
    """A repository of this git directory and this working tree, whatever `.git` in the tree says."""
    env = {"GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(root)}
    return Repository(root, git_dir, git_dir, algorithm, Git(root, env))


def is_whole(index: bytes) -> bool:
    """Whether an index ends in its own digest, or in none, as git can be told to write it."""
    for length, algorithm in ((20, "sha1"), (32, "sha256")):
        body, trailer = index[:-length], index[-length:]
        if index[:4] == b"DIRC" and len(index) > length and trailer in (
            bytes(length), hashlib.new(algorithm, body, usedforsecurity=False).digest()
        ):  # fmt: skip
            return True
    return False


def _about(place: Path) -> tuple[int, ...] | None:
    try:
        found = place.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mode
