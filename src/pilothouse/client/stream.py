"""Reads the server's socket from a cursor on, also across restarts."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Literal

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect, unix_connect

from pilothouse.client.server import Server
from pilothouse.client.voice import Json
from pilothouse.errors import NoServer, Refused
from pilothouse.words import say, speaking

NOT_LOGGED_IN = 4401
PATIENCE_SECONDS = 60.0
"""How long the server may stay away; a restart takes less."""
PAUSE_SECONDS = 0.5


class Stream:
    """Can be left and read again; it continues where it was."""

    def __init__(
        self, server: Server, since: int, session: str | None = None, tasks: tuple[str, ...] = (),
        patience: float = PATIENCE_SECONDS,
    ) -> None:  # fmt: skip
        self._server, self.since = server, since
        self._session, self._tasks = session, tasks
        self._patience = patience

    def items(self, seconds: float | None = None) -> Iterator[Json]:
        """Yields every item, for `seconds` or without end.

        Raises `NoServer` when the server stays away, `Refused` when it refuses the token.
        """
        heard = time.monotonic()
        end = None if seconds is None else heard + seconds
        while end is None or time.monotonic() < end:
            try:
                with self._connected() as socket:
                    for item in self._read(socket, end):
                        yield item
                        heard = time.monotonic()
                    return
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code == NOT_LOGGED_IN:
                    raise _not_let_in() from None
            except (OSError, InvalidHandshake):
                pass
            if time.monotonic() - heard > self._patience:
                raise NoServer(say("server.went_away", url=self._server.url), sent=True)
            time.sleep(PAUSE_SECONDS)

    def _connected(self) -> ClientConnection:
        address = "ws" + self._server.url.removeprefix("http") + "/ws"
        login = {**self._server.login, "Accept-Language": speaking.get()}
        if self._server.door:
            return unix_connect(self._server.door, address, additional_headers=login, max_size=None)
        proxy: Literal[True] | None = None if self._server.is_local else True
        return connect(address, additional_headers=login, max_size=None, proxy=proxy)

    def _read(self, socket: ClientConnection, end: float | None) -> Iterator[Json]:
        """Until `end`. Raises `ConnectionClosed`."""
        wanted: Json = {"since": self.since, "tasks": list(self._tasks)}
        socket.send(json.dumps({"subscribe": wanted | ({"session": self._session} if self._session else {})}))
        while True:
            try:
                message = socket.recv(timeout=None if end is None else max(0.0, end - time.monotonic()))
            except TimeoutError:
                return
            for item in json.loads(message):
                if item["type"] == "event":
                    self.since = max(self.since, item["event"]["seq"])
                yield item


def _not_let_in() -> Refused:
    return Refused(401, "not_logged_in", say("login.not_its_token"), say("login.give_token"), {})
