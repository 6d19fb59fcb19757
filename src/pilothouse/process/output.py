"""Gathers what an attempt prints into chunks: a flood costs few writes, and a first word no wait."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from pilothouse.domain.clock import Clock

MAX_CHUNK = 64 * 1024
DELAY = 0.05
_WAITING_CHUNKS = 4
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Chunk:
    offset: int
    """Bytes of UTF-8 text before this chunk in its attempt."""
    text: str

    @property
    def end(self) -> int:
        return self.offset + len(self.text.encode())


Sink = Callable[[list[Chunk]], Awaitable[None]]


class OutputBuffer:
    """Text in, chunks of at most 64 KB out: at once after a pause, else every 50 ms or when a chunk is full.

    A writer that is faster than the sink waits in `write`; at most `_WAITING_CHUNKS` full chunks are held. What a
    text column cannot keep (NUL, lone surrogates) becomes U+FFFD. An error of the sink is raised by the next `write` or
    `close`.
    """

    def __init__(
        self, sink: Sink, clock: Clock, offset: int = 0, *, delay: float = DELAY, size: int = MAX_CHUNK
    ) -> None:
        self._sink = sink
        self._clock = clock
        self._delay = delay
        self._size = size
        self._sent = self._written = offset
        self._pending = bytearray()
        self._closed = False
        self._wake, self._now, self._room = (asyncio.Event() for _ in range(3))
        self._task = asyncio.create_task(self._run(), name="output buffer")

    @property
    def offset(self) -> int:
        """The offset of the next text."""
        return self._written

    async def write(self, text: str) -> None:
        for piece in _pieces(_storable(text), self._size):
            while len(self._pending) >= self._size * _WAITING_CHUNKS and not self._task.done():
                self._room.clear()
                await self._room.wait()
            self._raise()
            self._pending += piece
            self._written += len(piece)
            self._wake.set()
            if len(self._pending) >= self._size:
                self._now.set()

    async def close(self) -> None:
        """Returns when the sink has taken everything."""
        self._closed = True
        self._wake.set()
        self._now.set()
        await self._task

    def _raise(self) -> None:
        if self._task.done():
            self._task.result()
            raise RuntimeError("This output has been closed.")

    async def _run(self) -> None:
        last = float("-inf")
        try:
            while not self._closed or self._pending:
                await self._wake.wait()
                await self._gather(last + self._delay - self._clock.monotonic())
                last = self._clock.monotonic()
                if self._pending:
                    await self._send()
        finally:
            self._room.set()

    async def _gather(self, seconds: float) -> None:
        """Lets text gather for the rest of the delay, unless a chunk is full or someone waits."""
        if seconds <= 0 or self._now.is_set():
            return
        waits = {asyncio.ensure_future(self._clock.sleep(seconds)), asyncio.ensure_future(self._now.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _send(self) -> None:
        data = bytes(self._pending)
        self._pending.clear()
        self._now.clear()
        if not self._closed:
            self._wake.clear()
        self._room.set()
        chunks = []
        for piece in _pieces(data, self._size):
            chunks.append(Chunk(self._sent, piece.decode()))
            self._sent += len(piece)
        await self._sink(chunks)


def _storable(text: str) -> bytes:
    text = text.replace("\0", "\ufffd")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    """Cuts UTF-8 between characters."""
    start = 0
    while start < len(data):
        end = start + size
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        yield data[start:end]
        start = end
