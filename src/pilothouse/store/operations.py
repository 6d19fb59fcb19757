"""Operations on the runner. An event is stored with the beginning and the end of each."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.event.runner import RunnerOperationFinished, RunnerOperationStarted
from pilothouse.domain.operations import Operation, Phase
from pilothouse.store.rows import build_first, columns, values
from pilothouse.store.tables.runner import operations
from pilothouse.store.writer import Tx

_ROWS = select(*columns(operations, Operation))


def add(tx: Tx, operation: Operation) -> None:
    tx.conn.execute(insert(operations).values(values(operation)))
    tx.emit(
        RunnerOperationStarted(operation_id=operation.id, kind=operation.kind.value, project_id=operation.project_id)
    )


def save(tx: Tx, operation: Operation) -> None:
    tx.conn.execute(update(operations).where(operations.c.id == operation.id).values(values(operation)))
    if operation.outcome is None or operation.finished_at is None:
        return
    tx.emit(
        RunnerOperationFinished(
            operation_id=operation.id,
            kind=operation.kind.value,
            outcome=operation.outcome.value,
            phase=(operation.phase or Phase.BUILD).value,
            cause=operation.cause,
            duration_ms=round((operation.finished_at - operation.started_at).total_seconds() * 1000),
        )
    )


def newest(c: Connection, host: str) -> Operation | None:
    of_host = _ROWS.where(operations.c.host == host)
    return build_first(Operation, c.execute(of_host.order_by(operations.c.started_at.desc()).limit(1)))


def get(c: Connection, operation_id: str) -> Operation | None:
    return build_first(Operation, c.execute(_ROWS.where(operations.c.id == operation_id)))
