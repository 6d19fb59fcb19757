"""What a rollback would take away, and the ways back, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, StrictBool

from pilothouse.engine.workspace import losses
from pilothouse.git.model import Preview
from pilothouse.server.schemas.fields import In, Out
from pilothouse.words.fields import Words

if TYPE_CHECKING:
    from pilothouse.engine.workspace.rollback import RolledBack
    from pilothouse.engine.workspace.ways import WayView
    from pilothouse.git.model import DiffStat


class FileChangeOut(Out):
    path: str
    old_path: str | None = None
    status: Literal["added", "modified", "deleted", "renamed", "type"]
    insertions: int | None
    deletions: int | None
    binary: bool = False


class StatOut(Out):
    files: list[FileChangeOut]
    files_changed: int
    insertions: int
    deletions: int

    @classmethod
    def of(cls, stat: DiffStat) -> Self:
        return cls(
            files=[FileChangeOut.model_validate(file) for file in stat.files],
            files_changed=len(stat.files),
            insertions=stat.insertions,
            deletions=stat.deletions,
        )


class ClashOut(Out):
    path: str
    reason: Words


class MovedOut(Out):
    """A branch, a tag or a stash that was moved or dropped since the task began."""

    kind: Literal["branch", "tag", "stash"]
    name: str = Field(description="Of a stash, its message.")
    then: str = Field(description="The commit, or the annotated tag, that it was.")
    now: str | None = Field(description="What it is now; null where it is gone.")


class PreviewOut(StatOut):
    """What a rollback would take away now, or an undo change, and how that is done."""

    commits: list[str] = Field(default=[], description="Commits that would no longer be on the branch, newest first.")
    branch_then: str | None = None
    branch_now: str | None = None
    lost: list[Words] = Field(default=[], description="Repositories that are gone, broken or replaced, in words.")
    how: Literal["restore", "over", "nothing"] = Field(
        "restore", description="A checkpoint is restored, or written over what others changed since, or neither."
    )
    merge: str | None = Field(None, description="Names what is written over; the request repeats it to confirm that.")
    merged: bool = Field(False, description="Whether files are merged that others changed, too.")
    clashes: list[ClashOut] = Field(default=[], description="Files in the way. With any, nothing can be done.")
    patch: str = Field("", description="Of what is written over.")
    truncated: bool = False
    moved: list[MovedOut] = Field(
        default=[], description="What a rollback leaves alone; `bring-back` sets one of these to what it was."
    )

    @classmethod
    def shown(cls, view: WayView) -> Self:
        way = view.way
        moved = [MovedOut(kind=m.kind, name=m.branch, then=m.then, now=m.now) for m in view.moved if m.then]
        plain = cls.of(view.changes).model_copy(update={"moved": moved})
        if way.done:
            return plain.model_copy(update={"how": "nothing"})
        if way.fit is None:
            return plain
        return plain.model_copy(
            update={
                "how": "over",
                "merge": way.fit.merge,
                "merged": way.merge is not None,
                "clashes": [ClashOut(path=clash.path, reason=clash.reason) for clash in way.fit.clashes],
                "patch": way.fit.patch.text if way.fit.patch else "",
                "truncated": bool(way.fit.patch and way.fit.patch.truncated),
            }
        )

    @classmethod
    def of(cls, stat: DiffStat) -> Self:
        plain = StatOut.of(stat)
        found = stat if isinstance(stat, Preview) else None
        return cls(
            files=plain.files,
            files_changed=plain.files_changed,
            insertions=plain.insertions,
            deletions=plain.deletions,
            commits=list(found.commits) if found else [],
            branch_then=found.branch_then if found else None,
            branch_now=found.branch_now if found else None,
            lost=losses.told(found.lost) if found else [],
        )


class RollbackOut(Out):
    success: bool = True
    rollback_id: str | None = Field(description="What Undo takes; null where there is nothing to undo.")
    took_away: StatOut
    other_branches: list[str] = Field(
        default=[], description="Other branches, tags and stashes that moved; they were left alone."
    )
    lost: list[Words] = Field(default=[], description="Repositories that were made again, and what had become of them.")
    nothing_to_do: bool = Field(False, description="The tree is like that already; what can be undone stays so.")

    @classmethod
    def of(cls, done: RolledBack) -> Self:
        return cls(
            rollback_id=done.rollback_id,
            took_away=StatOut.of(done.stat),
            other_branches=list(done.other_branches),
            lost=losses.told(done.lost),
            nothing_to_do=done.nothing_to_do,
        )


class RollbackIn(In):
    merge: str | None = Field(
        None, max_length=64, description="The `merge` of a preview or of a `merge_needed` answer, to confirm that."
    )


class UndoIn(RollbackIn):
    rollback_id: str | None = Field(None, max_length=64, description="The newest when omitted.")
    exact: StrictBool = Field(False, description="Restore all as it was then, and set aside what was done since.")


class BringBackIn(In):
    kind: Literal["branch", "tag", "stash"]
    name: str = Field(min_length=1, max_length=4096)
    then: str | None = Field(
        None, max_length=64, description="As the preview shows it: tells stashes of one name apart."
    )


class BringBackOut(Out):
    success: bool = True
    brought_back: MovedOut = Field(description="What it was, and what it was just now.")


class WayBackOut(Out):
    rollback_id: str
    task_id: str
    session_slug: str
    session_title: str
    prompt: str = Field(description="Its beginning.")
    at: datetime
    replay: bool = Field(description="Whether the task ran again afterwards.")
    files_changed: int
    insertions: int
    deletions: int
    undone_at: datetime | None
    kept: bool = Field(description="Whether what it took away is still there to be brought back.")


class WaysOfWorkspace(Out):
    workspace_id: str
    project_id: str
    project_name: str
    path: str
    branch: str | None
    items: list[WayBackOut]


class WayBackList(Out):
    items: list[WaysOfWorkspace]
