"""Cost and tokens, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Self

from pydantic import Field

from pilothouse.domain.agent.usage import Spawn, Totals, level
from pilothouse.server.schemas.fields import Out
from pilothouse.store.agent.usage import By, Line, Summary, UsageQuery
from pilothouse.words.fields import Words


class TotalsOut(Out):
    spawns: int
    cost_usd: float
    input_tokens: int = Field(description="Read anew: neither from the cache nor into it.")
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cache_share: float | None = Field(description="Part of what was read that came from the cache; null: nothing read.")


class ContextOut(Out):
    tokens: int
    window: int
    level: Literal[0, 80, 95] = Field(description="The highest mark passed; at 95 the next turn begins afresh.")

    @classmethod
    def of(cls, spawn: Spawn) -> Self | None:
        if not spawn.context_window:
            return None
        mark = level(spawn.context_tokens, spawn.context_window)
        return cls.model_validate({"tokens": spawn.context_tokens, "window": spawn.context_window, "level": mark})


class InstructionsOut(Out):
    path: str
    level: Literal["global", "project"]
    size: int = Field(description="Bytes in the file.")
    sha256: str = Field(description="Of the whole file; empty where it was not read.")
    included: int = Field(description="How many bytes of it the agent got.")
    note: Words = Field(description="Why it was left out or cut, in words.")


class SpawnOut(Out):
    """One run of the agent's program."""

    agent: str
    requested_model: str | None
    model: str = Field(description="The one that wrote most; empty where the agent does not tell.")
    models: list[str]
    model_differs: bool
    cost_usd: float
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    context: ContextOut | None
    instructions: list[InstructionsOut]

    @classmethod
    def of(cls, spawn: Spawn) -> Self:
        own = {name: getattr(spawn, name) for name in cls.model_fields if name != "context"}
        return cls.model_validate({**own, "context": ContextOut.of(spawn)})


class SessionUsage(TotalsOut):
    """Of spawns that have ended; what one that runs uses comes over the socket."""

    warnings: list[Words] = Field(description="Models that answered in place of those asked for.")

    @classmethod
    def of_all(cls, totals: Totals, warnings: list[str]) -> Self:
        own = {name: getattr(totals, name) for name in TotalsOut.model_fields}
        return cls.model_validate({**own, "warnings": warnings})


class TaskUsage(SessionUsage):
    models: list[str] = Field(description="Those that answered, newest last.")
    context: ContextOut | None = Field(description="How full the agent's memory is; null where it does not tell.")


class UsageLine(TotalsOut):
    key: str = Field(description="The day, or the id or name of what is summed up.")
    label: str
    project_id: str | None
    session_slug: str | None

    @classmethod
    def of(cls, line: Line) -> Self:
        own = {name: getattr(line.totals, name) for name in TotalsOut.model_fields}
        label = line.label
        where = {"project_id": label.project_id, "session_slug": label.session_slug}
        return cls.model_validate({"key": line.key, "label": label.text, **where, **own})


class UsageOut(Out):
    by: By
    since: datetime | None
    until: datetime | None
    totals: TotalsOut
    items: list[UsageLine] = Field(description="Days in order; all else by what it cost, most first.")
    more: bool = Field(description="Whether there are more than `limit`.")

    @classmethod
    def of(cls, query: UsageQuery, found: Summary) -> Self:
        return cls(
            by=query.by,
            since=query.since,
            until=query.until,
            totals=TotalsOut.model_validate(found.totals),
            items=[UsageLine.of(line) for line in found.lines],
            more=found.more,
        )
