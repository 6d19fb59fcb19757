"""Nested working trees: repositories inside a workspace, and submodules.

Each has checkpoints of its own, in a private git directory of its own. A rollback moves a nested tree that it has to
remove aside whole, ignored files included.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path


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
    def _asides(self) -> Path:
        return self.state_dir / "aside"

    def gitfile(self) -> str | None:
        """The content of `.git` if it is a file, as in submodules."""
        dot = self.place / ".git"
        return os.fsdecode(dot.read_bytes()) if dot.is_file() else None

    def exists(self) -> bool:
        return os.path.lexists(self.place / ".git")

    def set_aside(self, top: str) -> None:
        """Moves the whole tree out of the workspace. `revive` finds it by its snapshot."""
        self._asides.mkdir(parents=True, exist_ok=True)
        move(self.place, self._asides / f"{top}-{time.time_ns()}")

    def set_git_aside(self, top: str) -> None:
        """Makes it a plain directory. What restores the snapshot of that name finds the git directory again."""
        place = self.own_state / "repositories" / f"{top}-{time.time_ns()}"
        place.mkdir(parents=True)
        move(self.place / ".git", place / "dot-git")

    def revive(self, top: str, gitfile: str | None) -> None:
        """Brings the place of a repository back, and the repository if it was moved aside; it is restored next."""
        if self.exists():
            return
        if self.place.is_dir() and not any(self.place.iterdir()):
            self.place.rmdir()
        aside = self._find_aside(top)
        self.place.parent.mkdir(parents=True, exist_ok=True)
        if aside and not os.path.lexists(self.place):
            move(aside, self.place)
            self.revive(top, gitfile)
            return
        self.place.mkdir(exist_ok=True)
        if gitfile is not None:
            (self.place / ".git").write_bytes(os.fsencode(gitfile))

    def _find_aside(self, top: str) -> Path | None:
        found = sorted(self._asides.glob("*"), key=lambda aside: (aside.name.startswith(top), aside.stat().st_mtime_ns))
        return found[-1] if found else None


def move(source: Path, target: Path) -> None:
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
