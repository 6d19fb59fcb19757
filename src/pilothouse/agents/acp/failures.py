"""Why a run ended before its turn was done."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from acp import RequestError
from pydantic import ValidationError

from pilothouse.agents.acp.presets import Preset
from pilothouse.domain.ports import Ended, LimitReached
from pilothouse.domain.task.task import ErrorKind
from pilothouse.words import say, sentences, stacked

_NO_LOGIN = frozenset({-32000, 401, 403})
_TOO_MANY = 429
_WORDS = 2000
_AFTER = ("retry_after", "retryAfter", "retry-after")
_LONGEST = 366 * 86_400.0


class Unusable(Exception):
    """The agent answers, but cannot be worked with; the reason says what to do."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def ended(error: Exception, preset: Preset) -> Ended:
    match error:
        case RequestError(code=code) if code in _NO_LOGIN:
            return credentials(preset, _words(error))
        case RequestError(code=code) if code == _TOO_MANY:
            words = _words(error)
            return Ended("failed", error_kind=ErrorKind.AGENT, message=words, limit=LimitReached(words, _resets(error)))
        case RequestError():
            return Ended(
                "failed",
                error_kind=ErrorKind.AGENT,
                message=say("agent.answered", label=preset.label, words=_words(error)),
            )
        case ValidationError():
            return Ended("failed", error_kind=ErrorKind.AGENT, message=_unintelligible(error, preset))
        case Unusable():
            return Ended("failed", error_kind=ErrorKind.CONFIGURATION, message=error.reason)
        case TimeoutError():
            message = say("agent.no_acp", label=preset.label, program=preset.command[0])
            return Ended("failed", error_kind=ErrorKind.CONFIGURATION, message=message)
        case _:
            raise error


def stopped(reason: str, preset: Preset) -> Ended:
    message = sentences(say("agent.stopped_early", label=preset.label), say(f"agent.stop.{reason}"))
    return Ended("failed", error_kind=ErrorKind.AGENT, message=message)


def credentials(preset: Preset, words: str) -> Ended:
    message = stacked(sentences(say("agent.not_logged_in", label=preset.label), preset.fix), words)
    return Ended("failed", error_kind=ErrorKind.CREDENTIALS, message=message)


def crashed(preset: Preset, code: int, stderr: str) -> Ended:
    said = say("agent.crashed", label=preset.label, code=str(code))
    message = stacked(said, stderr.strip()[-_WORDS:])
    return Ended("crashed", error_kind=ErrorKind.AGENT, message=message, exit_code=code)


def _resets(error: RequestError) -> datetime | None:
    """Where the agent hands on how many seconds its provider asked for."""
    given = error.data if isinstance(error.data, dict) else {}
    seconds = next((given[name] for name in _AFTER if isinstance(given.get(name), int | float)), None)
    return None if seconds is None else datetime.now(UTC) + timedelta(seconds=min(float(seconds), _LONGEST))


def _words(error: RequestError) -> str:
    data = error.data.get("details") or error.data.get("message") if isinstance(error.data, dict) else error.data
    more = data if isinstance(data, str) else json.dumps(error.data) if error.data else ""
    words = f"{error}: {more}" if more and more not in str(error) else str(error)
    return words[:_WORDS]


def _unintelligible(error: ValidationError, preset: Preset) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    where, what = ".".join(str(part) for part in first["loc"]), str(first.get("input"))[:100]
    return say("agent.not_understood", label=preset.label, where=where or "answer", what=what)
