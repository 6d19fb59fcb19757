"""What all tables share: their metadata, and column types that read back exactly what was written on every database."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import DateTime, Dialect, MetaData, String, Text
from sqlalchemy.types import TypeDecorator

from pilothouse.words import noted, recalled
from pilothouse.words.fields import STORED

E = TypeVar("E", bound=StrEnum)
Id = String(64)
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def storable(text: str) -> str:
    """Replaces what databases refuse: NUL, and lone surrogates (from a file name that is not UTF-8)."""
    if "\x00" in text:
        text = text.replace("\x00", "\u2400")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class Instant(TypeDecorator[datetime]):
    """A moment in UTC. SQLite stores no zone, so it is taken off and put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Prose(TypeDecorator[str]):
    """Text that may come from an agent."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


class Sentence(Prose):
    """Text that may be ours: it keeps its code and parameters."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(noted(value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else recalled(value)


class Word(TypeDecorator[E]):
    """A member of one enumeration, stored as its value."""

    impl = String(40)
    cache_ok = True

    def __init__(self, words: type[E]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: E | None, dialect: Dialect) -> str | None:
        return None if value is None else self.words(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:
        return None if value is None else self.words(value)


class Document(TypeDecorator[Any]):
    """A dataclass (or a tuple of them) as JSON text."""

    impl = Text
    cache_ok = True

    def __init__(self, shape: Any) -> None:
        super().__init__()
        self.shape = shape
        self.adapter: TypeAdapter[Any] = TypeAdapter(shape)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else self.adapter.dump_json(value, context=STORED).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else self.adapter.validate_json(value)
