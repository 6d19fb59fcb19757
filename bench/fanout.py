"""How long an event takes to 200 socket clients at 500 events a second, over a real server.

    python -m bench.fanout [--clients 200] [--rate 500] [--seconds 10]

The server runs in this process and the clients in a second one, on the same machine and clock. Events go through
`Broadcast` as after a commit; each carries the time it was told. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import re
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

import orjson
import uvloop
from pydantic import SecretStr

from pilothouse.cli import composed
from pilothouse.domain.event.log import any_event
from pilothouse.domain.event.task import TaskMilestone
from pilothouse.engine.broadcast import Broadcast
from pilothouse.server.access import hosts
from pilothouse.server.app import create_app
from pilothouse.server.web_server import WebServer
from pilothouse.settings import Settings
from pilothouse.store import events

PROMISED_P99_MS = 25.0
TOKEN = "bench"  # noqa: S105 - of a server that lives for one measurement
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
TOLD_AT = re.compile(rb'"text":"([0-9.]+)"')


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Client(asyncio.Protocol):
    """As little of a socket client as can tell when what came: the clients share the machine with the server."""

    def __init__(self, first: int, ready: asyncio.Semaphore, delays: list[float]) -> None:
        self._first, self._ready, self._delays = first, ready, delays
        self._buffer = bytearray()
        self._count, self._upgraded = 0, False
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not registered as asyncio's.
        self._transport = cast(asyncio.WriteTransport, transport)
        host, port = transport.get_extra_info("peername")
        self._transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        self._buffer += data
        if not self._upgraded and not self._upgrade():
            return
        while (body := self._frame()) is not None:
            self._read(body, now)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_exception(error or ConnectionError("the server hung up"))

    def _upgrade(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        assert self._buffer.startswith(b"HTTP/1.1 101"), bytes(self._buffer[:end])
        del self._buffer[: end + 4]
        self._upgraded = True
        message = json.dumps({"subscribe": {"since": self._first}}).encode()
        # A client's frames are masked; a mask of zeros leaves them as they are.
        self._transport.write(bytes((0x81, 0x80 | len(message), 0, 0, 0, 0)) + message)
        return True

    def _frame(self) -> bytes | None:
        """The body of the next whole frame."""
        buffer = self._buffer
        if len(buffer) < 4:
            return None
        size, start = buffer[1], 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + size:
            return None
        body = bytes(buffer[start : start + size])
        del buffer[: start + size]
        return body

    def _read(self, body: bytes, now: float) -> None:
        told = TOLD_AT.findall(body)
        self._delays.extend([now - float(at) for at in told])
        self._count += len(told)
        if not told:
            items = {item["type"] for item in orjson.loads(body)}
            if "ready" in items:
                self._ready.release()
            if "queue" in items:
                self.ended.set_result(self._count)
        elif b'"queue"' in body:
            self.ended.set_result(self._count)


async def _listen(port: int, first: int, clients: int, report: Connection) -> None:
    delays: list[float] = []
    ready = asyncio.Semaphore(0)
    loop = asyncio.get_running_loop()
    made = [
        (await loop.create_connection(lambda: Client(first, ready, delays), "127.0.0.1", port))[1]
        for _ in range(clients)
    ]
    for _ in made:
        await ready.acquire()
    report.send("ready")
    cpu = time.process_time()
    counts = await asyncio.gather(*[client.ended for client in made])
    report.send((delays, counts, time.process_time() - cpu))


def listen(port: int, first: int, clients: int, report: Connection) -> None:
    # Collecting garbage over a growing list of delays would be measured as delay.
    gc.disable()
    uvloop.run(_listen(port, first, clients, report))


async def tell(broadcast: Broadcast, first: int, rate: int, seconds: float) -> int:
    """Evenly, at `rate`; what is behind is made up for, so that delays are never hidden."""
    begin, seq = time.monotonic(), 0
    while (passed := time.monotonic() - begin) < seconds:
        while seq < passed * rate:
            seq += 1
            data = TaskMilestone(attempt=1, code="editing", text=repr(time.monotonic()))
            event = {"seq": first + seq, "at": datetime.now(UTC), "session_id": "s" * 32, "task_id": "t" * 32}
            broadcast.events([any_event.validate_python({**event, "type": data.type, "data": data})])
        await asyncio.sleep(0.001)
    return seq


async def measure(data_dir: Path, clients: int, rate: int, seconds: float) -> dict[str, float | int | bool | str]:
    settings = Settings(data_dir=data_dir, port=0, pilothouse_token=SecretStr(TOKEN))
    listening = hosts.listen(settings)
    port = listening.getsockname()[1]
    async with composed(settings) as services:
        ready = asyncio.Event()
        server = WebServer(create_app(services), services, ready=ready.set)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        await ready.wait()
        # Its own events come first, so that the numbers told below never meet a stored one.
        await services.runner.start()
        first, _ = await services.store.read(events.head)
        result = await _with_clients(services.broadcast, port, first, clients, rate, seconds)
        server.leave()
        await serving
    return result


async def _with_clients(
    broadcast: Broadcast, port: int, first: int, clients: int, rate: int, seconds: float
) -> dict[str, float | int | bool | str]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=listen, args=(port, first, clients, theirs))
    process.start()
    await asyncio.to_thread(ours.recv)
    # As `pilothouse serve` does when it is ready.
    gc.freeze()
    cpu = time.process_time()
    sent = await tell(broadcast, first, rate, seconds)
    broadcast.item({"type": "queue", "workspace_id": "the end"})
    delays, counts, clients_cpu = await asyncio.to_thread(ours.recv)
    cpu = time.process_time() - cpu
    process.join()
    p99 = percentile(delays, 0.99) * 1000
    return {
        "bench": "fanout",
        "clients": clients,
        "events": sent,
        "delivered": sum(counts),
        "complete": all(count == sent for count in counts),
        "p50_ms": round(percentile(delays, 0.5) * 1000, 2),
        "p99_ms": round(p99, 2),
        "max_ms": round(max(delays) * 1000, 2),
        "cpu_percent": round(100 * cpu / seconds, 1),
        "clients_cpu_percent": round(100 * clients_cpu / seconds, 1),
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "promised_p99_ms": PROMISED_P99_MS,
        "kept": p99 <= PROMISED_P99_MS,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clients", type=int, default=200)
    options.add_argument("--rate", type=int, default=500)
    options.add_argument("--seconds", type=float, default=10)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as folder:
        result = uvloop.run(measure(Path(folder), given.clients, given.rate, given.seconds))
    print(json.dumps(result))
    sys.exit(0 if result["kept"] and result["complete"] else 1)


if __name__ == "__main__":
    main()
