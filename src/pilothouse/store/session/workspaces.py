"""Workspaces: the working trees, and whether a person holds their queue."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, insert, select, update

from pilothouse.domain.session.session import Workspace, WorkspaceKind
from pilothouse.domain.task.task import TaskStatus
from pilothouse.errors import NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build, build_all, columns, values
from pilothouse.store.tables.session import workspaces
from pilothouse.store.tables.task import tasks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(workspaces, Workspace)
_ROWS = select(*_COLUMNS)
_THIS = workspaces.c.id == bindparam("of_workspace")
_BY_ID = _ROWS.where(_THIS)
_OF_PROJECT = _ROWS.where(workspaces.c.project_id == bindparam("of_project")).order_by(
    workspaces.c.path, workspaces.c.id
)
_DIRECTORY = _OF_PROJECT.where(workspaces.c.kind == WorkspaceKind.DIRECTORY)
_NEXT_PLACE = update(workspaces).where(_THIS).values(places=workspaces.c.places + 1).returning(workspaces.c.places)


def add(tx: Tx, workspace: Workspace) -> Workspace:
    tx.conn.execute(insert(workspaces).values(values(workspace)))
    return workspace


def get(c: Connection, id: str) -> Workspace | None:
    row = c.execute(_BY_ID, {"of_workspace": id}).first()
    return build(Workspace, row) if row else None


def on_host(c: Connection, host: str) -> list[Workspace]:
    query = _ROWS.where(workspaces.c.host == host)
    return build_all(Workspace, c.execute(query.order_by(workspaces.c.path, workspaces.c.id)))


def of_project(c: Connection, project_id: str) -> list[Workspace]:
    return build_all(Workspace, c.execute(_OF_PROJECT, {"of_project": project_id}))


def directory_of(c: Connection, project_id: str) -> Workspace:
    """The project's own directory; where a session or a task is meant, its workspace counts."""
    row = c.execute(_DIRECTORY, {"of_project": project_id}).first()
    if row is None:
        raise NotFound(say("project.unknown"))
    return build(Workspace, row)


def hold(tx: Tx, id: str, reason: str) -> Workspace:
    return _change(tx, id, held=True, held_reason=reason, held_at=tx.now)


def release(tx: Tx, id: str) -> Workspace:
    return _change(tx, id, held=False, held_reason="", held_at=None)


def next_place(tx: Tx, id: str) -> int:
    """A place in the queue, never given twice; the row's lock makes other processes wait their turn."""
    place = tx.conn.execute(_NEXT_PLACE, {"of_workspace": id}).scalar()
    if place is None:
        raise NotFound(say("workspace.unknown"))
    return int(place)


def with_queued(c: Connection, host: str) -> list[str]:
    """Ids of the host's workspaces in whose queue something waits, held ones too."""
    queued = (tasks.c.status == TaskStatus.QUEUED) & tasks.c.workspace_id.in_(workspaces_on(host))
    query = select(tasks.c.workspace_id).where(queued).distinct()
    return list(c.execute(query.order_by(tasks.c.workspace_id)).scalars())


def _change(tx: Tx, id: str, **changes: object) -> Workspace:
    query = update(workspaces).where(workspaces.c.id == id).values(**changes).returning(*_COLUMNS)
    row = tx.conn.execute(query).first()
    if row is None:
        raise NotFound(say("workspace.unknown"))
    return build(Workspace, row)
