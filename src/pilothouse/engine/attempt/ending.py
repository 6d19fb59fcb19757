"""What the end of an attempt means for its task: from what happened to the move it calls for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pilothouse.domain.event.task import TaskAwaiting, TaskCompleted, TaskFailed, TaskStuck
from pilothouse.domain.talk.detection import detect
from pilothouse.domain.task.checks import VerificationRun
from pilothouse.domain.task.contexts import ContextKind
from pilothouse.domain.task.doubts import standing
from pilothouse.domain.task.loop import VAIN_STOP
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.stuck import StuckReport, StuckRun, hypotheses_in
from pilothouse.domain.task.task import Awaiting, ErrorKind, Proposal, Purpose, Task, Verdict
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.talk import permissions, questions
from pilothouse.engine.transition import Move, cancel
from pilothouse.store.database import Tx
from pilothouse.store.task import runs
from pilothouse.words import listed, say, sentences

SUMMARY_LIMIT = 4_000
_STOPPED = {
    Stop.INTERRUPTED: Awaiting.INTERRUPTED,
    Stop.ABSENT: Awaiting.INTERRUPTED,
    Stop.IDLE: Awaiting.TIMEOUT,
    Stop.HARD: Awaiting.TIMEOUT,
    Stop.LIMIT: Awaiting.USAGE_LIMIT,
    Stop.BUDGET: Awaiting.BUDGET,
    Stop.BREAKER: Awaiting.BREAKER,
}


@dataclass(frozen=True, slots=True)
class Passed:
    """The checks passed, and this run proves it."""

    run: VerificationRun


@dataclass(frozen=True, slots=True)
class Unrunnable:
    """A check could not be run at all."""

    run: VerificationRun


@dataclass(frozen=True, slots=True)
class Stuck:
    """The loops are used up."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A dry run has something to show."""

    proposal: Proposal
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """An ask has its answer; None where the agent's words are all that was wanted."""

    answer: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The answer to an ask did not fit, however often it was asked for."""

    problems: tuple[str, ...]


Conclusion = Passed | Unrunnable | Stuck | Proposed | Answered | Unreadable
"""What a course says of its end where the last step alone does not tell."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a course ended."""

    finished: Finished
    conclusion: Conclusion | None = None


def end_of(tx: Tx, task: Task, finished: Finished, conclusion: Conclusion | None, *, hold: bool) -> Move:
    """The move that ends the attempt; a stuck one reads its failed runs for the report.

    A person who stops it, or a shutdown, comes before any conclusion.
    """
    if finished.stop is Stop.CANCELLED:
        return cancel(task, hold=hold, ends="cancelled", changes=common(task, finished))
    if conclusion and finished.stop is not Stop.INTERRUPTED:
        return _concluded(tx, task, finished, conclusion)
    if finished.stop:
        changes, guard = common(task, finished), finished.hold
        reason = guard.message if guard else say(f"stopped.{finished.stop}")
        return waiting(task, _STOPPED[finished.stop], reason, changes, holds=finished.holds, guard=guard)
    return _by_agent(tx, task, finished)


def common(task: Task, finished: Finished) -> dict[str, Any]:
    """What a finished step changes of its task, however it ended."""
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


def waiting(
    task: Task,
    awaiting: Awaiting,
    reason: str,
    changes: dict[str, Any],
    *,
    holds: bool,
    ends: str | None = None,
    **further: Any,
) -> Move:
    """The pending reply stays: the agent may not have taken it in before it stopped."""
    waits = {"awaiting": awaiting, "error_message": reason, "holds_workspace": holds}
    told = TaskAwaiting(attempt=task.attempt, awaiting=awaiting, reason=reason, holds_workspace=holds)
    return Move(action=Action.AWAIT, changes={**waits, **changes}, ends=ends or awaiting, events=(told,), **further)


def failed(task: Task, kind: ErrorKind, message: str, changes: dict[str, Any]) -> Move:
    told = TaskFailed(attempt=task.attempt, error_kind=kind, message=message)
    wrong = {"error_kind": kind, "error_message": message}
    return Move(action=Action.FAIL, changes={**changes, **wrong}, ends="failed", events=(told,))


def _by_agent(tx: Tx, task: Task, finished: Finished) -> Move:
    """Nobody stopped it: what the agent itself ended with decides."""
    ended, changes, holds = finished.ended, common(task, finished), finished.holds
    used_up = changes | {"pending_reply": None}
    if ended.outcome == "crashed":
        reason = ended.message or say("attempt.crashed")
        return waiting(task, Awaiting.INTERRUPTED, reason, changes, holds=holds)
    if ended.outcome == "failed":
        message = ended.message or say("attempt.failed")
        return failed(task, ended.error_kind or ErrorKind.AGENT, message, used_up)
    if ended.blocker:
        changes = used_up | {"question": ended.blocker}
        return waiting(task, Awaiting.BLOCKER, ended.blocker, changes, holds=holds)
    if ended.outcome == "permission":
        wanted = permissions.wanted(ended)
        reason = say("attempt.wants", what=wanted.words)
        return waiting(task, Awaiting.PERMISSION, reason, used_up | {"permission": wanted}, holds=holds)
    if found := finished.question:
        changes = used_up | {"question": found.question, "plan": ended.plan, "error_message": None}
        asked = questions.asked_by(task, ended, found, tx.now)
        reason = say("attempt.asks")
        return waiting(task, Awaiting.QUESTION, reason, changes, holds=holds, ends="asked", asks=asked)
    verdict = Verdict.UNVERIFIED if finished.changed else Verdict.NO_CHANGES
    return _complete(task, finished, verdict, ended.text.strip())


def _complete(
    task: Task,
    finished: Finished,
    verdict: Verdict,
    summary: str,
    context: tuple[ContextKind, str] | None = None,
    **further: Any,
) -> Move:
    total = finished.total
    if len(summary) > SUMMARY_LIMIT:
        summary = summary[-SUMMARY_LIMIT:].strip()
    told = TaskCompleted(
        attempt=task.attempt,
        verdict=verdict,
        summary=summary,
        files_changed=len(total.files),
        insertions=total.insertions,
        deletions=total.deletions,
        doubts=len(standing(task.doubts)),
    )
    # The last words are most often a summary, and the offer stands at the end of the work.
    offer = detect(finished.ended.text).offer or detect(task.output).offer if task.purpose is Purpose.CHANGE else ""
    said = {"verdict": verdict, "summary": summary, "offer": offer}
    changes = common(task, finished) | said | {"pending_reply": None, **further}
    return Move(action=Action.FINISH, changes=changes, ends="done", context=context, events=(told,))


def _concluded(tx: Tx, task: Task, finished: Finished, conclusion: Conclusion) -> Move:
    match conclusion:
        case Passed(run):
            return _passed(task, finished, run)
        case Unrunnable(run):
            return _unrunnable(task, finished, run)
        case Stuck():
            return _stuck(tx, task, finished)
        case Proposed(proposal, left_out):
            without = say("proposal.left_out", names=listed(left_out)) if left_out else ""
            reason = sentences(say("proposal.waits"), without)
            summary = finished.ended.text[-SUMMARY_LIMIT:].strip()
            changes = common(task, finished) | {"proposal": proposal, "summary": summary, "pending_reply": None}
            return waiting(task, Awaiting.DRY_RUN, reason, changes, holds=False, ends="proposed")
        case Answered(answer):
            return _complete(task, finished, Verdict.NO_CHANGES, finished.ended.text.strip(), answer=answer)
        case Unreadable(problems):
            reason = sentences(say("attempt.unreadable"), *problems)
            changes = common(task, finished) | {"question": finished.ended.text, "pending_reply": None}
            return waiting(task, Awaiting.BLOCKER, reason, changes, holds=False)


def _passed(task: Task, finished: Finished, run: VerificationRun) -> Move:
    """The agent's own summary where it gave one, else what is known for certain; never without the run."""
    said = finished.ended.text.strip() if finished.ended.outcome == "done" else ""
    proof = say("attempt.verified", run=run.id, checks=listed(check.name for check in run.checks))
    summary = said or say("attempt.no_summary", count=len(finished.total.files))
    if run.id not in summary:
        room = max(1, SUMMARY_LIMIT - len(proof) - len("\n\n"))
        summary = say("paragraphs", first=said[-room:].strip() or summary, second=proof)
    files = "\n".join(f"- {change.path}" for change in finished.total.files)
    text = f"## Summary\n\n{summary}\n\n## Files changed\n\n{files}\n"
    return _complete(task, finished, Verdict.PASS, summary, (ContextKind.SUCCESS, text))


def _unrunnable(task: Task, finished: Finished, run: VerificationRun) -> Move:
    failing = run.failing
    message = say("checks_unrunnable")
    if failing:
        message = say("attempt.unrunnable", check=failing.name, why=failing.detail or run.first_failing_line)
    changes = common(task, finished) | {"pending_reply": None}
    return failed(task, ErrorKind.INFRASTRUCTURE, message, changes)


def _stuck(tx: Tx, task: Task, finished: Finished) -> Move:
    """The report, whose runs are kept from now on, and the end of the task; the next in the queue may start."""
    known = runs.failed(tx.conn, task.id)
    account = finished.ended.text if finished.ended.outcome == "done" else ""
    report = StuckReport(
        task_id=task.id,
        attempt=task.attempt,
        created_at=tx.now,
        request=task.prompt,
        hypotheses=hypotheses_in(account),
        account=account,
        runs=tuple(_listed(run) for run in known),
        files=tuple(change.path for change in finished.total.files),
        scope=task.scope,
        reason=say("attempt.in_vain", count=task.loop.vain) if task.loop.vain >= VAIN_STOP else "",
    )
    message = sentences(report.reason, say("attempt.stuck", loops=task.loop.total))
    told = TaskStuck(attempt=task.attempt, loops=task.loop.total, message=message, run_ids=[run.id for run in known])
    changes = common(task, finished) | {"error_message": message, "summary": account, "pending_reply": None}
    return Move(action=Action.STICK, changes=changes, ends="stuck", report=report, events=(told,))


def _listed(run: VerificationRun) -> StuckRun:
    failing = run.failing
    return StuckRun(run.id, run.loop, failing.name if failing else "", run.first_failing_line, run.log_path)
