"""Workspaces: the working trees, and whether a person holds their queue."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.session.session import Workspace, WorkspaceKind
from pilothouse.domain.task.task import TaskStatus
from pilothouse.errors import NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.session import workspaces
from pilothouse.store.tables.task import tasks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(workspaces, Workspace)
_ROWS = select(*_COLUMNS)
_IN_ORDER = _ROWS.order_by(workspaces.c.path, workspaces.c.id)


def add(tx: Tx, workspace: Workspace) -> Workspace:
    tx.conn.execute(insert(workspaces).values(values(workspace)))
    return workspace


def get(c: Connection, id: str) -> Workspace | None:
    return build_first(Workspace, c.execute(_ROWS.where(workspaces.c.id == id)))


def on_host(c: Connection, host: str) -> list[Workspace]:
    return build_all(Workspace, c.execute(_IN_ORDER.where(workspaces.c.host == host)))


def of_project(c: Connection, project_id: str) -> list[Workspace]:
    return build_all(Workspace, c.execute(_IN_ORDER.where(workspaces.c.project_id == project_id)))


def at(c: Connection, host: str, path: str) -> Workspace | None:
    """The one whose tree lies there, whatever its kind."""
    return build_first(Workspace, c.execute(_ROWS.where(workspaces.c.host == host, workspaces.c.path == path)))


def directory_of(c: Connection, project_id: str, host: str) -> Workspace:
    """The project's own directory on this host, else on another, where nothing can be done from here.

    Where a session or a task is meant, its workspace counts.
    """
    own = (workspaces.c.project_id == project_id) & (workspaces.c.kind == WorkspaceKind.DIRECTORY)
    query = _ROWS.where(own).order_by(workspaces.c.host != host, workspaces.c.path, workspaces.c.id)
    found = build_first(Workspace, c.execute(query))
    if found is None:
        raise NotFound(say("project.unknown"))
    return found


def hold(tx: Tx, id: str, reason: str) -> Workspace:
    return _change(tx, id, held=True, held_reason=reason, held_at=tx.now)


def release(tx: Tx, id: str) -> Workspace:
    return _change(tx, id, held=False, held_reason="", held_at=None)


def next_place(tx: Tx, id: str) -> int:
    """Gives the next place in the order of the workspace, each only once: to tasks in its queue, to what happens there.

    The row's lock makes other processes wait. No clock is asked: it may be set back.
    """
    query = update(workspaces).where(workspaces.c.id == id).values(places=workspaces.c.places + 1)
    place = tx.conn.execute(query.returning(workspaces.c.places)).scalar()
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
    if (changed := build_first(Workspace, tx.conn.execute(query))) is None:
        raise NotFound(say("workspace.unknown"))
    return changed
