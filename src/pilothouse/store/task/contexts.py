"""Context files of a session, numbered in the order they were written."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, delete, func, insert, select

from pilothouse.domain.task.contexts import Context
from pilothouse.store.rows import build_all, columns, values
from pilothouse.store.tables.task import contexts
from pilothouse.store.writer import Tx


def add(tx: Tx, context: Context) -> Context:
    """Numbers the context itself; the caller's `number` does not count."""
    last = select(func.max(contexts.c.number)).where(contexts.c.session_id == context.session_id)
    numbered = replace(context, number=(tx.conn.execute(last).scalar() or 0) + 1)
    tx.conn.execute(insert(contexts).values(values(numbered)))
    return numbered


def remove(tx: Tx, task_id: str) -> None:
    """Removes what a task wrote: a cancelled task is documented nowhere."""
    tx.conn.execute(delete(contexts).where(contexts.c.task_id == task_id))


def of_session(c: Connection, session_id: str) -> list[Context]:
    query = select(*columns(contexts, Context)).where(contexts.c.session_id == session_id)
    return build_all(Context, c.execute(query.order_by(contexts.c.number)))
