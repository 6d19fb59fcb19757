"""Stuck reports: one for each task that gave up because its checks never passed."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from pilothouse.domain.task.stuck import StuckReport
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.run import stuck_reports
from pilothouse.store.tables.task import tasks
from pilothouse.store.writer import Tx

_ROWS = select(*columns(stuck_reports, StuckReport))


def add(tx: Tx, report: StuckReport) -> StuckReport:
    tx.conn.execute(insert(stuck_reports).values(values(report)))
    return report


def get(c: Connection, task_id: str) -> StuckReport | None:
    return build_first(StuckReport, c.execute(_ROWS.where(stuck_reports.c.task_id == task_id)))


def of_session(c: Connection, session_id: str) -> list[StuckReport]:
    query = _ROWS.join(tasks, tasks.c.id == stuck_reports.c.task_id).where(tasks.c.session_id == session_id)
    return build_all(StuckReport, c.execute(query.order_by(stuck_reports.c.created_at)))
