"""`/ws`: everything after a client's cursor from the store, then live, with nothing lost or doubled in between."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import orjson
from pydantic import ValidationError
from sqlalchemy import Connection
from starlette.websockets import WebSocket, WebSocketDisconnect

from pilothouse.domain.events import Event
from pilothouse.engine.broadcast import Broadcast, Frame, Interest, Lagged, Subscription, event_item, frames
from pilothouse.server.schemas.stream import Subscribe, SubscribeFrame
from pilothouse.server.sockets import offer_of
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
        self._offer = offer_of(socket)
        self._interest = Interest()
        self._sent = 0
        self._live: Subscription | None = None
        """Where the client is in what happens now; None while it has not all of it up to there."""
        self._sending_since: float | None = None

    async def run(self) -> None:
        """Serve the client until it goes, lags, or says something that cannot be understood."""
        await self._socket.accept()
        sender: asyncio.Task[None] | None = None
        receiver = asyncio.create_task(self._hear())
        try:
            while True:
                await self._until_one_ended({receiver, sender} if sender else {receiver})
                if sender and sender.done():
                    sender.result()
                wanted = receiver.result()
                await _ended(sender)
                self._adopt(wanted)
                receiver = asyncio.create_task(self._hear())
                sender = asyncio.create_task(self._send_all())
        except (Lagged, TimeoutError):
            await self._close(LAGGED, "resume from your cursor")
        except (ValidationError, orjson.JSONDecodeError, KeyError):
            await self._close(BAD_MESSAGE, 'send {"subscribe": {"since": n}}')
        except WebSocketDisconnect:
            pass
        finally:
            await _ended(sender)
            await _ended(receiver)

    async def _until_one_ended(self, tasks: set[asyncio.Task[None] | asyncio.Task[Subscribe]]) -> None:
        """Raises `TimeoutError` when a client takes nothing any more. Seen to here, for a frame must cost little."""
        clock = asyncio.get_running_loop().time
        while True:
            done, _ = await asyncio.wait(tasks, timeout=STALLED_SECONDS / 3, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return
            if self._sending_since is not None and clock() - self._sending_since > STALLED_SECONDS:
                raise TimeoutError

    async def _hear(self) -> Subscribe:
        return SubscribeFrame.model_validate(orjson.loads(await self._socket.receive_text())).subscribe

    def _adopt(self, wanted: Subscribe) -> None:
        """Subscribing again for the same session never brings twice what this connection has already sent.

        A client that has everything goes on where it is: the store has nothing to add.
        """
        same = wanted.session == self._interest.session_id
        ahead = wanted.since is not None and wanted.since > self._sent
        if wanted.since is not None:
            self._sent = max(self._sent, wanted.since) if same else wanted.since
        self._interest = Interest(wanted.session, frozenset(wanted.tasks))
        if ahead or not same:
            self._live = None
        elif self._live:
            self._live.turn_to(self._interest)

    async def _send_all(self) -> None:
        live = self._live or await self._taken_up()
        for frame in self._broadcast.lasting(self._interest):
            await self._put(frame)
        await self._put(Frame(orjson.dumps([{"type": "ready", "seq": self._sent}]).decode(), 0))
        while True:
            self._live = live
            batch = await live.next()
            # Until all of it is sent, the place is not where the client is.
            self._live = None
            for frame in batch.frames:
                await self._put(frame)
            self._sent = max(self._sent, batch.last)

    async def _taken_up(self) -> Subscription:
        # Far behind, reading pages may take longer than the live log reaches: so catch up first, and only then
        # take a place in the log and read what came meanwhile.
        await self._catch_up()
        live = self._broadcast.subscribe(self._interest)
        await self._catch_up()
        live.skip(self._sent)
        return live

    async def _catch_up(self) -> None:
        full = True
        while full:
            page, head = await self._store.read(self._page)
            # A restored backup ends earlier than what the client has seen; `ready` tells it so.
            self._sent = min(self._sent, head)
            for frame in frames(map(event_item, page)):
                await self._put(frame)
            full = len(page) == PAGE
            self._sent = max(self._sent, page[-1].seq if full else head)

    def _page(self, c: Connection) -> tuple[list[Event], int]:
        return events.after(c, self._sent, PAGE, self._interest.session_id), events.head(c)[0]

    async def _put(self, frame: Frame) -> None:
        text = frame.text if speaking.get() == SOURCE else _translated(frame.text)
        if not self._offer(text):
            self._sending_since = asyncio.get_running_loop().time()
            await self._socket.send_text(text)
            self._sending_since = None
        self._sent = max(self._sent, frame.seq)

    async def _close(self, code: int, reason: str) -> None:
        with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._socket.close(code, reason)


def _translated(frame: str) -> str:
    items = [spoken(item, speaking.get()) for item in orjson.loads(frame)]
    return orjson.dumps(items).decode()


async def _ended(task: asyncio.Task[object] | asyncio.Task[None] | asyncio.Task[Subscribe] | None) -> None:
    if task:
        task.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, Lagged, TimeoutError, ValidationError, ValueError):
            await task
