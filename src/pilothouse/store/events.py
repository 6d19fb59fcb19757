"""The log: numbered without gaps, each event chained to the one before it by a hash."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Row, Select, insert, select, update

from pilothouse.domain.chain import GENESIS, canonical, link
from pilothouse.domain.event.log import Event, any_event
from pilothouse.domain.event.payload import EventData
from pilothouse.store.tables.columns import storable
from pilothouse.store.tables.event import event_head, events
from pilothouse.words import say

_SHOWN = (events.c.seq, events.c.at, events.c.session_id, events.c.task_id, events.c.type, events.c.data)
_IS_HEAD = event_head.c.id == 1
# Made once: every commit uses them.
_HEAD = select(event_head.c.seq, event_head.c.hash).where(_IS_HEAD)
_LOCKED_HEAD = _HEAD.with_for_update()
_MOVE_HEAD = update(event_head).where(_IS_HEAD)
_INSERT = insert(events)


class Pending(NamedTuple):
    """An event that was emitted and has no number yet."""

    at: datetime
    session_id: str | None
    task_id: str | None
    data: EventData


@dataclass(frozen=True, slots=True)
class ChainReport:
    ok: bool
    count: int
    first_broken: int | None = None
    why: str = ""


def timestamp(moment: datetime) -> str:
    """The moment in UTC and of fixed width, so that it hashes the same everywhere."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def append(c: Connection, pending: list[Pending]) -> tuple[int, list[Event]]:
    """Numbers, chains and inserts events, last in a transaction. Returns the `seq` before them, and the events."""
    before, previous = c.execute(_LOCKED_HEAD).one()
    seq, rows, told = before, [], []
    for at, session_id, task_id, data in pending:
        seq += 1
        text, data = _as_text(data)
        at_text = timestamp(at)
        digest = link(previous, seq, at_text, session_id, task_id, data.type, text)
        rows.append(
            {
                "seq": seq,
                "at": at_text,
                "session_id": session_id,
                "task_id": task_id,
                "type": data.type,
                "data": text,
                "prev_hash": previous,
                "hash": digest,
            }
        )
        told.append(_event(seq, at_text, session_id, task_id, data.type, data))
        previous = digest
    c.execute(_INSERT, rows)
    c.execute(_MOVE_HEAD, {"seq": seq, "hash": previous})
    return before, told


def after(c: Connection, seq: int, limit: int, session_id: str | None = None) -> list[Event]:
    query = select(*_SHOWN).where(events.c.seq > seq).order_by(events.c.seq).limit(limit)
    if session_id is not None:
        query = query.where(events.c.session_id == session_id)
    return _load(c, query)


def of_task(c: Connection, task_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
    query = select(*_SHOWN).where(events.c.task_id == task_id, events.c.seq > after)
    return _load(c, query.order_by(events.c.seq).limit(limit))


def of_session(c: Connection, session_id: str, types: Collection[str]) -> list[Event]:
    """The events of these types of a session, in order."""
    query = select(*_SHOWN).where(events.c.session_id == session_id, events.c.type.in_(types))
    return _load(c, query.order_by(events.c.seq))


def newest_of_task(c: Connection, task_id: str, types: Collection[str]) -> Event | None:
    """The last event of these types of a task."""
    query = select(*_SHOWN).where(events.c.task_id == task_id, events.c.type.in_(types))
    return next(iter(_load(c, query.order_by(events.c.seq.desc()).limit(1))), None)


def of_types(c: Connection, types: Iterable[str], after: int) -> list[Event]:
    query = select(*_SHOWN).where(events.c.seq > after, events.c.type.in_(list(types)))
    return _load(c, query.order_by(events.c.seq))


def head(c: Connection) -> tuple[int, str]:
    row = c.execute(_HEAD).one()
    return row.seq, row.hash


def touch(c: Connection) -> None:
    """Writes what is there already: whether that works is all that it tells."""
    c.execute(update(event_head).values(seq=event_head.c.seq))


def verify(c: Connection) -> ChainReport:
    """Checks the whole chain and names the first link that does not hold."""
    last_seq, last_hash = head(c)
    seq, previous = 0, GENESIS
    query = select(events).order_by(events.c.seq)
    with c.execution_options(yield_per=2000).execute(query) as rows:
        for row in rows:
            why = _broken(row, seq, previous)
            if why:
                return ChainReport(False, seq, seq + 1 if row.seq > seq + 1 else row.seq, why)
            seq, previous = row.seq, row.hash
    if seq != last_seq:
        return ChainReport(False, seq, seq + 1, say("chain.cut", first=str(seq + 1), last=str(last_seq)))
    if previous != last_hash:
        return ChainReport(False, seq, seq or None, say("chain.head"))
    return ChainReport(True, seq)


def _broken(row: Row[Any], seq: int, previous: str) -> str:
    if row.seq != seq + 1:
        if row.seq == seq + 2:
            return say("chain.one_removed", seq=str(seq + 1))
        return say("chain.removed", first=str(seq + 1), last=str(row.seq - 1))
    if row.prev_hash != previous:
        return say("chain.replaced", seq=str(row.seq))
    if row.hash != link(previous, row.seq, row.at, row.session_id, row.task_id, row.type, row.data):
        return say("chain.changed", seq=str(row.seq), type=row.type)
    return ""


def _load(c: Connection, query: Select[Any]) -> list[Event]:
    return [_event(seq, at, s, t, type_, orjson.loads(data)) for seq, at, s, t, type_, data in c.execute(query)]


def _event(seq: int, at: str, session_id: str | None, task_id: str | None, type_: str, data: object) -> Event:
    return any_event.validate_python(
        {"seq": seq, "at": at, "session_id": session_id, "task_id": task_id, "type": type_, "data": data}
    )


def _as_text(data: EventData) -> tuple[str, EventData]:
    plain = data.model_dump(mode="python")
    try:
        return canonical(plain).decode(), data
    except orjson.JSONEncodeError:
        plain = _storable(plain)
        return canonical(plain).decode(), type(data).model_validate(plain)


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {key: _storable(item) for key, item in value.items()}
    return [_storable(item) for item in value] if isinstance(value, list) else value
