"""Turns every error into an HTTP answer."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from pilothouse.errors import InvalidInput, NotFound, PilothouseError, TooLarge
from pilothouse.server.schemas.fields import ErrorOut
from pilothouse.words import Said, in_reader_language, parts, problems, say
from pilothouse.words.fields import SaidOut

log = logging.getLogger(__name__)

MEANINGS = {
    400: "A field is missing, malformed or refused; `details.field` names it.",
    401: "Not logged in.",
    403: "The Host or Origin is not one of ours.",
    404: "No such thing.",
    405: "The path does not take this method.",
    409: "The present state does not allow it.",
    413: "The body or a field is over its limit.",
    429: "Too many wrong tokens; wait a minute.",
    500: "The server, git or an agent failed; the log says more.",
    503: "The runner is stopped, or the server is going down.",
}


# By reference: else FastAPI builds a serialiser for each status of each route, a tenth of the time of a start.
_REFUSAL = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}


class MethodNotAllowed(PilothouseError):
    """Only HTTP knows this mistake, so it is here and not in the tree of errors."""

    code = "method_not_allowed"
    status = 405


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error answers of a route, for OpenAPI, with those that any route can give."""
    every = sorted({400, 401, 403, 413, 429, 500, 503, *statuses})
    return {status: {"description": MEANINGS[status], "content": _REFUSAL} for status in every}


def answer(error: PilothouseError, headers: dict[str, str] | None = None) -> JSONResponse:
    body = ErrorOut(
        error=error.code,
        message=error.message,
        next_action=error.next_action,
        said=SaidOut(**parts(error.message)) if isinstance(error.message, Said) else None,
        details=in_reader_language(error.details) if error.details else None,
    )
    return JSONResponse(body.model_dump(mode="json", exclude_none=True), status_code=error.status, headers=headers)


def unexpected(error: BaseException) -> JSONResponse:
    """Answers an error that nobody foresaw. The traceback goes to the log, not to the client."""
    log.error("Unexpected error", exc_info=error)
    return answer(PilothouseError(say("server.broken")))


_NAMED = frozenset({"text", "reply", "title", "path", "message", "constraints", "non_goals", "boundaries"})
"""What a person calls the fields they fill in. Other fields are for programs and keep their names."""


def _words(field: str, problem: str) -> str:
    name = next((part for part in reversed(field.split(".")) if not part.isdecimal()), "")
    named = say(f"field.{name}") if name in _NAMED else say("input.field", name=field)
    return say("input.wrong", field=named, problem=problem)


def _field(location: tuple[int | str, ...]) -> str:
    parts = [str(part) for part in location]
    return ".".join(parts[1:] if parts[:1] in (["body"], ["query"], ["path"], ["header"]) and len(parts) > 1 else parts)


def _from_validation(error: RequestValidationError) -> PilothouseError:
    found_wrong = [
        {
            "field": _field(found["loc"]),
            "problem": problems.problem(found),
            "type": found["type"],
        }
        for found in error.errors()[:20]
    ]
    first = found_wrong[0]
    kind = TooLarge if any(one["type"] == "too_large" for one in found_wrong) else InvalidInput
    return kind(_words(first["field"], first["problem"]), field=first["field"], details={"problems": found_wrong})


def _from_http(error: HTTPException) -> PilothouseError:
    if error.status_code == 405:
        return MethodNotAllowed(say("server.wrong_method"))
    if error.status_code == 404:
        return NotFound(say("server.nothing_here"))
    return InvalidInput(str(error.detail))


def install(app: FastAPI) -> None:
    async def ours(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, PilothouseError)  # noqa: S101 - narrows the type for mypy; registered for it alone
        if error.status >= 500:
            log.error("%s: %s", error.code, error.message, exc_info=error)
        return answer(error)

    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        return answer(_from_validation(error))

    async def http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)  # noqa: S101
        return answer(_from_http(error), dict(error.headers or {}))

    app.add_exception_handler(PilothouseError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
