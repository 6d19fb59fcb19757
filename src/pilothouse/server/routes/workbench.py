"""Our tools for agents, over MCP's streamable HTTP: requests share no state.

The `mcp` package uses too much memory at rest, so the few messages are handled here. The middleware has checked the
token: it belongs to a running spawn, or to a prepared one, which may only list the tools.
"""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from pilothouse import __version__
from pilothouse.domain.talk import workbench as tools
from pilothouse.engine.agents.workbench import CallRefused, Seat, call
from pilothouse.server.access.middleware import WORKBENCH
from pilothouse.server.contract import operation_id
from pilothouse.server.services import AppServices, Services

router = APIRouter(tags=["workbench"], generate_unique_id_function=operation_id)

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, newest first; for these tools they do not differ."""
INSTRUCTIONS = (
    "You work at the person's workbench. Show your plan with plan and tick it off with step_done; say in a line what "
    "you do with status. Ask with decide instead of guessing, say with blocked what you cannot go on without; after "
    "either, end your turn."
)
ASKED = " Give what you are asked for with answer, then end your turn."
_PARSE, _REQUEST, _METHOD, _PARAMS = -32700, -32600, -32601, -32602


class _Wrong(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@router.post(WORKBENCH, include_in_schema=False)
async def use_workbench(request: Request, services: AppServices) -> Response:
    """JSON-RPC; a notification is taken in without an answer."""
    try:
        message = orjson.loads(await request.body())
    except orjson.JSONDecodeError:
        return _error(None, _PARSE, "This is not JSON.")
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return _error(None, _REQUEST, "This is not one JSON-RPC request.")
    if message.get("id") is None:
        return Response(status_code=202)
    params = message.get("params") or {}
    try:
        if not isinstance(params, dict):
            raise _Wrong(_PARAMS, "params must be an object.")
        result = await _answer(services, request.scope["seat"], message["method"], params)
    except _Wrong as error:
        return _error(message["id"], error.code, str(error))
    return _json({"jsonrpc": "2.0", "id": message["id"], "result": result})


async def _answer(services: Services, seat: Seat | None, method: str, params: dict[str, Any]) -> dict[str, Any]:
    answers = seat is not None and seat.answers
    match method:
        case "initialize":
            wanted = params.get("protocolVersion")
            return {
                "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "pilothouse", "version": __version__},
                "instructions": INSTRUCTIONS + (ASKED if answers else ""),
            }
        case "ping":
            return {}
        case "tools/list":
            return {"tools": tools.described(answers=answers)}
        case "tools/call":
            if not isinstance(params.get("name"), str):
                raise _Wrong(_PARAMS, "name is missing.")
            return await _called(services, seat, params["name"], params.get("arguments"))
        case _:
            raise _Wrong(_METHOD, f"{method} is not offered here.")


async def _called(services: Services, seat: Seat | None, name: str, arguments: object) -> dict[str, Any]:
    """What was wrong is told as the tool's result, where the agent reads it and can do better."""
    try:
        if seat is None:
            raise CallRefused("Your turn has not begun.")
        said, failed = await call(services.store, seat, name, arguments), False
    except CallRefused as error:
        said, failed = str(error), True
    return {"content": [{"type": "text", "text": said}], "isError": failed}


def _error(id: object, code: int, message: str) -> Response:
    return _json({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def _json(value: dict[str, Any]) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")
