"""Projects, their working trees and their queues, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from pilothouse.domain.session.session import WorkspaceKind
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import Awaiting, TaskStatus
from pilothouse.server.schemas.fields import In, Out, PathText
from pilothouse.words.fields import Words


class SuggestionOut(Out):
    title: Words
    prompt: Words


class ProjectIn(In):
    path: PathText


class ProjectPatch(In):
    agent: str | None = Field(max_length=100, description="Who works here unless something nearer names another.")


class WorkspaceOut(Out):
    id: str
    path: str
    kind: WorkspaceKind
    branch: str | None = Field(description="Of a worktree; null in the project's directory.")
    here: bool = Field(description="Whether this server works in it; another one does where it is false.")
    held: bool
    held_reason: Words


class ProjectOut(Out):
    id: str
    path: str
    name: str
    agent: str | None
    sample: bool
    added_at: datetime
    workspace: WorkspaceOut = Field(description="Its own directory.")
    workspaces: list[WorkspaceOut] = Field(description="All of them: its own directory, and worktrees.")
    sessions: int
    branch: str | None = None
    problem: Words | None = Field(None, description="Why the project cannot be used now, with what to do.")
    suggestions: list[SuggestionOut] = Field(default=[])


class ProjectList(Out):
    items: list[ProjectOut]


class StorageOut(Out):
    """What Pilothouse keeps of a project, so that rollbacks can be done and undone."""

    checkpoints: int
    bytes: int = Field(description="An estimate of what the repository holds for checkpoints alone.")
    retention_days: int = Field(description="How long the checkpoints of a finished session are kept.")


class PrepareOut(Out):
    prepared: bool = Field(description="Whether an agent was asked to get ready.")


class CleanUpOut(StorageOut):
    forgotten: int = Field(description="How many checkpoints went.")


class QueueItem(Out):
    task_id: str
    session_id: str
    session_slug: str
    session_title: str
    prompt: str
    agent: str
    status: TaskStatus
    awaiting: Awaiting | None
    position: int
    waits_for: Words
    submitted_at: datetime


class QueueOut(Out):
    workspace_id: str
    project_id: str
    path: str
    held: bool
    held_reason: Words
    running: QueueItem | None
    holder: QueueItem | None = Field(None, description="The waiting task whose changes hold the workspace.")
    ways_out: list[Action] = Field(default=[], description="What frees it.")
    items: list[QueueItem]


class QueueList(Out):
    items: list[QueueOut]


class HoldIn(In):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""


class ChangedFileOut(Out):
    path: str
    old_path: str | None = None
    status: Literal["added", "modified", "deleted", "renamed", "type", "untracked", "conflict"]
    staged: bool
    by_task: bool = Field(False, description="Whether the task that was named changed it.")


class ChangesOut(Out):
    """What a working tree holds over its last commit."""

    branch: str | None
    files: list[ChangedFileOut]
    busy: Words | None = Field(None, description="Why a commit is not possible now.")


class CommitIn(In):
    message: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
    paths: list[Annotated[str, StringConstraints(min_length=1, max_length=4096)]] | None = Field(None, max_length=5000)
    task_id: str | None = Field(None, max_length=64, description="The task whose changes these are, for the log.")
    accept: list[Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]] = Field(
        [], max_length=200, description="Digests of programs of the repository that a commit may run from now on."
    )


class CommitOut(Out):
    success: bool = True
    commit: str
    files: int
