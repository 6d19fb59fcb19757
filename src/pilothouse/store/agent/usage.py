"""What spawns used: one row for each spawn, and sums over many."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from pilothouse.domain.agent.usage import SLOTS_A_DAY, Spawn, Totals, day_of, periods, slot_of
from pilothouse.domain.guard.limits import FREE_AGENTS
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.agent import spawns
from pilothouse.store.tables.session import projects, sessions
from pilothouse.store.tables.task import tasks
from pilothouse.store.writer import Tx
from pilothouse.words import say

By = Literal["day", "project", "session", "task", "agent", "model"]

_ROWS = select(*columns(spawns, Spawn))
_FIXED = ("step_id", "task_id", "session_id", "project_id", "agent", "role", "started_at", "ended_at", "outcome")
_SUMS = [
    func.count(),
    *(
        func.sum(spawns.c[name])
        for name in ("cost_usd", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    ),
]
_KEYS = {
    "project": spawns.c.project_id,
    # Not the bare columns: SQLite would read every row in the order of their own indexes, to save itself the grouping.
    "session": func.coalesce(spawns.c.session_id, ""),
    "task": func.coalesce(spawns.c.task_id, ""),
    "agent": spawns.c.agent,
    "model": spawns.c.model,
}
_LABEL_LIMIT = 200
# Made once: it runs with every report of what an agent used.
_NOTE = update(spawns).where(spawns.c.step_id == bindparam("of_step"))


@dataclass(frozen=True, slots=True)
class UsageQuery:
    by: By
    since: datetime | None = None
    until: datetime | None = None
    """`since` and `until` are rounded to a quarter of an hour."""
    project_id: str | None = None
    zone: tzinfo = UTC
    """The time zone whose days are counted."""
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Label:
    """What a line's key stands for."""

    text: str
    project_id: str | None = None
    session_slug: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    key: str
    label: Label
    totals: Totals


@dataclass(frozen=True, slots=True)
class Summary:
    totals: Totals
    lines: list[Line]
    more: bool


def start(tx: Tx, spawn: Spawn) -> None:
    tx.conn.execute(insert(spawns).values(**values(spawn), slot=slot_of(spawn.started_at)))


def note(tx: Tx, spawn: Spawn) -> None:
    """Writes what the spawn has used so far; the row stays open."""
    changes = {name: value for name, value in values(spawn).items() if name not in _FIXED}
    tx.conn.execute(_NOTE, {"of_step": spawn.step_id, **changes})


def close(tx: Tx, step_id: str, ended_at: datetime, outcome: str) -> None:
    """Closes the spawn of a step that ended, if the step started an agent."""
    query = update(spawns).where(spawns.c.step_id == step_id, spawns.c.ended_at.is_(None))
    tx.conn.execute(query.values(ended_at=ended_at, outcome=outcome))


def begun_since(c: Connection, hour: datetime) -> int:
    """Counts the spawns since the full hour in all sessions. Agents that cost nothing do not count."""
    query = select(func.count()).where(spawns.c.slot >= slot_of(hour), spawns.c.agent.not_in(FREE_AGENTS))
    return c.execute(query).scalar_one()


def drop(tx: Tx, step_id: str) -> None:
    """Deletes the row of a spawn that did not happen."""
    tx.conn.execute(delete(spawns).where(spawns.c.step_id == step_id))


def get(c: Connection, step_id: str) -> Spawn | None:
    return build_first(Spawn, c.execute(_ROWS.where(spawns.c.step_id == step_id)))


def of_task(c: Connection, task_id: str) -> list[Spawn]:
    query = _ROWS.where(spawns.c.task_id == task_id).order_by(spawns.c.started_at, spawns.c.step_id)
    return build_all(Spawn, c.execute(query))


def newest_of_conversation(c: Connection, session_id: str, agent_session: str) -> Spawn | None:
    """The last spawn in this conversation of the agent."""
    query = _ROWS.where(spawns.c.session_id == session_id, spawns.c.agent_session == agent_session)
    return build_first(Spawn, c.execute(query.order_by(spawns.c.started_at.desc()).limit(1)))


def of_session(c: Connection, session_id: str) -> Totals:
    """The sums over the session's ended spawns, as in its cost."""
    query = select(*_SUMS).where(spawns.c.session_id == session_id, spawns.c.ended_at.is_not(None))
    return _totals(c.execute(query).one())


def differing_models(c: Connection, session_id: str) -> list[str]:
    """One sentence for each model that answered in place of the one asked for."""
    query = select(spawns.c.requested_model, spawns.c.model).distinct()
    found = c.execute(query.where(spawns.c.session_id == session_id, spawns.c.model_differs.is_(True)))
    return sorted(differs(requested, model) for requested, model in found)


def differs(requested: str | None, model: str) -> str:
    return say("model_differs", requested=requested or "–", model=model)


def total(spent: Iterable[Spawn]) -> Totals:
    """The sums over those that have ended."""
    ended = [spawn for spawn in spent if spawn.ended_at is not None]
    return Totals(
        len(ended),
        sum(spawn.cost_usd for spawn in ended),
        sum(spawn.input_tokens for spawn in ended),
        sum(spawn.output_tokens for spawn in ended),
        sum(spawn.cache_read_tokens for spawn in ended),
        sum(spawn.cache_write_tokens for spawn in ended),
    )


def summary(c: Connection, query: UsageQuery) -> Summary:
    """Sums by the query's key: days in order, anything else by cost."""
    if query.by == "day":
        return _days(c, query)
    where, key = _filters(query), _KEYS[query.by]
    order = (func.sum(spawns.c.cost_usd).desc(), func.sum(spawns.c.output_tokens).desc(), key)
    grouped = select(key, *_SUMS).where(*where).group_by(key).order_by(*order).limit(query.limit + 1)
    found = c.execute(grouped).all()
    labels = _LABELS[query.by](c, [row[0] for row in found]) if query.by in _LABELS else {}
    lines = [
        Line(row[0], labels.get(row[0], Label(row[0] or "unknown")), _totals(row[1:])) for row in found[: query.limit]
    ]
    more = len(found) > query.limit
    whole = _totals(c.execute(select(*_SUMS).where(*where)).one()) if more else _sum(lines)
    return Summary(whole, lines, more)


def _days(c: Connection, query: UsageQuery) -> Summary:
    """Lets the database count days, one stretch of equal distance from UTC after the other."""
    where = _filters(query)
    first, last = c.execute(select(func.min(spawns.c.slot), func.max(spawns.c.slot)).where(*where)).one()
    days: dict[int, Totals] = {}
    for period in periods(query.zone, first, last + 1) if first is not None else ():
        day = (spawns.c.slot + period.offset) // SLOTS_A_DAY
        within = (spawns.c.slot >= period.first, spawns.c.slot < period.end)
        for row in c.execute(select(day, *_SUMS).where(*where, *within).group_by(day).order_by(day)):
            days[row[0]] = days.get(row[0], Totals()) + _totals(row[1:])
    lines = [Line(name, Label(name), totals) for name, totals in ((str(day_of(n)), t) for n, t in days.items())]
    return Summary(_sum(lines), lines, False)


def _sum(lines: list[Line]) -> Totals:
    return sum((line.totals for line in lines), Totals())


def _filters(query: UsageQuery) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = []
    if query.since:
        where.append(spawns.c.slot >= slot_of(query.since))
    if query.until:
        where.append(spawns.c.slot < slot_of(query.until))
    if query.project_id:
        where.append(spawns.c.project_id == query.project_id)
    return where


def _totals(sums: Iterable[Any]) -> Totals:
    count, cost, *tokens = sums
    return Totals(count, float(cost or 0), *(int(number or 0) for number in tokens))


def _projects(c: Connection, ids: list[str]) -> dict[str, Label]:
    rows = c.execute(select(projects.c.id, projects.c.name).where(projects.c.id.in_(ids)))
    return {id_: Label(name, project_id=id_) for id_, name in rows}


def _sessions(c: Connection, ids: list[str]) -> dict[str, Label]:
    t = sessions.c
    rows = c.execute(select(t.id, t.title, t.project_id, t.slug).where(t.id.in_(ids)))
    return {id_: Label(title, project_id, slug) for id_, title, project_id, slug in rows}


def _tasks(c: Connection, ids: list[str]) -> dict[str, Label]:
    t = tasks.c
    query = select(t.id, func.substr(t.prompt, 1, _LABEL_LIMIT), t.project_id, sessions.c.slug)
    rows = c.execute(query.join(sessions, sessions.c.id == t.session_id).where(t.id.in_(ids)))
    return {
        id_: Label(next(iter(text.strip().splitlines()), id_), project_id, slug) for id_, text, project_id, slug in rows
    }


_LABELS: dict[By, Callable[[Connection, list[str]], dict[str, Label]]] = {
    "project": _projects,
    "session": _sessions,
    "task": _tasks,
}
