"""The OpenAPI document. It describes the socket's items too, so that clients can generate both."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic.json_schema import models_json_schema

from pilothouse.server.bodies import KEY_LIMIT, NEVER_KEPT
from pilothouse.server.schemas.fields import ErrorOut
from pilothouse.server.schemas.stream import STREAM_MODELS

_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": KEY_LIMIT, "pattern": "^[!-~]+$"},
    "description": "The same key with the same body is carried out once and answered alike, for 24 hours.",
}
_REFERENCE = "#/components/schemas/{model}"


def operation_id(route: APIRoute) -> str:
    """The name of the endpoint, which generated clients use."""
    return route.name


def openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema:
        return app.openapi_schema
    document = get_openapi(title=app.title, version=app.version, routes=app.routes)
    components = document.setdefault("components", {})
    schemas: dict[str, Any] = components.setdefault("schemas", {})
    beside = (*STREAM_MODELS, ErrorOut)
    _, described = models_json_schema([(model, "serialization") for model in beside], ref_template=_REFERENCE)
    for name, schema in described["$defs"].items():
        schemas.setdefault(name, schema)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            operation["responses"].pop("422", None)
            if method != "get" and path not in NEVER_KEPT:
                operation.setdefault("parameters", []).append(_KEY)
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    app.openapi_schema = document
    return document
