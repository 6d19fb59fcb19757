"""Sessions, one row each."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, func, select, union_all

from pilothouse.domain.session.session import (
    SLUG_DIGITS,
    Session,
    SessionAction,
    SessionKind,
    session_after,
    slug_stems,
)
from pilothouse.errors import IllegalTransition, NotFound
from pilothouse.store.rows import allow, build_first, columns, values
from pilothouse.store.session.overview import (
    Group,
    SessionPage,
    SessionQuery,
    SessionRow,
    overview,
    rank_of,
    searchable,
)
from pilothouse.store.tables.session import projects, sessions
from pilothouse.store.writer import Tx
from pilothouse.words import say

__all__ = [
    "Group",
    "SessionPage",
    "SessionQuery",
    "SessionRow",
    "add",
    "by_slug",
    "count",
    "get",
    "move",
    "overview",
    "require",
    "taken_slugs",
    "update",
]

_COLUMNS = columns(sessions, Session)
_ROWS = select(*_COLUMNS)
_FIXED = frozenset({"id", "project_id", "workspace_id", "slug", "kind", "created_at", "status"})


def add(tx: Tx, session: Session) -> Session:
    search = _search(tx.conn, session.title, session.project_id)
    tx.conn.execute(sa.insert(sessions).values(**values(session), search=search, rank=rank_of(None)))
    tx.acted = True
    return session


def get(c: Connection, id: str) -> Session | None:
    return build_first(Session, c.execute(_ROWS.where(sessions.c.id == id)))


def require(c: Connection, id: str) -> Session:
    if (found := get(c, id)) is None:
        raise NotFound(say("session.unknown"))
    return found


def by_slug(c: Connection, project_id: str, slug: str) -> Session | None:
    return build_first(Session, c.execute(_ROWS.where(sessions.c.project_id == project_id, sessions.c.slug == slug)))


def taken_slugs(c: Connection, project_id: str, slug: str) -> set[str]:
    """Which of this slug and its numbered forms are taken. May hold a few others that sort between them.

    Deleted sessions keep theirs: their folder is still there.
    """
    t = sessions.c
    mine = select(t.slug).where(t.project_id == project_id)
    # Each between two entries of an index: how slugs begin, or one or the other, would read the whole project's.
    numbered = [mine.where(t.slug.between(f"{stem}0", stem + "9" * SLUG_DIGITS)) for stem in slug_stems(slug)]
    return set(c.execute(union_all(mine.where(t.slug == slug), *numbered)).scalars())


def count(c: Connection, project_id: str, kind: SessionKind | None = None) -> int:
    query = select(func.count()).select_from(sessions).where(sessions.c.project_id == project_id)
    return c.execute(query if kind is None else query.where(sessions.c.kind == kind)).scalar_one()


def move(tx: Tx, id: str, action: SessionAction) -> Session:
    """Changes the status by the table of moves, if it is as seen here. Nothing else changes a session's status."""
    seen = require(tx.conn, id).status
    target = session_after(seen, action)
    query = sa.update(sessions).where(sessions.c.id == id, sessions.c.status == seen).values(status=target)
    query = query.values(updated_at=tx.now).returning(*_COLUMNS)
    if (moved := build_first(Session, tx.conn.execute(query))) is None:
        present = require(tx.conn, id).status
        raise IllegalTransition(say("session.not_possible", status=present, action=action), {"status": present})
    tx.acted = True
    return moved


def update(tx: Tx, id: str, **changes: Any) -> Session:
    """Changes anything but the status."""
    allow(Session, changes, _FIXED)
    if "title" in changes:
        project_id = require(tx.conn, id).project_id
        changes["search"] = _search(tx.conn, changes["title"], project_id)
    return _write(tx, id, **changes)


def _write(tx: Tx, id: str, **changes: Any) -> Session:
    query = sa.update(sessions).where(sessions.c.id == id).values({"updated_at": tx.now, **changes})
    if (written := build_first(Session, tx.conn.execute(query.returning(*_COLUMNS)))) is None:
        raise NotFound(say("session.unknown"))
    return written


def _search(c: Connection, title: str, project_id: str) -> str:
    path = c.execute(select(projects.c.path).where(projects.c.id == project_id)).scalar() or ""
    return searchable(f"{title}\n{path}")
