"""Uvicorn, made to sleep while idle and to go down in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Self, cast

import uvicorn
from fastapi import FastAPI

from pilothouse.process import door
from pilothouse.server import logs
from pilothouse.server.access.connections import Limits, Lobby
from pilothouse.server.access.hosts import from_here
from pilothouse.server.access.middleware import WORKBENCH
from pilothouse.server.services import Services
from pilothouse.words import say

log = logging.getLogger(__name__)

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_CONNECTIONS_SECONDS = 5
_FORCED = 1
_SOCKET_MESSAGE_BYTES = 64 * 1024


class Deadline:
    """Ends the process when going down takes too long, closing the other parts included."""

    def __init__(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, os._exit, (_FORCED,))
        self._timer.daemon = True

    def start(self) -> None:
        self._timer.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


class WebServer(uvicorn.Server):
    """Goes down in order: no more requests, wait for the agents, save what they did, close the sockets."""

    def __init__(
        self,
        app: FastAPI,
        services: Services,
        ready: Callable[[], None] | None = None,
        deadline: Deadline | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.lobby = Lobby(limits)
        super().__init__(
            uvicorn.Config(
                app,
                loop="none",
                http=cast(type[asyncio.Protocol], self.lobby.protocol),
                ws="websockets-sansio",
                ws_per_message_deflate=False,
                ws_max_size=_SOCKET_MESSAGE_BYTES,
                # A Date header would need a tick every second, and nothing needs it.
                date_header=False,
                server_header=False,
                proxy_headers=False,
                log_config=None,
                timeout_graceful_shutdown=_CONNECTIONS_SECONDS,
            )
        )
        self._app, self._services, self._ready, self._deadline = app, services, ready, deadline
        self._leaving = asyncio.Event()

    def leave(self) -> None:
        """Begins to go down. A second call ends at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._leaving.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            await self._open_door()
        if sockets:
            self._services.seats.url = f"{from_here(sockets[0])}{WORKBENCH}"
        if self.started and self._ready:
            self._ready()

    async def _open_door(self) -> None:
        data_dir = self._services.settings.data_dir
        try:
            listening = door.listen(data_dir)
        except OSError as error:
            log.warning("no socket for the command line, which needs a token now: %s", error)
            return
        create = partial(
            self.lobby.protocol, config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        self.servers.append(await asyncio.get_running_loop().create_unix_server(create, sock=listening))

    async def main_loop(self) -> None:
        await self._leaving.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        settings = self._services.settings
        if self._deadline:
            self._deadline.start()
        self._app.state.closing = True
        for server in self.servers:
            server.close()
        stopping = asyncio.ensure_future(
            self._services.runner.stop(say("operation.server_down"), settings.shutdown_wait_seconds)
        )
        self._leaving.clear()
        forced = asyncio.ensure_future(self._leaving.wait())
        await asyncio.wait({stopping, forced}, return_when=asyncio.FIRST_COMPLETED)
        if not stopping.done():
            log.warning("asked twice to go down: leaving at once")
            logs.close()
            os._exit(_FORCED)
        forced.cancel()
        if error := stopping.exception():
            log.error("the runner did not stop in order", exc_info=error)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Does not raise the signal again afterwards, as the original does: going down in order is exit code 0."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.leave)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)
