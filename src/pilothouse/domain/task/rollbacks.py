"""A recorded rollback or undo: what it put into the tree, what it took away, and the checkpoint that undoes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Rollback:
    id: str
    task_id: str
    workspace_id: str
    checkpoint: str
    """Commit of the checkpoint that was restored, or, with a `base`, whose difference from that was written."""
    undo: str
    """Ref of the checkpoint taken just before, which undo restores."""
    at: datetime
    finished_at: datetime | None = None
    """None while it runs, or when a crash cut it short."""
    kind: str = "rollback"
    """`rollback`, or `undo` for one that brings back what another took away."""
    replay: bool = False
    files: int = 0
    insertions: int = 0
    deletions: int = 0
    undone_at: datetime | None = None
    problem: str | None = None
    """Why it could not be finished; it can be begun again, or undone."""
    turn: int = 0
    """Its place in the order of what happened in the workspace; attempts have theirs in the same order."""
    undoes: str | None = None
    """Of an undo: the row that it takes back."""
    base: str | None = None
    """What the tree is expected to hold, where others' changes lie on top: it is written over, not restored."""
    merge: str | None = None
    """The three-way merge that a person confirmed for it."""
    left: str | None = None
    """Commit of the state it left. While the tree is like that, undo restores; else it writes over, too."""
    branches: tuple[str, ...] = ()
    """Other branches that moved since the checkpoint; they stay as they are."""
