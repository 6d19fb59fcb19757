"""Whom the client tells what it hears."""

from __future__ import annotations

from typing import Any, Protocol

Json = dict[str, Any]
"""An object as the server sends it; `pilothouse openapi` describes each."""


class Voice(Protocol):
    """Who is told of it."""

    def item(self, item: Json) -> None:
        """As the socket had it, of this task alone."""
        ...

    def event(self, type: str, data: Json) -> None: ...

    def text(self, text: str) -> None:
        """What the agent, or a check, printed; in order, nothing left out."""
        ...

    def queued(self, task: Json) -> None: ...


class Silence(Voice):
    """For those who only wait for the end."""

    def item(self, item: Json) -> None:
        return

    def event(self, type: str, data: Json) -> None:
        return

    def text(self, text: str) -> None:
        return

    def queued(self, task: Json) -> None:
        return
