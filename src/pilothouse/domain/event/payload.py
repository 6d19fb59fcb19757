"""What all payloads of events have in common."""

from __future__ import annotations

from typing import ClassVar

from pydantic import ConfigDict

from pilothouse.words.fields import Saying


class EventData(Saying):
    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_serialization_defaults_required=True)
    type: ClassVar[str]
