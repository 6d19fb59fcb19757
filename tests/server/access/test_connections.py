"""Connections without a login hold little, and not for long. Real sockets on loopback."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from websockets.asyncio.client import connect

from pilothouse.server.access.connections import Limits
from pilothouse.server.services import Services
from tests.server.web import BEARER, TOKEN, serving

Wires = list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
HALF = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Half: "
LOGIN = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@asynccontextmanager
async def wires(place: str, count: int, said: bytes = b"") -> AsyncIterator[Wires]:
    host, _, port = place.partition(":")
    opened: Wires = []
    try:
        for _ in range(count):
            opened.append(await asyncio.open_connection(host, int(port)))
            opened[-1][1].write(said)
        yield opened
    finally:
        for _, writer in opened:
            writer.transport.abort()


async def _ends(reader: asyncio.StreamReader) -> bytes:
    """What the server still says before it hangs up."""
    async with asyncio.timeout(30):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


async def _pour(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


@pytest.mark.parametrize(("guests", "per_address"), [(40, 1000), (1000, 40)], ids=["in all", "from one address"])
async def test_a_flood_of_half_requests_leaves_the_server_answering(
    services: Services, guests: int, per_address: int
) -> None:
    """BYD-12"""
    limits = Limits(guests=guests, guests_per_address=per_address, head_seconds=600)
    async with (
        serving(services, limits=limits) as place,
        wires(place, 400, HALF) as flood,
        httpx.AsyncClient(base_url=f"http://{place}") as client,
    ):
        began = time.monotonic()
        assert (await client.get("/health")).status_code == 200
        assert (await client.get("/api/state", headers=BEARER)).status_code == 200
        assert time.monotonic() - began < 1
        await asyncio.gather(*(_ends(reader) for reader, _ in flood[:360]))
        assert not flood[-1][0].at_eof(), "the newest may still wait"


async def test_who_is_logged_in_is_not_pushed_out_by_a_flood(services: Services) -> None:
    """BYD-12"""
    async with (
        serving(services, limits=Limits(guests_per_address=5, head_seconds=600)) as place,
        connect(f"ws://{place}/ws", additional_headers=BEARER) as owner,
    ):
        await owner.send('{"subscribe": {"since": 0}}')
        await owner.recv()
        async with wires(place, 50, HALF) as flood:
            await asyncio.gather(*(_ends(reader) for reader, _ in flood[:45]))
            pong = await owner.ping()
            await pong


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"", b""),
        (HALF, b" 408 "),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /he", b" 200 "),
    ],
    ids=["silent", "half a head", "half a second request"],
)
async def test_a_head_that_does_not_come_ends_the_connection(services: Services, said: bytes, answer: bytes) -> None:
    """BYD-12"""
    async with (
        serving(services, limits=Limits(head_seconds=0.2)) as place,
        wires(place, 1, said) as [(reader, _)],
    ):
        assert answer in (await _ends(reader)).split(b"\r\n")[0] + b" "


@pytest.mark.parametrize(
    "head",
    [
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 40_000,
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(5000)) + b"\r\n",
        b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=["one long header", "many headers", "a long address"],
)
async def test_a_head_that_is_too_long_is_refused(services: Services, head: bytes) -> None:
    """BYD-12"""
    async with serving(services) as place, wires(place, 1, head) as [(reader, _)]:
        assert (await _ends(reader)).startswith(b"HTTP/1.1 431 ")


async def test_a_body_without_a_login_is_short_and_quick(services: Services) -> None:
    """BYD-12"""
    limits = Limits(body_seconds=0.2, body_bytes=1000)
    async with serving(services, limits=limits) as place:
        async with wires(place, 1, LOGIN + b"Content-Length: 500\r\n\r\n{") as [(reader, _)]:
            assert (await _ends(reader)).startswith(b"HTTP/1.1 400 ")
        async with wires(place, 1, LOGIN + b"Content-Length: 5000\r\n\r\n" + b" " * 5000) as [(reader, _)]:
            assert (await _ends(reader)).startswith(b"HTTP/1.1 413 ")
        async with httpx.AsyncClient(base_url=f"http://{place}") as client:
            assert (await client.post("/api/login", json={"token": TOKEN})).status_code == 200


async def test_a_refused_body_is_not_read_for_ever(services: Services) -> None:
    """BYD-12"""
    head = b"POST /api/projects HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n"
    limits = Limits(head_seconds=600)
    async with serving(services, limits=limits) as place, wires(place, 1, head) as [(reader, writer)]:
        assert (await reader.readline()).startswith(b"HTTP/1.1 401 ")
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(_pour(writer), 20)


async def test_a_socket_without_a_login_ends(services: Services) -> None:
    """BYD-12"""
    asks = (
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    async with serving(services, limits=Limits(head_seconds=0.2)) as place, wires(place, 1, asks) as [(reader, _)]:
        assert b" 101 " in await _ends(reader)


async def test_requests_one_behind_another_are_all_answered(services: Services) -> None:
    """BYD-12"""
    asks = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3
    async with serving(services, limits=Limits(head_seconds=0.5)) as place, wires(place, 1, asks) as [(reader, _)]:
        assert (await _ends(reader)).count(b"HTTP/1.1 200 ") == 3
