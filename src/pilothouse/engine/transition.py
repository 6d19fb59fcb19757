"""The one place where a task or a session changes its status.

A move is data. Whoever decides about a task returns one, and `transition` carries it out in a single transaction: the
row, the rows that hang on it, the events that tell of it, and what the session's workflow makes of it. The queue is
woken after the commit (`Tx.queue_changed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy.exc import OperationalError

from pilothouse.domain.event.attempt import AttemptFinished
from pilothouse.domain.event.guard import GuardBudget, GuardLimit
from pilothouse.domain.event.payload import EventData
from pilothouse.domain.event.session import SessionChanged, WorkspaceHeld
from pilothouse.domain.event.talk import PermissionAsked, QuestionAnswered, QuestionAsked, SteeringReturned
from pilothouse.domain.event.task import TaskCancelled
from pilothouse.domain.guard.limits import Hold
from pilothouse.domain.session.session import Session, SessionAction
from pilothouse.domain.talk.permissions import AskedPermission, Grant
from pilothouse.domain.talk.questions import Question
from pilothouse.domain.talk.steering import OPEN, SteerState
from pilothouse.domain.task.contexts import Context, ContextKind
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.stuck import StuckReport
from pilothouse.domain.task.task import Attempt, AttemptMode, Task, TaskStatus
from pilothouse.engine.workflow import Workflow, Workflows
from pilothouse.errors import WorkflowFailed, message_of
from pilothouse.store.database import Tx
from pilothouse.store.guard import holds
from pilothouse.store.session import sessions
from pilothouse.store.session import workspaces as workspace_rows
from pilothouse.store.talk import grants, questions, steering
from pilothouse.store.task import attempts, contexts, runs, stuck_reports, tasks
from pilothouse.words import say

_S = SteerState


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What happens to a task, and what happens with it."""

    action: Action
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Of the task's row."""
    begins: AttemptMode | None = None
    """The attempt that a claim begins."""
    ends: str | None = None
    """Outcome of the attempt that this move ends."""
    asks: Sequence[Question] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    """By the question's id."""
    guard: Hold | None = None
    """Why a guard holds the task."""
    grants: Grant | None = None
    """What the person allows for the rest of the session."""
    context: tuple[ContextKind, str] | None = None
    report: StuckReport | None = None
    hold_queue: str = ""
    """Why the person holds the queue with it."""
    events: Sequence[EventData] = ()
    """What tells of it, last of all."""


def cancel(
    task: Task, *, hold: bool = False, ends: str | None = None, changes: Mapping[str, Any] | None = None
) -> Move:
    """End a task in any status. Its tree stays as it is, and nothing is documented; `hold` holds its queue too."""
    told = TaskCancelled(attempt=task.attempt, old_status=task.status, holds=hold)
    cleared = {"pending_reply": None, "resume_mode": None, "milestone": ""}
    return Move(
        action=Action.CANCEL,
        changes={**(changes or {}), **cleared},
        ends=ends,
        hold_queue=say("workspace.held_by_cancel") if hold else "",
        events=(told,),
    )


def queue(tx: Tx, task: Task) -> Task:
    """Put a new task into its workspace's queue."""
    queued = tasks.add(tx, task)
    tx.queue_changed(queued.workspace_id, queued)
    return queued


def transition(tx: Tx, workflows: Workflows, task: Task, move: Move, seen: object = None) -> Task:
    """Carry out a move, provided the task is still as the caller saw it.

    A task that never started leaves no trace when it is cancelled: its row goes, and nothing tells of it.
    `seen` is what the workflow saw when it looked (`Workflow.look`). What a workflow raises comes as `WorkflowFailed`.
    """
    if move.action is Action.CANCEL and task.never_started:
        if move.hold_queue:
            hold_queue(tx, task.workspace_id, move.hold_queue)
        after = replace(tasks.remove(tx, task.id), status=TaskStatus.CANCELLED)
    else:
        after = _moved(tx, task, move)
    tx.queue_changed(task.workspace_id, after)
    session = sessions.get(tx.conn, task.session_id)
    if session and session.kind in workflows:
        _tell(workflows[session.kind], tx, task, after, seen)
    return after


def move_session(tx: Tx, session_id: str, action: SessionAction) -> Session:
    """Change a session's status by its own table of moves, and tell of it."""
    after = sessions.move(tx, session_id, action)
    tx.emit(SessionChanged(status=after.status), session_id=session_id)
    return after


def hold_queue(tx: Tx, workspace_id: str, reason: str) -> None:
    workspace_rows.hold(tx, workspace_id, reason)
    tx.emit(WorkspaceHeld(workspace_id=workspace_id, reason=reason))


def _tell(workflow: Workflow, tx: Tx, before: Task, after: Task, seen: object) -> None:
    try:
        workflow.moved(tx, before, after, seen)
    except OperationalError:  # the trouble is the database's, and the writer knows when to try again
        raise
    except Exception as error:
        said = say("task.workflow_failed", problem=message_of(error))
        raise WorkflowFailed(said, {"task_id": before.id}) from error


def emit(tx: Tx, task: Task, *events: EventData) -> None:
    for data in events:
        tx.emit(data, session_id=task.session_id, task_id=task.id)


def _moved(tx: Tx, task: Task, move: Move) -> Task:
    if move.hold_queue:
        hold_queue(tx, task.workspace_id, move.hold_queue)
    after = tasks.move(tx, task, move.action, **move.changes)
    if move.begins:
        attempts.start(tx, Attempt(after.id, after.attempt, move.begins, started_at=tx.now))
    if move.grants:
        grants.add(tx, move.grants)
    if move.guard:
        _hold(tx, task, move.guard)
    if wanted := move.changes.get("permission"):
        tell_permission_asked(tx, task, wanted)
    record_questions(tx, task, move.asks)
    for question_id, answer in move.answers.items():
        answer_question(tx, task, question_id, answer)
    _settle_beside(tx, after, move)
    if move.ends:
        end_attempt(tx, after, move.ends)
    emit(tx, task, *move.events)
    return after


def _settle_beside(tx: Tx, after: Task, move: Move) -> None:
    """Updates the rows that belong to the task."""
    if move.report:
        stuck_reports.add(tx, move.report)
        runs.keep_of_task(tx, after.id)
    if move.action is Action.CANCEL:
        contexts.remove(tx, after.id)
    if move.context:
        write_context(tx, after, *move.context)
    if after.status is TaskStatus.AWAITING_RESPONSE:
        unhand(tx, after)
    elif after.ended:
        _return_messages(tx, after)


def _hold(tx: Tx, task: Task, hold: Hold) -> None:
    """Kept beside the task, so that the screen shows it and a restart does not forget it."""
    holds.hold(tx, hold)
    match hold.kind:
        case "hourly" | "provider":
            emit(tx, task, GuardLimit(attempt=task.attempt, kind=hold.kind, until=hold.until, message=hold.message))
        case "money" | "tokens" | "time":
            spent, limit = hold.spent or 0.0, hold.limit or 0.0
            emit(
                tx,
                task,
                GuardBudget(attempt=task.attempt, kind=hold.kind, scope=hold.scope, spent=spent, limit=limit),
            )
        case "breaker":
            pass  # the breaker told of itself when it changed


def record_questions(tx: Tx, task: Task, asked: Sequence[Question]) -> None:
    for question in asked:
        questions.ask(tx, question)
        told = QuestionAsked(
            sessionId=task.session_id,
            questionId=question.id,
            kind=question.kind,
            text=question.text,
            options=list(question.options),
            header=question.header,
        )
        emit(tx, task, told)


def answer_question(tx: Tx, task: Task, question_id: str, answer: str, *, replayed: bool = False) -> None:
    questions.answer(tx, question_id, answer, replayed)
    told = QuestionAnswered(sessionId=task.session_id, questionId=question_id, answer=answer, replayed=replayed)
    emit(tx, task, told)


def tell_permission_asked(tx: Tx, task: Task, wanted: AskedPermission) -> None:
    told = PermissionAsked(attempt=task.attempt, tool=wanted.tool, detail=wanted.detail, grant=wanted.grant)
    emit(tx, task, told)


def write_context(tx: Tx, task: Task, kind: ContextKind, text: str) -> None:
    whole = f"# {kind.capitalize()} of task {task.id}, attempt {task.attempt}\n\n{text}"
    contexts.add(tx, Context(task.session_id, 0, task.id, task.attempt, kind, tx.now, whole))


def end_attempt(tx: Tx, task: Task, outcome: str) -> None:
    attempt = attempts.finish(tx, task.id, task.attempt, outcome=outcome)
    took = milliseconds(attempt.started_at, tx.now)
    emit(tx, task, AttemptFinished(attempt=task.attempt, outcome=outcome, duration_ms=took))


def unhand(tx: Tx, task: Task) -> None:
    """Marks messages that the agent did not confirm as waiting again."""
    for message in steering.of_task(tx.conn, task.id, _S.HANDED):
        steering.move(tx, message.id, [_S.HANDED], _S.WAITING, step_id=None, in_prompt=False)


def _return_messages(tx: Tx, task: Task) -> None:
    """What the agent did not take in goes back to the person."""
    for message in steering.of_task(tx.conn, task.id, *OPEN):
        steering.move(tx, message.id, OPEN, _S.RETURNED)
        emit(tx, task, SteeringReturned(message_id=message.id, text=message.text))


def milliseconds(start: datetime, end: datetime) -> int:
    return max(0, round((end - start).total_seconds() * 1000))
