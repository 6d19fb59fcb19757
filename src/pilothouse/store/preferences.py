"""What a person set while Pilothouse runs: a row for each section. A section without a row has its defaults."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import Connection, delete, insert, select

from pilothouse.domain.preferences import SECTIONS, Preferences, Section
from pilothouse.store.tables.runner import preferences
from pilothouse.store.writer import Tx

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stored:
    preferences: Preferences
    unreadable: tuple[str, ...] = ()
    """Sections whose stored text this version cannot read. They have their defaults until they are set again."""


def load(c: Connection) -> Stored:
    found: dict[str, Section] = {}
    unreadable: list[str] = []
    for name, body in c.execute(select(preferences.c.section, preferences.c.body)):
        if name not in SECTIONS:
            continue
        try:
            found[name] = _model(name).model_validate_json(body)
        except ValidationError as error:
            log.warning("the stored settings “%s” cannot be read: %s", name, error)
            unreadable.append(name)
    return Stored(Preferences.model_validate(found), tuple(unreadable))


def save(tx: Tx, sections: Mapping[str, Section]) -> None:
    for name, section in sections.items():
        tx.conn.execute(delete(preferences).where(preferences.c.section == name))
        row = {"section": name, "body": section.model_dump_json(), "updated_at": tx.now}
        tx.conn.execute(insert(preferences).values(row))


def _model(name: str) -> type[Section]:
    model = Preferences.model_fields[name].annotation
    assert isinstance(model, type)  # noqa: S101 - every section is a model
    assert issubclass(model, Section)  # noqa: S101
    return model
