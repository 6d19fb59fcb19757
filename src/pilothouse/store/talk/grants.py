"""What the person allowed for the rest of a session."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam, insert, select

from pilothouse.domain.talk.permissions import Grant
from pilothouse.errors import NotFound
from pilothouse.store.rows import build, build_all, columns, values
from pilothouse.store.tables.talk import grants
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(grants, Grant)
_ROWS = select(*_COLUMNS)
_OF_SESSION = _ROWS.where(grants.c.session_id == bindparam("of_session"), grants.c.revoked_at.is_(None)).order_by(
    grants.c.granted_at, grants.c.id
)


def add(tx: Tx, grant: Grant) -> Grant:
    tx.conn.execute(insert(grants).values(values(grant)))
    return grant


def of_session(c: Connection, session_id: str) -> list[Grant]:
    """Those that hold, in the order they were given."""
    return build_all(Grant, c.execute(_OF_SESSION, {"of_session": session_id}))


def names(c: Connection, session_id: str) -> tuple[str, ...]:
    """What the agent is told: each once."""
    return tuple(dict.fromkeys(grant.name for grant in of_session(c, session_id)))


def revoke(tx: Tx, session_id: str, grant_id: str) -> Grant:
    holds = (grants.c.id == grant_id) & (grants.c.session_id == session_id) & grants.c.revoked_at.is_(None)
    row = tx.conn.execute(sa.update(grants).where(holds).values(revoked_at=tx.now).returning(*_COLUMNS)).first()
    if row is None:
        raise NotFound(say("grant.unknown"))
    return build(Grant, row)
