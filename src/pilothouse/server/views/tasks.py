"""Tasks as the screens show them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection

from pilothouse.domain.agent.usage import Spawn
from pilothouse.domain.event.task import TaskCommitted
from pilothouse.domain.talk.questions import Question
from pilothouse.domain.task.moves import allowed
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import Attempt, Awaiting, Reply, Task, TaskStatus
from pilothouse.engine.guard.decisions import choices
from pilothouse.errors import InvalidInput, NotFound
from pilothouse.server.schemas.doubts import DoubtOut
from pilothouse.server.schemas.guards import BreakerOut, BudgetLimits, LimitOut, SpentOut
from pilothouse.server.schemas.talk import (
    FormQuestion,
    NoteOut,
    OptionOut,
    PermissionDecisionOut,
    PermissionOut,
    SentOut,
)
from pilothouse.server.schemas.tasks import (
    AttemptList,
    AttemptOut,
    ChecklistItemOut,
    CommittedOut,
    LoopOut,
    OutputPage,
    ReplyEntry,
    StepOut,
    StuckReportOut,
    TaskList,
    TaskOut,
    UntouchedOut,
)
from pilothouse.server.schemas.usage import ContextOut, SpawnOut, TaskUsage, TotalsOut
from pilothouse.server.views.queues import WorkspaceQueue
from pilothouse.server.views.sessions import session_record
from pilothouse.store import events
from pilothouse.store.agent import usage
from pilothouse.store.guard import holds
from pilothouse.store.session import sessions
from pilothouse.store.talk import questions, steering
from pilothouse.store.task import attempts, output, rollbacks, steps, stuck_reports, tasks
from pilothouse.words import say

_GUARDED = (Awaiting.USAGE_LIMIT, Awaiting.BUDGET, Awaiting.BREAKER)


def task(c: Connection, task_id: str, *, taken: bool, withdrawing: Collection[str]) -> TaskOut:
    found = tasks.require(c, task_id)
    return task_out(c, found, WorkspaceQueue(c, found.workspace_id, taken=taken), withdrawing)


def tasks_of_session(
    c: Connection,
    project_id: str,
    slug: str,
    cursor: str | None,
    limit: int,
    *,
    taken: bool,
    withdrawing: Collection[str],
) -> TaskList:
    found = session_record(c, project_id, slug)
    page = tasks.of_session(c, found.id, _page_start(cursor), limit + 1)
    queue = WorkspaceQueue(c, found.workspace_id, taken=taken, several=True)
    return TaskList(
        items=[task_out(c, task, queue, withdrawing, found.slug) for task in page[:limit]],
        next_cursor=str(page[limit - 1].place) if len(page) > limit else None,
    )


def _page_start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= 15):
        raise InvalidInput(say("input.cursor"), "cursor")
    return int(cursor)


def task_out(c: Connection, task: Task, queue: WorkspaceQueue, withdrawing: Collection[str], slug: str = "") -> TaskOut:
    if not slug:
        session = sessions.get(c, task.session_id)
        slug = session.slug if session else ""
    position, waits_for = queue.position_of(task)
    asked = questions.open_of_task(c, task.id) if task.awaiting is Awaiting.QUESTION else []
    done = attempts.of_task(c, task.id)
    return TaskOut(
        task_id=task.id,
        session_id=task.session_id,
        project_id=task.project_id,
        session_slug=slug,
        workspace_id=task.workspace_id,
        status=task.status,
        awaiting=task.awaiting,
        verdict=task.verdict,
        error_kind=task.error_kind,
        error_message=task.error_message,
        prompt=task.prompt,
        constraints=list(task.scope.constraints),
        non_goals=list(task.scope.non_goals),
        boundaries=list(task.scope.boundaries),
        agent=task.agent,
        **_request_of(task),
        package=task.package,
        loop=LoopOut(total=task.loop.total, replans=task.loop.replans),
        run_id=task.run_id,
        checklist=[ChecklistItemOut.model_validate(item) for item in task.checklist],
        doubts=[DoubtOut.model_validate(doubt) for doubt in task.doubts],
        output=task.output,
        summary=task.summary,
        answer=task.answer,
        offer=task.offer,
        question=task.question,
        options=_options(asked),
        **_talk(c, task, asked, withdraws=task.agent in withdrawing),
        milestone=task.milestone,
        attempt=task.attempt,
        reply_history=[_reply(reply) for reply in task.replies],
        position=position,
        waits_for=waits_for,
        holds_workspace=task.holds_workspace,
        repository=task.repository,
        actions=allowed(task.status, task.awaiting),
        newest_of_workspace=task.attempt > 0 and queue.newest_id == task.id,
        **_outcome_of_changes(c, task),
        **_guard_fields(c, task),
        files_changed=task.files_changed,
        insertions=task.insertions,
        deletions=task.deletions,
        cost_usd=task.cost_usd,
        usage=_usage(usage.of_task(c, task.id)),
        worked_ms=sum(_took_ms(attempt) for attempt in done),
        working_since=done[-1].started_at if done and task.status is TaskStatus.RUNNING else None,
        submitted_at=task.submitted_at,
        started_at=task.started_at,
        finished_at=task.finished_at,
        updated_at=task.updated_at,
    )


def _request_of(task: Task) -> dict[str, Any]:
    """What was asked for, beside the words."""
    names = ("model", "effort", "timeout_profile", "dry_run", "auto_fix", "scouts", "from_stuck")
    return {"purpose": task.purpose, **{name: getattr(task.options, name) for name in names}}


def _talk(c: Connection, task: Task, asked: list[Question], *, withdraws: bool) -> dict[str, Any]:
    sent = steering.of_task(c, task.id)
    return {
        "form": [FormQuestion.of(question) for question in asked],
        "plan": task.plan,
        "permission": PermissionOut.model_validate(task.permission) if task.permission else None,
        "permission_mode": task.options.permission_mode,
        "decisions": [PermissionDecisionOut.model_validate(decided) for decided in task.decisions],
        "steering": [SentOut.shown(message, withdraws=withdraws) for message in sent],
        "notes": [NoteOut.model_validate(note) for note in task.notes],
    }


def _guard_fields(c: Connection, task: Task) -> dict[str, Any]:
    """The fields of a task that its guards fill in."""
    fields: dict[str, Any] = {"budgets": BudgetLimits.model_validate(task.options.budget)}
    hold = holds.of_task(c, task.id) if task.awaiting in _GUARDED else None
    if hold is None:
        return fields
    fields["choices"] = list(choices(task, hold))
    match hold.kind:
        case "hourly" | "provider":
            fields["limit"] = LimitOut(
                kind=hold.kind, message=hold.message, at=hold.at, until=hold.until, waiting=hold.waiting
            )
        case "money" | "tokens" | "time":
            fields["budget"] = SpentOut(
                kind=hold.kind,
                scope=hold.scope,
                message=hold.message,
                spent=hold.spent or 0.0,
                limit=hold.limit or 0.0,
            )
        case "breaker":
            fields["breaker"] = BreakerOut.of(holds.of_session(c, task.session_id).breaker)
    return fields


def _options(asked: list[Question]) -> list[OptionOut]:
    """The options of a single question. In a form each question has its own."""
    return [OptionOut.of(option) for option in asked[0].options] if len(asked) == 1 else []


def _usage(spawns: list[Spawn]) -> TaskUsage:
    # Scouts and small questions have contexts of their own.
    main = [spawn for spawn in spawns if not spawn.role.startswith(("scout", "small"))]
    totals = usage.total(spawns)
    return TaskUsage(
        **{name: getattr(totals, name) for name in TotalsOut.model_fields},
        warnings=list(dict.fromkeys(usage.differs(s.requested_model, s.model) for s in spawns if s.model_differs)),
        models=list(dict.fromkeys(model for spawn in spawns for model in spawn.models)),
        context=ContextOut.of(main[-1]) if main else None,
    )


def _outcome_of_changes(c: Connection, task: Task) -> dict[str, Any]:
    """What became of its changes: taken back, committed, or only proposed."""
    undoable = rollbacks.newest_undoable(c, task.id)
    return {
        "rollback_id": undoable.id if undoable else None,
        "rollback_problem": undoable.problem if undoable and not undoable.finished_at else None,
        "rolled_back": _is_rolled_back(c, task, undoable),
        "untouched": _untouched(task),
        "committed": _committed(c, task),
    }


def _untouched(task: Task) -> UntouchedOut | None:
    found = task.proposal
    if found is None or not found.tree_after:
        return None
    return UntouchedOut(before=found.tree_before, after=found.tree_after, meanwhile=list(found.meanwhile))


def _committed(c: Connection, task: Task) -> CommittedOut | None:
    """The commit of what the task left, unless something ran or was taken back since."""
    if not task.ended or not task.files_changed:
        return None
    since = ("task.committed", "attempt.started", "task.rolled_back", "task.rollback_undone")
    newest = events.newest_of_task(c, task.id, since)
    if newest is None or not isinstance(newest.data, TaskCommitted):
        return None
    return CommittedOut(commit=newest.data.commit, files=newest.data.files)


def _is_rolled_back(c: Connection, task: Task, undoable: Rollback | None) -> bool:
    if undoable is None or undoable.replay:
        return False
    newest = attempts.get(c, task.id, task.attempt)
    return newest is not None and undoable.turn > newest.turn


def _took_ms(attempt: Attempt) -> int:
    return round((attempt.finished_at - attempt.started_at).total_seconds() * 1000) if attempt.finished_at else 0


def _reply(reply: Reply) -> ReplyEntry:
    return ReplyEntry(
        content=reply.content,
        timestamp=reply.at,
        question=reply.question,
        attempt=reply.attempt,
        replayed=reply.replayed,
    )


def output_page(c: Connection, task_id: str, attempt: int | None, offset: int, limit: int) -> OutputPage:
    found = tasks.require(c, task_id)
    number = attempt or max(found.attempt, 1)
    if number > max(found.attempt, 1):
        raise NotFound(say("task.no_attempt"))
    text, next_offset, total = output.page(c, task_id, number, offset, limit)
    return OutputPage(
        task_id=task_id,
        attempt=number,
        offset=offset,
        text=text,
        next_offset=next_offset,
        total=total,
        live=number == max(found.attempt, 1) and found.status in (TaskStatus.QUEUED, TaskStatus.RUNNING),
    )


def attempts_of(c: Connection, task_id: str) -> AttemptList:
    tasks.require(c, task_id)
    spawns = {spawn.step_id: SpawnOut.of(spawn) for spawn in usage.of_task(c, task_id)}
    every = [
        StepOut.model_validate(step).model_copy(update={"spawn": spawns.get(step.id)})
        for step in steps.of_task(c, task_id)
    ]
    return AttemptList(
        items=[
            AttemptOut(
                number=attempt.number,
                mode=attempt.mode,
                started_at=attempt.started_at,
                finished_at=attempt.finished_at,
                outcome=attempt.outcome,
                output_bytes=output.total(c, task_id, attempt.number),
                steps=[step for step in every if step.attempt == attempt.number],
            )
            for attempt in attempts.of_task(c, task_id)
        ]
    )


def stuck_report(c: Connection, task_id: str) -> StuckReportOut:
    tasks.require(c, task_id)
    found = stuck_reports.get(c, task_id)
    if found is None:
        raise NotFound(say("task.no_report"))
    return StuckReportOut.of(found)
