"""What the log says of projects, workspaces and sessions."""

from __future__ import annotations

from pilothouse.domain.event.payload import EventData


class ProjectAdded(EventData):
    type = "project.added"
    project_id: str
    path: str
    name: str


class ProjectChanged(EventData):
    type = "project.changed"
    project_id: str
    agent: str | None = None


class ProjectChecksChanged(EventData):
    type = "project.checks_changed"
    project_id: str
    checks: list[str] | None = None


class ProjectChecksAccepted(EventData):
    """A person takes the checks as they are from now on."""

    type = "project.checks_accepted"
    project_id: str
    reason: str
    checks: list[str]
    files: list[str]


class SessionCreated(EventData):
    type = "session.created"
    project_id: str
    workspace_id: str
    slug: str
    kind: str
    title: str
    agent: str | None = None


class SessionChanged(EventData):
    """Only what changed is set."""

    type = "session.changed"
    title: str | None = None
    status: str | None = None
    archived: bool | None = None
    deleted: bool | None = None
    budget: dict[str, float | None] | None = None


class WorkspaceHeld(EventData):
    type = "workspace.held"
    workspace_id: str
    reason: str


class WorkspaceReleased(EventData):
    type = "workspace.released"
    workspace_id: str


EVENTS: tuple[type[EventData], ...] = (
    ProjectAdded,
    ProjectChanged,
    ProjectChecksChanged,
    ProjectChecksAccepted,
    SessionCreated,
    SessionChanged,
    WorkspaceHeld,
    WorkspaceReleased,
)
