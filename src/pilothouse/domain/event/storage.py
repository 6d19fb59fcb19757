"""What the log says of what is stored: files written anew, a database that came back from a backup."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from pilothouse.domain.event.payload import EventData


class StorageMirrorRebuilt(EventData):
    type = "storage.mirror_rebuilt"
    files: list[str]


class StorageRestored(EventData):
    """The database was damaged and came back from a backup; `lost` says in words what is missing."""

    type = "storage.restored"
    backup: str
    backup_at: datetime
    lost: list[str] = Field(default=[])


EVENTS: tuple[type[EventData], ...] = (
    StorageMirrorRebuilt,
    StorageRestored,
)
