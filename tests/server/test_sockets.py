"""The short way to a socket client, beside the usual one."""

from __future__ import annotations

import asyncio

from fastapi import FastAPI, WebSocket
from websockets.asyncio.client import connect

from pilothouse.server.services import Services
from pilothouse.server.sockets import offer_of
from tests.server.web import serving_app

TEXT = "日" * 20_000
MOST = 2_000
WAIT = 120.0


async def test_a_client_that_takes_nothing_is_waited_for_and_gets_all_in_order(services: Services) -> None:
    """PLT-2: else what it does not take would pile up in memory."""
    app = FastAPI()
    filled: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    paused = asyncio.Event()

    @app.websocket("/ws")
    async def ws(socket: WebSocket) -> None:
        await socket.accept()
        await paused.wait()
        offer, sent = offer_of(socket), 0
        while sent < MOST and offer(f"{sent} {TEXT}"):
            sent += 1
        filled.set_result(sent)
        await socket.send_text(f"{sent} {TEXT}")
        if not offer("last"):
            await socket.send_text("last")

    async with (
        serving_app(app, services) as place,
        connect(f"ws://{place}/ws", max_size=None, max_queue=1, compression=None) as client,
    ):
        client.transport.pause_reading()
        paused.set()
        async with asyncio.timeout(WAIT):
            sent = await filled
            assert 0 < sent < MOST
            client.transport.resume_reading()
            got = [str(await client.recv()) for _ in range(sent + 2)]
        assert got == [*(f"{number} {TEXT}" for number in range(sent + 1)), "last"]
