"""Pins: the checks of each project as a person accepted them last."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from pilothouse.domain.task.pins import Pin
from pilothouse.store.rows import build_first, columns, values
from pilothouse.store.tables.session import pins
from pilothouse.store.writer import Tx

_ROWS = select(*columns(pins, Pin))


def get(c: Connection, project_id: str) -> Pin | None:
    return build_first(Pin, c.execute(_ROWS.where(pins.c.project_id == project_id)))


def put(tx: Tx, pin: Pin) -> None:
    tx.conn.execute(delete(pins).where(pins.c.project_id == pin.project_id))
    tx.conn.execute(insert(pins).values(values(pin)))


def exists(c: Connection, project_id: str) -> bool:
    return c.execute(select(pins.c.project_id).where(pins.c.project_id == project_id)).first() is not None
