"""Reads request bodies: limits their size, refuses bad JSON, and carries out each Idempotency-Key once."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pilothouse.errors import AlreadyDone, Conflict, InvalidInput, PilothouseError, TooLarge
from pilothouse.server import errors
from pilothouse.server.schemas.fields import has_unsafe_characters
from pilothouse.words import say

if TYPE_CHECKING:
    from pilothouse.store.database import Store
    from pilothouse.store.idempotency import Mark, Remembered

BODY_LIMIT = 1024 * 1024
DEPTH_LIMIT = 32
KEY_LIMIT = 200
_CHANGES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
NEVER_KEPT = frozenset({"/api/login", "/api/logout", "/api/links"})


class Bodies:
    def __init__(self, app: ASGIApp, store: Store) -> None:
        self._app = app
        self._answers = Answers(store)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            _check_address(scope)
            headers = Headers(scope=scope)
            body = await _read(headers, receive)
            if headers.get("content-type", "").split(";")[0].strip().lower().endswith(("/json", "+json")):
                _check_json(body)
            key = _key(scope, headers)
        except PilothouseError as error:
            await errors.answer(error, {"connection": "close"})(scope, receive, send)
            return
        replay = _replay(body, receive)
        if key is None:
            await self._app(scope, replay, send)
        else:
            await self._answers.once(key, body, self._app, scope, replay, send)


def _check_address(scope: Scope) -> None:
    try:
        query = scope["query_string"].decode("ascii")
    except UnicodeDecodeError:
        raise InvalidInput(say("input.query"), field="query") from None
    if has_unsafe_characters(scope["path"]) or "%00" in query:
        raise InvalidInput(say("input.address"), field="path")


async def _read(headers: Headers, receive: Receive) -> bytes:
    said = headers.get("content-length", "0")
    if said.isdecimal() and int(said) > BODY_LIMIT:
        raise TooLarge(say("input.body_too_large"), field="body")
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > BODY_LIMIT:
            raise TooLarge(say("input.body_too_large"), field="body")
    return bytes(body)


def _check_json(body: bytes) -> None:
    """Refuses what the parsers behind it would choke on: bad UTF-8, halves of characters, endless nesting."""
    if not body.strip():
        return
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(say("input.no_json", problem=str(error)), field="body") from None
    if body.count(b"[") + body.count(b"{") > DEPTH_LIMIT and _depth(value) > DEPTH_LIMIT:
        raise InvalidInput(say("input.too_deep", levels=DEPTH_LIMIT), field="body")


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
    return depth


def _key(scope: Scope, headers: Headers) -> str | None:
    key = headers.get("idempotency-key")
    if key is None or scope["method"] not in _CHANGES or scope["path"] in NEVER_KEPT:
        return None
    if not key.strip() or len(key) > KEY_LIMIT or not key.isascii() or not key.isprintable():
        raise InvalidInput(say("input.idempotency_key", most=KEY_LIMIT), field="Idempotency-Key")
    return key


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


@dataclass
class _Line:
    """The requests that wait for the same key."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class Answers:
    """Records the answers to requests that change something. A refusal changed nothing, so it is decided again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: dict[tuple[str, str], _Line] = {}

    async def once(self, key: str, body: bytes, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        route = f"{scope['method']} {scope['path']}"
        digest = hashlib.sha256(body).hexdigest()
        async with self._in_line(key, route):
            found = await self._find(key, route)
            response = _recorded(found, digest) if found else None
            if response is None:
                mark = self._mark(key, route, digest, found)
                response = await self._answered(mark, app, scope, receive)
        await response(scope, receive, send)

    async def _find(self, key: str, route: str) -> Remembered | None:
        from pilothouse.store import idempotency

        return await self._store.read(lambda c: idempotency.find(c, key, route))

    @staticmethod
    def _mark(key: str, route: str, digest: str, found: Remembered | None) -> Mark:
        from pilothouse.store import idempotency

        return idempotency.Mark(key, route, digest, begun=found.response if found else "")

    async def _answered(self, mark: Mark, app: ASGIApp, scope: Scope, receive: Receive) -> Response:
        from pilothouse.store import idempotency

        token = idempotency.current.set(mark)
        try:
            response = await _answered(app, scope, receive)
        finally:
            # Work that the request started must not use its key later.
            mark.placed = True
            idempotency.current.reset(token)
        if 200 <= response.status_code < 300:
            text = bytes(response.body).decode()
            await self._store.write(lambda tx: idempotency.answer(tx, mark, response.status_code, text))
        return response

    @asynccontextmanager
    async def _in_line(self, key: str, route: str) -> AsyncIterator[None]:
        line = self._lines.setdefault((key, route), _Line())
        line.waiting += 1
        try:
            async with line.lock:
                yield
        finally:
            line.waiting -= 1
            if not line.waiting:
                del self._lines[key, route]


def _recorded(found: Remembered, digest: str) -> Response | None:
    """None where an earlier life of the server began it and it is to be finished or reported now."""
    if found.body_hash != digest:
        return errors.answer(Conflict(say("input.key_used")))
    if found.status:
        return Response(found.response, found.status, {"idempotency-replayed": "true"}, media_type="application/json")
    return None if found.response else errors.answer(AlreadyDone(say("server.already_done")))


async def _answered(app: ASGIApp, scope: Scope, receive: Receive) -> Response:
    """Runs the application and returns its answer."""
    parts: list[bytes] = []
    start: Message = {}

    async def keep(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, keep)
    response = Response(b"".join(parts), start["status"])
    response.raw_headers = list(start["headers"])
    return response
