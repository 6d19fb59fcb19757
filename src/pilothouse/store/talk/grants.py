"""What the person allowed for the rest of a session."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.talk.permissions import Grant
from pilothouse.errors import NotFound
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.talk import grants
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(grants, Grant)


def add(tx: Tx, grant: Grant) -> Grant:
    tx.conn.execute(insert(grants).values(values(grant)))
    return grant


def of_session(c: Connection, session_id: str) -> list[Grant]:
    """The grants that hold, in the order they were given."""
    query = select(*_COLUMNS).where(grants.c.session_id == session_id, grants.c.revoked_at.is_(None))
    return build_all(Grant, c.execute(query.order_by(grants.c.granted_at, grants.c.id)))


def names(c: Connection, session_id: str) -> tuple[str, ...]:
    """The names of the grants as the agent is told them, each once."""
    return tuple(dict.fromkeys(grant.name for grant in of_session(c, session_id)))


def revoke(tx: Tx, session_id: str, grant_id: str) -> Grant:
    holds = (grants.c.id == grant_id) & (grants.c.session_id == session_id) & grants.c.revoked_at.is_(None)
    query = update(grants).where(holds).values(revoked_at=tx.now).returning(*_COLUMNS)
    if (revoked := build_first(Grant, tx.conn.execute(query))) is None:
        raise NotFound(say("grant.unknown"))
    return revoked
