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
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

import orjson
import uvloop
from pydantic import SecretStr
from websockets.asyncio.client import connect

from pilothouse.cli import composed
from pilothouse.domain.events import TaskMilestone, any_event
from pilothouse.engine.broadcast import Broadcast
from pilothouse.server import checks
from pilothouse.server.app import create_app
from pilothouse.server.serving import WebServer
from pilothouse.settings import Settings
from pilothouse.store import events

PROMISED_P99_MS = 10.0
TOKEN = "bench"  # noqa: S105 - of a server that lives for one measurement
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


async def _listen(port: int, first: int, clients: int, report: Connection) -> None:
    delays: list[float] = []
    counts: list[int] = []
    ready = asyncio.Semaphore(0)

    async def one() -> None:
        count = 0
        async with connect(
            f"ws://127.0.0.1:{port}/ws", additional_headers=HEADERS, max_size=None, compression=None
        ) as client:
            await client.send(json.dumps({"subscribe": {"since": first}}))
            async for frame in client:
                now = time.monotonic()
                for item in orjson.loads(frame):
                    if item["type"] == "ready":
                        ready.release()
                    elif item["type"] == "event":
                        delays.append(now - float(item["event"]["data"]["text"]))
                        count += 1
                    elif item["type"] == "queue":
                        counts.append(count)
                        return

    listening = [asyncio.create_task(one()) for _ in range(clients)]
    for _ in listening:
        await ready.acquire()
    report.send("ready")
    await asyncio.gather(*listening)
    report.send((delays, counts))


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
    listening = checks.listen(settings)
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
    cpu = time.process_time()
    sent = await tell(broadcast, first, rate, seconds)
    broadcast.item({"type": "queue", "workspace_id": "the end"})
    delays, counts = await asyncio.to_thread(ours.recv)
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
