"""Sessions and the messages sent in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from pilothouse.domain.session.session import SessionKind, SessionStatus
from pilothouse.domain.task.scope import Scope
from pilothouse.domain.task.task import Task, TaskOptions
from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.routes.parameters import CHANGED, FOUND, Cursor, EventCount, Id, PageSize, Since, Slug
from pilothouse.server.schemas.sessions import (
    EventPage,
    MessageIn,
    SessionIn,
    SessionList,
    SessionMade,
    SessionOut,
    SessionPatch,
)
from pilothouse.server.schemas.tasks import TaskList, TaskOut
from pilothouse.server.services import AppServices, Services
from pilothouse.server.views import events, sessions, tasks
from pilothouse.store.session.overview import Group, SessionQuery
from pilothouse.workflows.chat import Message, Opening

router = APIRouter(prefix="/api/sessions", tags=["sessions"], generate_unique_id_function=operation_id)


def _message(body: MessageIn) -> Message:
    return Message(
        text=body.text,
        scope=Scope(tuple(body.constraints), tuple(body.non_goals), tuple(body.boundaries)),
        options=TaskOptions(
            timeout_profile=body.timeout_profile,
            dry_run=body.dry_run,
            auto_fix=body.auto_fix,
            scouts=body.scouts,
            from_stuck=body.from_stuck,
            model=body.model,
            effort=body.effort,
            permission_mode=body.permission_mode,
            budget=body.budget,
        ),
        agent=body.agent,
    )


@router.get("", responses=documented())
async def list_sessions(
    services: AppServices,
    status: SessionStatus | None = None,
    kind: SessionKind | None = None,
    project_id: Annotated[str | None, Query(max_length=64)] = None,
    group: Literal["needs_you", "running", "queued", "recent"] | None = None,
    archived: Annotated[bool, Query(description="The archived ones instead of the others.")] = False,
    q: Annotated[str, Query(max_length=200, description="Words of the title or of the project's path.")] = "",
    sort: Literal["activity", "created"] = "activity",
    cursor: Cursor = None,
    limit: PageSize = 50,
) -> SessionList:
    query = SessionQuery(
        status=status, kind=kind, project_id=project_id, group=Group(group) if group else None, archived=archived,
        text=q, sort=sort, cursor=cursor, limit=limit,
    )  # fmt: skip
    return await services.store.read(lambda c: sessions.session_list(c, query))


@router.post("", status_code=201, responses=CHANGED)
async def create_session(body: SessionIn, services: AppServices) -> SessionMade:
    message = _message(body.message) if body.message else None
    opening = Opening(body.project_path, body.kind, body.title, body.agent, message, body.budget)
    session, task = await services.chat.open(opening)
    sent = await _sent(services, task) if task else None
    shown = await services.store.read(lambda c: sessions.session_of(c, session))
    return SessionMade(**dict(shown), task=sent)


@router.get("/{project_id}/{slug}", responses=FOUND)
async def get_session(project_id: Id, slug: Slug, services: AppServices) -> SessionOut:
    return await services.store.read(lambda c: sessions.session(c, project_id, slug))


@router.patch("/{project_id}/{slug}", responses=CHANGED)
async def change_session(project_id: Id, slug: Slug, body: SessionPatch, services: AppServices) -> SessionOut:
    return await _change(
        services, project_id, slug, title=body.title, archived=body.archived, budget=body.budget_changes
    )


@router.post("/{project_id}/{slug}/messages", status_code=201, responses=CHANGED)
async def send_message(project_id: Id, slug: Slug, body: MessageIn, services: AppServices) -> TaskOut:
    session = await services.store.read(lambda c: sessions.session_record(c, project_id, slug))
    return await _sent(services, await services.chat.send(session.id, _message(body)))


async def _sent(services: Services, task: Task) -> TaskOut:
    return await services.store.read(
        lambda c: tasks.task(c, task.id, taken=services.takes_work, withdrawing=services.withdrawing)
    )


@router.get("/{project_id}/{slug}/tasks", responses=FOUND)
async def list_tasks(
    project_id: Id,
    slug: Slug,
    services: AppServices,
    cursor: Cursor = None,
    limit: PageSize = 50,
) -> TaskList:
    return await services.store.read(
        lambda c: tasks.tasks_of_session(
            c, project_id, slug, cursor, limit, taken=services.takes_work, withdrawing=services.withdrawing
        )
    )


@router.get("/{project_id}/{slug}/events", responses=FOUND)
async def get_session_events(
    project_id: Id,
    slug: Slug,
    services: AppServices,
    since: Since = 0,
    limit: EventCount = 500,
) -> EventPage:
    return await services.store.read(lambda c: events.of_session(c, project_id, slug, since, limit))


@router.post("/{project_id}/{slug}/archive", responses=CHANGED)
async def archive_session(project_id: Id, slug: Slug, services: AppServices) -> SessionOut:
    return await _change(services, project_id, slug, archived=True)


@router.post("/{project_id}/{slug}/delete", responses=CHANGED)
async def delete_session(project_id: Id, slug: Slug, services: AppServices) -> SessionOut:
    return await _change(services, project_id, slug, deleted=True)


async def _change(
    services: Services,
    project_id: str,
    slug: str,
    *,
    title: str | None = None,
    archived: bool | None = None,
    deleted: bool | None = None,
    budget: Mapping[str, float | None] | None = None,
) -> SessionOut:
    session = await services.store.read(lambda c: sessions.session_record(c, project_id, slug))
    changed = await services.sessions.change(session.id, title=title, archived=archived, deleted=deleted, budget=budget)
    return await services.store.read(lambda c: sessions.session_of(c, changed))
