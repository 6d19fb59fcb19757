"""Tells a person's request from an agent's.

What an agent could steal, a cookie or a token, does not make it the person: whoever changes something over a connection
of this machine is looked up by its process, and refused where that is an agent's. `docs/security.md` says what cannot
be told.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys
from dataclasses import dataclass

import psutil
from starlette.types import Scope

from pilothouse.errors import FromAgent
from pilothouse.process import kinship
from pilothouse.process.kinship import Origin
from pilothouse.server.access.auth import is_this_machine
from pilothouse.words import say

_UCRED = "3i"
_SOL_LOCAL, _LOCAL_PEERPID = 0, 2


@dataclass(frozen=True, slots=True)
class Peer:
    """The process at the other end of the Unix socket."""

    pid: int
    uid: int


def peer_of(connection: socket.socket) -> Peer | None:
    """As the system says, not the process. None where the system does not say."""
    try:
        if sys.platform == "linux":
            said = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(_UCRED))
            pid, uid, _ = struct.unpack(_UCRED, said)
            return Peer(pid, uid)
        pid = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID)
        return Peer(pid, psutil.Process(pid).uids().effective)
    except (OSError, psutil.Error):
        return None


class Persons:
    def __init__(self, instance: str) -> None:
        self._instance = instance

    def require_owner(self, peer: Peer | None) -> None:
        """Raises unless the Unix socket was reached by the person: the same user, and no agent of ours."""
        if peer is None or peer.uid != os.geteuid():
            raise FromAgent(say("login.not_the_owner"))
        if kinship.of_process(peer.pid, self._instance) is not Origin.OTHER:
            raise FromAgent(say("login.agent"))

    async def require(self, scope: Scope) -> None:
        """Raises for what an agent asks for over the network of this machine. Call it for real connections only."""
        client, server = scope.get("client"), scope.get("server")
        if not client or not server or not is_this_machine(scope) or server[1] is None:
            return
        ends = (str(client[0]), int(client[1])), (str(server[0]), int(server[1]))
        if await asyncio.to_thread(kinship.of_connection, *ends, self._instance) in (Origin.AGENT, Origin.GONE):
            raise FromAgent(say("login.agent"))
