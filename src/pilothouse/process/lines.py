"""Cuts bytes from a pipe into lines."""

from __future__ import annotations

from collections.abc import AsyncIterator

LIMIT = 1 << 20


async def lines(stream: AsyncIterator[bytes], limit: int = LIMIT) -> AsyncIterator[bytes]:
    """Each line without its newline. One longer than `limit` comes in pieces, so memory stays bounded."""
    rest = bytearray()
    async for data in stream:
        first, *others = data.split(b"\n")
        rest += first
        for other in others:
            yield bytes(rest)
            rest = bytearray(other)
        while len(rest) > limit:
            yield bytes(rest[:limit])
            del rest[:limit]
    if rest:
        yield bytes(rest)
