"""Nested working trees: repositories inside a workspace, and submodules.

Each has checkpoints of its own. The objects of those are in the nested repository, which one `rm -rf` takes away; so we
keep a copy of its git directory, with hard links to the objects. A rollback moves a nested tree that it has to remove
aside whole, ignored files included.
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
        """The content of `.git` if it is a file, as in submodules."""
        dot = self.place / ".git"
        return os.fsdecode(dot.read_bytes()) if dot.is_file() else None

    def exists(self) -> bool:
        return os.path.lexists(self.place / ".git")

    def save(self) -> None:
        """Updates the copy of the git directory, unless that is outside the nested tree."""
        if (self.place / ".git").is_dir():
            _mirror(self.place / ".git", self._copy)

    def set_aside(self, top: str) -> None:
        """Moves the whole tree out of the workspace. `revive` finds it by its snapshot."""
        self._asides.mkdir(parents=True, exist_ok=True)
        _move(self.place, self._asides / f"{top}-{time.time_ns()}")

    def set_git_aside(self, top: str) -> None:
        """Makes it a plain directory. `revive` brings the repository back from the copy of its git directory."""
        self._asides.mkdir(parents=True, exist_ok=True)
        _move(self.place / ".git", self.state_dir / f"git-{top}-{time.time_ns()}")

    def revive(self, top: str, gitfile: str | None) -> None:
        """Brings a repository back, in any state; the caller restores it next."""
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
    """Copies the files that differ; links the objects, which never change."""
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
    """Renames; to another file system, copies everything before it removes anything."""
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
