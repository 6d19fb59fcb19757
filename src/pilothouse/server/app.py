"""The web application."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, WebSocket
from fastapi.responses import JSONResponse
from starlette.requests import Request

from pilothouse import __version__
from pilothouse.errors import message_of
from pilothouse.process.environment import instance_of
from pilothouse.server import errors
from pilothouse.server.access.auth import Cookies, Throttle
from pilothouse.server.access.hosts import Hosts
from pilothouse.server.access.middleware import Access
from pilothouse.server.access.persons import Persons
from pilothouse.server.bodies import Bodies
from pilothouse.server.contract import openapi
from pilothouse.server.health import Health
from pilothouse.server.logs import Tidying
from pilothouse.server.routes import (
    checks,
    notifications,
    pages,
    projects,
    runner,
    runs,
    sessions,
    settings,
    system,
    talk,
    tasks,
    usage,
    ways,
    workbench,
)
from pilothouse.server.services import Services
from pilothouse.server.stream import Stream
from pilothouse.store import notices
from pilothouse.words import say

__all__ = ["Services", "build", "create_app"]

log = logging.getLogger(__name__)


def build() -> FastAPI:
    """The application with its routes, and nothing behind them yet."""
    app = FastAPI(
        title="Pilothouse",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    errors.install(app)
    for module in (
        *(system, settings, runner, projects, checks, sessions, tasks, talk, runs, ways, usage, workbench),
        notifications,
    ):
        # Flat, so that `Access` and the tests see every route and its endpoint.
        app.router.routes.extend(module.router.routes)

    def described() -> dict[str, Any]:
        return openapi(app)

    async def document(_: Request) -> JSONResponse:
        return JSONResponse(app.openapi())

    async def stream(socket: WebSocket) -> None:
        services: Services = app.state.services
        await Stream(socket, services.store, services.broadcast).run()

    app.openapi = described  # type: ignore[method-assign]
    app.add_route("/openapi.json", document, methods=["GET"], include_in_schema=False)
    app.add_api_websocket_route("/ws", stream)
    return app


def create_app(services: Services, static: Path = pages.STATIC) -> FastAPI:
    app = build()
    pages.install(app, static)
    instance = instance_of(services.settings.data_dir)
    cookies, persons = Cookies(services.keys, instance), Persons(instance)
    throttle = Throttle(services.settings.login_tries_per_minute, services.clock)
    app.state.services = services
    app.state.cookies, app.state.throttle, app.state.persons = cookies, throttle, persons
    app.state.health = Health(services)
    app.state.closing = False
    # The middleware added last sees a request first.
    app.add_middleware(Bodies, store=services.store)
    app.add_middleware(
        Access, routes=app, hosts=Hosts(services.settings), keys=services.keys, cookies=cookies, throttle=throttle,
        seats=services.seats, persons=persons,
    )  # fmt: skip
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    # Recovery may take a while; the port answers meanwhile.
    jobs = [
        asyncio.create_task(_start(services), name="start the runner"),
        asyncio.create_task(_ping(services), name="ping"),
        asyncio.create_task(Tidying(services.settings, services.store, services.clock).run(), name="tidy the logs"),
        asyncio.create_task(services.notifier.run(), name="notify"),
        asyncio.create_task(services.awake.run(), name="keep awake"),
    ]
    yield
    await services.operations.close()
    await services.runner.stop(say("operation.server_down"))
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)


async def _start(services: Services) -> None:
    try:
        await services.operations.boot()
    except Exception as error:
        log.exception("the runner could not start")
        problem = message_of(error)
        message = say("runner.not_started", problem=problem)
        await services.store.write(lambda tx: notices.add(tx, "runner_failed", message, []))


async def _ping(services: Services) -> None:
    while True:
        await services.clock.sleep(services.settings.heartbeat_seconds)
        services.broadcast.item({"type": "ping"})
