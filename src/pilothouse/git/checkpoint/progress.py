"""Reads and writes the files of whatever git has under way: merge, rebase, cherry-pick, sequencer, bisect, sparse."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from pilothouse.git.commands import Git

FILES = (
    "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "MERGE_AUTOSTASH", "SQUASH_MSG", "CHERRY_PICK_HEAD",
    "REVERT_HEAD", "REBASE_HEAD", "ORIG_HEAD", "AUTO_MERGE", "BISECT_LOG", "BISECT_START", "BISECT_TERMS",
    "BISECT_NAMES", "BISECT_EXPECTED_REV", "BISECT_ANCESTORS_OK", "BISECT_FIRST_PARENT", "BISECT_RUN",
    "rebase-merge", "rebase-apply", "sequencer", "info/sparse-checkout", "config.worktree",
)  # fmt: skip
REFS = ("refs/bisect", "refs/rewritten", "refs/worktree")


def read(git_dir: Path) -> dict[str, bytes]:
    """The content of every file of `FILES` that exists, by its path in the git directory."""
    found = {}
    for name in FILES:
        place = git_dir / name
        if place.is_file():
            found[name] = place.read_bytes()
        elif place.is_dir():
            for file in place.rglob("*"):
                if file.is_file():
                    found[str(file.relative_to(git_dir))] = file.read_bytes()
    return found


def named_commits(git: Git, id_length: int, state: Mapping[str, bytes]) -> set[str]:
    """The commits that the files name and that exist. They must not be pruned."""
    length = id_length * 2
    names = {name.decode() for data in state.values() for name in re.findall(rb"\b[0-9a-f]{%d}\b" % length, data)}
    return {name for name, (kind, _) in git.objects(names).items() if kind == "commit"}


def write(git_dir: Path, wanted: Mapping[str, bytes], on_change: Callable[[], None]) -> None:
    """Makes the files of `FILES` those of `wanted`; touches only what differs."""
    present = read(git_dir)
    for name in present.keys() - wanted.keys():
        (git_dir / name).unlink()
        on_change()
    for name in FILES:
        place = git_dir / name
        if place.is_dir() and not any(path.startswith(name + "/") for path in wanted):
            shutil.rmtree(place)
    for name, data in wanted.items():
        if present.get(name) != data:
            place = git_dir / name
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary = git_dir / "pilothouse.state"
            temporary.write_bytes(data)
            temporary.replace(place)
            on_change()
