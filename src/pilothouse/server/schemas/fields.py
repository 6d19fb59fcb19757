"""What every schema is made of: the two kinds, and text that is safe to keep."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator

from pilothouse.domain.agent.prompts import PROMPT_LIMIT
from pilothouse.words import say
from pilothouse.words.fields import SaidOut, Words, wrong

_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def _is_text(value: str) -> str:
    if len(value) > PROMPT_LIMIT:
        raise wrong("too_large", say("wrong_value.too_long", limit=PROMPT_LIMIT))
    if not value.strip():
        raise wrong("blank", say("field_problem.blank"))
    return value


def has_unsafe_characters(value: object) -> bool:
    """Whether any text in `value` holds a control character (other than tab and line ends) or half a surrogate pair."""
    if isinstance(value, str):
        return bool(_UNSAFE.search(value))
    if isinstance(value, list):
        return any(has_unsafe_characters(item) for item in value)
    if isinstance(value, dict):
        return any(has_unsafe_characters(part) for item in value.items() for part in item)
    return False


LongText = Annotated[
    str,
    AfterValidator(_is_text),
    Field(json_schema_extra={"minLength": 1, "maxLength": PROMPT_LIMIT}),
]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
ListItem = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
SeenAttempt = Annotated[
    int | None,
    Field(description="Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted."),
]
PathText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4096)]


class In(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_unsafe_characters(cls, value: object) -> object:
        if has_unsafe_characters(value):
            raise wrong("unsafe_characters", say("field_problem.control_characters"))
        return value


class Out(BaseModel):
    model_config = ConfigDict(from_attributes=True, frozen=True, json_schema_serialization_defaults_required=True)


class ErrorOut(Out):
    """Every refusal. `said` is how `message` was made; it and `details` are left out when there is nothing to say."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)
    error: str
    message: Words
    next_action: Words
    said: SaidOut | None = None
    details: dict[str, object] | None = None


class OkOut(Out):
    success: bool = True
