"""What the agents used."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from fastapi import APIRouter, Query
from pydantic import AwareDatetime

from pilothouse.errors import InvalidInput
from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.schemas.usage import UsageOut
from pilothouse.server.services import AppServices
from pilothouse.store.agent import usage
from pilothouse.store.agent.usage import By, UsageQuery
from pilothouse.words import say

router = APIRouter(prefix="/api", tags=["usage"], generate_unique_id_function=operation_id)


@router.get("/usage", responses=documented())
async def get_usage(
    services: AppServices,
    by: By = "day",
    since: Annotated[AwareDatetime | None, Query(description="To the quarter of an hour.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="To the quarter of an hour; not included.")] = None,
    project: Annotated[str | None, Query(max_length=64)] = None,
    zone: Annotated[str, Query(max_length=64, description="Whose days are counted, such as Europe/Vienna.")] = "UTC",
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> UsageOut:
    """Cost and tokens of every spawn that began in that time, summed up by what is asked for."""
    query = UsageQuery(by, since, until, project, _zone(zone), limit)
    return UsageOut.of(query, await services.store.read(lambda c: usage.summary(c, query)))


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        if not available_timezones():
            # A machine without a list of time zones can still count days.
            return UTC
        raise InvalidInput(say("input.zone", name=name), "zone") from error
