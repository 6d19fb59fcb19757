"""How a turn ended, from the program's own result.

Its `subtype` says “success” also where the API refused, so `is_error` decides; and a turn whose tools were refused
is no error at all, so the refusals are read one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from claude_agent_sdk import ResultMessage

from pilothouse.agents.claude import tools
from pilothouse.agents.claude.reading import Reading
from pilothouse.domain.ports import Ended, LimitReached
from pilothouse.domain.tasks import ErrorKind
from pilothouse.words import say, stacked

_UNKNOWN = "No conversation found"


def unknown_conversation(words: str) -> bool:
    return _UNKNOWN in words


def ended(result: ResultMessage, reading: Reading, workspace: Path, answered: Iterable[str]) -> Ended:
    """`answered` are calls that were refused only to hand over the person's words."""
    denied = _denied(result, workspace, set(answered))
    if not result.is_error:
        return Ended("done", result.result or reading.said, denied=denied)
    words = "; ".join(result.errors or ()) or result.result or say("claude.reported", what=result.subtype)
    if result.api_error_status == 429 or reading.error == "rate_limit":
        limit = LimitReached(words, _resets(reading))
        return Ended("failed", reading.said, error_kind=ErrorKind.AGENT, message=words, limit=limit, denied=denied)
    kind, advice = _kind(result, reading)
    message = stacked(words, advice)
    return Ended("failed", reading.said, error_kind=kind, message=message, denied=denied)


def refused_login(reading: Reading) -> Ended | None:
    """The program tries ten times, for minutes; a wrong key does not become right by it."""
    if reading.retried not in (401, 403):
        return None
    message = stacked(say("claude.refused_login", status=str(reading.retried)), say("claude.log_in_again"))
    return Ended("failed", reading.said, error_kind=ErrorKind.CREDENTIALS, message=message)


def _kind(result: ResultMessage, reading: Reading) -> tuple[ErrorKind, str]:
    status = result.api_error_status or 0
    if status in (401, 403) or reading.error == "authentication_failed":
        return ErrorKind.CREDENTIALS, say("claude.log_in_again")
    if reading.error == "billing_error":
        return ErrorKind.CREDENTIALS, say("claude.add_credit")
    if result.terminal_reason == "prompt_too_long":
        return ErrorKind.AGENT, say("claude.ask_for_less")
    if status >= 500 or reading.error in ("server_error", "overloaded"):
        return ErrorKind.INFRASTRUCTURE, say("claude.try_again")
    return ErrorKind.AGENT, ""


def _resets(reading: Reading) -> datetime | None:
    if reading.limit is None or reading.limit.status != "rejected" or not reading.limit.resets_at:
        return None
    return datetime.fromtimestamp(reading.limit.resets_at, UTC)


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
