"""Verification runs: what each check said. Old ones are removed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from pilothouse.domain.task.checks import RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.task import COUNT_ANEW
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.run import runs
from pilothouse.store.tables.task import tasks
from pilothouse.store.task import attempts
from pilothouse.store.writer import Tx

_ROWS = select(*columns(runs, VerificationRun))
_BATCH = 500


def add(tx: Tx, run: VerificationRun) -> VerificationRun:
    tx.conn.execute(insert(runs).values(values(run)))
    return run


def get(c: Connection, run_id: str) -> VerificationRun | None:
    return build_first(VerificationRun, c.execute(_ROWS.where(runs.c.id == run_id)))


def of_task(c: Connection, task_id: str) -> list[VerificationRun]:
    """Oldest first."""
    query = _ROWS.where(runs.c.task_id == task_id).order_by(runs.c.started_at, runs.c.id)
    return build_all(VerificationRun, c.execute(query))


def failed(c: Connection, task_id: str) -> list[VerificationRun]:
    """The failed verifications since counting last began at nothing, oldest first."""
    since = attempts.newest_in(c, task_id, COUNT_ANEW)
    bad = (RunPurpose.VERIFY, RunResult.FAIL)
    return [run for run in of_task(c, task_id) if (run.purpose, run.result) == bad and run.attempt >= since]


def expired(c: Connection, host: str, now: datetime, keep: int, days: int) -> list[VerificationRun]:
    """A host's runs to remove: older than `days`, not among the newest `keep` of their project, not marked as kept."""
    newest_first = func.row_number().over(
        partition_by=tasks.c.project_id, order_by=(runs.c.started_at.desc(), runs.c.id.desc())
    )
    ranked = (
        select(runs.c.id, runs.c.started_at, runs.c.kept, newest_first.label("rank"))
        .join(tasks, tasks.c.id == runs.c.task_id)
        .where(runs.c.kept.is_(False), tasks.c.workspace_id.in_(workspaces_on(host)))
        .subquery()
    )
    old = and_(ranked.c.rank > keep, ranked.c.started_at < now - timedelta(days=days))
    query = _ROWS.where(runs.c.id.in_(select(ranked.c.id).where(old))).order_by(runs.c.started_at)
    return build_all(VerificationRun, c.execute(query.limit(_BATCH)))


def keep_of_task(tx: Tx, task_id: str) -> None:
    """Marks a task's runs so that they are never removed: its stuck report refers to them."""
    tx.conn.execute(update(runs).where(runs.c.task_id == task_id).values(kept=True))


def remove(tx: Tx, run_ids: Sequence[str]) -> None:
    tx.conn.execute(delete(runs).where(runs.c.id.in_(run_ids)))
