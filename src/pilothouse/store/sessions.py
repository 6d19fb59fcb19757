"""Sessions, and the list of them that the home screen shows."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, func, insert, select

from pilothouse.domain.sessions import Session, SessionKind
from pilothouse.errors import NotFound
from pilothouse.store.overview import Group, SessionPage, SessionQuery, SessionRow, overview, rank_of, searchable
from pilothouse.store.rows import allow, build, columns, values
from pilothouse.store.tables import projects, sessions
from pilothouse.store.writer import Tx

__all__ = [
    "Group",
    "SessionPage",
    "SessionQuery",
    "SessionRow",
    "add",
    "by_slug",
    "count",
    "get",
    "overview",
    "slug_taken",
    "update",
]

_COLUMNS = columns(sessions, Session)
_ROWS = select(*_COLUMNS)
_FIXED = frozenset({"id", "project_id", "workspace_id", "slug", "kind", "created_at"})


def add(tx: Tx, session: Session) -> Session:
    search = _search(tx.conn, session.title, session.project_id)
    tx.conn.execute(insert(sessions).values(**values(session), search=search, rank=rank_of(None)))
    tx.acted = True
    return session


def get(c: Connection, id: str) -> Session | None:
    row = c.execute(_ROWS.where(sessions.c.id == id)).first()
    return build(Session, row) if row else None


def by_slug(c: Connection, project_id: str, slug: str) -> Session | None:
    query = _ROWS.where(sessions.c.project_id == project_id, sessions.c.slug == slug)
    row = c.execute(query).first()
    return build(Session, row) if row else None


def slug_taken(c: Connection, project_id: str, slug: str) -> bool:
    """Deleted sessions keep theirs: their folder is still there."""
    query = select(sessions.c.id).where(sessions.c.project_id == project_id, sessions.c.slug == slug)
    return c.execute(query).first() is not None


def count(c: Connection, project_id: str, kind: SessionKind | None = None) -> int:
    query = select(func.count()).select_from(sessions).where(sessions.c.project_id == project_id)
    if kind is not None:
        query = query.where(sessions.c.kind == kind)
    return c.execute(query).scalar_one()


def update(tx: Tx, id: str, **changes: Any) -> Session:
    allow(Session, changes, _FIXED)
    written: dict[str, Any] = {"updated_at": tx.now, **changes}
    if "title" in changes:
        present = get(tx.conn, id)
        written["search"] = _search(tx.conn, changes["title"], present.project_id) if present else ""
    query = sa.update(sessions).where(sessions.c.id == id).values(**written).returning(*_COLUMNS)
    row = tx.conn.execute(query).first()
    if row is None:
        raise NotFound("There is no such session.")
    return build(Session, row)


def _search(c: Connection, title: str, project_id: str) -> str:
    path = c.execute(select(projects.c.path).where(projects.c.id == project_id)).scalar() or ""
    return searchable(f"{title}\n{path}")
