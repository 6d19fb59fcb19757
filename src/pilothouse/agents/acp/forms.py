"""Forms that an agent puts up (elicitation), as questions for a person, and the answers in the form's own terms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from acp.schema import (
    ElicitationBooleanPropertySchema,
    ElicitationIntegerPropertySchema,
    ElicitationMultiSelectPropertySchema,
    ElicitationNumberPropertySchema,
    ElicitationOtherPropertySchema,
    ElicitationSchema,
    ElicitationStringPropertySchema,
    EnumOption,
    StringMultiSelectItems,
    TitledMultiSelectItems,
)

from pilothouse.domain.ports import AgentQuestion, QuestionOption
from pilothouse.words import say

Property = (
    ElicitationStringPropertySchema
    | ElicitationNumberPropertySchema
    | ElicitationIntegerPropertySchema
    | ElicitationBooleanPropertySchema
    | ElicitationMultiSelectPropertySchema
    | ElicitationOtherPropertySchema
)
_OWN_WORDS = "_custom"
"""Beside a question with choices, agents put a field of this name for an answer in one's own words."""
_RECOMMENDED = re.compile(r"\s*\(recommended\)", re.IGNORECASE)
_YES_NO = (QuestionOption("yes", say("question.yes")), QuestionOption("no", say("question.no")))
Value = str | int | float | bool | list[str]


class Misfit(Exception):
    """An answer that the form has no place for."""


@dataclass(frozen=True, slots=True)
class Field:
    key: str
    schema: Property
    question: AgentQuestion
    own_words: str | None
    """The field for an answer that is none of the choices."""

    def content(self, answer: str) -> dict[str, Value]:
        try:
            return {self.key: self._value(answer)}
        except (Misfit, ValueError):
            if self.own_words is None:
                raise Misfit(answer) from None
            return {self.own_words: answer}

    def _value(self, answer: str) -> Value:
        options = self.question.options
        match self.schema:
            case ElicitationBooleanPropertySchema():
                return _chosen(answer, options) == "yes"
            case ElicitationIntegerPropertySchema():
                return int(answer)
            case ElicitationNumberPropertySchema():
                return float(answer)
            case ElicitationMultiSelectPropertySchema():
                return _several(answer, options)
            case _:
                return _chosen(answer, options) if options else answer


@dataclass(frozen=True, slots=True)
class Form:
    fields: tuple[Field, ...]

    @property
    def questions(self) -> tuple[AgentQuestion, ...]:
        return tuple(field.question for field in self.fields)

    def content(self, answers: Mapping[str, str]) -> dict[str, Value]:
        """Raises `Misfit` when an answer is none the agent would take."""
        content: dict[str, Value] = {}
        for field in self.fields:
            if field.question.text in answers:
                content |= field.content(answers[field.question.text])
        return content


def read(message: str, schema: ElicitationSchema) -> Form:
    properties = schema.properties or {}
    asked = [key for key in properties if not (key.endswith(_OWN_WORDS) and _stem(key) in properties)]
    fields: list[Field] = []
    for key in asked:
        found = properties[key]
        about = getattr(found, "description", None) or ""
        if len(asked) == 1:
            text = "\n".join(words for words in (message, about) if words) or key
        else:
            text = about or getattr(found, "title", None) or key
        if any(field.question.text == text for field in fields):
            text = f"{text} ({key})"
        header = getattr(found, "title", None) or ""
        several = isinstance(found, ElicitationMultiSelectPropertySchema)
        question = AgentQuestion(text, header if header != text else "", _options(found), several)
        own_words = key + _OWN_WORDS if key + _OWN_WORDS in properties else None
        fields.append(Field(key, found, question, own_words))
    return Form(tuple(fields))


def _stem(key: str) -> str:
    return key.removesuffix(_OWN_WORDS)


def _options(schema: Property) -> tuple[QuestionOption, ...]:
    match schema:
        case ElicitationBooleanPropertySchema():
            return _YES_NO
        case ElicitationStringPropertySchema(one_of=list(found)):
            return _titled(found)
        case ElicitationStringPropertySchema(enum=list(names)):
            return tuple(QuestionOption(name, name) for name in names)
        case ElicitationMultiSelectPropertySchema(items=TitledMultiSelectItems(any_of=found)):
            return _titled(found)
        case ElicitationMultiSelectPropertySchema(items=StringMultiSelectItems(enum=names)):
            return tuple(QuestionOption(name, name) for name in names)
        case _:
            return ()


def _titled(options: list[EnumOption]) -> tuple[QuestionOption, ...]:
    return tuple(
        QuestionOption(option.const, _RECOMMENDED.sub("", option.title), bool(_RECOMMENDED.search(option.title)))
        for option in options
    )


def _chosen(answer: str, options: tuple[QuestionOption, ...]) -> str:
    wanted = answer.strip().casefold()
    for option in options:
        if wanted in (option.value.casefold(), option.label.casefold()):
            return option.value
    raise Misfit(answer)


def _several(answer: str, options: tuple[QuestionOption, ...]) -> list[str]:
    """Choices joined by “, ”; one of them may hold a comma itself, so the longest that fits is taken first."""
    names = sorted(
        ((name, option.value) for option in options for name in {option.value, option.label}),
        key=lambda pair: -len(pair[0]),
    )
    rest, chosen = answer.strip(), list[str]()
    while rest:
        name, value = next(((n, v) for n, v in names if n and rest.casefold().startswith(n.casefold())), ("", ""))
        behind = rest[len(name) :].lstrip()
        if not name or (behind and not behind.startswith(",")):
            raise Misfit(answer)
        chosen.append(value)
        rest = behind.removeprefix(",").lstrip()
    return chosen
