"""Turns table rows into dataclasses of the domain and back. Columns carry the names of the fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import ColumnElement, Result, Row, Table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    D = TypeVar("D", bound=DataclassInstance)
else:
    D = TypeVar("D")


@cache
def names(kind: type[DataclassInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def columns(table: Table, kind: type[DataclassInstance]) -> list[ColumnElement[Any]]:
    return [table.c[name] for name in names(kind)]


def values(record: DataclassInstance) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names(type(record))}


def build(kind: type[D], row: Row[Any]) -> D:
    """`row` begins with `columns(table, kind)`, in that order."""
    return kind(*row[: len(names(kind))])


def build_first(kind: type[D], rows: Result[Any]) -> D | None:
    row = rows.first()
    return build(kind, row) if row else None


def build_all(kind: type[D], rows: Iterable[Row[Any]]) -> list[D]:
    return [build(kind, row) for row in rows]


def allow(kind: type[DataclassInstance], changes: Mapping[str, Any], fixed: frozenset[str]) -> None:
    """Raises `TypeError` for a field that does not exist, or that only a function of its own may change."""
    wrong = [name for name in changes if name in fixed or name not in names(kind)]
    if wrong:
        raise TypeError(f"{kind.__name__}: these fields cannot be changed here: {', '.join(sorted(wrong))}")
