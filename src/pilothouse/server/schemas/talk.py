"""A conversation while a task is at it, over HTTP: forms, plans, permissions, messages sent meanwhile."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, StringConstraints

from pilothouse.domain.talk.steering import SteerState
from pilothouse.server.schemas.fields import In, LongText, Out, SeenAttempt
from pilothouse.words.fields import Words

if TYPE_CHECKING:
    from pilothouse.domain.event.talk import Option
    from pilothouse.domain.talk.questions import Question
    from pilothouse.domain.talk.steering import SteerMessage

ChosenValue = Annotated[str, StringConstraints(max_length=10_000)]


class OptionOut(Out):
    value: str
    label: Words
    recommended: bool = False

    @classmethod
    def of(cls, option: Option) -> Self:
        return cls(value=option.value, label=option.sentence("label"), recommended=option.recommended)


class FormQuestion(Out):
    id: str
    text: str
    header: str
    kind: str = Field(description="single_choice, multi_choice, text or confirmation.")
    options: list[OptionOut]
    several: bool = Field(description="Whether more than one option may be chosen.")

    @classmethod
    def of(cls, question: Question) -> Self:
        return cls(
            id=question.id,
            text=question.text,
            header=question.header,
            kind=question.kind,
            options=[OptionOut.of(option) for option in question.options],
            several=question.kind == "multi_choice",
        )


class AnswerIn(In):
    question_id: str = Field(max_length=64)
    value: LongText | list[ChosenValue] = Field(
        description="The value of an option, several of them, or words of one's own; `approve` for a plan."
    )

    @property
    def text(self) -> str:
        return self.value if isinstance(self.value, str) else ", ".join(self.value)


class AnswersIn(In):
    answers: list[AnswerIn] = Field(min_length=1, max_length=50, description="One for each question of `form`.")
    attempt: SeenAttempt = None


class PermissionOut(Out):
    tool: str
    detail: str
    arguments: dict[str, object]
    grant: str = Field(description="What “always in this session” would allow.")


class PermissionIn(In):
    decision: Literal["once", "session", "deny"]
    reason: str = Field("", max_length=10_000, description="Told to the agent, when it is refused.")
    attempt: SeenAttempt = None


class PermissionDecisionOut(Out):
    choice: Literal["once", "session", "deny"]
    at: datetime
    tool: str
    detail: str
    reason: str
    attempt: int
    replayed: bool


class GrantOut(Out):
    """Something that was allowed for the rest of a session."""

    id: str
    name: str
    tool: str
    detail: str
    granted_at: datetime


class GrantList(Out):
    items: list[GrantOut]


class NoteOut(Out):
    kind: Literal["denied", "fresh"]
    text: Words
    attempt: int
    step_id: str


class SteerIn(In):
    text: LongText


class SteerActionIn(In):
    action: Literal["now", "take_back"] = Field(description="Interrupt the turn for it, or take it back.")


class SteerOut(Out):
    message_id: str
    text: str
    state: SteerState
    sent_at: datetime

    @classmethod
    def of(cls, message: SteerMessage) -> Self:
        return cls(message_id=message.id, text=message.text, state=message.state, sent_at=message.sent_at)


class SentOut(SteerOut):
    can_take_back: bool = Field(description="Whether `take_back` is worth offering; the agent may still be faster.")
    can_send_now: bool = Field(description="Whether `now` would make the agent hear it sooner.")

    @classmethod
    def shown(cls, message: SteerMessage, *, withdraws: bool) -> Self:
        """`withdraws`: whether the agent gives back what it was handed; what stands in its prompt, none does."""
        free = message.state in (SteerState.WAITING, SteerState.RETURNED)
        handed = message.state is SteerState.HANDED and not message.in_prompt
        return cls(
            **SteerOut.of(message).model_dump(),
            can_take_back=free or (handed and withdraws),
            can_send_now=message.is_unheard,
        )
