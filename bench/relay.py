"""How long a piece of an agent's text takes to a socket client, through a whole running server.

    python -m bench.relay [--pieces 200]

A command that the rehearsal agent runs prints the time, piece by piece; the client subtracts it from the time it got
the piece. In between lie the agent program, the keeper, the engine, the database's commit and the socket. Prints one
line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uvloop
from pydantic import SecretStr
from websockets.asyncio.client import connect

from bench.fanout import HEADERS, TOKEN, percentile
from pilothouse.cli import composed
from pilothouse.domain.session.session import SessionKind
from pilothouse.server.access import hosts
from pilothouse.server.app import create_app
from pilothouse.server.services import Services
from pilothouse.server.web_server import WebServer
from pilothouse.settings import Settings
from pilothouse.workflows.chat import Message, Opening

PROMISED_P50_MS = 5.0
PROGRAM = """
import sys, time
for _ in range(int(sys.argv[1])):
    time.sleep(0.03)
    print(f"<{time.monotonic()!r}>", flush=True)
"""


def repository(path: Path, pieces: int) -> Path:
    (path / ".pilothouse").mkdir(parents=True)
    (path / "ticks.py").write_text(PROGRAM)
    scenario = {"scenarios": {"ticks": [{"run": f"{sys.executable} ticks.py {pieces}"}]}}
    (path / ".pilothouse" / "rehearsal.yaml").write_text(json.dumps(scenario))
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "base"]):
        subprocess.run([*git, *command], cwd=path, check=True)
    return path


async def listen(services: Services, port: int, repo: Path, pieces: int) -> list[float]:
    delays: list[float] = []
    held = ""
    async with connect(f"ws://127.0.0.1:{port}/ws", additional_headers=HEADERS, max_size=None) as client:
        message = Message("Tick. [[ticks]]", agent="rehearsal")
        _, task = await services.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        await client.send(json.dumps({"subscribe": {"since": 0, "tasks": [task.id]}}))
        while len(delays) < pieces:
            frame = json.loads(await asyncio.wait_for(client.recv(), 60))
            now = time.monotonic()
            held += "".join(item["text"] for item in frame if item["type"] == "output")
            found = re.findall(r"<([\d.]+)>", held)
            delays += [now - float(moment) for moment in found]
            held = held.rsplit(">", 1)[-1]
    return delays


async def measure(folder: Path, pieces: int) -> dict[str, float | int | bool | str]:
    settings = Settings(data_dir=folder / "data", port=0, pilothouse_token=SecretStr(TOKEN))
    settings.data_dir.mkdir()
    settings.logs.mkdir()
    listening = hosts.listen(settings)
    async with composed(settings) as services:
        ready = asyncio.Event()
        server = WebServer(create_app(services), services, ready=ready.set)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        await ready.wait()
        repo = repository(folder / "repo", pieces)
        delays = await listen(services, listening.getsockname()[1], repo, pieces)
        server.leave()
        await serving
    p50 = percentile(delays, 0.5) * 1000
    return {
        "bench": "relay",
        "pieces": len(delays),
        "p50_ms": round(p50, 2),
        "p99_ms": round(percentile(delays, 0.99) * 1000, 2),
        "promised_p50_ms": PROMISED_P50_MS,
        "kept": p50 <= PROMISED_P50_MS,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pieces", type=int, default=200)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as folder:
        result = uvloop.run(measure(Path(folder), given.pieces))
    print(json.dumps(result))
    sys.exit(0 if result["kept"] else 1)


if __name__ == "__main__":
    main()
