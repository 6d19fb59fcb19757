"""Pilothouse as a process of its own, for tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

TOKEN = "token-of-the-command-line"


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "PYTHONPATH")}
    source = str(Path(__file__).parents[2] / "src")
    return {**kept, "PYTHONPATH": source, "DATA_DIR": str(data_dir), "PORT": "0", "PILOTHOUSE_TOKEN": TOKEN, **more}


def pilothouse(*arguments: str, data_dir: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pilothouse.cli", *arguments],
        env=environment(data_dir, **more),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def server(data_dir: Path, *arguments: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A server process that is ready, and a client that is logged in."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pilothouse.cli", "serve", *arguments],
        env=environment(data_dir, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stderr
    try:
        line = process.stdout.readline()
        assert line.startswith("Server ready on port "), line + process.stderr.read()
        port = int(line.split()[-1])
        assert process.stdout.readline() == f"Log in: http://127.0.0.1:{port}/#token={TOKEN}\n"
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=120) as client:
            yield process, client
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def stop(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGTERM)
    return process.wait(timeout=120)


def _items(socket: ClientConnection) -> Iterator[dict[str, Any]]:
    while True:
        yield from json.loads(socket.recv(timeout=120))


@contextmanager
def listening(client: httpx.Client) -> Iterator[Iterator[dict[str, Any]]]:
    """Everything the server's socket tells, from the first event on."""
    place = f"ws://{client.base_url.host}:{client.base_url.port}/ws"
    login = {"Authorization": f"Bearer {TOKEN}"}
    with connect(place, additional_headers=login, max_size=None, open_timeout=120) as socket:
        socket.send('{"subscribe": {"since": 0}}')
        items = _items(socket)
        next(item for item in items if item["type"] == "event")
        yield items


def until_event(client: httpx.Client, type_: str, task_id: str, count: int = 1) -> None:
    """Follow the server's own socket until it has told this of the task so many times."""
    with listening(client) as items:
        events = (item["event"] for item in items if item["type"] == "event")
        told = (event for event in events if (event["type"], event["task_id"]) == (type_, task_id))
        for _ in range(count):
            next(told)
