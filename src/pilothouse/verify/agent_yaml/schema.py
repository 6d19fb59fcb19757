"""The rules of agent.yaml as data, and the JSON Schema made from them."""

from __future__ import annotations

import json
from typing import Any

from pilothouse.domain.agent.crew import AGENT_NAME, MODEL_NAME, Role
from pilothouse.domain.task.timeouts import PROFILES

TOP_KEYS = ("verification", "package", "scouts", "agent", "agents", "timeouts")
CHECK_KEYS = ("name", "command", "timeout", "folder")
TIMEOUT_KEYS = ("profile", "idle", "hard")
ROLE_KEYS = tuple(str(role) for role in Role)
WISH_KEYS = ("agent", "model", "effort")
PROFILE_NAMES = tuple(PROFILES)

CHECK_LIMIT = 50
NAME_LIMIT = 100
COMMAND_LIMIT = 10_000
ARGUMENT_LIMIT = 500
PATH_LIMIT = 500
SECONDS_LIMIT = 86_400

# Written so that Python and ECMAScript read them alike.
NAME = r"^[^\u0000-\u001f\u007f/\\.\s][^\u0000-\u001f\u007f/\\]*$"
DURATION = r"^(?=.*[1-9])[0-9]{1,6}(\.[0-9]{1,3})?(s|m|h)$"
COMMAND = r"^[^\u0000]*[^\s\u0000][^\u0000]*$"
ARGUMENT = r"^[^\u0000]*$"
FOLDER = r"^(?!.*(^|/)\.\.(/|$))[^\u0000-\u001f\u007f/\\][^\u0000-\u001f\u007f\\]*$"
AGENT = AGENT_NAME
MODEL = MODEL_NAME


def document() -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "agent.yaml",
        "description": "How Pilothouse verifies work on this repository. Stands in its root.",
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {
            "verification": {
                "description": "The checks, in order; the first that fails ends a run. Empty: nothing is verified. "
                "Without it, checks are detected.",
                "type": "array",
                "maxItems": CHECK_LIMIT,
                "items": {"$ref": "#/$defs/check"},
            },
            "package": {
                "description": "The target package of a monorepo: checks run there, and a change elsewhere is told.",
                "$ref": "#/$defs/folder",
            },
            "scouts": {"description": "Whether read-only agents look around first.", "type": "boolean"},
            "agent": {
                "description": "The agent that works here unless another is chosen.",
                "type": "string",
                "maxLength": NAME_LIMIT,
                "pattern": AGENT,
            },
            "agents": _roles(),
            "timeouts": {"$ref": "#/$defs/timeouts"},
        },
        "$defs": {
            "check": _check(),
            "wish": _wish(),
            "timeouts": _timeouts(),
            "duration": {
                "description": "Seconds as a number, or a number with s, m or h; more than nothing, at most 24 hours.",
                "anyOf": [
                    {"type": "number", "exclusiveMinimum": 0, "maximum": SECONDS_LIMIT},
                    {"type": "string", "pattern": DURATION},
                ],
            },
            "folder": {
                "description": "A folder inside the repository, relative to its root; `.` is the root.",
                "type": "string",
                "maxLength": PATH_LIMIT,
                "pattern": FOLDER,
            },
        },
    }


def text() -> str:
    """The content of docs/agent.schema.json."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def _check() -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "command"],
        "properties": {
            "name": {
                "description": "Shown on screen and in the names of logs; no two alike.",
                "type": "string",
                "maxLength": NAME_LIMIT,
                "pattern": NAME,
            },
            "command": {
                "description": "Text runs by `sh -c`; a list is a program and its arguments.",
                "anyOf": [
                    {"type": "string", "maxLength": COMMAND_LIMIT, "pattern": COMMAND},
                    {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": ARGUMENT_LIMIT,
                        "prefixItems": [{"type": "string", "maxLength": COMMAND_LIMIT, "pattern": COMMAND}],
                        "items": {"type": "string", "maxLength": COMMAND_LIMIT, "pattern": ARGUMENT},
                    },
                ],
            },
            "timeout": {"description": "10 minutes unless said otherwise.", "$ref": "#/$defs/duration"},
            "folder": {"description": "Where it runs; the package unless said otherwise.", "$ref": "#/$defs/folder"},
        },
    }


def _roles() -> dict[str, Any]:
    return {
        "description": "Who edits, who scouts, who answers small questions, where they are not all the same.",
        "type": "object",
        "additionalProperties": False,
        "properties": {role: {"$ref": "#/$defs/wish"} for role in ROLE_KEYS},
    }


def _wish() -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "agent": {
                "description": "The file's `agent` unless said otherwise.",
                "type": "string",
                "maxLength": NAME_LIMIT,
                "pattern": AGENT,
            },
            "model": {
                "description": "As the agent calls it.",
                "type": "string",
                "maxLength": NAME_LIMIT,
                "pattern": MODEL,
            },
            "effort": {
                "description": "How hard the model thinks, where the agent has that.",
                "type": "string",
                "maxLength": NAME_LIMIT,
                "pattern": MODEL,
            },
        },
    }


def _timeouts() -> dict[str, Any]:
    return {
        "description": "Limits of one run of the agent.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "profile": {"enum": list(PROFILE_NAMES)},
            "idle": {"description": "How long it may be silent.", "$ref": "#/$defs/duration"},
            "hard": {"description": "How long it may take at all.", "$ref": "#/$defs/duration"},
        },
    }
