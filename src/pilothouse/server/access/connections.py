"""Limits on connections before they have shown a login, and on every request's head.

Nobody who has not logged in can hold more than a share of the server: where there are too many such connections, the
oldest makes room. So a flood closes itself, and whoever asks a whole question is answered.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import Any

from starlette.types import Message, Receive, Scope
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from pilothouse.errors import TooLarge
from pilothouse.server.access.persons import Peer, peer_of
from pilothouse.words import say

_STATE = "connection"


@dataclass(frozen=True, slots=True)
class Limits:
    head_bytes: int = 32 * 1024
    head_seconds: float = 10
    """From the connection, or the last answer, to the end of the next request's head."""
    guests: int = 256
    guests_per_address: int = 64
    body_bytes: int = 16 * 1024
    """Of a body that comes without a login; the others have theirs in `bodies.py`."""
    body_seconds: float = 10
    unread_bytes: int = 64 * 1024
    """Of a body whose request is answered already."""


class Guest:
    """A connection, as far as it concerns who may come in."""

    def __init__(self, lobby: Lobby, transport: asyncio.Transport) -> None:
        self._lobby, self.transport = lobby, transport
        peername = transport.get_extra_info("peername")
        self.address = str(peername[0]) if isinstance(peername, tuple) and peername else ""
        connection: socket.socket | None = transport.get_extra_info("socket")
        self.by_door = connection is not None and connection.family == socket.AF_UNIX
        self.peer: Peer | None = peer_of(connection) if connection is not None and self.by_door else None

    @property
    def limits(self) -> Limits:
        return self._lobby.limits

    @property
    def waits(self) -> bool:
        return self in self._lobby

    def admit(self) -> None:
        """It has shown a login."""
        self._lobby.leave(self)

    def close(self) -> None:
        self._lobby.leave(self)
        self.transport.abort()


class Lobby:
    """The connections without a login, the oldest first."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._guests: dict[Guest, None] = {}
        self._of: dict[str, dict[Guest, None]] = {}

    def __len__(self) -> int:
        return len(self._guests)

    def __contains__(self, guest: object) -> bool:
        return guest in self._guests

    def enter(self, guest: Guest) -> None:
        same = self._of.setdefault(guest.address, {})
        self._guests[guest] = same[guest] = None
        if len(same) > self.limits.guests_per_address:
            next(iter(same)).close()
        if len(self._guests) > self.limits.guests:
            next(iter(self._guests)).close()

    def leave(self, guest: Guest) -> None:
        if guest not in self._guests:
            return
        del self._guests[guest]
        same = self._of[guest.address]
        del same[guest]
        if not same:
            del self._of[guest.address]

    def protocol(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> asyncio.Protocol:
        return _Connection(self, config, server_state, app_state, _loop)


def guest_of(scope: Scope) -> Guest | None:
    """None where the request came over no connection of ours, as in tests."""
    guest: Guest | None = scope.get("state", {}).get(_STATE)
    return guest


def short(receive: Receive, limits: Limits) -> Receive:
    """Reads a body that comes without a login: little of it, and not for long."""
    size, until = 0, asyncio.get_running_loop().time() + limits.body_seconds

    async def limited() -> Message:
        nonlocal size
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        if size > limits.body_bytes:
            raise TooLarge(say("input.body_too_large"), field="body")
        return message

    return limited


class _Connection(HttpToolsProtocol):
    def __init__(
        self,
        lobby: Lobby,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        loop: asyncio.AbstractEventLoop | None,
    ) -> None:
        super().__init__(config, server_state, app_state, loop)
        self._lobby, self._limits = lobby, lobby.limits
        self._guest: Guest | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._head = self._unread = 0
        self._in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._guest = Guest(self._lobby, transport)
        # Every request of this connection gets it, and so does the socket that it may become.
        self.app_state = {**self.app_state, _STATE: self._guest}
        self._lobby.enter(self._guest)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._guest:
            self._lobby.leave(self._guest)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > self._limits.head_bytes:
            self._refuse(431)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        self._in_head, self._head, self._unread = False, 0, 0
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > self._limits.head_bytes:
            self._refuse(431)
            return
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self.cycle is None:
            return
        super().on_body(body)
        if self.cycle.response_complete:
            self._unread += len(body)
            if self._unread > self._limits.unread_bytes:
                self.transport.abort()

    def on_message_complete(self) -> None:
        if not self.transport.is_closing():
            super().on_message_complete()
        self._in_head = True

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:
            self._expect()

    def handle_websocket_upgrade(self) -> None:
        if self.transport.is_closing():
            return
        super().handle_websocket_upgrade()
        # From here on the socket's protocol hears what happens. Without a login it has no long life.
        guest = self._guest
        if guest and guest.waits:
            self.loop.call_later(self._limits.head_seconds, _close_if_waiting, guest)

    def _expect(self) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self._timer = self.loop.call_later(self._limits.head_seconds, self._out_of_time)

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _out_of_time(self) -> None:
        self._timer = None
        if self._head:
            self._refuse(408)
        else:
            self.transport.abort()

    def _refuse(self, status: int) -> None:
        if not self.transport.is_closing():
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
            self.transport.close()


def _close_if_waiting(guest: Guest) -> None:
    if guest.waits:
        guest.close()
