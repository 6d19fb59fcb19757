"""The web application."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from pilothouse import __version__
from pilothouse.server import errors
from pilothouse.server.contract import openapi
from pilothouse.server.routes import projects, sessions, system, tasks
from pilothouse.server.services import Services


def _name(route: APIRoute) -> str:
    return route.name


def build(title: str = "Pilothouse") -> FastAPI:
    """The application with its routes, before it is given anything to work with."""
    app = FastAPI(
        title=title,
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_name,
    )
    errors.install(app)
    for module in (system, projects, sessions, tasks):
        app.include_router(module.router)

    def described() -> dict[str, Any]:
        return openapi(app)

    app.openapi = described  # type: ignore[method-assign]
    return app


def create_app(services: Services) -> FastAPI:
    app = build()
    app.state.services = services
    return app
