"""Keeps the checkpoint refs as files in the private git directory, where no push, fetch or log finds them."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from pilothouse.errors import InvalidInput, NotFound
from pilothouse.git import durable
from pilothouse.words import say

PREFIX = "refs/pilothouse/"
PART = re.compile(r"[A-Za-z0-9_+@=-][A-Za-z0-9._+@=-]*")


class PrivateRefs:
    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir

    def read(self, ref: str) -> str | None:
        try:
            return self._place(ref).read_text().strip()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None

    def make_directories(self, ref: str) -> None:
        """Makes the directories of a ref. Each costs a flush, so this runs beside writing the commit."""
        durable.make_directories(self._place(ref).parent)

    def write(self, ref: str, commit: str) -> None:
        place = self._place(ref)
        try:
            durable.make_directories(place.parent)
            durable.write(place, commit + "\n")
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise InvalidInput(say("ref.clashes", ref=ref), field="ref") from None

    def delete(self, ref: str) -> None:
        place = self._place(ref)
        place.unlink(missing_ok=True)
        top = self._git_dir / "refs"
        for directory in place.parents:
            if directory == top:
                break
            with contextlib.suppress(OSError):
                directory.rmdir()

    def list(self, prefix: str = PREFIX) -> dict[str, str]:
        """Commits by ref: the ref named `prefix` and all below it."""
        found = {}
        top = self._git_dir / PREFIX
        for where, _, names in os.walk(top):
            for name in names:
                ref = str((Path(where) / name).relative_to(self._git_dir))
                if not name.endswith(".lock") and (ref == prefix or ref.startswith(prefix.rstrip("/") + "/")):
                    commit = self.read(ref)
                    if commit:
                        found[ref] = commit
        return dict(sorted(found.items()))

    def _place(self, ref: str) -> Path:
        parts = ref.removeprefix(PREFIX).split("/")
        good = all(PART.fullmatch(part) and ".." not in part and not part.endswith((".lock", ".")) for part in parts)
        if not ref.startswith(PREFIX) or not good:
            raise InvalidInput(say("ref.wrong", ref=repr(ref)), field="ref")
        return self._git_dir / ref


def checkpoint_not_found(name: str) -> NotFound:
    return NotFound(say("checkpoint.unknown", name=name))
