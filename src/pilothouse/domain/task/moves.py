"""The table of moves: what may happen to a task in each status, and where it leads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pilothouse.domain.task.task import Awaiting, TaskStatus, state_words
from pilothouse.errors import IllegalTransition
from pilothouse.words import say


class Action(StrEnum):
    CLAIM = "claim"
    FINISH = "finish"
    AWAIT = "await"
    FAIL = "fail"
    STICK = "stick"
    CANCEL = "cancel"
    REPLY = "reply"
    PERMIT = "permit"
    """Decide about a permission, either way."""
    RESUME = "resume"
    APPLY = "apply"
    DISCARD = "discard"
    DECIDE = "decide"


@dataclass(frozen=True, slots=True)
class Transition:
    action: Action
    source: TaskStatus
    target: TaskStatus
    awaiting: frozenset[Awaiting] = frozenset()
    """Which waits allow the move; empty if the source has none, or if any will do."""


_S, _A = TaskStatus, Awaiting
_ANSWERABLE = frozenset({_A.QUESTION, _A.BLOCKER, _A.INTERRUPTED, _A.TIMEOUT})
_RESUMABLE = frozenset(Awaiting) - {_A.DRY_RUN}
_GUARDED = frozenset({_A.USAGE_LIMIT, _A.BUDGET, _A.BREAKER})

TRANSITIONS: tuple[Transition, ...] = (
    Transition(Action.CLAIM, _S.QUEUED, _S.RUNNING),
    Transition(Action.FINISH, _S.RUNNING, _S.COMPLETE),
    Transition(Action.AWAIT, _S.RUNNING, _S.AWAITING_RESPONSE),
    Transition(Action.FAIL, _S.RUNNING, _S.ERROR),
    Transition(Action.STICK, _S.RUNNING, _S.STUCK),
    Transition(Action.CANCEL, _S.RUNNING, _S.CANCELLED),
    Transition(Action.CANCEL, _S.AWAITING_RESPONSE, _S.CANCELLED),
    Transition(Action.CANCEL, _S.QUEUED, _S.CANCELLED),
    Transition(Action.REPLY, _S.AWAITING_RESPONSE, _S.QUEUED, _ANSWERABLE),
    Transition(Action.PERMIT, _S.AWAITING_RESPONSE, _S.QUEUED, frozenset({_A.PERMISSION})),
    Transition(Action.RESUME, _S.AWAITING_RESPONSE, _S.QUEUED, _RESUMABLE),
    Transition(Action.RESUME, _S.ERROR, _S.QUEUED),
    Transition(Action.APPLY, _S.AWAITING_RESPONSE, _S.QUEUED, frozenset({_A.DRY_RUN})),
    Transition(Action.DISCARD, _S.AWAITING_RESPONSE, _S.COMPLETE, frozenset({_A.DRY_RUN})),
    Transition(Action.DECIDE, _S.AWAITING_RESPONSE, _S.QUEUED, _GUARDED),
)

_BY_ACTION = {(t.action, t.source): t for t in TRANSITIONS}


def move(status: TaskStatus, awaiting: Awaiting | None, action: Action) -> TaskStatus:
    """Returns the status after `action`, or raises `IllegalTransition`."""
    transition = _BY_ACTION.get((action, status))
    if transition is None or (transition.awaiting and awaiting not in transition.awaiting):
        raise IllegalTransition(
            say("task.not_possible", state=state_words(status, awaiting), action=say(f"action.{action}")),
            {"status": status, "awaiting": awaiting, "action": action},
        )
    return transition.target


def allowed(status: TaskStatus, awaiting: Awaiting | None) -> list[Action]:
    """What a person may do now, in table order. The screens show it as buttons."""
    person = {
        *(Action.CANCEL, Action.REPLY, Action.PERMIT, Action.RESUME, Action.APPLY, Action.DISCARD, Action.DECIDE),
    }
    return [
        t.action
        for t in TRANSITIONS
        if t.action in person and t.source is status and (not t.awaiting or awaiting in t.awaiting)
    ]
