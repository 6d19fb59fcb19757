"""Sentences in data that pydantic reads and writes."""

from __future__ import annotations

from typing import Annotated, Any, LiteralString, cast

from pydantic import (
    BaseModel,
    Field,
    GetCoreSchemaHandler,
    PlainSerializer,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from pilothouse.words import SOURCE, Said, aside, noted, recalled, speaking, spoken, told, words

STORED = "stored"
"""The context of a serialisation for our own tables."""


def _kept(value: Any, read: ValidatorFunctionWrapHandler) -> str:
    return value if isinstance(value, Said) else recalled(read(value))


def _written(value: str, info: SerializationInfo) -> str:
    return noted(value) if info.context == STORED else words(value)


def wrong(kind: LiteralString, problem: Said) -> PydanticCustomError:
    """For a validator to raise."""
    return PydanticCustomError(kind, "{said}", {"said": problem})


Words = Annotated[str, WrapValidator(_kept), PlainSerializer(_written, return_type=str)]
"""Text that keeps its code: an answer says it in the reader's language, a table of ours keeps both."""


class SaidOut(BaseModel):
    """How a text was made, for those who say it in other words. A parameter may be one of these, with its `text`."""

    code: str
    params: dict[str, Any]


class Saying(BaseModel):
    """Its texts are kept in English; `said` tells for each of ours how it was made."""

    said: dict[str, SaidOut] = Field(default={}, exclude_if=lambda said: not said)

    @model_validator(mode="before")
    @classmethod
    def _set_aside(cls, data: Any) -> Any:
        if isinstance(data, cls):
            return data
        if not isinstance(data, dict):
            data = {name: getattr(data, name) for name in cls.model_fields if hasattr(data, name)}
        made = aside(data)
        return {**data, "said": made} if made else data

    def sentence(self, field: str) -> str:
        """One of its texts, as it was given."""
        text, made = getattr(self, field), self.said.get(field)
        return told(text, made.model_dump()) if made else str(text)


def _told(value: Any, write: SerializerFunctionWrapHandler) -> Any:
    written = write(value)
    return written if speaking.get() == SOURCE else [spoken(item, speaking.get()) for item in written]


class Translated:
    """For a list of `Saying` in an answer: says each in the reader's language. The schema stays that of the list."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        written = core_schema.wrap_serializer_function_ser_schema(_told)
        return cast("core_schema.CoreSchema", {**handler(source), "serialization": written})
