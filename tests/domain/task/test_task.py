from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.task.moves import Action, allowed, move
from pilothouse.domain.task.scope_text import merge_scope, scope_from_text
from pilothouse.domain.task.task import Awaiting, Scope, TaskStatus
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
        assert str(status) in refused.value.message


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


def test_limits_are_read_from_the_text_and_the_rest_is_the_request() -> None:
    """TSK-1"""
    request, scope = scope_from_text(
        "Fix the add function.\n"
        "It returns the wrong sum.\n\n"
        "Constraints:\n- no new dependency\n* keep the signature\n\n"
        "NON-GOALS:\n  • speed\n"
        "Boundaries:\n- src/calc/**\n"
        "Thank you."
    )
    assert request == "Fix the add function.\nIt returns the wrong sum.\n\nThank you."
    assert scope == Scope(("no new dependency", "keep the signature"), ("speed",), ("src/calc/**",))


@pytest.mark.parametrize(
    "text",
    [
        "Constraints are important: - keep them",
        "- a list\n- without a heading",
        "constraints\n- no colon after the heading",
        "```\nkey: value\n```",
        "Fix it.\n\nNon-goals:\nnone that I know of",
        "Write this:\n```\nConstraints:\n- not mine\n```\nThanks",
    ],
)
def test_a_request_that_sets_no_limits_is_left_alone(text: str) -> None:
    """TSK-1"""
    assert scope_from_text(text) == (text, Scope())


def test_numbered_lists_and_items_over_several_lines_are_limits_too() -> None:
    """TSK-1"""
    request, scope = scope_from_text("Fix the login.\n\nNon-goals:\n1. Rewrite the\n   parser\n2) speed")
    assert (request, scope.non_goals) == ("Fix the login.", ("Rewrite the parser", "speed"))


def test_a_list_ends_where_other_text_begins() -> None:
    """TSK-1"""
    request, scope = scope_from_text("Constraints:\n- one\nDo it.\n- a step of the request")
    assert scope.constraints == ("one",)
    assert request == "Do it.\n- a step of the request"


item = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20)
items = st.lists(item, min_size=1, max_size=4)


@given(request=items, constraints=items, non_goals=items, boundaries=items, bullet=st.sampled_from("-*•"))
def test_limits_written_as_lists_are_always_found(
    request: list[str], constraints: list[str], non_goals: list[str], boundaries: list[str], bullet: str
) -> None:
    """TSK-1"""
    lists = {"Constraints": constraints, "Non-goals": non_goals, "Boundaries": boundaries}
    blocks = ["\n".join([f"{name}:", *(f"{bullet} {entry}" for entry in found)]) for name, found in lists.items()]
    text = "\n".join(request) + "\n\n" + "\n\n".join(blocks)
    rest, scope = scope_from_text(text)
    assert rest == "\n".join(request)
    assert scope == Scope(tuple(constraints), tuple(non_goals), tuple(boundaries))


@given(st.text(max_size=300))
def test_no_line_of_a_request_is_ever_lost(text: str) -> None:
    """TSK-1"""
    rest, scope = scope_from_text(text)
    found = " ".join((*scope.constraints, *scope.non_goals, *scope.boundaries))
    headings = {"constraints:", "non-goals:", "boundaries:"}
    kept = {line.strip() for line in rest.split("\n")}
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped and stripped.lower() not in headings:
            assert stripped in kept or stripped.split(maxsplit=1)[-1] in found
    assert scope_from_text(rest)[1] == Scope() or rest != text


def test_limits_of_fields_and_text_are_joined_without_repeats() -> None:
    """TSK-1"""
    joined = merge_scope(Scope(("a", "b"), (), ("x",)), Scope(("b", "c"), ("n",), ("x",)))
    assert joined == Scope(("a", "b", "c"), ("n",), ("x",))
