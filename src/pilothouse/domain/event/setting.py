"""What the log says of settings: which changed. Their values are in their own rows."""

from __future__ import annotations

from pilothouse.domain.event.payload import EventData


class SettingsChanged(EventData):
    type = "settings.changed"
    sections: list[str]


EVENTS: tuple[type[EventData], ...] = (SettingsChanged,)
