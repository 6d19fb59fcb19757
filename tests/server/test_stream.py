"""The socket, over a real server: from a cursor, then live, with nothing lost or doubled."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import pytest
from fastapi import FastAPI, WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pilothouse.domain.event.task import TaskMilestone
from pilothouse.engine.broadcast import Broadcast
from pilothouse.server.services import Services
from pilothouse.server.stream import BAD_MESSAGE, LAGGED, Stream
from pilothouse.store import events
from pilothouse.store.database import Store
from tests.server.web import BEARER, services_of, serving, serving_app
from tests.workbench import Workbench

WAIT = 120.0


@pytest.fixture
async def place(services: Services) -> AsyncIterator[str]:
    async with serving(services) as found:
        yield found


def socket(place: str) -> connect:
    return connect(f"ws://{place}/ws", additional_headers=BEARER, max_size=None, compression=None)


async def subscribe(client: ClientConnection, **wanted: object) -> None:
    await client.send(json.dumps({"subscribe": wanted}))


async def until(client: ClientConnection, type_: str) -> list[dict[str, Any]]:
    """Everything up to and including the first item of this type."""
    seen: list[dict[str, Any]] = []
    async with asyncio.timeout(WAIT):
        while not any(item["type"] == type_ for item in seen):
            seen += json.loads(await client.recv())
    return seen


async def closed(client: ClientConnection) -> None:
    """Read until the server has closed the connection."""
    with suppress(ConnectionClosed):
        async with asyncio.timeout(WAIT):
            while True:
                await client.recv()


async def emit(store: Store, count: int, session: str | None = "s1", text: str = "x") -> int:
    """`count` events in one transaction; returns the newest seq."""

    def write(tx: Any) -> None:
        for number in range(count):
            tx.emit(TaskMilestone(attempt=1, code="editing", text=f"{text}{number}"), session_id=session, task_id="t1")

    await store.write(write)
    return (await store.read(events.head))[0]


def seqs(items: list[dict[str, Any]]) -> list[int]:
    return [item["event"]["seq"] for item in items if item["type"] == "event"]


async def test_history_comes_first_then_what_is_live(place: str, bench: Workbench) -> None:
    """PLT-2"""
    head = await emit(bench.store, 2500)
    async with socket(place) as client:
        await subscribe(client, since=3)
        history = await until(client, "ready")
        assert seqs(history) == list(range(4, head + 1))
        assert history[-1] == {"type": "ready", "seq": head}
        await emit(bench.store, 2)
        live = await until(client, "event")
        while len(seqs(live)) < 2:
            live += await until(client, "event")
        assert seqs(live) == [head + 1, head + 2]
        event = live[0]["event"]
        assert (event["type"], event["session_id"], event["data"]["text"]) == ("task.milestone", "s1", "x0")


async def test_output_comes_for_the_tasks_that_were_named(place: str, bench: Workbench) -> None:
    """PLT-2 WEB-9"""
    async with socket(place) as client:
        await subscribe(client, since=0, tasks=["t1"])
        await until(client, "ready")
        bench.broadcast.output("t2", 1, 0, "not wanted")
        bench.broadcast.output("t1", 1, 0, "wanted ⚓")
        assert await until(client, "output") == [
            {"type": "output", "task_id": "t1", "attempt": 1, "offset": 0, "text": "wanted ⚓"}
        ]
        await subscribe(client, tasks=["t2"])
        assert seqs(await until(client, "ready")) == [], "what was sent is not sent again"
        bench.broadcast.output("t1", 1, 9, "no longer wanted")
        bench.broadcast.output("t2", 1, 0, "now wanted")
        assert (await until(client, "output"))[-1]["text"] == "now wanted"


async def test_what_a_running_agent_used_is_told_to_a_client_that_comes_late(place: str, bench: Workbench) -> None:
    """GRD-8"""
    bench.broadcast.item({"type": "usage", "task_id": "t1", "cost_usd": 2}, until="step")
    async with socket(place) as client:
        await subscribe(client, since=0)
        told = [item["cost_usd"] for item in await until(client, "ready") if item["type"] == "usage"]
        assert told == [2]


async def test_a_session_filter_holds_in_history_and_live(place: str, bench: Workbench) -> None:
    """PLT-2"""
    for session in ("s1", "s2", None, "s1"):
        await emit(bench.store, 2, session)
    async with socket(place) as client:
        await subscribe(client, since=0, session="s1")
        history = await until(client, "ready")
        assert {item["event"]["session_id"] for item in history if item["type"] == "event"} == {"s1"}
        assert len(seqs(history)) == 4
        await emit(bench.store, 3, "s2")
        await emit(bench.store, 1, "s1", "last")
        live = await until(client, "event")
        assert [item["event"]["data"]["text"] for item in live if item["type"] == "event"] == ["last0"]
        await subscribe(client, since=0, session="s2")
        assert len(seqs(await until(client, "ready"))) == 5


async def test_a_connection_dropped_anywhere_loses_and_doubles_nothing(place: str, bench: Workbench) -> None:
    """PLT-2: thousands of events, eight writers, a client that drops the connection at random points"""
    chance = random.Random(7)  # noqa: S311 - a test that can be repeated
    before = (await bench.store.read(events.head))[0]
    per_writer, writers = 400, 8

    async def write() -> None:
        for _ in range(per_writer // 4):
            await emit(bench.store, 4)

    writing = [asyncio.create_task(write()) for _ in range(writers)]
    end = before + per_writer * writers
    got: list[int] = []
    drops = 0
    async with asyncio.timeout(90):
        while not got or got[-1] < end:
            async with socket(place) as client:
                await subscribe(client, since=got[-1] if got else before)
                for _ in range(chance.randint(1, 6)):
                    got += seqs(json.loads(await client.recv()))
                    if got and got[-1] >= end:
                        break
                    if chance.random() < 0.2:
                        await subscribe(client, since=got[-1] if got else before, tasks=[])
                client.transport.abort()
                drops += 1
    await asyncio.gather(*writing)
    assert got == list(range(before + 1, end + 1))
    assert drops > 5


class Busy:
    """The store, with three events committed before and after each read that a subscription makes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = 0

    async def read(self, job: Any) -> Any:
        self.reads += 1
        await emit(self._store, 3)
        found = await self._store.read(job)
        await emit(self._store, 3)
        return found


@asynccontextmanager
async def reading_from(store: Busy, services: Services, bench: Workbench) -> AsyncIterator[ClientConnection]:
    app = FastAPI()

    async def stream(client: WebSocket) -> None:
        await Stream(client, cast(Store, store), bench.broadcast).run()

    app.add_api_websocket_route("/ws", stream)
    async with serving_app(app, services) as place, connect(f"ws://{place}/ws", compression=None) as client:
        yield client


async def caught_up(client: ClientConnection, bench: Workbench) -> tuple[list[int], int]:
    """What has come when it has come to the end, and where that is."""
    got = seqs(await until(client, "ready"))
    end = (await bench.store.read(events.head))[0]
    async with asyncio.timeout(WAIT):
        while not got or got[-1] < end:
            got += seqs(json.loads(await client.recv()))
    return got, end


async def test_events_of_the_same_moment_as_the_subscription_come_exactly_once(
    services: Services, bench: Workbench
) -> None:
    """PLT-2: the seam between history and live"""
    start = (await bench.store.read(events.head))[0]
    busy = Busy(bench.store)
    async with reading_from(busy, services, bench) as client:
        await subscribe(client, since=start)
        got, end = await caught_up(client, bench)
        assert end == start + 6 * busy.reads
        assert got == list(range(start + 1, end + 1))


async def test_subscribing_again_and_again_loses_and_doubles_nothing(place: str, bench: Workbench) -> None:
    """PLT-2: on one connection, while eight writers write"""
    before = (await bench.store.read(events.head))[0]

    async def write() -> None:
        for _ in range(50):
            await emit(bench.store, 4)

    async with socket(place) as client:
        await subscribe(client, since=before)
        await until(client, "ready")
        writing = [asyncio.create_task(write()) for _ in range(8)]
        got: list[int] = []
        async with asyncio.timeout(WAIT):
            while not got or got[-1] < before + 1600:
                got += seqs(json.loads(await client.recv()))
                await subscribe(client, tasks=[f"t{len(got)}"])
        await asyncio.gather(*writing)
    assert got == list(range(before + 1, before + 1601))


async def test_a_client_that_lags_is_told_to_resume_from_its_cursor(bench: Workbench) -> None:
    """PLT-2"""
    services = services_of(bench)
    object.__setattr__(services, "broadcast", Broadcast(items_kept=50))
    async with (
        serving(services) as place,
        connect(f"ws://{place}/ws", additional_headers=BEARER, max_size=None, max_queue=1, compression=None) as client,
    ):
        start = (await bench.store.read(events.head))[0]
        await subscribe(client, since=start)
        await until(client, "ready")
        client.transport.pause_reading()
        for _ in range(300):
            services.broadcast.item({"type": "queue", "workspace_id": "w" * 50_000})
            await asyncio.sleep(0)
        client.transport.resume_reading()
        await closed(client)
        assert client.close_code == LAGGED
        assert client.close_reason == "resume from your cursor"


@pytest.mark.parametrize(
    "message", ["", "{}", "[]", '{"subscribe": {"since": -1}}', '{"subscribe": {"x": 1}}', b"\x00"]
)
async def test_a_message_that_cannot_be_understood_closes_the_socket(place: str, message: str | bytes) -> None:
    """PLT-8"""
    async with socket(place) as client:
        await client.send(message)
        await closed(client)
        assert client.close_code == BAD_MESSAGE


async def test_the_server_pings_by_its_setting(services: Services) -> None:
    """PLT-2"""
    settings = services.settings.model_copy(update={"heartbeat_seconds": 0.05})
    object.__setattr__(services, "settings", settings)
    async with serving(services) as place, socket(place) as client:
        await subscribe(client, since=0)
        await until(client, "ready")
        assert {"type": "ping"} in await until(client, "ping")


async def test_going_down_closes_the_sockets(services: Services) -> None:
    """PLT-4"""
    async with serving(services) as place:
        client = await socket(place)
        await subscribe(client, since=0)
        await until(client, "ready")
    await closed(client)
    assert client.close_code == 1012


async def test_a_cursor_ahead_of_the_log_is_told_where_the_log_ends(place: str, bench: Workbench) -> None:
    """PLT-1 PLT-2"""
    seq = await emit(bench.store, 3)
    async with socket(place) as client:
        await subscribe(client, since=seq + 1000)
        ready = (await until(client, "ready"))[-1]
        assert ready["seq"] == seq
        await emit(bench.store, 1)
        live = await until(client, "event")
        assert live[-1]["event"]["seq"] == seq + 1
