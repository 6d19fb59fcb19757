"""Projects: the repositories a person added."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, insert, select, update

from pilothouse.domain.session.session import Project
from pilothouse.domain.task.checks import Check
from pilothouse.store.rows import build, build_all, columns, values
from pilothouse.store.tables.session import projects
from pilothouse.store.writer import Tx

_COLUMNS = columns(projects, Project)
_ROWS = select(*_COLUMNS)
_BY_ID = _ROWS.where(projects.c.id == bindparam("of_project"))


def add(tx: Tx, project: Project) -> Project:
    tx.conn.execute(insert(projects).values(values(project)))
    return project


def get(c: Connection, id: str) -> Project | None:
    row = c.execute(_BY_ID, {"of_project": id}).first()
    return build(Project, row) if row else None


def all(c: Connection) -> list[Project]:
    return build_all(Project, c.execute(_ROWS.order_by(projects.c.added_at, projects.c.id)))


def edit_checks(tx: Tx, id: str, checks: tuple[Check, ...] | None) -> None:
    """What the person made of the detected checks; None goes back to detection."""
    tx.conn.execute(update(projects).where(projects.c.id == id).values(checks=checks))


def choose_agent(tx: Tx, id: str, agent: str | None) -> None:
    tx.conn.execute(update(projects).where(projects.c.id == id).values(agent=agent))
