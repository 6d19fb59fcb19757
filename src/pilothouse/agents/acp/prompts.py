"""What is said to an agent, beside the prompt itself."""

from __future__ import annotations

from pilothouse.domain.ports import Decision, Permission, SpawnRequest


def first(request: SpawnRequest, before: Permission | None, *, afresh: bool) -> str:
    """The words of a turn. What would have been answered on an open request is said when there is none."""
    parts = [request.instructions] if afresh else []
    parts.append(request.prompt)
    if request.decision:
        parts.append(decided(request.decision, before))
    if request.answers:
        parts.append(answered(request))
    return "\n\n".join(part for part in parts if part)


def decided(decision: Decision, asked: Permission | None) -> str:
    if decision.choice == "deny":
        return reason(asked, decision.reason)
    return f"The person allows what you asked for{_what(asked)}. Do it now and go on."


def reason(asked: Permission | None, why: str) -> str:
    return f"The person does not allow what you asked for{_what(asked)}." + (f" They say: {why}" if why else "")


def answered(request: SpawnRequest) -> str:
    lines = [f"- {question}\n  {answer}" for question, answer in request.answers.items()]
    return "The person answers your questions:\n" + "\n".join(lines)


def _what(asked: Permission | None) -> str:
    return f" ({asked.tool}: {asked.detail})" if asked else ""
