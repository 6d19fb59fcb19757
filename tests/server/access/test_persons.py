"""An agent is no person: neither a stolen login nor the command line's socket lets it act as one."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Route

from pilothouse.process import door
from pilothouse.process.environment import Environment, instance_of
from pilothouse.process.spawn import spawn
from pilothouse.server.access.middleware import WORKBENCH
from pilothouse.server.services import Services
from tests.server.processes import environment, pilothouse, server, stop
from tests.server.web import BEARER, TOKEN, serving
from tests.workbench import Workbench

ATTACK = r"""
import http.client, json, socket, sys
asked = json.load(sys.stdin)
def connected():
    if "door" not in asked:
        return http.client.HTTPConnection(asked["place"], timeout=60)
    made = http.client.HTTPConnection("localhost", timeout=60)
    made.sock = socket.socket(socket.AF_UNIX)
    made.sock.connect(asked["door"])
    return made
answers = []
for method, path, headers, body in asked["requests"]:
    connection = connected()
    connection.request(method, path, json.dumps(body), {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    answers.append([answer.status, json.loads(answer.read() or b"{}").get("error")])
    connection.close()
print(json.dumps(answers))
"""
Request = tuple[str, str, dict[str, str], object]
Answers = list[tuple[int, str | None]]


@dataclass(frozen=True)
class Agent:
    """Sends requests from a process that an agent started."""

    folder: Path
    env: dict[str, str]

    async def __call__(self, *requests: Request, via: str = "exec", **where: str) -> Answers:
        script = self.folder / "attack.py"
        script.write_text(ATTACK)
        asked = self.folder / "asked.json"
        asked.write_text(json.dumps({"requests": requests, **where}))
        line = f"{via} {sys.executable} {script} < {asked}"
        spawned = await spawn(
            ["sh", "-c", line], cwd=self.folder, env=self.env, spawn_id="s", log_path=self.folder / "agent.log"
        )  # fmt: skip
        said = b"".join([piece async for piece in spawned.output()])
        assert await spawned.wait() == 0, spawned.stderr_tail
        return [(status, error) for status, error in json.loads(said)]


@pytest.fixture
def agent(tmp_path: Path, bench: Workbench) -> Agent:
    return Agent(tmp_path, Environment(os.environ, instance_of(bench.settings.data_dir)).for_spawn())


@pytest.fixture
async def place(services: Services) -> AsyncIterator[str]:
    async with serving(services) as address:
        yield address


async def _cookie(place: str) -> dict[str, str]:
    async with httpx.AsyncClient(base_url=f"http://{place}") as owner:
        assert (await owner.post("/api/login", json={"token": TOKEN})).status_code == 200
        (name, value), *_ = owner.cookies.items()
        return {"Cookie": f"{name}={value}"}


@pytest.mark.parametrize("via", ["exec", "env -i setsid --fork --wait"], ids=["plainly", "as a daemon without marker"])
async def test_an_agent_with_a_stolen_login_changes_nothing(
    place: str, agent: Agent, services: Services, via: str
) -> None:
    """BYD-23"""
    off = {"confinement": {"mode": "off", "writable": ["/"]}}
    for login in (await _cookie(place), BEARER):
        answers = await agent(
            ("POST", "/api/runner/stop", login, {}), ("PATCH", "/api/settings", login, off), place=place, via=via
        )
        assert answers == [(403, "from_agent")] * 2
        async with httpx.AsyncClient(base_url=f"http://{place}", headers=login) as owner:
            assert (await owner.patch("/api/settings", json={"confinement": {"mode": "off"}})).status_code == 200
    assert services.runner.state == "running"


async def test_an_agent_cannot_log_in_with_a_stolen_token(place: str, agent: Agent) -> None:
    """BYD-23"""
    assert await agent(("POST", "/api/login", {}, {"token": TOKEN}), place=place) == [(403, "from_agent")]


async def test_every_route_that_changes_something_is_closed_to_agents(app: FastAPI, place: str, agent: Agent) -> None:
    """BYD-23: whoever adds a route need not think of it."""
    changes: list[Request] = [
        (method, re.sub(r"{[^}]*}", "x", route.path), BEARER, {"token": TOKEN})
        for route in app.routes
        if isinstance(route, Route)
        for method in sorted((route.methods or set()) - {"GET", "HEAD"})
        if route.path != WORKBENCH
    ]
    assert len(changes) > 30
    answers = await agent(*changes, place=place)
    allowed = [change[:2] for change, answer in zip(changes, answers, strict=True) if answer != (403, "from_agent")]
    assert not allowed


async def test_the_command_lines_socket_is_the_owners_alone(
    place: str, agent: Agent, services: Services, bench: Workbench
) -> None:
    """BYD-23"""
    data_dir = bench.settings.data_dir
    path = door.path_of(data_dir)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    requests: list[Request] = [("GET", "/api/state", {}, None), ("POST", "/api/links", {}, {})]
    with _short(path) as reached:
        assert await agent(*requests, place=place, door=reached) == [(403, "from_agent")] * 2
    transport = httpx.AsyncHTTPTransport(uds=door.address(data_dir))
    async with httpx.AsyncClient(base_url=f"http://{place}", transport=transport) as owner:
        assert (await owner.get("/api/state")).status_code == 200
        made = await owner.post("/api/links")
        assert made.status_code == 201
        assert services.keys.opens(made.json()["token"])


def _shown(process: subprocess.Popen[str]) -> bytes:
    return Path(f"/proc/{process.pid}/environ").read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows a process's environment there")
def test_no_other_process_reads_the_token_from_the_servers_environment(tmp_path: Path) -> None:
    """BYD-23: nor what else it was started with."""
    with server(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path / 'own.db'}") as (process, client):
        assert client.get("/api/state").status_code == 200
        shown = _shown(process)
        assert TOKEN.encode() not in shown
        assert b"DATABASE_URL" not in shown
        assert stop(process) == 0


def test_the_command_line_needs_no_token_beside_the_server(tmp_path: Path) -> None:
    """BYD-23 BYD-10: also where the path is longer than a socket's may be."""
    data_dir = tmp_path / ("d" * 100) / "data"
    with _unfixed(data_dir) as (address, link):
        token = link.partition("#token=")[2]
        assert token.encode() not in b"".join(f.read_bytes() for f in data_dir.iterdir() if f.is_file())
        assert httpx.post(f"{address}/api/login", json={"token": token}).status_code == 200
        listed = pilothouse("sessions", "--json", data_dir=data_dir, PILOTHOUSE_TOKEN="")
        assert listed.returncode == 0, listed.stderr
        made = pilothouse("token", data_dir=data_dir, PILOTHOUSE_TOKEN="")
        fresh = made.stdout.strip().partition("#token=")[2]
        assert made.stdout == f"{address}/#token={fresh}\n"
        assert httpx.post(f"{address}/api/login", json={"token": fresh}).status_code == 200
    assert "No Pilothouse is running" in pilothouse("token", data_dir=data_dir, PILOTHOUSE_TOKEN="").stderr
    with _unfixed(data_dir) as (address, _):
        assert httpx.post(f"{address}/api/login", json={"token": fresh}).status_code == 200
        assert httpx.post(f"{address}/api/login", json={"token": token}).status_code == 401


@contextmanager
def _unfixed(data_dir: Path) -> Iterator[tuple[str, str]]:
    """A server that makes its own token: its address and its login link."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pilothouse.cli", "serve"],
        env=environment(data_dir, PILOTHOUSE_TOKEN=""),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        port = int(process.stdout.readline().split()[-1])
        yield f"http://127.0.0.1:{port}", process.stdout.readline().strip()
    finally:
        stop(process)
        process.stdout.close()


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Another process cannot use our short path; it has a link to the folder."""
    link = Path(f"/tmp/pilothouse-test-{os.getpid()}")
    link.symlink_to(path.parent)
    try:
        yield str(link / path.name)
    finally:
        link.unlink()
