"""Checks every request: the right host, the right origin, and a login unless the route is marked open."""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pilothouse.errors import Forbidden, NotLoggedIn, PilothouseError, Unavailable
from pilothouse.server import errors
from pilothouse.server.access.auth import Cookies, Throttle, client_address, is_open, is_this_machine
from pilothouse.server.access.connections import Guest, Limits, guest_of, short
from pilothouse.server.access.hosts import Hosts, from_elsewhere
from pilothouse.server.access.keys import Keys
from pilothouse.server.access.persons import Persons
from pilothouse.store.trouble import hurried
from pilothouse.words import preferred, say, speaking

if TYPE_CHECKING:
    from pilothouse.engine.agents.workbench import Seats

log = logging.getLogger(__name__)

NOT_LOGGED_IN = 4401
WORKBENCH = "/mcp/workbench"
"""For running agents, with the token of their spawn. Only such a token counts there, and it counts nowhere else."""
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def content_policy(host: str, nonce: str) -> str:
    """Nothing from elsewhere and nothing inline. `ws:` is named because not every browser counts it as 'self'."""
    return (
        "default-src 'none'; script-src 'self'; "
        f"style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; "
        f"connect-src 'self' ws://{host} wss://{host}; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


class Access:
    def __init__(
        self,
        app: ASGIApp,
        routes: FastAPI,
        hosts: Hosts,
        keys: Keys,
        cookies: Cookies,
        throttle: Throttle,
        seats: Seats,
        persons: Persons,
    ) -> None:
        self._app, self._routes, self._seats, self._persons = app, routes, seats, persons
        self._hosts, self._keys, self._cookies, self._throttle = hosts, keys, cookies, throttle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        # Somebody waits for the answer: storage that is away is said at once.
        hurried.set(True)
        language = speaking.set(preferred(Headers(scope=scope).get("accept-language", "")))
        try:
            await (self._socket if scope["type"] == "websocket" else self._http)(scope, receive, send)
        finally:
            speaking.reset(language)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, guest = Headers(scope=scope), guest_of(scope)
        scope["nonce"] = secrets.token_urlsafe(16)
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                out = MutableHeaders(scope=message)
                out.update(_HEADERS)
                out["content-security-policy"] = content_policy(headers.get("host", ""), scope["nonce"])
                out.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._check_origin(scope, headers)
            if scope["path"] == WORKBENCH:
                self._check_seat(scope, headers)
            elif not self._check_login(scope, headers):
                receive = short(receive, guest.limits if guest else Limits())
            elif guest and scope["method"] not in _READS:
                # Whatever changes something is for a person, so that no route can be forgotten.
                await self._require_person(scope, guest)
            if self._routes.state.closing and scope["path"] != "/health":
                raise Unavailable(say("server.ends"))
        except PilothouseError as error:
            extra = {"www-authenticate": "Bearer"} if isinstance(error, NotLoggedIn) else None
            await errors.answer(error, extra)(scope, receive, with_headers)
            return
        try:
            await self._app(scope, receive, with_headers)
        except Exception as error:  # noqa: BLE001 - the last place; it is logged and answered
            answer = errors.unexpected(error)
            if not started:
                await answer(scope, receive, with_headers)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            self._check_origin(scope, headers)
        except Forbidden as error:
            log.warning("Refused a socket: %s", error.message)
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            self._check_login(scope, headers)
        except PilothouseError as error:
            # A page sees the close code only of a connection that was opened.
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": NOT_LOGGED_IN, "reason": error.code})
            return
        await self._app(scope, receive, send)

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        local = scope.get("server")
        if len(headers.getlist("host")) != 1 or not self._hosts.allow(headers.get("host"), local and str(local[0])):
            raise Forbidden(say("login.wrong_host"))
        changes = scope["type"] == "websocket" or scope["method"] not in _READS
        if changes and from_elsewhere(headers, scope["scheme"]):
            raise Forbidden(say("login.other_site"))

    def _check_login(self, scope: Scope, headers: Headers) -> bool:
        """Whether somebody is logged in; raises where that is needed. A good login counts, whatever others guessed."""
        guest = guest_of(scope)
        if self._is_logged_in(scope, headers, guest):
            if guest:
                guest.admit()
            return True
        if not self._is_open(scope):
            raise NotLoggedIn(say("login.needed"))
        return False

    def _is_logged_in(self, scope: Scope, headers: Headers, guest: Guest | None) -> bool:
        if guest and guest.by_door:
            self._persons.require_owner(guest.peer)
            return True
        kind, _, value = headers.get("authorization", "").partition(" ")
        is_bearer = kind.lower() == "bearer"
        if (is_bearer and self._keys.opens(value.strip())) or self._cookies.good(headers.get("cookie", "")):
            return True
        if is_bearer:
            self._throttle.wrong(client_address(scope))
        return False

    async def _require_person(self, scope: Scope, guest: Guest) -> None:
        if not guest.by_door:
            await self._persons.require(scope)

    def _check_seat(self, scope: Scope, headers: Headers) -> None:
        if not is_this_machine(scope):
            raise Forbidden(say("login.workbench_elsewhere"))
        kind, _, value = headers.get("authorization", "").partition(" ")
        token = value.strip() if kind.lower() == "bearer" else ""
        seat = self._seats.of(token)
        if seat is None and not self._seats.is_reserved(token):
            raise NotLoggedIn(say("login.agents_only"))
        scope["seat"] = seat

    def _is_open(self, scope: Scope) -> bool:
        """Whether the endpoint that will answer is open. An address without an endpoint is closed."""
        for route in self._routes.routes:
            match, child = route.matches(scope)
            if match is Match.FULL:
                return is_open(child.get("endpoint"))
        return False
