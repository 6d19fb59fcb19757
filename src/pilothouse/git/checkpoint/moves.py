"""Branches, tags and stashes that moved since a checkpoint: lists them, and brings one back."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from pilothouse.errors import Conflict
from pilothouse.git.checkpoint.belongings import Belongings
from pilothouse.git.checkpoint.snapshot import Meta
from pilothouse.git.model import BranchMove
from pilothouse.git.names import raw, spelled
from pilothouse.git.repository import Repository, short_name
from pilothouse.words import say

HEADS, TAGS = "refs/heads/", "refs/tags/"
NOTE = "pilothouse: bring back from a checkpoint"


def between(then: tuple[Meta, Belongings], now: tuple[Meta, Belongings]) -> tuple[BranchMove, ...]:
    """All that moved, other than the checkpoint's own branch."""
    own = then[0].branch
    branches = _moves(then[0].branches, now[0].branches)
    tags = _moves(_tags(then[1]), _tags(now[1]))
    found = [BranchMove(spelled(name.removeprefix(HEADS)), old, new) for name, old, new in branches if name != own]
    found += [BranchMove(spelled(name.removeprefix(TAGS)), old, new, "tag") for name, old, new in tags]
    before, after = ({stash.commit for stash in side[1].stashes} for side in (then, now))
    found += [BranchMove(s.message, s.commit, None, "stash") for s in then[1].stashes if s.commit not in after]
    found += [BranchMove(s.message, None, s.commit, "stash") for s in now[1].stashes if s.commit not in before]
    return tuple(found)


def bring_back(repository: Repository, move: BranchMove) -> None:
    """The caller has given the repository the objects."""
    git, wanted = repository.git, move.then
    if move.kind == "stash":
        if wanted:
            git.run("stash", "store", "-q", "-m", move.branch, wanted)
        return
    ref = (TAGS if move.kind == "tag" else HEADS) + os.fsdecode(raw(move.branch))
    if move.kind == "branch":
        _require_free(repository, ref)
    if wanted:
        git.run("update-ref", "--create-reflog", "-m", NOTE, ref, wanted)
    else:
        git.run("update-ref", "-d", ref)


def _require_free(repository: Repository, ref: str) -> None:
    """A branch that a working tree has checked out is not moved under it."""
    place = ""
    for line in repository.git.text("worktree", "list", "--porcelain").splitlines():
        if line.startswith("worktree "):
            place = line[9:]
        elif line == f"branch {ref}":
            raise Conflict(say("checkpoint.branch_in_use", branch=short_name(ref) or "", place=place))


def _tags(belongings: Belongings) -> dict[str, str]:
    return {name: target for name, target in belongings.refs.items() if name.startswith(TAGS)}


def _moves(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str | None, str | None]]:
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            yield name, then.get(name), now.get(name)
