from __future__ import annotations

from itertools import product

from pilothouse.domain.task.loop import LOOPS, LoopState, Next


def walk(results: tuple[bool, ...]) -> list[Next]:
    """What follows each failure, up to the stop."""
    state, said = LoopState(), []
    for passed in results:
        if passed:
            state = state.passed()
            continue
        state = state.failed()
        after = state.after_failure
        said.append(after)
        if after is Next.STOP:
            break
    return said


def test_twelve_failures_replan_at_3_6_and_9_and_stop_at_12() -> None:
    """TSK-9"""
    said = walk((False,) * 20)
    assert [number for number, after in enumerate(said, 1) if after is Next.REPLAN] == [3, 6, 9]
    assert said.index(Next.STOP) + 1 == LOOPS == len(said)
    assert said.count(Next.FIX) == 8


def test_every_path_keeps_the_rules() -> None:
    """TSK-9: all 2^13 sequences of passes and failures."""
    for results in product((True, False), repeat=13):
        state, in_a_row, replans = LoopState(), 0, 0
        for number, passed in enumerate(results, 1):
            if passed:
                state, in_a_row = state.passed(), 0
                assert state.consecutive == 0
            else:
                state = state.failed()
                after = state.after_failure
                in_a_row += 1
                stop = number >= LOOPS
                replan = not stop and in_a_row == 3
                assert after is (Next.STOP if stop else Next.REPLAN if replan else Next.FIX)
                in_a_row, replans = (0 if replan else in_a_row), replans + replan
                if stop:
                    break
            assert (state.total, state.replans) == (min(number, LOOPS), replans)


def test_the_next_verification_is_counted_as_a_person_does() -> None:
    """TSK-5"""
    assert LoopState().upcoming == 1
    assert LoopState(total=2).upcoming == 3
    assert LoopState(total=12).upcoming == 12


def test_two_fixes_in_vain_are_a_replan_and_three_the_end() -> None:
    """TSK-9"""
    first = LoopState(total=4, consecutive=1)
    again = first.failed(in_vain=True)
    assert again.after_failure is Next.FIX
    twice = again.failed(in_vain=True)
    assert (twice.after_failure, twice.replans) == (Next.REPLAN, 1)
    assert twice.failed(in_vain=True).after_failure is Next.STOP
    assert twice.failed().vain == 0
    assert again.passed().vain == 0
