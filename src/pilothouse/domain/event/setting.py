"""What the log says of settings: that they changed, and which; their values are in their own rows."""

from __future__ import annotations

from pilothouse.domain.event.payload import EventData


class SettingsChanged(EventData):
    type = "settings.changed"
    sections: list[str]


class ProjectChanged(EventData):
    type = "project.changed"
    project_id: str
    agent: str | None = None
