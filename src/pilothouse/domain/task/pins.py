"""The checks of a project as a person accepted them last, with the files that they rest on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import Base64Bytes

from pilothouse.domain.task.checks import Check


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """With its bytes, so that the accepted version can be run whatever becomes of the file."""

    path: str
    sha256: str
    content: Base64Bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Pin:
    project_id: str
    at: datetime
    reason: str
    """What the person said; empty where they sent the first message with these checks before them."""
    checks: tuple[Check, ...]
    package: str | None
    files: tuple[PinnedFile, ...]
