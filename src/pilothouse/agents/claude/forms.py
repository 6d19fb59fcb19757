"""The program's own questions and plans as the port's, and the person's answers as the program's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pilothouse.domain.ports import AgentQuestion, QuestionOption, SpawnRequest

_RECOMMENDED = "(recommended)"
APPROVING = {"approve", "approved", "yes", "y", "ok", "okay", "go", "go ahead", "accept", "accepted", "lgtm"}


def questions(arguments: Mapping[str, Any]) -> tuple[AgentQuestion, ...]:
    given = arguments.get("questions")
    return tuple(_question(item) for item in given if isinstance(item, dict)) if isinstance(given, list) else ()


def _question(item: Mapping[str, Any]) -> AgentQuestion:
    options = item.get("options")
    return AgentQuestion(
        str(item.get("question", "")),
        str(item.get("header", "")),
        tuple(_option(option) for option in options if isinstance(option, dict)) if isinstance(options, list) else (),
        item.get("multiSelect") is True,
    )


def _option(option: Mapping[str, Any]) -> QuestionOption:
    value, description = str(option.get("label", "")), str(option.get("description", ""))
    recommended = _RECOMMENDED in value.lower()
    shown = value[: value.lower().index(_RECOMMENDED)].strip() if recommended else value
    return QuestionOption(value, f"{shown}: {description}" if description else shown, recommended)


def answers(form: tuple[AgentQuestion, ...], request: SpawnRequest) -> dict[str, str]:
    """Question to answer; a reply in words answers the only question there is."""
    found = {question.text: request.answers[question.text] for question in form if question.text in request.answers}
    if not found and request.reply is not None and len(form) == 1:
        found = {form[0].text: request.reply}
    return found


def answered_in_words(form: tuple[AgentQuestion, ...], request: SpawnRequest) -> str:
    """For a process that no longer knows of the open question."""
    found = answers(form, request) or dict(request.answers)
    lines = [f"“{question}” {answer}" for question, answer in found.items()]
    if not lines:
        return request.reply or ""
    return "You asked the person, and these are the answers:\n\n" + "\n".join(lines) + "\n\nGo on with them."


def approval(request: SpawnRequest) -> tuple[bool, str]:
    """Whether the person approved the plan, and what they want changed if not."""
    if request.decision is not None:
        return request.decision.choice != "deny", request.decision.reason or request.reply or ""
    words = (request.reply or next(iter(request.answers.values()), "")).strip()
    return words.lower().rstrip(".!") in APPROVING, words
