"""Context files of a session, numbered as they were written."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, delete, func, insert, select

from pilothouse.domain.contexts import Context
from pilothouse.store.rows import build_all, columns, values
from pilothouse.store.tables import contexts
from pilothouse.store.writer import Tx

_COLUMNS = columns(contexts, Context)
_ROWS = select(*_COLUMNS)


def add(tx: Tx, context: Context) -> Context:
    newest = select(func.coalesce(func.max(contexts.c.number), 0)).where(contexts.c.session_id == context.session_id)
    numbered = replace(context, number=tx.conn.execute(newest).scalar_one() + 1)
    tx.conn.execute(insert(contexts).values(values(numbered)))
    return numbered


def remove(tx: Tx, task_id: str) -> None:
    """A cancelled task is documented nowhere."""
    tx.conn.execute(delete(contexts).where(contexts.c.task_id == task_id))


def of_session(c: Connection, session_id: str) -> list[Context]:
    query = _ROWS.where(contexts.c.session_id == session_id).order_by(contexts.c.number)
    return build_all(Context, c.execute(query))
