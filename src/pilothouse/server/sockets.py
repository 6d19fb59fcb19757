"""Uvicorn's socket protocol, and a short way through it for what many clients get alike.

A server's frames carry no mask, so the bytes of one are the same for every client. They are made once, and handed to
the transport of each without the layers between; whatever is out of the ordinary (a client that takes nothing at the
moment, one that leaves) goes the usual way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

_OFFER = "pilothouse.offer"
Offer = Callable[[str], bool]


class SocketProtocol(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][_OFFER] = {"offer": self.offer}

    def offer(self, text: str) -> bool:
        """Send at once; False where it cannot be, and nothing was sent."""
        if self.conn.state is not State.OPEN or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(_wire(text))
        return True


def offer_of(socket: WebSocket) -> Offer:
    """The short way to this client; behind another server than ours there is none."""
    found: dict[str, Offer] = socket.scope.get("extensions", {}).get(_OFFER, {})
    return found.get("offer", lambda _: False)


@lru_cache(maxsize=8)
def _wire(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
