"""Judges which paths are ignored, by the ignore rules of now or of a checkpoint."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.commands import Git, split_zero

RULES = b".gitignore"


def is_rules(path: bytes) -> bool:
    return path == RULES or path.endswith(b"/" + RULES)


def ignored(git: Git, paths: Iterable[bytes], index: bool = False) -> set[bytes]:
    """Those of `paths` that the rules ignore; with `index`, tracked paths are never ignored."""
    # Without the prefix, git would read a name that starts with a colon as pathspec magic.
    names = b"\0".join(b"./" + path for path in paths)
    if not names:
        return set()
    plain = {"GIT_LITERAL_PATHSPECS": "0"}
    answer = git.run(
        "check-ignore", "-z", *([] if index else ["--no-index"]), "--stdin", stdin=names, ok=(0, 1), env=plain
    )
    return {path[2:] for path in split_zero(answer)}


class RulesOfThen:
    """Writes the ignore rules of a checkpoint into a directory of their own, and judges paths there."""

    def __init__(self, shadow: Shadow, rules: Mapping[bytes, bytes], excludes: dict[str, str]) -> None:
        self._tree, self._git_dir = shadow.scratch("rules"), shadow.scratch("rules-git")
        for place in (self._tree, self._git_dir):
            shutil.rmtree(place, ignore_errors=True)
        (self._git_dir / "info").mkdir(parents=True)
        self._tree.mkdir()
        for name in ("config", "HEAD"):
            shutil.copy(shadow.path / name, self._git_dir / name)
        (self._git_dir / "refs").mkdir()
        shadow.write_excludes(self._git_dir / "info", excludes)
        for path, data in rules.items():
            place = self._place(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)

        elsewhere = {
            "GIT_WORK_TREE": str(self._tree),
            "GIT_DIR": str(self._git_dir),
            "GIT_INDEX_FILE": str(self._git_dir / "index"),
        }
        self._git = Git(self._tree, {**shadow.env, **elsewhere})

    def ignored(self, paths: Iterable[bytes], directories: Iterable[bytes] = ()) -> set[bytes]:
        """`directories`: those of `paths` that are directories; some rules apply to directories only."""
        for directory in directories:
            self._place(directory).mkdir(parents=True, exist_ok=True)
        return ignored(self._git, paths)

    def _place(self, path: bytes) -> Path:
        return self._tree / os.fsdecode(path)
