"""Every route, setting, error, event and socket item stands in docs/, as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi import FastAPI
from starlette.routing import Route, WebSocketRoute

from pilothouse.domain.event.log import EVENT_DATA
from pilothouse.domain.event.payload import EventData
from pilothouse.errors import PilothouseError
from pilothouse.server import stream
from pilothouse.server.access import middleware
from pilothouse.server.schemas.stream import StreamItem
from pilothouse.settings import Settings
from pilothouse.words import say

DOCS = Path(__file__).parents[2] / "docs"
HTTP, EVENTS, SETTINGS = ((DOCS / name).read_text() for name in ("http-api.md", "events.md", "settings.md"))


def row(text: str, first_cell: str) -> str:
    found = [line for line in text.splitlines() if line.startswith(f"| {first_cell} |")]
    assert found, f"{first_cell} is not documented"
    return found[0]


def test_every_route_is_documented_and_no_other(app: FastAPI) -> None:
    """PLT-9"""
    routes = {
        f"`{method} {route.path}`"
        for route in app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    written = {line.split(" | ")[0].removeprefix("| ") for line in HTTP.splitlines() if line.startswith("| `")}
    assert routes == {cell for cell in written if " /" in cell}
    for socket in (route for route in app.routes if isinstance(route, WebSocketRoute)):
        assert f"`{socket.path}`" in EVENTS


def with_subclasses(error: type[PilothouseError]) -> list[type[PilothouseError]]:
    return [error, *(found for below in error.__subclasses__() for found in with_subclasses(below))]


ERRORS = {error.code: error for error in with_subclasses(PilothouseError)}


@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
def test_every_error_is_documented_with_its_one_next_action(error: type[PilothouseError]) -> None:
    """PLT-9"""
    line = row(HTTP, f"`{error.code}`")
    assert f"| {error.status} |" in line
    assert say(f"next_action.{error.advice or error.code}") in line


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_documented_with_its_default(name: str) -> None:
    """PLT-6"""
    field = Settings.model_fields[name]
    line = row(SETTINGS, f"`{name.upper()}`")
    assert say(f"setting.{name}") in line
    default: Any = str(field.default).lower() if isinstance(field.default, bool) else field.default
    assert default in (None, ()) or f"`{default}`" in line


@pytest.mark.parametrize("data", EVENT_DATA.values(), ids=EVENT_DATA)
def test_every_event_is_documented_with_its_fields(data: type[EventData]) -> None:
    """PLT-2"""
    line = row(EVENTS, f"`{data.type}`")
    for field in data.model_fields.keys() - EventData.model_fields.keys():
        assert f"`{field}`" in line, field
    assert all(f"`{field}`" in EVENTS.split("| Type |")[0] for field in EventData.model_fields)


def test_every_item_and_close_code_of_the_socket_is_documented() -> None:
    """PLT-2"""
    union, _ = get_args(StreamItem)
    for model in get_args(union):
        assert f'{{"type": "{model.model_fields["type"].default}"' in EVENTS
        for field in model.model_fields:
            assert f'"{field}"' in EVENTS, (model, field)
    for code in (stream.LAGGED, stream.BAD_MESSAGE, middleware.NOT_LOGGED_IN, 1012):
        row(EVENTS, str(code))


def test_the_security_page_names_what_is_open() -> None:
    """BYD-12"""
    text = (DOCS / "security.md").read_text()
    for words in ("`GET /health`", "`POST /api/login`", "DNS rebinding", "SameSite=Strict", "LOGIN_TRIES_PER_MINUTE"):
        assert words in text
