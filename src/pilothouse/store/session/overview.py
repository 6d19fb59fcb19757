"""The list of sessions on the home screen: grouped, searched, sorted and paged. It reads the session rows alone."""

from __future__ import annotations

import base64
import binascii
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    case,
    false,
    func,
    literal,
    select,
    tuple_,
    update,
)

from pilothouse.domain.session.session import Session, SessionKind, SessionStatus
from pilothouse.domain.task.doubts import standing
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus, Verdict
from pilothouse.errors import InvalidInput
from pilothouse.store.rows import build, columns
from pilothouse.store.tables.session import projects, sessions, workspaces
from pilothouse.store.tables.task import tasks
from pilothouse.store.writer import Tx
from pilothouse.words import Said, say

DOING_LIMIT = 300
SEARCH_LIMIT = 500


class Group(StrEnum):
    NEEDS_YOU = "needs_you"
    RUNNING = "running"
    QUEUED = "queued"
    RECENT = "recent"


# By rank. Everything in the list's order falls (rank, time, id), so an index is walked backwards and never sorted.
_GROUPS = (Group.RECENT, Group.QUEUED, Group.RUNNING, Group.NEEDS_YOU)
_RANKS = {TaskStatus.AWAITING_RESPONSE: 3, TaskStatus.RUNNING: 2, TaskStatus.QUEUED: 1}


@dataclass(frozen=True, slots=True)
class SessionQuery:
    status: SessionStatus | None = None
    kind: SessionKind | None = None
    archived: bool | None = False
    project_id: str | None = None
    group: Group | None = None
    text: str = ""
    """Words to find in the title or the project's path, in upper or lower case."""
    sort: Literal["activity", "created"] = "activity"
    cursor: str | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class SessionRow:
    session: Session
    project_path: str
    project_name: str
    workspace_path: str
    branch: str | None
    """The workspace's own."""
    group: Group
    current_task_id: str | None
    """The task that decides about the group; without one, the newest."""
    task_status: TaskStatus | None
    awaiting: Awaiting | None
    verdict: Verdict | None
    doubts: int
    """The serious ones of that verdict which nobody accepted."""
    doing: str
    tasks: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class SessionPage:
    items: list[SessionRow]
    next_cursor: str | None
    counts: dict[Group, int]
    """Counted over all pages, and over all groups even if the query asks for one."""


def rank_of(status: TaskStatus | None) -> int:
    return _RANKS.get(status, 0) if status else 0


def searchable(text: str) -> str:
    """The text as it is searched, cut to what an index of PostgreSQL can take."""
    return unicodedata.normalize("NFKC", text).casefold()[:SEARCH_LIMIT]


def overview(c: Connection, query: SessionQuery) -> SessionPage:
    where = _filters(c, query)
    grouped = select(sessions.c.rank, func.count()).where(*where).group_by(sessions.c.rank)
    counts = dict.fromkeys(Group, 0) | {_GROUPS[rank]: n for rank, n in c.execute(grouped)}
    if query.group is not None:
        where.append(sessions.c.rank == _GROUPS.index(query.group))
    time = sessions.c.updated_at if query.sort == "activity" else sessions.c.created_at
    if query.cursor is not None:
        where.append(_behind(query.cursor, time))
    # First which, then what: the order is found in an index alone, and whole rows are read for one page only.
    order = (sessions.c.rank.desc(), time.desc(), sessions.c.id.desc())
    ids = list(c.execute(select(sessions.c.id).where(*where).order_by(*order).limit(query.limit + 1)).scalars())
    rows = c.execute(_SHOWN.where(sessions.c.id.in_(ids[: query.limit])).order_by(*order))
    items = [_row(found) for found in rows]
    return SessionPage(items, _cursor(items[-1], query) if len(ids) > query.limit else None, counts)


def row(c: Connection, session_id: str) -> SessionRow | None:
    """One session as the list shows it, also when it is deleted."""
    found = c.execute(_ONE_SHOWN, {"of_session": session_id}).first()
    return _row(found) if found else None


def refresh(tx: Tx, session_id: str, *, tasks_more: int = 0, cost_more: float = 0.0) -> None:
    """Updates what the list shows of a session. Every change of a task does this."""
    current = _current(tx.conn, session_id)
    shown = {
        "rank": rank_of(current.status if current else None),
        "current_task_id": current.id if current else None,
        "task_status": current.status if current else None,
        "awaiting": current.awaiting if current else None,
        "verdict": current.verdict if current else None,
        "doubts": len(standing(current.doubts)) if current and current.verdict else 0,
        "doing": doing(current) if current else "",
    }
    more = {"tasks_more": tasks_more, "cost_more": cost_more}
    tx.conn.execute(_REFRESH, {"of_session": session_id, "updated_at": tx.now, **shown, **more})


def doing(task: Task | Row[Any]) -> str:
    if task.status is TaskStatus.AWAITING_RESPONSE:
        words = task.question or task.error_message or task.milestone
    elif task.status in {TaskStatus.ERROR, TaskStatus.STUCK}:
        words = task.error_message or task.milestone
    elif task.status is TaskStatus.COMPLETE:
        words = task.summary or task.milestone
    else:
        words = task.milestone
    return words if isinstance(words, Said) and len(words) <= DOING_LIMIT else words.strip()[:DOING_LIMIT]


# Made once: this is part of every change of a task.
_REFRESH = (
    update(sessions)
    .where(sessions.c.id == bindparam("of_session"))
    .values(tasks=sessions.c.tasks + bindparam("tasks_more"), cost_usd=sessions.c.cost_usd + bindparam("cost_more"))
)
_SAID = (tasks.c.id, tasks.c.status, tasks.c.awaiting, tasks.c.verdict, tasks.c.milestone, tasks.c.question)
_OF_SESSION: Select[Any] = (
    select(*_SAID, tasks.c.error_message, tasks.c.summary, tasks.c.doubts)
    .where(tasks.c.session_id == bindparam("of_session"))
    .limit(1)
)
_OPEN = _OF_SESSION.where(tasks.c.status.in_(_RANKS)).order_by(case(_RANKS, value=tasks.c.status).desc(), tasks.c.place)
_NEWEST = _OF_SESSION.order_by(tasks.c.place.desc())
_SHOWN: Select[Any] = (
    select(
        *columns(sessions, Session),
        projects.c.path,
        projects.c.name,
        workspaces.c.path,
        workspaces.c.branch,
        sessions.c.rank,
        sessions.c.current_task_id,
        sessions.c.task_status,
        sessions.c.awaiting,
        sessions.c.verdict,
        sessions.c.doubts,
        sessions.c.doing,
        sessions.c.tasks,
        sessions.c.cost_usd,
    )
    .join(projects, projects.c.id == sessions.c.project_id)
    .join(workspaces, workspaces.c.id == sessions.c.workspace_id)
)
_ONE_SHOWN = _SHOWN.where(sessions.c.id == bindparam("of_session"))


def _current(c: Connection, session_id: str) -> Row[Any] | None:
    of_session = {"of_session": session_id}
    return c.execute(_OPEN, of_session).first() or c.execute(_NEWEST, of_session).first()


def _filters(c: Connection, query: SessionQuery) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = [sessions.c.deleted == false()]
    if query.archived is None:
        where.append(sessions.c.archived.in_([False, True]))
    else:
        where.append(sessions.c.archived == literal(query.archived))
    if query.status is not None:
        where.append(sessions.c.status == query.status)
    if query.kind is not None:
        where.append(sessions.c.kind == query.kind)
    if query.project_id is not None:
        # By id, so that the index of the list's order is enough, and no row of another project is read.
        owned = sessions.alias()
        where.append(sessions.c.id.in_(select(owned.c.id).where(owned.c.project_id == query.project_id)))
    # Not LIKE, which folds case again and is several times slower.
    find = func.strpos if c.dialect.name == "postgresql" else func.instr
    where.extend(find(sessions.c.search, word) > 0 for word in searchable(query.text).split())
    return where


def _row(row: Any) -> SessionRow:
    session = build(Session, row)
    path, name, place, branch, rank, *shown = row[-13:]
    return SessionRow(session, path, name, place, branch, _GROUPS[rank], *shown)


def _cursor(last: SessionRow, query: SessionQuery) -> str:
    time = last.session.updated_at if query.sort == "activity" else last.session.created_at
    text = f"{_GROUPS.index(last.group)} {time.isoformat()} {last.session.id}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _behind(cursor: str, time: ColumnElement[datetime]) -> ColumnElement[bool]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        rank_text, at_text, id_ = text.split(" ")
        rank, at = int(rank_text), datetime.fromisoformat(at_text)
    except (binascii.Error, UnicodeDecodeError, ValueError) as error:
        raise InvalidInput(say("input.cursor"), "cursor") from error
    return tuple_(sessions.c.rank, time, sessions.c.id) < tuple_(rank, literal(at, time.type), id_)
