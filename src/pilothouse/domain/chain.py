"""The hash chain of the event log. It breaks if a stored event is altered, removed or put in between."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

GENESIS = "0" * 64


def canonical(data: dict[str, Any]) -> bytes:
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_UTC_Z)


def link(prev_hash: str, seq: int, at: str, session_id: str | None, task_id: str | None, type_: str, data: str) -> str:
    """The hash that chains an event to the one before it. `data` is the JSON text as stored."""
    body = [prev_hash, seq, at, session_id, task_id, type_, data]
    return hashlib.sha256(orjson.dumps(body)).hexdigest()
