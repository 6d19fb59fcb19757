"""The structured answer of a turn that only looks: how an agent is told to give it, and reading it from its words.

An agent with our tools gives it by the tool `answer`. One without them writes it between two markers:

    [ANSWER]
    {"files": ["calc.py"]}
    [/ANSWER]

Each stands on a line of its own, outside code; the object may stand in a code fence between them. Agents forget the
closing line, so without one the answer goes on to the end of the text. The last one counts, and no text raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import orjson
from jsonschema import Draft202012Validator, SchemaError

from pilothouse.domain.agent.prompts import bullets, section
from pilothouse.domain.talk.markers import fence_mark
from pilothouse.errors import InvalidInput
from pilothouse.words import say

LIMIT = 200_000
"""Bytes of an answer, as JSON."""
_OPENS, _CLOSES = "[ANSWER]", "[/ANSWER]"
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_TELLING = """\
Give your answer as one JSON object that fits this JSON schema:

```json
{schema}
```

Call the workbench tool `answer` with it, as {{"answer": {{…}}}}, and end your turn. The last call counts. Without that
tool, end your last message with the object between these two lines:

[ANSWER]
{{…}}
[/ANSWER]"""


def asked_for(schema: Mapping[str, object]) -> str:
    """The part of a prompt that says in which form the answer is wanted."""
    return section("How to answer", _TELLING.format(schema=json.dumps(schema, indent=2, ensure_ascii=False)))


def invalid(problems: Sequence[str]) -> str:
    """What an agent is told whose answer did not fit."""
    return f"Your answer was not accepted. Give the whole of it again, without these faults:\n\n{bullets(problems)}\n"


def as_given(words: str, answer: Mapping[str, object] | None) -> str:
    """What was said, with the answer that came by the tool."""
    if answer is None:
        return words
    shown = f"```json\n{json.dumps(answer, indent=2, ensure_ascii=False)}\n```"
    return "\n\n".join(part for part in (words.strip(), shown) if part)


def require_schema(schema: Mapping[str, object]) -> None:
    """Raises `InvalidInput` for what no answer could be checked against."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise InvalidInput(say("task.bad_schema", problem=f"{error.json_path}: {error.message}")) from error


def require_answer(value: object) -> Mapping[str, object]:
    """Raises `ValueError` for what is no JSON object, or cannot be kept as one."""
    if not isinstance(value, dict):
        raise ValueError("It is not a JSON object.")
    try:
        written = orjson.dumps(value)
    except TypeError as error:
        raise ValueError(f"It cannot be written as JSON: {error}.") from None
    if len(written) > LIMIT:
        raise ValueError(f"It is over {LIMIT // 1000} kB.")
    if _NUL.search(written):
        raise ValueError("It holds a NUL character.")
    return value


def read_answer(text: str) -> Mapping[str, object] | None:
    """None where the last answer is no JSON object, or where there is none."""
    found = _last(text)
    if found is None:
        return None
    body, closed = found
    try:
        end = len(body) if closed else json.JSONDecoder().raw_decode(body)[1]
        return require_answer(orjson.loads(body[:end]))
    except (ValueError, RecursionError):
        return None


def _last(text: str) -> tuple[str, bool] | None:
    """What stands in the last answer, and whether that is closed."""
    body: list[str] | None = None
    fence, inside = "", False
    for line in text.split("\n"):
        said = line.strip()
        if inside and said in (_OPENS, _CLOSES):
            # No line of JSON looks like this, so a fence that was left open in an answer ends with it.
            inside = said == _OPENS
            body = [] if inside else body
        elif inside and body is not None:
            body.append(line)
        elif fence:
            fence = "" if said.startswith(fence) and fence_mark(line) == said else fence
        elif said == _OPENS:
            body, inside = [], True
        else:
            fence = fence_mark(line)
    return None if body is None else (_unfenced(body), not inside)


def _unfenced(lines: Sequence[str]) -> str:
    body = "\n".join(lines).strip()
    first, _, rest = body.partition("\n")
    mark = fence_mark(first)
    return rest.rstrip().removesuffix(mark).strip() if mark else body
