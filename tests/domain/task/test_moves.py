from __future__ import annotations

import itertools

import pytest

from pilothouse.domain.task.moves import Action, allowed, move
from pilothouse.domain.task.task import Awaiting, TaskStatus, state_words
from pilothouse.errors import IllegalTransition

S, A = TaskStatus, Action

# The glossary's table: what a person may do while a task awaits each thing.
WHILE_AWAITING: dict[Awaiting, set[Action]] = {
    Awaiting.QUESTION: {A.REPLY, A.RESUME, A.CANCEL},
    Awaiting.BLOCKER: {A.REPLY, A.RESUME, A.CANCEL},
    Awaiting.PERMISSION: {A.PERMIT, A.RESUME, A.CANCEL},
    Awaiting.INTERRUPTED: {A.REPLY, A.RESUME, A.CANCEL},
    Awaiting.TIMEOUT: {A.REPLY, A.RESUME, A.CANCEL},
    Awaiting.DRY_RUN: {A.APPLY, A.DISCARD, A.CANCEL},
    Awaiting.USAGE_LIMIT: {A.RESUME, A.DECIDE, A.CANCEL},
    Awaiting.BUDGET: {A.RESUME, A.DECIDE, A.CANCEL},
    Awaiting.BREAKER: {A.RESUME, A.DECIDE, A.CANCEL},
}
TARGETS = {
    A.REPLY: S.QUEUED,
    A.PERMIT: S.QUEUED,
    A.RESUME: S.QUEUED,
    A.APPLY: S.QUEUED,
    A.DISCARD: S.COMPLETE,
    A.CANCEL: S.CANCELLED,
    A.DECIDE: S.QUEUED,
}
ELSEWHERE: dict[tuple[TaskStatus, Action], TaskStatus] = {
    (S.QUEUED, A.CLAIM): S.RUNNING,
    (S.QUEUED, A.CANCEL): S.CANCELLED,
    (S.RUNNING, A.FINISH): S.COMPLETE,
    (S.RUNNING, A.AWAIT): S.AWAITING_RESPONSE,
    (S.RUNNING, A.FAIL): S.ERROR,
    (S.RUNNING, A.STICK): S.STUCK,
    (S.RUNNING, A.CANCEL): S.CANCELLED,
    (S.ERROR, A.RESUME): S.QUEUED,
}
PERSON = {A.CANCEL, A.REPLY, A.PERMIT, A.RESUME, A.APPLY, A.DISCARD, A.DECIDE}


def _expected(status: TaskStatus, awaiting: Awaiting | None, action: Action) -> TaskStatus | None:
    if status is S.AWAITING_RESPONSE and awaiting is not None:
        return TARGETS[action] if action in WHILE_AWAITING[awaiting] else None
    return ELSEWHERE.get((status, action))


STATES = [
    *((status, None) for status in TaskStatus if status is not S.AWAITING_RESPONSE),
    *((S.AWAITING_RESPONSE, awaiting) for awaiting in Awaiting),
]


@pytest.mark.parametrize(("status", "awaiting"), STATES)
def test_every_move_is_the_one_the_glossary_allows(status: TaskStatus, awaiting: Awaiting | None) -> None:
    """TSK-4"""
    for action in Action:
        expected = _expected(status, awaiting, action)
        if expected is not None:
            assert move(status, awaiting, action) is expected, action
            continue
        with pytest.raises(IllegalTransition) as refused:
            move(status, awaiting, action)
        assert refused.value.status == 409
        assert refused.value.details == {"status": status, "awaiting": awaiting, "action": action}
        assert state_words(status, awaiting) in refused.value.message


@pytest.mark.parametrize(("status", "awaiting"), STATES)
def test_the_buttons_are_exactly_the_moves_a_person_has(status: TaskStatus, awaiting: Awaiting | None) -> None:
    """TSK-4"""
    offered = allowed(status, awaiting)
    assert len(offered) == len(set(offered))
    assert set(offered) == {action for action in PERSON if _expected(status, awaiting, action) is not None}


def test_what_completed_got_stuck_or_was_cancelled_stays_so() -> None:
    """TSK-4"""
    for status, action in itertools.product((S.COMPLETE, S.STUCK, S.CANCELLED), Action):
        with pytest.raises(IllegalTransition):
            move(status, None, action)
