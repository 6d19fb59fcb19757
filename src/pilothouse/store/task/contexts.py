"""Context files of a session, numbered as they were written."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from pilothouse.domain.task.contexts import Context
from pilothouse.store.rows import build_all, columns, values
from pilothouse.store.tables.task import contexts
from pilothouse.store.writer import Tx

_COLUMNS = columns(contexts, Context)
_ROWS = select(*_COLUMNS)
_OF_SESSION = contexts.c.session_id == bindparam("of_session")
_LAST_NUMBER = select(func.coalesce(func.max(contexts.c.number), 0)).where(_OF_SESSION)
_INSERT = insert(contexts)


def add(tx: Tx, context: Context) -> Context:
    last = tx.conn.execute(_LAST_NUMBER, {"of_session": context.session_id}).scalar_one()
    numbered = replace(context, number=last + 1)
    tx.conn.execute(_INSERT, values(numbered))
    return numbered


def remove(tx: Tx, task_id: str) -> None:
    """A cancelled task is documented nowhere."""
    tx.conn.execute(delete(contexts).where(contexts.c.task_id == task_id))


def of_session(c: Connection, session_id: str) -> list[Context]:
    query = _ROWS.where(_OF_SESSION).order_by(contexts.c.number)
    return build_all(Context, c.execute(query, {"of_session": session_id}))
