"""What a client does with what it hears."""

from __future__ import annotations

from typing import Any, Protocol

Json = dict[str, Any]
"""An object as the server sends it; see `pilothouse openapi`."""


class Voice(Protocol):
    """Is told what happens to a task."""

    def item(self, item: Json) -> None:
        """An item about this task, as the socket sent it."""
        ...

    def event(self, type: str, data: Json) -> None: ...

    def text(self, text: str) -> None:
        """What the agent or a check printed, in order, with nothing left out."""
        ...

    def queued(self, task: Json) -> None: ...


class Silence(Voice):
    """Says nothing; for those who only wait for the end."""

    def item(self, item: Json) -> None:
        return

    def event(self, type: str, data: Json) -> None:
        return

    def text(self, text: str) -> None:
        return

    def queued(self, task: Json) -> None:
        return
