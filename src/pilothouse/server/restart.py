"""Carries the wish for a new process from the operation that asks for it to the command line that fulfils it."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilothouse.server.web_server import WebServer


class Restart:
    def __init__(self) -> None:
        self._server: WebServer | None = None
        self._listening: socket.socket | None = None
        self.kept: socket.socket | None = None
        """The socket for the next process, once a restart is asked for."""

    def attach(self, server: WebServer, listening: socket.socket) -> None:
        self._server, self._listening = server, listening

    def ask(self) -> bool:
        """Stops the server in order, to be replaced. False when it is going down anyway."""
        if self._server is None or self._listening is None or self._server.should_exit:
            return False
        # The server closes its own socket. While this copy is open, whoever connects waits and is not refused.
        self.kept = self._listening.dup()
        self._server.leave()
        return True
