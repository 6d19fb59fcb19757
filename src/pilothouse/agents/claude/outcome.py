"""How a turn ended, from the program's own result.

Its `subtype` says “success” also where the API refused, so `is_error` decides; and a turn whose tools were refused
is no error at all, so the refusals are read one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from claude_agent_sdk import ResultMessage

from pilothouse.agents.claude import tools
from pilothouse.agents.claude.stream import Stream
from pilothouse.domain.ports import Ended, LimitReached
from pilothouse.domain.task.task import ErrorKind
from pilothouse.words import say, stacked

_UNKNOWN = "No conversation found"
_TOO_MANY = 429
_BUSY = (_TOO_MANY, 529)
_PATIENCE_MS = 60_000
"""How long a run waits for the provider at most."""


def unknown_conversation(words: str) -> bool:
    return _UNKNOWN in words


def ended(result: ResultMessage, stream: Stream, workspace: Path, answered: Iterable[str]) -> Ended:
    """`answered` are calls that were refused only to hand over the person's words."""
    denied = _denied(result, workspace, set(answered))
    if not result.is_error:
        return Ended("done", result.result or stream.said, denied=denied)
    words = "; ".join(result.errors or ()) or result.result or say("claude.reported", what=result.subtype)
    if result.api_error_status == 429 or stream.error == "rate_limit":
        limit = LimitReached(words, _resets(stream))
        return Ended("failed", stream.said, error_kind=ErrorKind.AGENT, message=words, limit=limit, denied=denied)
    kind, advice = _kind(result, stream)
    message = stacked(words, advice)
    return Ended("failed", stream.said, error_kind=kind, message=message, denied=denied)


def refused_login(stream: Stream) -> Ended | None:
    """The program tries ten times, for minutes; a wrong key does not become right by it."""
    if stream.retry is None or stream.retry.http_code not in (401, 403):
        return None
    message = stacked(say("claude.refused_login", status=str(stream.retry.http_code)), say("claude.log_in_again"))
    return Ended("failed", stream.said, error_kind=ErrorKind.CREDENTIALS, message=message)


def too_busy(stream: Stream) -> Ended | None:
    """The provider takes nothing for longer than a run should wait, or has been asked often enough.

    A long wait is the task's, which holds no process meanwhile, and goes on to the second.
    """
    retry = stream.retry
    if retry is None or retry.http_code not in _BUSY:
        return None
    if retry.attempt <= retry.most and retry.delay_ms <= _PATIENCE_MS:
        return None
    words = say("claude.busy", status=str(retry.http_code))
    if not retry.named and retry.http_code != _TOO_MANY:
        message = stacked(words, say("claude.try_again"))
        return Ended("failed", stream.said, error_kind=ErrorKind.INFRASTRUCTURE, message=message)
    resets = datetime.now(UTC) + timedelta(milliseconds=retry.delay_ms) if retry.named else _resets(stream)
    limit = LimitReached(words, resets)
    return Ended("failed", stream.said, error_kind=ErrorKind.AGENT, message=words, limit=limit)


def _kind(result: ResultMessage, stream: Stream) -> tuple[ErrorKind, str]:
    status = result.api_error_status or 0
    if status in (401, 403) or stream.error == "authentication_failed":
        return ErrorKind.CREDENTIALS, say("claude.log_in_again")
    if stream.error == "billing_error":
        return ErrorKind.CREDENTIALS, say("claude.add_credit")
    if result.terminal_reason == "prompt_too_long":
        return ErrorKind.AGENT, say("claude.ask_for_less")
    if status >= 500 or stream.error in ("server_error", "overloaded"):
        return ErrorKind.INFRASTRUCTURE, say("claude.try_again")
    return ErrorKind.AGENT, ""


def _resets(stream: Stream) -> datetime | None:
    if stream.limit is None or stream.limit.status != "rejected" or not stream.limit.resets_at:
        return None
    return datetime.fromtimestamp(stream.limit.resets_at, UTC)


def _denied(result: ResultMessage, workspace: Path, answered: set[str]) -> tuple[str, ...]:
    found = []
    for denial in result.permission_denials or ():
        if not isinstance(denial, dict) or denial.get("tool_use_id") in answered:
            continue
        name, arguments = str(denial.get("tool_name", "")), denial.get("tool_input")
        detail = tools.detail(name, _arguments(arguments), workspace)
        found.append(f"{name}: {detail}" if detail else name)
    return tuple(found)


def _arguments(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
