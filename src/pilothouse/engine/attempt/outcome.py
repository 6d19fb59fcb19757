"""What a finished step means for its task, written in one transaction with the events that tell of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from pilothouse.domain.events import (
    AttemptFinished,
    EventData,
    GuardAbsent,
    GuardTimeout,
    StepFinished,
    TaskAwaiting,
    TaskCancelled,
    TaskCompleted,
    TaskFailed,
    WorkspaceHeld,
)
from pilothouse.domain.guard_events import GuardBudget, GuardLimit
from pilothouse.domain.limits import Hold
from pilothouse.domain.questions import Detection
from pilothouse.domain.tasks import Action, Awaiting, ErrorKind, Step, Task, Verdict
from pilothouse.engine.attempt import artifacts
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.watch import Stop, Watch
from pilothouse.engine.guard import spawn_guard as guarding
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.talk import permissions as permitting
from pilothouse.engine.talk import questions as asking
from pilothouse.engine.talk import steering
from pilothouse.engine.workspace import occupancy
from pilothouse.store import attempts, contexts, limits, steps, tasks, usage, workspaces
from pilothouse.store.database import Tx

SUMMARY_LIMIT = 4_000
HELD_BY_CANCEL = "Held when a task was cancelled."


Conclude = Callable[[Tx, Task, Finished], Task]


async def settle(
    runtime: Runtime,
    task: Task,
    finished: Finished,
    hold: bool,
    conclude: Conclude | None = None,
    also: Callable[[Tx], None] | None = None,
) -> Task:
    """Close the step and the attempt, and move the task by what happened.

    `conclude` moves a task whose last step alone does not tell; a person who stops it, or a shutdown, comes first.
    `also` is written with it.
    """

    def write(tx: Tx) -> Task:
        if also:
            also(tx)
        if not finished.recorded:
            _close(tx, task, finished)
        if conclude and finished.stop not in (Stop.CANCELLED, Stop.INTERRUPTED):
            return conclude(tx, task, finished)
        return _move(tx, task, finished, hold)

    settled = await runtime.store.write(write)
    runtime.queue_changed(task.workspace_id, settled)
    if finished.hold:
        runtime.limits_changed.set()
    return settled


async def record(
    runtime: Runtime, task: Task, finished: Finished, also: Callable[[Tx], None] | None = None, **changes: object
) -> tuple[Task, Finished]:
    """Close a step that others follow, with what it changed of the task."""

    def write(tx: Tx) -> Task:
        _close(tx, task, finished)
        if also:
            also(tx)
        return tasks.update(tx, task.id, **{**common(task, finished), **changes})

    return await runtime.store.write(write), replace(finished, recorded=True)


_STOPPED = {
    Stop.INTERRUPTED: (Awaiting.INTERRUPTED, "The server was stopped while this ran."),
    Stop.ABSENT: (Awaiting.INTERRUPTED, "The agent went silent and its process is gone."),
    Stop.IDLE: (Awaiting.TIMEOUT, "The agent was silent for too long."),
    Stop.HARD: (Awaiting.TIMEOUT, "The agent ran into its time limit."),
    Stop.LIMIT: (Awaiting.USAGE_LIMIT, "A limit is reached."),
    Stop.BUDGET: (Awaiting.BUDGET, "A budget is used up."),
    Stop.BREAKER: (Awaiting.BREAKER, "The agent seems to run in circles."),
}


def _move(tx: Tx, task: Task, finished: Finished, hold: bool) -> Task:
    if finished.stop is Stop.CANCELLED:
        return _cancel(tx, task, finished, hold)
    if finished.stop:
        awaiting, reason = _STOPPED[finished.stop]
        if finished.hold:
            reason = finished.hold.message
            _tell_hold(tx, task, finished.hold)
        return _await(tx, task, finished, awaiting, reason)
    return _by_agent(tx, task, finished)


def _by_agent(tx: Tx, task: Task, finished: Finished) -> Task:
    """Nobody stopped it: what the agent itself ended with decides."""
    ended = finished.ended
    if ended.outcome == "crashed":
        return _await(tx, task, finished, Awaiting.INTERRUPTED, ended.message or "The agent ended unexpectedly.")
    if ended.outcome == "failed":
        return _fail(tx, task, finished)
    if ended.blocker:
        taken_in = {"pending_reply": None, "question": ended.blocker}
        return _await(tx, task, finished, Awaiting.BLOCKER, ended.blocker, **taken_in)
    if ended.outcome == "permission":
        wanted = permitting.asked(ended)
        permitting.tell_asked(tx, task, wanted)
        reason = f"The agent asks for permission. {wanted.words}"
        return _await(tx, task, finished, Awaiting.PERMISSION, reason, permission=wanted, pending_reply=None)
    if finished.question:
        return _ask(tx, task, finished, finished.question)
    return _complete(tx, task, finished)


def _tell_hold(tx: Tx, task: Task, hold: Hold) -> None:
    """Kept beside the task, so that the screen shows it and a restart does not forget it."""
    limits.hold(tx, hold)
    match hold.kind:
        case "hourly" | "provider":
            emit(tx, task, GuardLimit(attempt=task.attempt, kind=hold.kind, until=hold.until, message=hold.message))
        case "money" | "tokens" | "time":
            spent, limit = hold.spent or 0.0, hold.limit or 0.0
            told = GuardBudget(attempt=task.attempt, kind=hold.kind, scope=hold.scope, spent=spent, limit=limit)
            emit(tx, task, told)
        case "breaker":
            pass  # the breaker told of itself when it changed


def common(task: Task, finished: Finished) -> dict[str, object]:
    total = finished.total
    return {
        "output": finished.ended.text or task.output,
        "milestone": "",
        "agent_session": task.agent_session,
        "files_changed": len(total.files),
        "insertions": total.insertions,
        "deletions": total.deletions,
        "cost_usd": task.cost_usd + (0 if finished.recorded else finished.step.cost_usd),
    }


def _cancel(tx: Tx, task: Task, finished: Finished, hold: bool) -> Task:
    moved = tasks.move(tx, task, Action.CANCEL, **common(task, finished), pending_reply=None)
    contexts.remove(tx, task.id)
    if hold:
        hold_queue(tx, task.workspace_id, HELD_BY_CANCEL)
    close_attempt(tx, moved, "cancelled")
    emit(tx, task, TaskCancelled(attempt=task.attempt, old_status=task.status, holds=hold))
    return moved


def hold_queue(tx: Tx, workspace_id: str, reason: str) -> None:
    workspaces.hold(tx, workspace_id, reason)
    tx.emit(WorkspaceHeld(workspace_id=workspace_id, reason=reason))


def _await(tx: Tx, task: Task, finished: Finished, awaiting: Awaiting, reason: str, **further: object) -> Task:
    """The pending reply stays: the agent may not have taken it in before it stopped."""
    moved = tasks.move(
        tx,
        task,
        Action.AWAIT,
        **{**common(task, finished), **further},
        awaiting=awaiting,
        error_message=reason,
        holds_workspace=finished.holds,
    )
    close_attempt(tx, moved, awaiting)
    emit(
        tx,
        task,
        TaskAwaiting(attempt=task.attempt, awaiting=awaiting, reason=reason, holds_workspace=finished.holds),
    )
    return moved


def _ask(tx: Tx, task: Task, finished: Finished, found: Detection) -> Task:
    moved = tasks.move(
        tx,
        task,
        Action.AWAIT,
        **common(task, finished),
        awaiting=Awaiting.QUESTION,
        question=found.question,
        plan=finished.ended.plan,
        pending_reply=None,
        holds_workspace=finished.holds,
    )
    asking.record_question(tx, task, finished.ended, found)
    close_attempt(tx, moved, "asked")
    waiting = TaskAwaiting(
        attempt=task.attempt,
        awaiting=Awaiting.QUESTION,
        reason="The agent asks a question.",
        holds_workspace=finished.holds,
    )
    emit(tx, task, waiting)
    return moved


def _complete(tx: Tx, task: Task, finished: Finished) -> Task:
    verdict = Verdict.UNVERIFIED if finished.changed else Verdict.NO_CHANGES
    return completed(tx, task, finished, verdict, finished.ended.text)


def completed(tx: Tx, task: Task, finished: Finished, verdict: Verdict, summary: str) -> Task:
    summary = summary[-SUMMARY_LIMIT:].strip()
    changes = common(task, finished) | {"verdict": verdict, "summary": summary}
    moved = tasks.move(tx, task, Action.FINISH, **changes, pending_reply=None)
    close_attempt(tx, moved, "done")
    total = finished.total
    told = TaskCompleted(
        attempt=task.attempt,
        verdict=verdict,
        summary=summary,
        files_changed=len(total.files),
        insertions=total.insertions,
        deletions=total.deletions,
    )
    emit(tx, task, told)
    return moved


def _fail(tx: Tx, task: Task, finished: Finished) -> Task:
    kind = finished.ended.error_kind or ErrorKind.AGENT
    message = finished.ended.message or "The agent failed without saying why."
    return failed(tx, task, kind, message, common(task, finished) | {"pending_reply": None})


def failed(tx: Tx, task: Task, kind: ErrorKind, message: str, changes: dict[str, object]) -> Task:
    moved = tasks.move(tx, task, Action.FAIL, **changes, error_kind=kind, error_message=message, finished_at=tx.now)
    close_attempt(tx, moved, "failed")
    emit(tx, task, TaskFailed(attempt=task.attempt, error_kind=kind, message=message))
    return moved


async def broke(
    runtime: Runtime, task: Task, message: str, spawned: bool, kind: ErrorKind = ErrorKind.INFRASTRUCTURE
) -> Task:
    """End an attempt that could not be carried through; the prompt and the replies stay for a resume.

    Once an agent has run, now or in an earlier attempt, the tree may hold work that nothing describes: then the task
    waits and holds its workspace.
    """

    def write(tx: Tx) -> Task:
        close_open_steps(tx, task, "failed", message)
        if not spawned and not occupancy.may_have_changed(tx.conn, task):
            return failed(tx, task, kind, message, {"milestone": ""})
        if spawned:
            artifacts.forget_nothing(tx, task)
        reason = f"What the agent did could not be saved: {message}" if spawned else message
        waiting = {"awaiting": Awaiting.INTERRUPTED, "error_message": reason, "holds_workspace": True, "milestone": ""}
        moved = tasks.move(tx, task, Action.AWAIT, **waiting)
        close_attempt(tx, moved, "failed")
        told = TaskAwaiting(attempt=task.attempt, awaiting=Awaiting.INTERRUPTED, reason=reason, holds_workspace=True)
        emit(tx, task, told)
        return moved

    settled = await runtime.store.write(write)
    runtime.queue_changed(task.workspace_id, settled)
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
    attempts.update(tx, task.id, task.attempt, **finished.vouchers)
    guarding.observe(tx, task, finished)


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
        duration_ms=_milliseconds(step.started_at, finished_at),
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


def close_attempt(tx: Tx, task: Task, result: str) -> None:
    attempt = attempts.get(tx.conn, task.id, task.attempt)
    attempts.finish(tx, task.id, task.attempt, outcome=result)
    steering.settle(tx, task)
    began = attempt.started_at if attempt else tx.now
    emit(
        tx,
        task,
        AttemptFinished(attempt=task.attempt, outcome=result, duration_ms=_milliseconds(began, tx.now)),
    )


def emit(tx: Tx, task: Task, data: EventData) -> None:
    tx.emit(data, session_id=task.session_id, task_id=task.id)


def _milliseconds(start: datetime, end: datetime) -> int:
    return max(0, round((end - start).total_seconds() * 1000))
