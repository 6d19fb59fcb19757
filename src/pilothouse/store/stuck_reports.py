"""Stuck reports: one for each task that used up its loops."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from pilothouse.domain.stuck import StuckReport
from pilothouse.store.rows import build, columns, values
from pilothouse.store.tables import stuck_reports
from pilothouse.store.writer import Tx

_COLUMNS = columns(stuck_reports, StuckReport)


def add(tx: Tx, report: StuckReport) -> StuckReport:
    tx.conn.execute(insert(stuck_reports).values(values(report)))
    return report


def get(c: Connection, task_id: str) -> StuckReport | None:
    row = c.execute(select(*_COLUMNS).where(stuck_reports.c.task_id == task_id)).first()
    return build(StuckReport, row) if row else None
