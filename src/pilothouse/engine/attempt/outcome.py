"""Closing what ran: steps, attempts, and the task with them, each in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pilothouse.domain.event.attempt import StepFinished
from pilothouse.domain.event.guard import GuardAbsent, GuardTimeout
from pilothouse.domain.event.payload import EventData
from pilothouse.domain.task.task import Awaiting, ErrorKind, Step, Task
from pilothouse.engine.attempt.ending import Result, common, end_of, failed, waiting
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.watch import Stop, Watch
from pilothouse.engine.guard import spawn_guard
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import Move, emit, milliseconds
from pilothouse.engine.workspace import artifacts, occupancy
from pilothouse.store.agent import usage
from pilothouse.store.database import Tx
from pilothouse.store.task import attempts, steps, tasks
from pilothouse.words import say


async def settle(runtime: Runtime, result: Result, *, hold: bool = False) -> Task:
    """Close the last step and the attempt, and move the task by what happened."""
    finished = result.finished
    task = finished.task

    def end(tx: Tx, _: Task) -> Move:
        if not finished.recorded:
            _close(tx, task, finished)
        return end_of(tx, task, finished, result.conclusion, hold=hold)

    _, settled = await runtime.move(task.id, end, task.attempt)
    if finished.hold:
        runtime.limits_changed.set()
    return settled


async def record(
    runtime: Runtime, finished: Finished, also: Callable[[Tx], None] | None = None, **changes: object
) -> Finished:
    """Close a step that others follow, with what it changed of the task."""
    task = finished.task

    def write(tx: Tx) -> Task:
        _close(tx, task, finished)
        if also:
            also(tx)
        return tasks.update(tx, task.id, **{**common(task, finished), **changes})

    return replace(finished, task=await runtime.store.write(write), recorded=True)


async def broke(
    runtime: Runtime, task: Task, message: str, spawned: bool, kind: ErrorKind = ErrorKind.INFRASTRUCTURE
) -> Task:
    """End an attempt that could not be carried through; the prompt and the replies stay for a resume.

    Once an agent has run, now or in an earlier attempt, the tree may hold work that nothing describes: then the task
    waits and holds its workspace.
    """

    def end(tx: Tx, present: Task) -> Move:
        close_open_steps(tx, present, "failed", message)
        if not spawned and not occupancy.may_have_changed(tx.conn, present):
            return failed(present, kind, message, {"milestone": ""})
        if spawned:
            artifacts.forget_nothing(tx, present)
        reason = say("attempt.not_saved", problem=message) if spawned else message
        return waiting(present, Awaiting.INTERRUPTED, reason, {"milestone": ""}, holds=True, ends="failed")

    _, settled = await runtime.move(task.id, end, task.attempt, insists=True)
    return settled


async def tell_guard(runtime: Runtime, task: Task, watch: Watch) -> None:
    data: EventData
    if watch.stop is Stop.ABSENT:
        data = GuardAbsent(attempt=task.attempt, silent_seconds=watch.silent_seconds)
    else:
        limit = watch.profile.idle_seconds if watch.stop is Stop.IDLE else watch.profile.hard_seconds
        name = "idle" if watch.stop is Stop.IDLE else "hard"
        data = GuardTimeout(attempt=task.attempt, limit=name, seconds=limit)
    await runtime.store.write(lambda tx: emit(tx, task, data))


def _close(tx: Tx, task: Task, finished: Finished) -> None:
    close_step(tx, task, finished.step)
    if finished.vouchers:
        attempts.update(tx, task.id, task.attempt, **finished.vouchers)
    spawn_guard.observe(tx, task, finished)


def close_step(tx: Tx, task: Task, step: Step) -> None:
    finished_at = step.finished_at or tx.now
    steps.finish(
        tx,
        step.id,
        finished_at=finished_at,
        outcome=step.outcome,
        detail=step.detail,
        exit_code=step.exit_code,
        checkpoint=step.checkpoint,
        output_to=step.output_to,
        files_changed=step.files_changed,
        insertions=step.insertions,
        deletions=step.deletions,
        cost_usd=step.cost_usd,
        answer=step.answer,
        run_id=step.run_id,
        name=step.name,
        log_path=step.log_path,
    )
    usage.close(tx, step.id, finished_at, step.outcome or "interrupted")
    told = StepFinished(
        step_id=step.id,
        attempt=step.attempt,
        number=step.number,
        kind=step.kind,
        outcome=step.outcome or "interrupted",
        name=step.name,
        detail=step.detail,
        run_id=step.run_id,
        duration_ms=milliseconds(step.started_at, finished_at),
        cost_usd=step.cost_usd,
        files_changed=step.files_changed,
        insertions=step.insertions,
        deletions=step.deletions,
    )
    emit(tx, task, told)


def close_open_steps(tx: Tx, task: Task, result: str, detail: str) -> None:
    """What their spawns had used by then is paid for, as far as it was written."""
    cost = 0.0
    for step in steps.of_task(tx.conn, task.id, task.attempt):
        if step.finished_at is None:
            spawn = usage.get(tx.conn, step.id)
            spent = spawn.cost_usd if spawn else 0.0
            close_step(tx, task, replace(step, finished_at=tx.now, outcome=result, detail=detail, cost_usd=spent))
            cost += spent
    if cost:
        tasks.update(tx, task.id, cost_usd=task.cost_usd + cost)
