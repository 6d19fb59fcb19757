"""The web part on top of a workbench, in-process or on a loopback port, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from pilothouse.domain.clock import Clock
from pilothouse.sample import TRY
from pilothouse.server.access import hosts
from pilothouse.server.access.connections import Limits
from pilothouse.server.access.keys import Keys
from pilothouse.server.app import create_app
from pilothouse.server.awake import KeepAwake
from pilothouse.server.notify.notifier import Notifier
from pilothouse.server.services import Services
from pilothouse.server.web_server import WebServer
from tests.workbench import Workbench

TOKEN = "a-token-for-tests"
BASE = "http://127.0.0.1:3333"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def services_of(bench: Workbench, clock: Clock | None = None) -> Services:
    return Services(
        settings=bench.settings,
        store=bench.store,
        broadcast=bench.broadcast,
        runner=bench.runner,
        operations=bench.operations,
        controls=bench.controls,
        chat=bench.chat,
        projects=bench.projects,
        sessions=bench.sessions,
        agents=bench.runtime.agents,
        health=bench.runtime.health,
        switchboard=bench.switchboard,
        clock=clock or bench.clock,
        keys=Keys(bench.settings.data_dir, clock or bench.clock, TOKEN),
        seats=bench.runtime.seats,
        notifier=Notifier(bench.store, bench.broadcast, clock or bench.clock),
        awake=KeepAwake(bench.store, bench.runtime.host_id, clock or bench.clock),
        suggestions=TRY,
    )


def client_of(app: FastAPI, base: str = BASE, address: str = "127.0.0.1", **headers: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, client=(address, 5000))
    return httpx.AsyncClient(transport=transport, base_url=base, headers=headers)


def logged_in(app: FastAPI) -> httpx.AsyncClient:
    return client_of(app, **BEARER)


@asynccontextmanager
async def serving(services: Services, static: Path | None = None, limits: Limits | None = None) -> AsyncIterator[str]:
    """A real server on a free loopback port; gives its host and port."""
    app = create_app(services, static) if static else create_app(services)
    async with serving_app(app, services, limits) as place:
        yield place


@asynccontextmanager
async def serving_app(app: FastAPI, services: Services, limits: Limits | None = None) -> AsyncIterator[str]:
    listening = hosts.listen(services.settings.model_copy(update={"port": 0}))
    ready = asyncio.Event()
    server = WebServer(app, services, ready=ready.set, limits=limits)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        waiting.cancel()
        server.leave()
        await running


async def made_session(client: httpx.AsyncClient, bench: Workbench, title: str, **more: object) -> dict[str, Any]:
    body = {"project_path": str(bench.repo), "title": title, "agent": "rehearsal", **more}
    answer = await client.post("/api/sessions", json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made
