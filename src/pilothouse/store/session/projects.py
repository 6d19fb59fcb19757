"""Projects: the repositories a person added."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.session.session import Project
from pilothouse.domain.task.checks import Check
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.session import projects
from pilothouse.store.writer import Tx

_ROWS = select(*columns(projects, Project))


def add(tx: Tx, project: Project) -> Project:
    tx.conn.execute(insert(projects).values(values(project)))
    return project


def get(c: Connection, id: str) -> Project | None:
    return build_first(Project, c.execute(_ROWS.where(projects.c.id == id)))


def all(c: Connection) -> list[Project]:
    return build_all(Project, c.execute(_ROWS.order_by(projects.c.added_at, projects.c.id)))


def edit_checks(tx: Tx, id: str, checks: tuple[Check, ...] | None) -> None:
    """Stores the checks as the person edited them; None goes back to the detected ones."""
    tx.conn.execute(update(projects).where(projects.c.id == id).values(checks=checks))


def accept_programs(tx: Tx, id: str, digests: Collection[str]) -> tuple[str, ...]:
    """Adds to what a commit may run of the repository's own; returns all of it."""
    known = tx.conn.execute(select(projects.c.programs).where(projects.c.id == id)).scalar() or ()
    accepted = tuple(sorted({*known, *digests}))
    tx.conn.execute(update(projects).where(projects.c.id == id).values(programs=accepted))
    return accepted


def choose_agent(tx: Tx, id: str, agent: str | None) -> None:
    tx.conn.execute(update(projects).where(projects.c.id == id).values(agent=agent))
