"""Notifications, over HTTP. Addresses go in whole and come out without their secrets."""

from __future__ import annotations

from datetime import datetime, time
from typing import Annotated, Self

from pydantic import Field, StrictBool, StringConstraints, model_validator

from pilothouse.domain.notifications import Kind
from pilothouse.server.schemas.fields import In, Out
from pilothouse.words import say
from pilothouse.words.fields import Words, wrong


class DeliveryOut(Out):
    at: datetime
    error: Words = Field(description="In the channel's own words; empty when it got through.")


class ChannelOut(Out):
    id: str
    shown: str = Field(description="The address, its secrets masked.")
    last: DeliveryOut | None = None


class DesktopOut(Out):
    available: bool
    why_not: Words
    last: DeliveryOut | None = None


class NotificationsOut(Out):
    kinds: list[Kind] = Field(description="What is told.")
    browser: bool
    desktop: bool
    desktop_status: DesktopOut
    channels: list[ChannelOut]
    quiet_from: time | None
    quiet_until: time | None
    batch_seconds: int


class ChannelIn(In):
    """One that is there already by its id, or a new one by its address."""

    id: Annotated[str, StringConstraints(max_length=64)] | None = None
    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)] | None = Field(
        None, description="Any address that Apprise understands."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.id is None) == (self.url is None):
            raise wrong("one_of", say("field_problem.id_or_url"))
        return self


class NotificationsIn(In):
    kinds: list[Kind]
    browser: StrictBool
    desktop: StrictBool
    channels: list[ChannelIn] = Field(max_length=20)
    quiet_from: time | None = Field(None, description="Of the machine's own day; both or neither.")
    quiet_until: time | None = None
    batch_seconds: int = Field(5, ge=1, le=300, description="What happens within so long is told together.")

    @model_validator(mode="after")
    def _both_or_neither(self) -> Self:
        if (self.quiet_from is None) != (self.quiet_until is None):
            raise wrong("quiet_hours", say("field_problem.quiet_hours"))
        return self


class TryIn(In):
    channel: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="“browser”, “desktop”, or a channel's id."
    )
