"""A real server process to measure, and clients that use it as a browser does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

TOKEN = "bench"  # noqa: S105 - of a server that lives for one measurement
AUTHORISED = {"Authorization": f"Bearer {TOKEN}"}
READY_LIMIT = 60.0
TASK_LIMIT = 30.0
_POLL = 0.002


class Server:
    """`pilothouse serve` on a free port. `started` is when its process was asked for."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        data_dir.mkdir(parents=True, exist_ok=True)
        settings = {"PILOTHOUSE_TOKEN": TOKEN, **environment}
        self.started = time.perf_counter()
        with (data_dir / "bench.log").open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pilothouse.cli", "serve", "--port", "0", "--data-dir", str(data_dir)],
                env={**os.environ, **settings},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.pid = self._process.pid
        self.port = self._port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.http = httpx.Client(base_url=self.address, headers=AUTHORISED, timeout=READY_LIMIT)

    def _port(self) -> int:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("Server ready on port "):
                return int(line.rsplit(" ", 1)[1])
        raise SystemExit(f"the server did not start; see {self.data_dir / 'bench.log'}")

    def until_ready(self) -> float:
        """Wait until the runner takes work; the seconds since the process was asked for."""
        until = time.perf_counter() + READY_LIMIT
        while not self.http.get("/health").json()["checks"]["runner"]:
            if time.perf_counter() > until:
                raise SystemExit("the runner did not become ready")
            time.sleep(_POLL)
        return time.perf_counter() - self.started

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        self.http.close()
        self._process.send_signal(number)
        self._process.wait(READY_LIMIT)
        if self._process.stdout:
            self._process.stdout.close()

    def socket(self) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/ws", additional_headers=AUTHORISED, max_size=None, compression=None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.http.post(path, json=body)
        if answer.is_error:
            raise SystemExit(f"POST {path}: {answer.status_code} {answer.text}")
        result: dict[str, Any] = answer.json()
        return result

    def get(self, path: str, **query: str | int) -> dict[str, Any]:
        answer = self.http.get(path, params=query)
        answer.raise_for_status()
        result: dict[str, Any] = answer.json()
        return result


@contextmanager
def serving(data_dir: Path, **environment: str) -> Iterator[Server]:
    server = Server(data_dir, **environment)
    try:
        server.until_ready()
        yield server
    finally:
        server.stop()


class Listener:
    """A socket client that follows everything, and the output of the tasks it names."""

    def __init__(self, server: Server) -> None:
        self._socket = server.socket()
        self.items = self._items()
        """Every item, with the time it arrived."""
        seq = server.get("/api/state")["seq"]
        self._socket.send(json.dumps({"subscribe": {"since": seq}}))
        self.until(lambda item: item["type"] == "ready")

    def follow(self, task_id: str) -> None:
        self._socket.send(json.dumps({"subscribe": {"tasks": [task_id]}}))

    def _items(self) -> Iterator[tuple[float, dict[str, Any]]]:
        while True:
            frame = self._socket.recv(timeout=TASK_LIMIT)
            now = time.perf_counter()
            for item in json.loads(frame):
                yield now, item

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> float:
        """When the next item arrived that `wanted` holds for."""
        return next(at for at, item in self.items if wanted(item))

    def close(self) -> None:
        self._socket.close()


def completed(item: dict[str, Any], task_id: str) -> bool:
    if item["type"] != "event" or item["event"]["task_id"] != task_id:
        return False
    if item["event"]["type"] in ("task.failed", "task.awaiting", "task.cancelled"):
        raise SystemExit(f"the task did not complete: {item['event']}")
    return bool(item["event"]["type"] == "task.completed")


def git(repository: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    subprocess.run(["git", *identity, *arguments], cwd=repository, check=True, capture_output=True)


def make_repository(repository: Path, files: int, scenarios: str) -> Path:
    """A repository of small modules in folders of fifty, with scenarios for the rehearsal agent."""
    for number in range(files):
        path = repository / f"package{number // 50}" / f"module{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"VALUE = {number}\n" * 40)
    (repository / ".pilothouse").mkdir(parents=True)
    (repository / ".pilothouse" / "rehearsal.yaml").write_text(scenarios)
    (repository / ".gitignore").write_text("__pycache__/\n")
    git(repository, "init", "-q", "-b", "main")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "base")
    return repository
