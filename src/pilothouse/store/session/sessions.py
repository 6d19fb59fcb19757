"""Sessions, and the list of them that the home screen shows."""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import CompoundSelect, Connection, bindparam, func, insert, select, union_all

from pilothouse.domain.session.session import (
    SLUG_DIGITS,
    Session,
    SessionAction,
    SessionKind,
    session_after,
    slug_stems,
)
from pilothouse.errors import NotFound
from pilothouse.store.rows import allow, build, columns, values
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
_THIS = sessions.c.id == bindparam("of_session")
_BY_ID = _ROWS.where(_THIS)
_OF_PROJECT = sessions.c.project_id == bindparam("of_project")
_BY_SLUG = _ROWS.where(_OF_PROJECT, sessions.c.slug == bindparam("slug"))
_COUNT = select(func.count()).select_from(sessions).where(_OF_PROJECT)
_COUNT_OF_KIND = _COUNT.where(sessions.c.kind == bindparam("kind"))
_INSERT = insert(sessions)
_UPDATE = sa.update(sessions).where(_THIS).returning(*_COLUMNS)
_PATH = select(projects.c.path).where(projects.c.id == bindparam("of_project"))
_FIXED = frozenset({"id", "project_id", "workspace_id", "slug", "kind", "created_at", "status"})


def add(tx: Tx, session: Session) -> Session:
    search = _search(tx.conn, session.title, session.project_id)
    tx.conn.execute(_INSERT, {**values(session), "search": search, "rank": rank_of(None)})
    tx.acted = True
    return session


def get(c: Connection, id: str) -> Session | None:
    row = c.execute(_BY_ID, {"of_session": id}).first()
    return build(Session, row) if row else None


def require(c: Connection, id: str) -> Session:
    if (found := get(c, id)) is None:
        raise NotFound(say("session.unknown"))
    return found


def by_slug(c: Connection, project_id: str, slug: str) -> Session | None:
    row = c.execute(_BY_SLUG, {"of_project": project_id, "slug": slug}).first()
    return build(Session, row) if row else None


def taken_slugs(c: Connection, project_id: str, slug: str) -> set[str]:
    """This one, those that a number makes of it, and what lies between them in the database's order of letters.

    Deleted sessions keep theirs: their folder is still there.
    """
    stems = slug_stems(slug)
    given = {"of_project": project_id, "slug": slug}
    for n, stem in enumerate(stems):
        given |= {f"first_{n}": f"{stem}0", f"last_{n}": stem + "9" * SLUG_DIGITS}
    return set(c.execute(_taken(len(stems)), given).scalars())


def count(c: Connection, project_id: str, kind: SessionKind | None = None) -> int:
    if kind is None:
        return c.execute(_COUNT, {"of_project": project_id}).scalar_one()
    return c.execute(_COUNT_OF_KIND, {"of_project": project_id, "kind": kind}).scalar_one()


def move(tx: Tx, id: str, action: SessionAction) -> Session:
    """The one function that changes a session's status, by its table of moves."""
    return _write(tx, id, status=session_after(require(tx.conn, id).status, action))


def update(tx: Tx, id: str, **changes: Any) -> Session:
    """Everything but the status."""
    allow(Session, changes, _FIXED)
    if "title" in changes:
        project_id = require(tx.conn, id).project_id
        changes["search"] = _search(tx.conn, changes["title"], project_id)
    return _write(tx, id, **changes)


def _write(tx: Tx, id: str, **changes: Any) -> Session:
    row = tx.conn.execute(_UPDATE, {"of_session": id, "updated_at": tx.now, **changes}).first()
    if row is None:
        raise NotFound(say("session.unknown"))
    return build(Session, row)


@cache
def _taken(stems: int) -> CompoundSelect[str]:
    # Each between two entries of an index: how slugs begin, or one or the other, would read the whole project's.
    slug, mine = sessions.c.slug, select(sessions.c.slug).where(_OF_PROJECT)
    between = (mine.where(slug.between(bindparam(f"first_{n}"), bindparam(f"last_{n}"))) for n in range(stems))
    return union_all(mine.where(slug == bindparam("slug")), *between)


def _search(c: Connection, title: str, project_id: str) -> str:
    path = c.execute(_PATH, {"of_project": project_id}).scalar() or ""
    return searchable(f"{title}\n{path}")
