"""Questions of an agent, and what a person answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import uuid4

from pilothouse.domain.event.talk import Option
from pilothouse.domain.ports import AgentQuestion, Ended, QuestionOption
from pilothouse.domain.talk.detection import Detection
from pilothouse.domain.talk.questions import Question
from pilothouse.domain.task.task import Task
from pilothouse.errors import InvalidInput
from pilothouse.words import say

APPROVE = "approve"
APPROVED = "I approve this plan. Go on and carry it out."
CONFIRMATION = "confirmation"
_APPROVAL = (Option(value=APPROVE, label=say("question.approve"), recommended=False),)


def detected(ended: Ended) -> Detection:
    """What a run that ended `asked` wants to know: its plan, its form, or the question in its words."""
    if ended.plan is not None:
        return Detection(asks=True, score=1.0, question=ended.plan, options=())
    if ended.questions:
        options = ended.questions[0].options if len(ended.questions) == 1 else ()
        return Detection(asks=True, score=1.0, question=joined(ended.questions), options=options)
    return Detection(asks=True, score=1.0, question=ended.question or ended.text, options=ended.options)


def joined(asked: Sequence[AgentQuestion]) -> str:
    return "\n".join(question.text for question in asked)


def asked_by(task: Task, ended: Ended, found: Detection, now: datetime) -> list[Question]:
    """What the run asks, one question for each of a form."""

    def question(text: str, kind: str, options: tuple[Option, ...], header: str = "", number: int = 0) -> Question:
        return Question(
            id=uuid4().hex,
            session_id=task.session_id,
            task_id=task.id,
            attempt=task.attempt,
            kind=kind,
            text=text,
            options=options,
            asked_at=now,
            header=header,
            number=number,
        )

    if ended.plan is not None:
        return [question(ended.plan, CONFIRMATION, _APPROVAL)]
    if not ended.questions:
        kind = "single_choice" if found.options else "text"
        return [question(found.question, kind, _options(found.options))]
    return [
        question(one.text, _kind(one), _options(one.options), one.header, number)
        for number, one in enumerate(ended.questions, start=1)
    ]


def _kind(question: AgentQuestion) -> str:
    if not question.options:
        return "text"
    return "multi_choice" if question.several else "single_choice"


def _options(options: Sequence[QuestionOption]) -> tuple[Option, ...]:
    return tuple(Option(value=o.value, label=o.label, recommended=o.recommended) for o in options)


def checked(asked: Sequence[Question], given: Mapping[str, str]) -> dict[str, str]:
    """The answer to each open question by its id; refused where one is missing, or belongs to none of them."""
    known = {question.id for question in asked}
    strange = [question_id for question_id in given if question_id not in known]
    if strange:
        raise InvalidInput(say("question.strange"), "answers")
    missing = [question.text for question in asked if not given.get(question.id, "").strip()]
    if missing:
        raise InvalidInput(say("question.missing", questions="; ".join(missing)), "answers")
    return {question.id: given[question.id].strip() for question in asked}


def in_words(asked: Sequence[Question], answers: Mapping[str, str]) -> str:
    """Answers as a person would write them, for an agent that has no form to fill in."""
    if len(asked) == 1:
        only = asked[0]
        return APPROVED if is_approval(only, answers[only.id]) else answers[only.id]
    return "\n\n".join(f"{question.text}\n{answers[question.id]}" for question in asked)


def is_approval(question: Question, answer: str) -> bool:
    return question.kind == CONFIRMATION and answer == APPROVE
