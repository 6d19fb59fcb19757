"""The stored events of a task or a session, a page at a time."""

from __future__ import annotations

from sqlalchemy import Connection

from pilothouse.domain.event.log import Event
from pilothouse.server.schemas.sessions import EventPage
from pilothouse.server.views.sessions import session_record
from pilothouse.store import events
from pilothouse.store.task import tasks


def of_task(c: Connection, task_id: str, since: int, limit: int) -> EventPage:
    tasks.require(c, task_id)
    return _event_page(events.of_task(c, task_id, since, limit), since, limit)


def of_session(c: Connection, project_id: str, slug: str, since: int, limit: int) -> EventPage:
    found = session_record(c, project_id, slug)
    return _event_page(events.after(c, since, limit, found.id), since, limit)


def _event_page(page: list[Event], since: int, limit: int) -> EventPage:
    return EventPage(items=page, next_since=page[-1].seq if page else since, more=len(page) == limit)
