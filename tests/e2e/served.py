"""`pilothouse serve`, forked from the nursery, which a test may kill and start again on the same port."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import httpx
from websockets.sync.client import connect

from tests.e2e.nursery import Nursery
from tests.server.processes import TOKEN, environment
from tests.workbench import git, make_repository

SCENARIOS = Path(__file__).with_name("scenarios.yaml")
READY = "Server ready on port "
LINK = "Log in: "
PATIENCE = 120.0


class Served:
    def __init__(self, nursery: Nursery, data_dir: Path, **settings: str) -> None:
        self.data_dir = data_dir
        self._nursery = nursery
        own = {"PILOTHOUSE_REHEARSAL": str(SCENARIOS), "STOP_GRACE_SECONDS": "1", "GLOBAL_INSTRUCTIONS": "none"}
        self._settings = {**own, **settings}
        self._process: tuple[int, TextIO] | None = None
        self.port = 0
        self.link = ""
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> str:
        return self.link.partition("token=")[2]

    def start(self) -> None:
        """On the port it had before, if it ran before."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        settings = environment(self.data_dir, **self._settings) | {"PORT": str(self.port)}
        reading, writing = os.pipe()
        with (self.data_dir / "stderr.txt").open("ab") as errors:
            pid = self._nursery.start(settings, writing, errors.fileno())
        os.close(writing)
        said = os.fdopen(reading)
        self._process = (pid, said)
        line = said.readline()
        assert line.startswith(READY), line + (self.data_dir / "stderr.txt").read_text()
        self.port = int(line.removeprefix(READY))
        self.link = said.readline().removeprefix(LINK).strip()

    def kill(self) -> None:
        """As the power going off does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        pid, said = process
        self._nursery.end(pid, number)
        said.close()

    def get(self, path: str, **query: str) -> Any:
        return self._call("GET", path, params=query)

    def post(self, path: str, body: object = None) -> Any:
        return self._call("POST", path, json=body)

    def _call(self, method: str, path: str, **more: Any) -> Any:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = httpx.request(method, self.address + path, headers=headers, timeout=120, **more)
        answer.raise_for_status()
        return answer.json()

    def add(self, repository: Path) -> str:
        """Make it a project; its id."""
        return str(self.post("/api/projects", {"path": str(repository)})["id"])

    def submit(self, repository: Path, text: str) -> dict[str, Any]:
        """A chat that another client began; its session."""
        body = {"project_path": str(repository), "agent": "rehearsal", "message": {"text": text}}
        session: dict[str, Any] = self.post("/api/sessions", body)
        return session

    def sessions(self, repository: Path) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get("/api/sessions", project_id=self.add(repository))["items"]
        return found

    def tasks(self, repository: Path) -> list[dict[str, Any]]:
        """Of all sessions in this repository, in the order they were begun."""
        found = []
        for session in sorted(self.sessions(repository), key=lambda session: str(session["created_at"])):
            found += self.get(f"/api/sessions/{session['project_id']}/{session['slug']}/tasks")["items"]
        return found

    def until(self, repository: Path, *statuses: str) -> list[dict[str, Any]]:
        """Wait until the tasks of this repository have exactly these statuses."""

        def there() -> bool:
            return [task["status"] for task in self.tasks(repository)] == list(statuses)

        self._until(there)
        return self.tasks(repository)

    def until_doing(self, repository: Path, milestone: str) -> None:
        """Wait until the newest task of this repository has come to it."""
        self._until(lambda: bool(self.tasks(repository)[-1]["milestone"] == milestone))

    def until_recovered(self) -> None:
        """Wait until what the last start found has been saved: only then does the runner run."""
        self._until(lambda: bool(self.get("/api/runner")["state"] == "running"))

    def until_restored(self, path: Path, text: str) -> None:
        """Wait until a rollback has come to this file."""
        self._until(lambda: path.read_text() == text)

    def _until(self, reached: Callable[[], bool]) -> None:
        """Looks after everything that is told."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with connect(f"ws://127.0.0.1:{self.port}/ws", additional_headers=headers) as socket:
            socket.send(json.dumps({"subscribe": {"since": self.get("/api/state")["seq"]}}))
            end = time.monotonic() + PATIENCE
            while not reached():
                assert time.monotonic() < end
                socket.recv(timeout=PATIENCE)


def place_of(session: dict[str, Any], task: str = "", view: str = "") -> str:
    """Its address on the site; with the details of a task open, if one is named."""
    query = f"?task={task}&view={view}" if task else ""
    return f"/sessions/{session['project_id']}/{session['slug']}{query}"


def repository_at(path: Path) -> Path:
    """With a bug in calc.py, and `ignored/` to signal the scenarios through."""
    make_repository(path)
    git(path, "config", "user.name", "Test")
    git(path, "config", "user.email", "test@example.org")
    (path / "ignored").mkdir()
    return path


def let(repository: Path, name: str) -> None:
    """Have the scenario that waits for this word go on."""
    (repository / "ignored" / name).touch()
