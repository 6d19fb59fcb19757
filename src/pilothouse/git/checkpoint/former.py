"""Where earlier versions kept the objects of checkpoints. They are taken over when a working tree is first opened.

What held them is removed last, so that after a kill all of it is done again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pilothouse.git.repository import Repository


@dataclass(frozen=True, slots=True)
class Held:
    objects: Path
    place: Path
    """What held them."""

    def let_go(self) -> None:
        shutil.rmtree(self.place)
        if self.place.parent.name == "worktrees":
            with contextlib.suppress(OSError):
                self.place.parent.rmdir()


def kept(repository: Repository, state_dir: Path) -> Iterator[Held]:
    """In the repository, held by an entry below its `worktrees/`; those of a nested tree also in a copy beside it."""
    whose = os.fsencode(repository.root) + b"\0" + os.fsencode(os.path.realpath(state_dir))
    entry = repository.common_dir / "worktrees" / f"pilothouse-{hashlib.sha256(whose).hexdigest()[:16]}"
    copy = state_dir.parent / "git-copy"
    if entry.is_dir():
        yield Held(repository.objects, entry)
    if copy.is_dir():
        yield Held(copy / "objects", copy)
