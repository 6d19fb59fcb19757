"""The tools that agents are offered, what each takes, and what it leaves on the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from pilothouse.domain.ports import AgentQuestion, Ended, QuestionOption
from pilothouse.domain.talk.answers import require_answer
from pilothouse.domain.task.task import ChecklistItem

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Passage = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1_000)]

END_YOUR_TURN = "End your turn now, without doing more: you go on with the answer."
ANSWER_TAKEN = "Your answer is taken. End your turn now, without doing more."


class Call(BaseModel):
    """A tool, by what it takes; its docstring is what agents read."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    tool: ClassVar[str]


class Option(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    label: Line = Field(description="What the person reads.")
    value: Line | None = Field(None, description="What you get back; left out: the label.")
    recommended: bool = False


class DecideQuestion(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    text: Passage = Field(description="The question, with what the person must know to answer it.")
    options: list[Option] = Field(default=[], max_length=20, description="Choices; none asks for words.")
    several: bool = Field(False, description="Whether more than one may be chosen.")


class Decide(Call):
    """Ask the person to decide something you cannot. Returns at once: end your turn afterwards; you are continued with
    the answer. Ask everything you need in one call."""

    tool = "decide"
    questions: list[DecideQuestion] = Field(min_length=1, max_length=10)


class ShowPlan(Call):
    """Show the person the steps you are going to take. Replaces an earlier plan; say step_done as you go."""

    tool = "plan"
    steps: list[Line] = Field(min_length=1, max_length=50, description="In order, a line each.")


class StepDone(Call):
    """Tick off a step of your plan."""

    tool = "step_done"
    step: int = Field(ge=1, le=50, description="Its number in the plan, from 1.")
    note: Note = Field("", description="What came of it, where that is worth a line.")


class Status(Call):
    """Tell the person in a line what you are doing now."""

    tool = "status"
    text: Line


class Blocked(Call):
    """Say that you cannot go on, and what you need from the person. End your turn afterwards."""

    tool = "blocked"
    reason: Passage
    needs: Note = Field("", description="What the person would have to do.")


class Answer(Call):
    """Give the answer you were asked for, as one JSON object that fits the schema in your task. The last call counts.
    End your turn afterwards."""

    tool = "answer"
    answer: Annotated[dict[str, Any], AfterValidator(require_answer)]


_ALWAYS: tuple[type[Call], ...] = (Decide, ShowPlan, StepDone, Status, Blocked)


def offered(*, answers: bool) -> Mapping[str, type[Call]]:
    """The tools by name; `answers` for a turn that is to end with an answer."""
    calls: tuple[type[Call], ...] = (*_ALWAYS, Answer) if answers else _ALWAYS
    return {call.tool: call for call in calls}


def described(*, answers: bool) -> list[dict[str, Any]]:
    """Every tool as MCP lists it."""
    return [
        {"name": name, "description": " ".join((call.__doc__ or "").split()), "inputSchema": call.model_json_schema()}
        for name, call in offered(answers=answers).items()
    ]


def planned(steps: Sequence[str]) -> tuple[ChecklistItem, ...]:
    return tuple(ChecklistItem(step) for step in steps)


def ticked(checklist: Sequence[ChecklistItem], call: StepDone) -> tuple[ChecklistItem, ...]:
    """Raises `IndexError` where the plan has no such step."""
    items = list(checklist)
    items[call.step - 1] = replace(items[call.step - 1], done=True, note=call.note)
    return tuple(items)


def questions_of(call: Decide) -> tuple[AgentQuestion, ...]:
    return tuple(
        AgentQuestion(
            question.text,
            options=tuple(
                QuestionOption(option.value or option.label, option.label, option.recommended)
                for option in question.options
            ),
            several=question.several,
        )
        for question in call.questions
    )


def concluded(ended: Ended, questions: tuple[AgentQuestion, ...], blocker: str) -> Ended:
    """How a turn ended, with what the agent asked through the tools: a turn that failed stays one that failed."""
    if ended.outcome not in ("done", "asked") or ended.questions or ended.plan:
        return ended
    if questions:
        texts = [question.text for question in questions]
        words = texts[0] if len(texts) == 1 else "\n".join(f"{n}. {text}" for n, text in enumerate(texts, 1))
        options = questions[0].options if len(questions) == 1 and not questions[0].several else ()
        return replace(ended, outcome="asked", question=words, options=options, questions=questions)
    return replace(ended, outcome="done", blocker=blocker) if blocker else ended


def blocker_words(call: Blocked) -> str:
    return f"{call.reason}\n\n{call.needs}" if call.needs else call.reason


def arguments_of(call: Call) -> Mapping[str, Any]:
    return call.model_dump(mode="json", exclude_defaults=True)
