"""What the screens read, put together from the store. Every function works on one snapshot of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection

from pilothouse.domain.budgets import Spent
from pilothouse.domain.events import Event, FindingOut, TaskCommitted
from pilothouse.domain.question_records import Question
from pilothouse.domain.rollbacks import Rollback
from pilothouse.domain.sessions import Session
from pilothouse.domain.tasks import Attempt, Awaiting, Reply, Task, TaskStatus, allowed
from pilothouse.domain.usage import Spawn, Totals
from pilothouse.errors import InvalidInput, NotFound
from pilothouse.server.holding import held
from pilothouse.server.schemas.guards import BudgetLimits, SpentSoFar
from pilothouse.server.schemas.runner import RunningTask
from pilothouse.server.schemas.sessions import EventPage, SessionList, SessionOut
from pilothouse.server.schemas.system import NoticeOut
from pilothouse.server.schemas.talk import (
    DecisionOut,
    FormQuestion,
    GrantList,
    GrantOut,
    NoteOut,
    OptionOut,
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
)
from pilothouse.server.schemas.usage import ContextOut, SessionUsage, SpawnOut, TaskUsage, TotalsOut
from pilothouse.server.waiting import Waiting
from pilothouse.store import (
    attempts,
    events,
    grants,
    limits,
    notices,
    output,
    questions,
    rollbacks,
    sessions,
    steering,
    steps,
    stuck_reports,
    tasks,
    usage,
)
from pilothouse.store.overview import SessionQuery, SessionRow, overview, row
from pilothouse.words import say


def task(c: Connection, task_id: str, *, taken: bool, withdrawing: Collection[str]) -> TaskOut:
    found = tasks.require(c, task_id)
    return task_out(c, found, Waiting(c, found.workspace_id, taken=taken), withdrawing)


def _is_rolled_back(c: Connection, task: Task, undoable: Rollback | None) -> bool:
    if undoable is None or undoable.replay:
        return False
    newest = attempts.get(c, task.id, task.attempt)
    return newest is not None and undoable.at > newest.started_at


def task_out(c: Connection, task: Task, waiting: Waiting, withdrawing: Collection[str], slug: str = "") -> TaskOut:
    if not slug:
        session = sessions.get(c, task.session_id)
        slug = session.slug if session else ""
    position, waits_for = waiting.place_of(task)
    # A task that has not begun left nothing to look for, and the answer to its message holds up its start.
    undoable = rollbacks.newest_undoable(c, task.id) if task.attempt else None
    asked = questions.open_of_task(c, task.id) if task.awaiting is Awaiting.QUESTION else []
    done = attempts.of_task(c, task.id) if task.attempt else []
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
        **_options_of(task),
        package=task.package,
        loop=LoopOut(total=task.loop.total, replans=task.loop.replans),
        run_id=task.run_id,
        checklist=[ChecklistItemOut.model_validate(item) for item in task.checklist],
        findings=[FindingOut.model_validate(finding) for finding in task.findings],
        output=task.output,
        summary=task.summary,
        question=task.question,
        options=_options(asked),
        **_talk(c, task, asked, withdraws=task.agent in withdrawing),
        milestone=task.milestone,
        attempt=task.attempt,
        reply_history=[_reply(reply) for reply in task.replies],
        position=position,
        waits_for=waits_for,
        holds_workspace=task.holds_workspace,
        actions=allowed(task.status, task.awaiting),
        newest_of_workspace=task.attempt > 0 and waiting.newest_id == task.id,
        rollback_id=undoable.id if undoable else None,
        rolled_back=_is_rolled_back(c, task, undoable),
        committed=_committed(c, task),
        **_guarded(c, task),
        files_changed=task.files_changed,
        insertions=task.insertions,
        deletions=task.deletions,
        cost_usd=task.cost_usd,
        usage=_usage(usage.of_task(c, task.id) if task.attempt else []),
        worked_ms=sum(_took_ms(attempt) for attempt in done),
        working_since=done[-1].started_at if done and task.status is TaskStatus.RUNNING else None,
        submitted_at=task.submitted_at,
        started_at=task.started_at,
        finished_at=task.finished_at,
        updated_at=task.updated_at,
    )


def _options_of(task: Task) -> dict[str, Any]:
    names = ("model", "effort", "timeout_profile", "dry_run", "auto_fix", "scouts", "from_stuck")
    return {name: getattr(task.options, name) for name in names}


def _guarded(c: Connection, task: Task) -> dict[str, Any]:
    guarded = held(c, task)
    return {
        "limit": guarded.limit,
        "budget": guarded.budget,
        "breaker": guarded.breaker,
        "choices": guarded.choices,
        "budgets": BudgetLimits.model_validate(task.options.budget),
    }


def _talk(c: Connection, task: Task, asked: list[Question], *, withdraws: bool) -> dict[str, Any]:
    sent = steering.of_task(c, task.id) if task.attempt else []
    return {
        "form": [FormQuestion.of(question) for question in asked],
        "plan": task.plan,
        "permission": PermissionOut.model_validate(task.permission) if task.permission else None,
        "permission_mode": task.options.permission_mode,
        "decisions": [DecisionOut.model_validate(decided) for decided in task.decisions],
        "steering": [SentOut.shown(message, withdraws=withdraws) for message in sent],
        "notes": [NoteOut.model_validate(note) for note in task.notes],
    }


def _usage(spawns: list[Spawn]) -> TaskUsage:
    # Scouts have a memory of their own, and so has the agent of a fresh session.
    main = [spawn for spawn in spawns if not spawn.role.startswith(("scout", "small"))]
    totals = usage.total(spawns)
    return TaskUsage(
        **{name: getattr(totals, name) for name in TotalsOut.model_fields},
        warnings=list(dict.fromkeys(usage.differs(s.requested_model, s.model) for s in spawns if s.model_differs)),
        models=list(dict.fromkeys(model for spawn in spawns for model in spawn.models)),
        context=ContextOut.of(main[-1]) if main else None,
    )


def _committed(c: Connection, task: Task) -> CommittedOut | None:
    """A commit of what the task left; whatever ran or was taken back since makes it another matter."""
    if not task.ended or not task.files_changed:
        return None
    since = ("task.committed", "attempt.started", "task.rolled_back", "task.rollback_undone")
    newest = events.newest_of_task(c, task.id, since)
    if newest is None or not isinstance(newest.data, TaskCommitted):
        return None
    return CommittedOut(commit=newest.data.commit, files=newest.data.files)


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


def _options(asked: list[Question]) -> list[OptionOut]:
    """Of a single question; those of a form stand with its questions."""
    return [OptionOut.model_validate(option) for option in asked[0].options] if len(asked) == 1 else []


def grants_of(c: Connection, session_id: str) -> GrantList:
    return GrantList(items=[GrantOut.model_validate(grant) for grant in grants.of_session(c, session_id)])


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


def task_events(c: Connection, task_id: str, since: int, limit: int) -> EventPage:
    tasks.require(c, task_id)
    return _event_page(events.of_task(c, task_id, since, limit), since, limit)


def session_events(c: Connection, project_id: str, slug: str, since: int, limit: int) -> EventPage:
    found = session_record(c, project_id, slug)
    return _event_page(events.after(c, since, limit, found.id), since, limit)


def _event_page(page: list[Event], since: int, limit: int) -> EventPage:
    return EventPage(items=page, next_since=page[-1].seq if page else since, more=len(page) == limit)


def session_record(c: Connection, project_id: str, slug: str) -> Session:
    found = sessions.by_slug(c, project_id, slug)
    if found is None:
        raise NotFound(say("session.unknown"))
    return found


def session(c: Connection, project_id: str, slug: str) -> SessionOut:
    return session_of(c, session_record(c, project_id, slug))


def session_of(c: Connection, session: Session) -> SessionOut:
    found = row(c, session.id)
    if found is None:
        raise NotFound(say("session.unknown"))
    # One that has not begun used nothing, and the answer to its first message holds up its start.
    totals, differing, spent = _used(c, session.id) if found.session.begun else (Totals(), [], Spent())
    told = {
        "usage": SessionUsage.of_all(totals, differing),
        "budgets": BudgetLimits.model_validate(limits.of_session(c, session.id).budget),
        "spent": SpentSoFar.model_validate(spent),
    }
    return _session_out(found).model_copy(update=told)


def _used(c: Connection, session_id: str) -> tuple[Totals, list[str], Spent]:
    differing = usage.differing_models(c, session_id)
    return usage.of_session(c, session_id), differing, limits.spent_by_session(c, session_id)


def session_list(c: Connection, query: SessionQuery) -> SessionList:
    page = overview(c, query)
    return SessionList(
        items=[_session_out(found) for found in page.items],
        next_cursor=page.next_cursor,
        counts={str(group): count for group, count in page.counts.items()},
    )


def _session_out(found: SessionRow) -> SessionOut:
    session = found.session
    return SessionOut(
        id=session.id,
        project_id=session.project_id,
        project_path=found.project_path,
        project_name=found.project_name,
        workspace_id=session.workspace_id,
        slug=session.slug,
        kind=session.kind,
        title=session.title,
        status=session.status,
        agent=session.agent,
        archived=session.archived,
        deleted=session.deleted,
        created_at=session.created_at,
        updated_at=session.updated_at,
        group=found.group.value,
        current_task_id=found.current_task_id,
        task_status=found.task_status,
        awaiting=found.awaiting,
        verdict=found.verdict,
        doing=found.doing,
        tasks=found.tasks,
        cost_usd=found.cost_usd,
    )


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
    page = tasks.of_session(c, found.id, _place(cursor), limit + 1)
    waiting = Waiting(c, found.workspace_id, taken=taken, several=True)
    return TaskList(
        items=[task_out(c, task, waiting, withdrawing, found.slug) for task in page[:limit]],
        next_cursor=str(page[limit - 1].place) if len(page) > limit else None,
    )


def _place(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= 15):
        raise InvalidInput(say("input.cursor"), "cursor")
    return int(cursor)


def head_and_notices(c: Connection) -> tuple[int, list[NoticeOut]]:
    return events.head(c)[0], [NoticeOut.model_validate(notice) for notice in notices.open(c)]


def load(c: Connection) -> tuple[int, int]:
    """How many tasks run and how many wait in a queue."""
    counts = tasks.counts(c)
    return counts[TaskStatus.RUNNING], counts[TaskStatus.QUEUED]


def running_tasks(c: Connection) -> list[RunningTask]:
    found = []
    for task in tasks.running(c):
        session = sessions.get(c, task.session_id)
        found.append(
            RunningTask(
                task_id=task.id,
                session_slug=session.slug if session else "",
                session_title=session.title if session else "",
                project_id=task.project_id,
                milestone=task.milestone,
                started_at=task.started_at,
            )
        )
    return found
