"""Passes on what a check prints to those who watch, up to a limit. The log has all of it."""

from __future__ import annotations

import codecs
from collections.abc import Awaitable, Callable

LIMIT = 4_000_000
_END = 16_384
_NOTE = "\n[… more than can be shown while it runs; the log has it …]\n"


class LiveText:
    """Passes text on up to `limit` bytes, then keeps the newest for the end."""

    def __init__(self, say: Callable[[str], Awaitable[None]], limit: int = LIMIT) -> None:
        self._say = say
        self._room = limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = bytearray()

    async def write(self, data: bytes) -> None:
        if self._room > 0:
            shown, data = data[: self._room], data[self._room :]
            self._room -= len(shown)
            if text := self._decoder.decode(shown):
                await self._say(text)
            if self._room == 0:
                await self._say(_NOTE)
        self._held += data[-_END:]
        del self._held[:-_END]

    async def close(self) -> None:
        text = self._decoder.decode(b"", final=True) + self._held.decode(errors="replace")
        if text:
            await self._say(text)
