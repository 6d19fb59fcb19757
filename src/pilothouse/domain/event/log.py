"""The append-only log of events. Every screen is drawn from it.

One payload model per type. A stored event never changes shape: a new field gets a default, so that old events always
load (tests/golden/ holds one of each). `question.*` keeps the camelCase names of the file format it shares.
"""

from __future__ import annotations

from datetime import datetime
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from pilothouse.domain.event import (
    attempt,
    guard,
    runner,
    session,
    setting,
    storage,
    talk,
    task,
    usage,
    workbench,
)
from pilothouse.domain.event.payload import EventData

_FAMILIES = (session, task, attempt, talk, guard, runner, storage, workbench, usage, setting)
EVENT_DATA: dict[str, type[EventData]] = {data.type: data for family in _FAMILIES for data in family.EVENTS}


class Event(BaseModel):
    """A stored event as clients see it."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)
    seq: int
    at: datetime
    session_id: str | None = None
    task_id: str | None = None
    type: str
    data: Any


def _tagged(model: type[EventData]) -> type[Event]:
    tag: Any = Literal[model.type]
    return create_model(f"{model.__name__}Event", __base__=Event, type=(tag, ...), data=(model, ...))


if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Annotated[reduce(or_, [_tagged(model) for model in EVENT_DATA.values()]), Field(discriminator="type")]

any_event: TypeAdapter[Event] = TypeAdapter(AnyEvent)
