from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.guard.breaker import HISTORY, SAME_ERROR, Breaker, BreakerState, Observation, Trigger
from pilothouse.domain.talk.marker_contents import WorkType

NOW = datetime(2026, 1, 1, tzinfo=UTC)
IDLE = Observation(NOW, output_length=500)
WORKED = replace(IDLE, progressed=True)
ASKED = replace(IDLE, asked=True, low_confidence=True)
FAILED = replace(IDLE, error="error: no disk")
TESTED = replace(WORKED, work_type=WorkType.TESTING)
S = BreakerState


def after(*seen: Observation, start: Breaker | None = None) -> Breaker:
    breaker = start or Breaker()
    for observation in seen:
        breaker = breaker.observe(observation)
    return breaker


def test_three_spawns_without_a_change_ask_the_person() -> None:
    """GRD-4"""
    assert after(IDLE, IDLE).state is S.CLOSED
    breaker = after(IDLE, IDLE, IDLE)
    assert (breaker.state, breaker.reason) == (S.HALF_OPEN, "3 runs in a row changed no file.")
    assert [(change.trigger, change.spawn_count) for change in breaker.history] == [(Trigger.NO_CHANGE, 3)]


@pytest.mark.parametrize("between", [WORKED, ASKED])
def test_a_commit_is_progress_and_asking_is_not_idling(between: Observation) -> None:
    """GRD-4"""
    assert after(IDLE, IDLE, between, IDLE, IDLE).state is S.CLOSED
    assert after(*[ASKED] * 10).state is S.CLOSED


def test_the_same_error_five_times_halts_and_four_times_does_not() -> None:
    """GRD-4"""
    assert after(*[FAILED] * 4).state is S.HALF_OPEN
    breaker = after(*[FAILED] * 5)
    assert (breaker.state, breaker.history[-1].trigger) == (S.OPEN, Trigger.SAME_ERROR)
    assert after(*[replace(FAILED, progressed=True)] * 5).state is S.OPEN


def test_another_error_or_none_begins_the_count_anew() -> None:
    """GRD-4"""
    other = replace(FAILED, error="error: no memory", progressed=True)
    failed = replace(FAILED, progressed=True)
    assert after(*[failed] * 4, other, *[failed] * 4).state is S.CLOSED
    assert after(*[failed] * 4, WORKED, *[failed] * 4).state is S.CLOSED


def test_an_open_breaker_is_closed_by_a_reset_alone() -> None:
    """GRD-4"""
    opened = after(*[FAILED] * 5)
    assert after(WORKED, IDLE, IDLE, IDLE, start=opened).state is S.OPEN
    assert opened.guided(NOW).state is S.OPEN
    closed = opened.reset(NOW)
    assert (closed.state, closed.reason, closed.history[-1].trigger) == (S.CLOSED, "", Trigger.PERSON)
    assert after(*[FAILED] * 2, start=closed).state is S.CLOSED


def test_a_half_open_breaker_closes_with_progress_or_guidance() -> None:
    """GRD-4"""
    half = after(IDLE, IDLE, IDLE)
    assert after(WORKED, start=half).state is S.CLOSED
    guided = half.guided(NOW)
    assert (guided.state, guided.idle) == (S.CLOSED, 0)
    assert after(IDLE, IDLE, start=guided).state is S.CLOSED
    assert Breaker(idle=2).guided(NOW).history == ()


def test_guidance_does_not_forget_the_same_error() -> None:
    """GRD-4: five messages that all fail alike are a run in circles, too."""
    breaker = Breaker()
    for _ in range(5):
        breaker = breaker.guided(NOW).observe(FAILED)
    assert breaker.state is S.OPEN


def test_test_only_work_warns_and_halts_nothing() -> None:
    """GRD-4"""
    breaker = after(TESTED, TESTED, TESTED)
    assert breaker.state is S.CLOSED
    assert [change.trigger for change in breaker.history] == [Trigger.TEST_ONLY]
    assert len(after(TESTED, start=breaker).history) == 1
    assert after(TESTED, TESTED, WORKED, TESTED).history == ()


@pytest.mark.parametrize(
    ("before", "now", "state"), [(1000, 300, S.HALF_OPEN), (1000, 301, S.CLOSED), (399, 0, S.CLOSED)]
)
def test_much_shorter_words_without_a_change_are_doubted(before: int, now: int, state: BreakerState) -> None:
    """GRD-4"""
    breaker = after(replace(WORKED, output_length=before), replace(IDLE, output_length=now))
    assert breaker.state is state


def test_short_or_unsure_words_beside_a_change_are_not_doubted() -> None:
    """GRD-4: state decides, words inform."""
    short = replace(WORKED, output_length=5, low_confidence=True)
    assert after(replace(WORKED, output_length=5000), short).state is S.CLOSED
    assert after(replace(IDLE, low_confidence=True)).state is S.HALF_OPEN


def test_the_history_is_kept_but_not_for_ever() -> None:
    """GRD-4"""
    breaker = Breaker()
    for number in range(HISTORY):
        breaker = after(*[FAILED] * SAME_ERROR, start=breaker).reset(NOW + timedelta(seconds=number))
    assert len(breaker.history) == HISTORY
    assert breaker.history[-1].at == NOW + timedelta(seconds=HISTORY - 1)


SEEN = st.builds(
    Observation,
    at=st.just(NOW),
    progressed=st.booleans(),
    asked=st.booleans(),
    error=st.sampled_from(["", "", "a", "b"]),
    work_type=st.sampled_from([None, *WorkType]),
    output_length=st.integers(0, 2000),
    low_confidence=st.booleans(),
)


@given(st.lists(SEEN, max_size=40))
def test_any_run_of_spawns_keeps_the_rules(seen: list[Observation]) -> None:
    """GRD-4"""
    breaker = Breaker()
    for observation in seen:
        before, breaker = breaker, breaker.observe(observation)
        if before.state is S.OPEN:
            assert breaker.state is S.OPEN
        if breaker.state is S.OPEN and before.state is not S.OPEN:
            assert breaker.errors == SAME_ERROR
        if observation.progressed and breaker.state is S.HALF_OPEN:
            raise AssertionError("progress takes back every suspicion")
        assert (breaker.state is before.state) or breaker.history[-1].target is breaker.state
        assert (breaker.reason == "") == (breaker.state is S.CLOSED)
