"""A recorded rollback: what it restored, what it took away, and the checkpoint that undoes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Rollback:
    id: str
    task_id: str
    workspace_id: str
    checkpoint: str
    """Commit of the checkpoint that was restored."""
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
