"""`/ws`: sends all after a client's cursor from the store, then what happens live, with nothing lost or doubled."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import orjson
from pydantic import ValidationError
from sqlalchemy import Connection
from starlette.websockets import WebSocket, WebSocketDisconnect

from pilothouse.domain.event.log import Event
from pilothouse.engine.broadcast import Broadcast, Frame, Interest, Lagged, event_item, frames
from pilothouse.server.schemas.stream import Subscribe, SubscribeFrame
from pilothouse.store import events
from pilothouse.words import SOURCE, speaking, spoken

if TYPE_CHECKING:
    from pilothouse.store.database import Store

LAGGED = 4008
BAD_MESSAGE = 4400
PAGE = 1000
STALLED_SECONDS = 30
CLOSING_SECONDS = 5


class Stream:
    """One client's connection."""

    def __init__(self, socket: WebSocket, store: Store, broadcast: Broadcast) -> None:
        self._socket, self._store, self._broadcast = socket, store, broadcast
        self._interest = Interest()
        self._sent = 0
        """The newest stored event the client has."""

    async def run(self) -> None:
        """Serves the client until it leaves, lags behind, or sends what cannot be understood."""
        await self._socket.accept()
        try:
            wanted = await self._hear()
            while True:
                self._adopt(wanted)
                wanted = await self._send_until_asked_anew()
        except (Lagged, TimeoutError):
            await self._close(LAGGED, "resume from your cursor")
        except (ValidationError, orjson.JSONDecodeError, KeyError):
            await self._close(BAD_MESSAGE, 'send {"subscribe": {"since": n}}')
        except WebSocketDisconnect:
            pass

    async def _hear(self) -> Subscribe:
        return SubscribeFrame.model_validate(orjson.loads(await self._socket.receive_text())).subscribe

    def _adopt(self, wanted: Subscribe) -> None:
        """A client that subscribes again for the same session never gets an event twice."""
        if wanted.since is not None:
            same = wanted.session == self._interest.session_id
            self._sent = max(self._sent, wanted.since) if same else wanted.since
        self._interest = Interest(wanted.session, frozenset(wanted.tasks))

    async def _send_until_asked_anew(self) -> Subscribe:
        hearing, sending = asyncio.create_task(self._hear()), asyncio.create_task(self._send_all())
        try:
            await asyncio.wait({hearing, sending}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
            return hearing.result()
        finally:
            hearing.cancel()
            sending.cancel()
            await asyncio.gather(hearing, sending, return_exceptions=True)

    async def _send_all(self) -> None:
        # A client that is far behind may need longer to catch up than the live log reaches back. So it catches up,
        # takes a place in the log, and reads what came meanwhile.
        await self._catch_up()
        live = self._broadcast.subscribe(self._interest)
        await self._catch_up()
        live.skip(self._sent)
        for frame in self._broadcast.lasting(self._interest):
            await self._put(frame)
        await self._put(Frame(orjson.dumps([{"type": "ready", "seq": self._sent}]).decode(), 0))
        while True:
            batch = await live.next()
            for frame in batch.frames:
                await self._put(frame)
            self._sent = max(self._sent, batch.last)

    async def _catch_up(self) -> None:
        full = True
        while full:
            page, head = await self._store.read(self._page)
            # A restored backup may end before the client's cursor; `ready` tells the client so.
            self._sent = min(self._sent, head)
            for frame in frames(map(event_item, page)):
                await self._put(frame)
            full = len(page) == PAGE
            self._sent = max(self._sent, page[-1].seq if full else head)

    def _page(self, c: Connection) -> tuple[list[Event], int]:
        return events.after(c, self._sent, PAGE, self._interest.session_id), events.head(c)[0]

    async def _put(self, frame: Frame) -> None:
        text = frame.text if speaking.get() == SOURCE else _translated(frame.text)
        async with asyncio.timeout(STALLED_SECONDS):
            await self._socket.send_text(text)
        self._sent = max(self._sent, frame.seq)

    async def _close(self, code: int, reason: str) -> None:
        with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._socket.close(code, reason)


def _translated(frame: str) -> str:
    items = [spoken(item, speaking.get()) for item in orjson.loads(frame)]
    return orjson.dumps(items).decode()
