"""Why a run ended, when it did not end by itself."""

from __future__ import annotations

import json

from acp import RequestError
from pydantic import ValidationError

from pilothouse.agents.acp.presets import Preset
from pilothouse.domain.ports import Ended, LimitReached
from pilothouse.domain.task.task import ErrorKind

_NO_LOGIN = frozenset({-32000, 401, 403})
_TOO_MANY = 429
_WORDS = 2000
_STOPS = {
    "max_tokens": "It reached the largest number of tokens of one answer. Ask it to go on.",
    "max_turn_requests": "It reached the largest number of model requests of one turn. Ask it to go on.",
    "refusal": "It refused to go on with this conversation. Put the task in other words, in a new session.",
}


class Unusable(Exception):
    """The agent answers, but cannot be worked with; the message says what to do."""


def ended(error: Exception, preset: Preset) -> Ended:
    match error:
        case RequestError(code=code) if code in _NO_LOGIN:
            return credentials(preset, _words(error))
        case RequestError(code=code) if code == _TOO_MANY:
            words = _words(error)
            return Ended("failed", error_kind=ErrorKind.AGENT, message=words, limit=LimitReached(words))
        case RequestError():
            return Ended("failed", error_kind=ErrorKind.AGENT, message=f"{preset.label} answered: {_words(error)}")
        case ValidationError():
            return Ended("failed", error_kind=ErrorKind.AGENT, message=_unintelligible(error, preset))
        case Unusable():
            return Ended("failed", error_kind=ErrorKind.CONFIGURATION, message=str(error))
        case TimeoutError():
            message = f"{preset.label} did not answer when it was started. Is “{preset.command[0]}” an ACP agent?"
            return Ended("failed", error_kind=ErrorKind.CONFIGURATION, message=message)
        case _:
            raise error


def stopped(reason: str, preset: Preset) -> Ended:
    return Ended("failed", error_kind=ErrorKind.AGENT, message=f"{preset.label} stopped early. {_STOPS[reason]}")


def credentials(preset: Preset, words: str) -> Ended:
    message = f"{preset.label} is not logged in. {preset.fix}" + (f"\n{words}" if words else "")
    return Ended("failed", error_kind=ErrorKind.CREDENTIALS, message=message)


def crashed(preset: Preset, code: int, stderr: str) -> Ended:
    message = f"{preset.label} ended in the middle of its turn (exit code {code})."
    words = stderr.strip()[-_WORDS:]
    return Ended(
        "crashed", error_kind=ErrorKind.AGENT, message=message + (f"\n{words}" if words else ""), exit_code=code
    )


def _words(error: RequestError) -> str:
    data = error.data.get("details") or error.data.get("message") if isinstance(error.data, dict) else error.data
    more = data if isinstance(data, str) else json.dumps(error.data) if error.data else ""
    words = f"{error}: {more}" if more and more not in str(error) else str(error)
    return words[:_WORDS]


def _unintelligible(error: ValidationError, preset: Preset) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    where, what = ".".join(str(part) for part in first["loc"]), str(first.get("input"))[:100]
    return f"{preset.label} answered what the protocol does not have: {where or 'answer'} = {what}. It may be too new."
