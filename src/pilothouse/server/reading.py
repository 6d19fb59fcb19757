"""What the screens read, put together from the store. Every function works on one snapshot of it."""

from __future__ import annotations

from sqlalchemy import Connection

from pilothouse.domain.events import Event, FindingOut
from pilothouse.domain.rollbacks import Rollback
from pilothouse.domain.sessions import Session
from pilothouse.domain.tasks import Reply, Task, TaskStatus, allowed
from pilothouse.errors import InvalidInput, NotFound
from pilothouse.server.holding import held
from pilothouse.server.schemas.guards import BudgetLimits
from pilothouse.server.schemas.runner import RunningTask
from pilothouse.server.schemas.sessions import EventPage, SessionList, SessionOut
from pilothouse.server.schemas.system import NoticeOut
from pilothouse.server.schemas.tasks import (
    AttemptList,
    AttemptOut,
    LoopOut,
    OptionOut,
    OutputPage,
    ReplyEntry,
    StepOut,
    StuckReportOut,
    TaskList,
    TaskOut,
)
from pilothouse.server.waiting import Waiting
from pilothouse.store import (
    attempts,
    events,
    limits,
    notices,
    output,
    questions,
    rollbacks,
    sessions,
    steps,
    stuck_reports,
    tasks,
)
from pilothouse.store.overview import SessionQuery, SessionRow, overview, row


def task(c: Connection, task_id: str, *, taken: bool) -> TaskOut:
    found = tasks.require(c, task_id)
    return task_out(c, found, Waiting(c, found.workspace_id, taken=taken))


def _is_rolled_back(c: Connection, task: Task, undoable: Rollback | None) -> bool:
    newest = attempts.get(c, task.id, task.attempt)
    return bool(undoable and not undoable.replay and newest and undoable.at > newest.started_at)


def task_out(c: Connection, task: Task, waiting: Waiting, slug: str | None = None) -> TaskOut:
    if slug is None:
        session = sessions.get(c, task.session_id)
        slug = session.slug if session else ""
    position, waits_for = waiting.place_of(task)
    undoable = rollbacks.newest_undoable(c, task.id)
    guarded = held(c, task)
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
        timeout_profile=task.options.timeout_profile,
        dry_run=task.options.dry_run,
        auto_fix=task.options.auto_fix,
        scouts=task.options.scouts,
        from_stuck=task.options.from_stuck,
        package=task.package,
        loop=LoopOut(total=task.loop.total, replans=task.loop.replans),
        run_id=task.run_id,
        findings=[FindingOut.model_validate(finding) for finding in task.findings],
        output=task.output,
        summary=task.summary,
        question=task.question,
        options=_options(c, task),
        milestone=task.milestone,
        attempt=task.attempt,
        reply_history=[_reply(reply) for reply in task.replies],
        position=position,
        waits_for=waits_for,
        holds_workspace=task.holds_workspace,
        actions=allowed(task.status, task.awaiting),
        newest_of_workspace=waiting.newest_id == task.id,
        rollback_id=undoable.id if undoable else None,
        rolled_back=_is_rolled_back(c, task, undoable),
        limit=guarded.limit,
        budget=guarded.budget,
        breaker=guarded.breaker,
        choices=guarded.choices,
        budgets=BudgetLimits.model_validate(task.options.budget),
        files_changed=task.files_changed,
        insertions=task.insertions,
        deletions=task.deletions,
        cost_usd=task.cost_usd,
        submitted_at=task.submitted_at,
        started_at=task.started_at,
        finished_at=task.finished_at,
        updated_at=task.updated_at,
    )


def _reply(reply: Reply) -> ReplyEntry:
    return ReplyEntry(
        content=reply.content,
        timestamp=reply.at,
        question=reply.question,
        attempt=reply.attempt,
        replayed=reply.replayed,
    )


def _options(c: Connection, task: Task) -> list[OptionOut]:
    asked = questions.open_of_task(c, task.id) if task.status is TaskStatus.AWAITING_RESPONSE else None
    return [OptionOut.model_validate(option) for option in asked.options] if asked else []


def output_page(c: Connection, task_id: str, attempt: int | None, offset: int, limit: int) -> OutputPage:
    found = tasks.require(c, task_id)
    number = attempt or max(found.attempt, 1)
    if number > max(found.attempt, 1):
        raise NotFound("The task has no such attempt.")
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
    every = steps.of_task(c, task_id)
    return AttemptList(
        items=[
            AttemptOut(
                number=attempt.number,
                mode=attempt.mode,
                started_at=attempt.started_at,
                finished_at=attempt.finished_at,
                outcome=attempt.outcome,
                output_bytes=output.total(c, task_id, attempt.number),
                steps=[StepOut.model_validate(step) for step in every if step.attempt == attempt.number],
            )
            for attempt in attempts.of_task(c, task_id)
        ]
    )


def stuck_report(c: Connection, task_id: str) -> StuckReportOut:
    tasks.require(c, task_id)
    found = stuck_reports.get(c, task_id)
    if found is None:
        raise NotFound("This task has no stuck report: it is not stuck.")
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
        raise NotFound("There is no such session.")
    return found


def session(c: Connection, project_id: str, slug: str) -> SessionOut:
    return session_of(c, session_record(c, project_id, slug))


def session_of(c: Connection, session: Session) -> SessionOut:
    found = row(c, session.id)
    if found is None:
        raise NotFound("There is no such session.")
    budgets = BudgetLimits.model_validate(limits.of_session(c, session.id).budget)
    return _session_out(found).model_copy(update={"budgets": budgets})


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
    c: Connection, project_id: str, slug: str, cursor: str | None, limit: int, *, taken: bool
) -> TaskList:
    found = session_record(c, project_id, slug)
    page = tasks.of_session(c, found.id, _place(cursor), limit + 1)
    waiting = Waiting(c, found.workspace_id, taken=taken)
    return TaskList(
        items=[task_out(c, task, waiting, found.slug) for task in page[:limit]],
        next_cursor=str(page[limit - 1].place) if len(page) > limit else None,
    )


def _place(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= 15):
        raise InvalidInput("The cursor is not one of ours; ask for the first page again.", "cursor")
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
