"""What is said to an agent, beside the prompt itself."""

from __future__ import annotations

from pilothouse.domain.ports import Decision, Permission, SpawnRequest


def first(request: SpawnRequest, *, afresh: bool) -> str:
    """The words of a turn. What would have been answered on an open request is said when there is none."""
    parts = [request.instructions, request.digest] if afresh else []
    parts.append(request.prompt)
    if request.decision:
        parts.append(decided(request.decision))
    if request.answers:
        parts.append(answered(request))
    elif request.reply and request.reply not in request.prompt:
        parts.append(f"The person answers: {request.reply}")
    return "\n\n".join(part for part in parts if part)


def decided(decision: Decision) -> str:
    if decision.choice == "deny":
        return reason(decision, decision.reason)
    return f"The person allows what you asked for{_what(decision)}. Do it now and go on."


def reason(asked: Permission | Decision | None, why: str) -> str:
    return f"The person does not allow what you asked for{_what(asked)}." + (f" They say: {why}" if why else "")


def answered(request: SpawnRequest) -> str:
    lines = [f"- {question}\n  {answer}" for question, answer in request.answers.items()]
    return "The person answers your questions:\n" + "\n".join(lines)


def _what(asked: Permission | Decision | None) -> str:
    return f" ({asked.tool}: {asked.detail})" if asked and asked.tool else ""
