"""How a task ends whose checks were run: verified, stuck, or with checks that cannot be run."""

from __future__ import annotations

from pilothouse.domain.checks import VerificationRun
from pilothouse.domain.contexts import Context, ContextKind
from pilothouse.domain.events import TaskStuck
from pilothouse.domain.loop import LOOPS
from pilothouse.domain.stuck import StuckReport, StuckRun, hypotheses_in
from pilothouse.domain.tasks import Action, ErrorKind, Task, Verdict
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.finished import Finished
from pilothouse.store import contexts, runs, stuck_reports, tasks
from pilothouse.store.database import Tx

STUCK = (
    f"The checks did not pass within {LOOPS} verifications. The changes are still there; a report says what is known."
)


def passed(tx: Tx, task: Task, finished: Finished, run: VerificationRun) -> Task:
    """The agent's own summary where it gave one, else what is known for certain; never without the run."""
    said = finished.ended.text.strip() if finished.ended.outcome == "done" else ""
    checks = ", ".join(check.name for check in run.checks)
    proof = f"Verified by run {run.id}: {checks} passed."
    summary = said or f"Changed {len(finished.total.files)} files. The agent gave no summary."
    if run.id not in summary:
        summary = f"{summary}\n\n{proof}"
    moved = outcome.completed(tx, task, finished, Verdict.PASS, summary)
    files = "\n".join(f"- {change.path}" for change in finished.total.files)
    write_context(tx, task, ContextKind.SUCCESS, f"## Summary\n\n{summary}\n\n## Files changed\n\n{files}\n")
    return moved


def unrunnable(tx: Tx, task: Task, finished: Finished, run: VerificationRun) -> Task:
    failing = run.failing
    why = failing.detail or run.first_failing_line if failing else "The checks could not be run."
    name = f"The check “{failing.name}” could not be run: " if failing else ""
    changes = outcome.common(task, finished) | {"pending_reply": None}
    return outcome.failed(tx, task, ErrorKind.INFRASTRUCTURE, f"{name}{why}", changes)


def stuck(tx: Tx, task: Task, finished: Finished) -> Task:
    """The report, whose runs are kept from now on, and the end of the task; the next in the queue may start."""
    failed = runs.failed(tx.conn, task.id)
    account = finished.ended.text if finished.ended.outcome == "done" else ""
    report = StuckReport(
        task_id=task.id,
        attempt=task.attempt,
        created_at=tx.now,
        request=task.prompt,
        hypotheses=hypotheses_in(account),
        account=account,
        runs=tuple(_stuck_run(run) for run in failed),
        files=tuple(change.path for change in finished.total.files),
    )
    stuck_reports.add(tx, report)
    runs.keep_of_task(tx, task.id)
    changes = outcome.common(task, finished) | {"error_message": STUCK, "summary": account, "pending_reply": None}
    moved = tasks.move(tx, task, Action.STICK, **changes)
    outcome.close_attempt(tx, moved, "stuck")
    told = TaskStuck(attempt=task.attempt, loops=task.loop.total, message=STUCK, run_ids=[r.id for r in failed])
    outcome.emit(tx, task, told)
    return moved


def write_context(tx: Tx, task: Task, kind: ContextKind, text: str) -> None:
    whole = f"# {kind.capitalize()} of task {task.id}, attempt {task.attempt}\n\n{text}"
    contexts.add(tx, Context(task.session_id, 0, task.id, task.attempt, kind, tx.now, whole))


def _stuck_run(run: VerificationRun) -> StuckRun:
    failing = run.failing
    return StuckRun(run.id, run.loop, failing.name if failing else "", run.first_failing_line, run.log_path)
