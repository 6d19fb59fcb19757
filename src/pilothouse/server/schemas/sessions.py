"""Sessions and messages, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from pilothouse.domain.agent.crew import ModelName
from pilothouse.domain.event.log import AnyEvent
from pilothouse.domain.session.session import SessionKind, SessionStatus
from pilothouse.domain.task.task import Awaiting, PermissionMode, TaskStatus, Verdict
from pilothouse.server.schemas.fields import ListItem, LongText, Out, PathText, Title
from pilothouse.server.schemas.guards import BudgetFields, BudgetLimits, SpentSoFar
from pilothouse.server.schemas.tasks import TaskOut
from pilothouse.server.schemas.usage import SessionUsage
from pilothouse.words.fields import Translated, Words


class MessageIn(BudgetFields):
    text: LongText
    constraints: list[ListItem] = Field(default=[], max_length=50)
    non_goals: list[ListItem] = Field(default=[], max_length=50)
    boundaries: list[ListItem] = Field(default=[], max_length=50)
    timeout_profile: Literal["standard", "long", "extended"] = "standard"
    agent: str | None = Field(None, max_length=100)
    model: ModelName | None = Field(None, description="As the agent calls it; null leaves it to what is chosen for it.")
    effort: ModelName | None = Field(None, description="How hard the model thinks, where the agent has that.")
    dry_run: StrictBool = Field(False, description="Propose a diff and write nothing until it is applied.")
    auto_fix: StrictBool = Field(False, description="Roll back by itself when it ends STUCK or ERROR.")
    scouts: StrictBool | None = Field(None, description="Ask read-only scouts first; null leaves it to agent.yaml.")
    permission_mode: PermissionMode = Field(
        PermissionMode.EDITS, description="What the agent may do without asking: nothing, edit files, everything."
    )
    from_stuck: str | None = Field(None, max_length=64, description="The stuck task whose report this one starts from.")


class SessionIn(BudgetFields):
    project_path: PathText
    kind: SessionKind = SessionKind.CHAT
    title: Title | None = Field(None, description="Without it, the first line of the message.")
    agent: str | None = Field(None, max_length=100)
    message: MessageIn | None = Field(None, description="The first message, so that both are made or neither.")


class SessionPatch(BudgetFields):
    """What is given is changed. A budget of null lifts that limit, or leaves it to the settings."""

    title: Title | None = None
    archived: StrictBool | None = None

    @property
    def budget_changes(self) -> dict[str, float | None]:
        given = {name: getattr(self, f"budget_{name}") for name in ("usd", "tokens", "minutes")}
        return {name: value for name, value in given.items() if f"budget_{name}" in self.model_fields_set}


class SessionOut(Out):
    id: str
    project_id: str
    project_path: str
    project_name: str
    workspace_id: str
    workspace_path: str = Field(description="The working tree it is about: the project's directory, or a worktree.")
    branch: str | None = Field(description="Of a worktree; null in the project's directory.")
    slug: str
    kind: SessionKind
    title: str
    status: SessionStatus
    agent: str | None
    archived: bool
    deleted: bool
    created_at: datetime
    updated_at: datetime
    group: Literal["needs_you", "running", "queued", "recent"]
    current_task_id: str | None = Field(None, description="The task the group comes from, else the newest.")
    task_status: TaskStatus | None = None
    awaiting: Awaiting | None = None
    verdict: Verdict | None = None
    doubts: int = Field(0, description="Serious doubts about the verdict that nobody accepted.")
    doing: Words = Field("", description="What it is doing, in words.")
    tasks: int = 0
    cost_usd: float = 0.0
    usage: SessionUsage | None = Field(None, description="Left out in lists.")
    budgets: BudgetLimits | None = Field(None, description="What the person set for the session; not in lists.")
    spent: SpentSoFar | None = Field(None, description="What counts against the session's budget; not in lists.")


class SessionMade(SessionOut):
    task: TaskOut | None = Field(None, description="Of the first message, queued or taken up; null without one.")


class SessionList(Out):
    items: list[SessionOut]
    next_cursor: str | None = None
    counts: dict[str, int] = Field(default={}, description="Sessions per group, over all pages.")


class EventPage(Out):
    items: Annotated[list[AnyEvent], Translated]
    next_since: int
    more: bool
