"""Nested working trees: repositories inside a workspace, and submodules.

Each is checkpointed in itself. What a checkpoint needs of a nested repository lies in that repository's own
objects, which one `rm -rf` takes away; so a copy of its git directory is kept beside our state, with hard links
for the objects. One that a rollback has to remove is moved aside whole, ignored files included.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from pilothouse.git import durable


@dataclass(frozen=True, slots=True)
class NestedTree:
    place: Path
    state_dir: Path

    @classmethod
    def at(cls, root: Path, path: str, state_dir: Path) -> NestedTree:
        key = hashlib.sha256(os.fsencode(path)).hexdigest()[:24]
        return cls(root / path, state_dir / "nested" / key)

    @property
    def own_state(self) -> Path:
        return self.state_dir / "state"

    @property
    def _copy(self) -> Path:
        return self.state_dir / "git-copy"

    @property
    def _asides(self) -> Path:
        return self.state_dir / "aside"

    def gitfile(self) -> str | None:
        """What `.git` says where it is a file, as in submodules."""
        dot = self.place / ".git"
        return os.fsdecode(dot.read_bytes()) if dot.is_file() else None

    def exists(self) -> bool:
        return os.path.lexists(self.place / ".git")

    def save(self) -> None:
        """Bring the copy of the git directory up to date; nothing to do where it lies outside the nested tree."""
        if (self.place / ".git").is_dir():
            _mirror(self.place / ".git", self._copy)

    def set_aside(self, top: str) -> None:
        """Move the whole tree out of the workspace, to be found again by its snapshot."""
        self._asides.mkdir(parents=True, exist_ok=True)
        _move(self.place, self._asides / f"{top}-{time.time_ns()}")

    def set_git_aside(self, top: str) -> None:
        """Make a plain directory of it; the copy of its git directory brings the repository back."""
        self._asides.mkdir(parents=True, exist_ok=True)
        _move(self.place / ".git", self.state_dir / f"git-{top}-{time.time_ns()}")

    def revive(self, top: str, gitfile: str | None) -> None:
        """Have a repository stand in its place again, in whatever state; a restore of it comes next."""
        if self.exists():
            if (self.place / ".git").is_dir() and self._copy.is_dir():
                _mirror(self._copy / "objects", self.place / ".git" / "objects")
            return
        if self.place.is_dir() and not any(self.place.iterdir()):
            self.place.rmdir()
        aside = self._find_aside(top)
        if aside and not os.path.lexists(self.place):
            self.place.parent.mkdir(parents=True, exist_ok=True)
            _move(aside, self.place)
            self.revive(top, gitfile)
            return
        self.place.mkdir(parents=True, exist_ok=True)
        if gitfile is not None:
            (self.place / ".git").write_bytes(os.fsencode(gitfile))
        elif self._copy.is_dir():
            unfinished = self.place / ".git.pilothouse"
            _mirror(self._copy, unfinished)
            unfinished.replace(self.place / ".git")

    def _find_aside(self, top: str) -> Path | None:
        found = sorted(self._asides.glob("*"), key=lambda aside: (aside.name.startswith(top), aside.stat().st_mtime_ns))
        return found[-1] if found else None


def _mirror(source: Path, target: Path) -> None:
    """Copy what `target` lacks or has otherwise; objects never change, so they are linked."""
    target.mkdir(parents=True, exist_ok=True)
    for entry in os.scandir(source):
        there = target / entry.name
        if entry.is_dir(follow_symlinks=False):
            _mirror(Path(entry.path), there)
        elif entry.name.endswith(".lock") or not entry.is_file(follow_symlinks=False):
            continue
        elif "objects" in source.parts:
            if not there.exists():
                _link(Path(entry.path), there)
        else:
            _copy_file(Path(entry.path), there)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileExistsError:
        return
    except OSError:
        _copy_file(source, target)


def _copy_file(source: Path, target: Path) -> None:
    temporary = target.with_name(target.name + ".pilothouse")
    shutil.copy2(source, temporary)
    durable.sync(temporary)
    temporary.replace(target)


def _move(source: Path, target: Path) -> None:
    """A rename, or, to another file system, a complete copy before the first removal."""
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        unfinished = target.with_name(target.name + ".copying")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(source, unfinished, symlinks=True)
        unfinished.rename(target)
        shutil.rmtree(source)
