"""Every route is closed unless it is marked; other hosts and other sites are refused."""

from __future__ import annotations

import json
import re
import socket

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Route, WebSocketRoute
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pilothouse.server.access.auth import is_open
from pilothouse.server.access.hosts import Hosts, from_elsewhere, login_link, opens_network
from pilothouse.server.access.middleware import NOT_LOGGED_IN
from pilothouse.server.services import Services
from pilothouse.settings import Settings
from tests.server.web import BEARER, TOKEN, client_of, logged_in, services_of, serving
from tests.workbench import Workbench

EVERYWHERE = "0.0.0.0"  # noqa: S104 - a setting under test, never bound
OPEN = {("POST", "/api/login"), ("GET", "/health"), ("GET", "/{path:page}"), ("HEAD", "/{path:page}")}


def _addresses(app: FastAPI) -> list[tuple[str, str, object]]:
    found: list[tuple[str, str, object]] = []
    for route in app.routes:
        assert isinstance(route, APIRoute | Route | WebSocketRoute), f"a kind of route the gate does not know: {route}"
        methods = ["WS"] if isinstance(route, WebSocketRoute) else sorted(route.methods or [])
        found += [(method, route.path, route.endpoint) for method in methods]
    return found


async def test_every_route_refuses_a_stranger_unless_it_is_marked_open(
    app: FastAPI, stranger: httpx.AsyncClient
) -> None:
    """BYD-12"""
    addresses = _addresses(app)
    assert {(method, path) for method, path, endpoint in addresses if is_open(endpoint)} == OPEN
    closed = [(method, path) for method, path, endpoint in addresses if not is_open(endpoint) and method != "WS"]
    assert len(closed) > 30
    for method, path in closed:
        answer = await stranger.request(method, re.sub(r"{[^}]*}", "x", path), json={"token": TOKEN})
        assert answer.status_code == 401, (method, path)
        if method != "HEAD":
            assert answer.json()["error"] == "not_logged_in"


async def test_an_unknown_address_tells_a_stranger_nothing(
    stranger: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    """BYD-12"""
    for path in ("/api", "/api/", "/api/nothing", "/api/tasks", "/openapi.json/", "/ws"):
        assert (await stranger.post(path)).status_code == 401, path
    assert (await stranger.get("/api/nothing")).status_code == 401
    assert (await client.get("/api/nothing")).json()["error"] == "not_found"
    wrong_method = await client.delete("/api/state")
    assert wrong_method.status_code == 405
    assert wrong_method.json()["error"] == "method_not_allowed"


async def test_the_socket_refuses_a_stranger_with_a_code_a_page_can_read(services: Services) -> None:
    """BYD-12 PLT-2"""
    async with serving(services) as place:
        for headers in ({}, {"Authorization": "Bearer wrong"}):
            async with connect(f"ws://{place}/ws", additional_headers=headers) as socket_:
                with pytest.raises(ConnectionClosed):
                    await socket_.recv()
                assert socket_.close_code == NOT_LOGGED_IN


async def test_a_rebound_host_name_is_refused(app: FastAPI) -> None:
    """BYD-12: DNS rebinding points the attacker's own name at our address."""
    async with logged_in(app) as client:
        for host in (
            "evil.example",
            "evil.example:3333",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "192.168.7.7",
        ):
            for path in ("/api/state", "/", "/health"):
                answer = await client.get(path, headers={"Host": host})
                assert answer.status_code == 403, (host, path)
                assert answer.json()["error"] == "forbidden"
        for host in ("localhost:3333", "LOCALHOST", "127.0.0.1", "[::1]:3333", "localhost."):
            assert (await client.get("/api/state", headers={"Host": host})).status_code == 200, host
        for host in ("", "a b", "localhost:99999", "user@localhost", "localhost/x", "[::1"):
            assert (await client.get("/api/state", headers={"Host": host})).status_code == 403, host


async def test_another_sites_page_cannot_open_the_socket(services: Services) -> None:
    """BYD-12"""
    async with serving(services) as place:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://{place}/ws", additional_headers={**BEARER, "Origin": "http://evil.example"})
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:8080"},
        {"Origin": "http://localhost:3333"},
        {"Origin": "http://127.0.0.1:notaport"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:3333", "Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_another_sites_page_cannot_change_anything(
    client: httpx.AsyncClient, bench: Workbench, headers: dict[str, str]
) -> None:
    """BYD-12"""
    answer = await client.post("/api/projects", json={"path": str(bench.repo)}, headers=headers)
    assert answer.status_code == 403
    assert (await client.get("/api/projects")).json()["items"] == []


async def test_our_own_page_and_scripts_may_change_things(client: httpx.AsyncClient, bench: Workbench) -> None:
    """BYD-12"""
    for headers in (
        {},
        {"Origin": "http://127.0.0.1:3333", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ):
        answer = await client.post("/api/projects", json={"path": str(bench.repo)}, headers=headers)
        assert answer.status_code == 201, headers


def test_a_proxy_with_tls_in_front_is_the_same_place() -> None:
    """BYD-12"""
    assert not from_elsewhere({"host": "ph.example", "origin": "https://ph.example"}, "http")
    assert from_elsewhere({"host": "ph.example", "origin": "https://ph.example:8443"}, "http")


def test_the_network_names_count_only_when_the_network_is_let_in() -> None:
    """BYD-12: glossary 18"""
    machine = socket.gethostname()
    alone, open_ = Hosts(Settings(host="127.0.0.1")), Hosts(Settings(host=EVERYWHERE))
    assert not alone.allow(f"{machine}:3333", "127.0.0.1") or machine == "localhost"
    assert open_.allow(f"{machine}:3333", "192.168.1.5")
    assert open_.allow(f"{machine.split('.')[0]}.local", "192.168.1.5")
    assert open_.allow("192.168.1.5:3333", "192.168.1.5")
    assert open_.allow("192.168.1.5:3333", "::ffff:192.168.1.5")
    assert not open_.allow("192.168.1.6:3333", "192.168.1.5")
    assert Hosts(Settings(host="127.0.0.1", allowed_hosts=("ph.example",))).allow("PH.example", None)
    assert [opens_network(host) for host in ("127.0.0.1", "::1", "localhost", EVERYWHERE, "::", "192.168.1.5")] == [
        False, False, False, True, True, True,
    ]  # fmt: skip


def test_the_login_link_keeps_the_token_in_the_fragment(services: Services) -> None:
    """BYD-12"""
    assert login_link("127.0.0.1", 3333, services.keys.link_token) == f"http://127.0.0.1:3333/#token={TOKEN}"
    assert login_link("::1", 80, services.keys.link_token).startswith("http://[::1]:80/#token=")
    assert EVERYWHERE not in login_link(EVERYWHERE, 80, services.keys.link_token)


async def test_every_answer_carries_the_protective_headers(
    client: httpx.AsyncClient, stranger: httpx.AsyncClient
) -> None:
    """BYD-12"""
    for answer in (await client.get("/api/state"), await stranger.get("/api/state"), await stranger.get("/health"),
                   await client.get("/api/nothing"), await stranger.get("/")):  # fmt: skip
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in answer.headers


async def test_while_the_server_goes_down_it_says_so(app: FastAPI, client: httpx.AsyncClient) -> None:
    """PLT-4"""
    app.state.closing = True
    answer = await client.get("/api/state")
    assert answer.status_code == 503
    assert answer.json()["error"] == "unavailable"


async def test_an_unforeseen_error_is_answered_without_its_traceback(bench: Workbench) -> None:
    """PLT-9 BYD-12"""
    from pilothouse.server.app import create_app

    app = create_app(services_of(bench))

    async def broken() -> None:
        raise RuntimeError("the inside of the machine")

    app.router.routes.insert(0, APIRoute("/api/broken", broken, methods=["GET"]))
    async with client_of(app, **BEARER) as client:
        answer = await client.get("/api/broken")
    assert answer.status_code == 500
    assert answer.json()["error"] == "internal"
    assert "inside of the machine" not in json.dumps(answer.json())
    assert "content-security-policy" in answer.headers
