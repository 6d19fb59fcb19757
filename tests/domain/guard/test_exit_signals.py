from __future__ import annotations

from itertools import product

import pytest

from pilothouse.domain.guard.exit_signals import Advice, ExitSignals, SpawnSigns, claims_completion


def window(**signs: list[int]) -> ExitSignals:
    signals = ExitSignals()
    for spawn in range(1, 6):
        signals = signals.after(SpawnSigns(spawn, **{name: spawn in spawns for name, spawns in signs.items()}))
    return signals


@pytest.mark.parametrize(
    ("signs", "met"),
    [
        ({"test_only": [1, 2]}, False),
        ({"test_only": [1, 3, 5]}, True),
        ({"completion": [4]}, False),
        ({"completion": [1, 5]}, True),
        ({"no_progress": [1, 2]}, False),
        ({"no_progress": [1, 2, 4]}, True),
        ({"test_only": [1, 2], "completion": [3], "no_progress": [4, 5]}, False),
    ],
)
def test_the_thresholds(signs: dict[str, list[int]], met: bool) -> None:
    """GRD-5"""
    assert window(**signs).met is met


def test_only_the_last_five_spawns_count() -> None:
    """GRD-5"""
    signals = window(completion=[1, 2]).after(SpawnSigns(6))
    assert signals.completion == [2]
    assert not signals.met


def test_signals_only_ask_or_hurry_on() -> None:
    """GRD-5: words finish nothing; hurrying needs every step done, passing checks and a sure agent."""
    signals = window(completion=[1, 2, 3, 4, 5], no_progress=[1, 2, 3])
    for done, green, confidence in product((True, False), (True, False), (100, 80, 79, 0)):
        advice = signals.advice(every_step_done=done, checks_pass=green, confidence=confidence)
        assert advice is (Advice.HURRY if done and green and confidence >= 80 else Advice.ASK)
    assert ExitSignals().advice(every_step_done=True, checks_pass=True, confidence=100) is Advice.GO_ON


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Done.", True),
        ("The work is complete.", True),
        ("All steps are finished", True),
        ("It is not done yet.", False),
        ("This is not quite complete.", False),
        ("Once done, run the tests.", False),
        ("It is half finished.", False),
        ("I undo the change; the completeness of it is open.", False),
        ("", False),
    ],
)
def test_what_counts_as_saying_so(text: str, claims: bool) -> None:
    """GRD-5"""
    assert claims_completion(text) is claims
