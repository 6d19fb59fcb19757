"""Which paths the ignore rules of a tree call ignored."""

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
    """Those of `paths` that the rules ignore; with `index`, the index has its say too."""
    # The prefix keeps a name that starts with a colon from being read as pathspec magic.
    asked = b"\0".join(b"./" + path for path in paths)
    if not asked:
        return set()
    plain = {"GIT_LITERAL_PATHSPECS": "0"}
    answer = git.run(
        "check-ignore", "-z", *([] if index else ["--no-index"]), "--stdin", stdin=asked, ok=(0, 1), env=plain
    )
    return {path[2:] for path in split_zero(answer)}


class RulesOfThen:
    """The ignore rules of a checkpoint, laid out in a directory of their own and judged there."""

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
        """`directories`: those of `paths` that are directories, which some rules ask."""
        for directory in directories:
            self._place(directory).mkdir(parents=True, exist_ok=True)
        return ignored(self._git, paths)

    def _place(self, path: bytes) -> Path:
        return self._tree / os.fsdecode(path)
