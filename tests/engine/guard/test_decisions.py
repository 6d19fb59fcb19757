"""Limits, budgets and the breaker around real runs of the rehearsal agent, on a clock the test moves."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.ports import Ended
from pilothouse.domain.preferences import BudgetPreferences
from pilothouse.domain.session.session import Session, SessionStatus
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus, Verdict
from pilothouse.engine.guard.decisions import CHEAPLY
from pilothouse.errors import IllegalTransition, ResumeUnavailable
from pilothouse.store import preferences
from pilothouse.store.guard import holds
from pilothouse.store.session import overview, sessions
from pilothouse.store.task import steps
from tests.engine.billing import bill_at_the_end
from tests.engine.clocks import WatchedClock
from tests.engine.performing import Performer
from tests.workbench import WAIT, Workbench, make_repository

S = TaskStatus
SCENARIOS = """
scenarios:
  limited:
    - write: {path: halves.txt, text: "first\\n"}
    - limit: {text: Usage limit reached.}
    - edit: {path: halves.txt, find: "first\\n", replace: "first\\nsecond\\n"}
  limited-at-once:
    - limit: {text: Usage limit reached.}
    - write: {path: whole.txt, text: "whole\\n"}
  slow-answer:
    - fail: The request timed out at the time limit.
  costly:
    - write: {path: parts.txt, text: "one\\n"}
    - usage: {cost_usd: 0.6, output_tokens: 600}
    - usage: {cost_usd: 0.6, output_tokens: 600}
    - stall: true
    - write: {path: parts.txt, text: "two\\n"}
  paid-at-the-end:
    - write: {path: parts.txt, text: "all\\n"}
    - usage: {cost_usd: 5}
  cheap:
    - say: Everything in calc.py stays as it was, since nothing had to be changed there.
    - usage: {cost_usd: 0.4, output_tokens: 10}
  stalls:
    - stall: true
  breaks:
    - fail: The disk is full at block 12.
  fails-once:
    steps:
      - write: {path: work.txt, text: "work\\n"}
      - usage: {cost_usd: 2}
    fix:
      - write: {path: fixed.txt, text: "fixed\\n"}
  decides:
    - say: |
        Two ways.
        [DECISION_NEEDED priority="1"]
        Which file?
        - Option A: One (recommended)
        - Option B: Two
        [/DECISION_NEEDED]
    - write: {path: chosen.txt, text: "{reply}"}
"""


async def opened(tmp_path: Path, **settings: Any) -> tuple[Workbench, WatchedClock]:
    clock = WatchedClock(datetime(2026, 3, 4, 14, 30, tzinfo=UTC))
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    return await Workbench.open(tmp_path / "data", repo, clock, **settings), clock


async def waits(bench: Workbench, text: str, **options: Any) -> tuple[Session, Task]:
    session, task = await bench.begin(text, **options)
    return session, await bench.rest(task)


async def hold_of(bench: Workbench, task: Task) -> Any:
    return await bench.store.read(lambda c: holds.of_task(c, task.id))


async def test_a_usage_limit_waits_and_goes_on_by_itself(tmp_path: Path) -> None:
    """GRD-6"""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[limited]]")
        assert (task.status, task.awaiting, task.holds_workspace) == (S.AWAITING_RESPONSE, Awaiting.USAGE_LIMIT, True)
        hold = await hold_of(bench, task)
        assert (hold.kind, hold.waiting, hold.until) == ("provider", True, clock.now() + timedelta(minutes=60))
        told = await bench.until_event("guard.limit", task.id)
        assert (told.data.kind, told.data.message) == ("provider", "Usage limit reached.")
        await clock.pass_by(59 * 60)
        assert (await bench.task(task.id)).status is S.AWAITING_RESPONSE
        await clock.pass_by(90)
        done = await bench.rest(task, S.COMPLETE)
        assert done.attempt == 2
        assert (bench.repo / "halves.txt").read_text() == "first\nsecond\n"


async def test_waiting_survives_a_restart(tmp_path: Path) -> None:
    """GRD-6: a limit that ended while the server was down is over at its start."""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[limited]]")
    await clock.advance(2 * 3600)
    again = await Workbench.open(tmp_path / "data", bench.repo, clock)
    async with again:
        await again.rest(task, S.COMPLETE)
        assert (again.repo / "halves.txt").read_text() == "first\nsecond\n"


async def test_a_paused_limit_waits_for_the_person(tmp_path: Path) -> None:
    """GRD-6"""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[limited]]")
        await bench.controls.decide(task.id, "pause")
        await clock.advance(5 * 3600)
        assert (await bench.task(task.id)).status is S.AWAITING_RESPONSE
        await bench.controls.decide(task.id, "wait")
        hold = await hold_of(bench, task)
        assert hold.until == clock.now() + timedelta(minutes=60)
        await bench.controls.decide(task.id, "retry")
        await bench.rest(task, S.COMPLETE)


async def test_a_limit_before_anything_was_done_begins_again(tmp_path: Path) -> None:
    """GRD-6"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[limited-at-once]]")
        assert not task.holds_workspace
        await bench.controls.decide(task.id, "retry")
        await bench.rest(task, S.COMPLETE)
        assert (bench.repo / "whole.txt").read_text() == "whole\n"


async def test_closing_at_a_limit_ends_the_session_and_keeps_the_tree(tmp_path: Path) -> None:
    """GRD-6"""
    bench, clock = await opened(tmp_path)
    async with bench:
        session, task = await waits(bench, "[[limited]]")
        _, after = await bench.controls.decide(task.id, "close")
        assert after.status is S.CANCELLED
        ended = await bench.store.read(lambda c: sessions.get(c, session.id))
        assert ended is not None
        assert ended.status is SessionStatus.COMPLETED
        await clock.advance(2 * 3600)
        assert (bench.repo / "halves.txt").read_text() == "first\n"


async def test_a_time_out_is_no_usage_limit(tmp_path: Path) -> None:
    """GRD-6"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[slow-answer]]")
        assert task.status is S.ERROR


async def test_the_hourly_limit_counts_down_to_the_hour_and_can_be_lifted(tmp_path: Path) -> None:
    """GRD-6"""
    bench, clock = await opened(tmp_path, max_calls_per_hour=2)
    async with bench:
        performer = Performer(*[[Ended("done", "Done.")]] * 6)
        first = await bench.rest(await performer.begin(bench), S.COMPLETE)
        await bench.rest(await performer.more(bench, first), S.COMPLETE)
        held = await bench.rest(await performer.more(bench, first))
        assert held.awaiting is Awaiting.USAGE_LIMIT
        hold = await hold_of(bench, held)
        assert (hold.kind, hold.until) == ("hourly", datetime(2026, 3, 4, 15, 0, tzinfo=UTC))
        await bench.controls.decide(held.id, "override")
        await bench.rest(held, S.COMPLETE)
        await bench.rest(await performer.more(bench, first), S.COMPLETE)
        other = await bench.rest(await performer.begin(bench))
        assert other.awaiting is Awaiting.USAGE_LIMIT
        await clock.pass_by(30 * 60 + 60)
        await bench.rest(other, S.COMPLETE)
        taken = await bench.store.read(lambda c: steps.of_task(c, other.id))
        assert [step.outcome for step in taken] == ["held", "done"]
        assert len(performer.requests) == 5


async def test_two_held_tasks_of_one_session_can_both_be_closed(tmp_path: Path) -> None:
    """GRD-6 TSK-4: the second finds the session closed, and ends all the same"""
    bench, _ = await opened(tmp_path, max_calls_per_hour=1)
    async with bench:
        performer = Performer(*[[Ended("done", "Done.")]] * 2)
        first = await bench.rest(await performer.begin(bench), S.COMPLETE)
        held = [await bench.rest(await performer.more(bench, first)) for _ in range(2)]
        for task in held:
            _, after = await bench.controls.decide(task.id, "close")
            assert after.status is S.CANCELLED
        assert [event.type for event in bench.heard].count("session.changed") == 1


async def test_the_hourly_limit_counts_no_rehearsals(tmp_path: Path) -> None:
    """GRD-6: they cost nothing, so they use up nothing and wait for nothing."""
    bench, _ = await opened(tmp_path, max_calls_per_hour=1)
    async with bench:
        for _ in range(2):
            _, task = await waits(bench, "[[cheap]]")
            assert task.status is S.COMPLETE
        rehearsing = bench.runtime.agents
        performer = Performer([Ended("done", "Done.")])
        await bench.rest(await performer.begin(bench), S.COMPLETE)
        assert (await bench.rest(await performer.begin(bench))).awaiting is Awaiting.USAGE_LIMIT
        bench.runtime.agents = rehearsing
        _, task = await waits(bench, "[[cheap]]")
        assert task.status is S.COMPLETE


async def test_a_spent_budget_stops_the_run_and_asks(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[costly]]", budget=Budget(usd=1.0))
        assert (task.awaiting, task.cost_usd) == (Awaiting.BUDGET, 1.2)
        assert (bench.repo / "parts.txt").read_text() == "one\n"
        told = await bench.until_event("guard.budget", task.id)
        assert (told.data.kind, told.data.scope, told.data.limit) == ("money", "task", 1.0)
        assert task.error_message == "The budget of $1.00 is used up for this task."
        listed = await bench.store.read(lambda c: overview.row(c, task.session_id))
        assert listed is not None
        assert listed.doing == task.error_message
        with pytest.raises(IllegalTransition, match="not possible here"):
            await bench.controls.decide(task.id, "wait")
        _, after = await bench.controls.decide(task.id, "stop")
        assert after.status is S.CANCELLED


async def test_more_goes_on_from_where_it_stopped(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[costly]]", budget=Budget(tokens=1000))
        assert task.error_message == "The budget of 1,000 tokens is used up for this task."
        _, queued = await bench.controls.decide(task.id, "more", 500)
        assert queued.options.budget == Budget(tokens=1700)
        await bench.until_event("attempt.started", task.id, count=2)
        await bench.controls.cancel(task.id)


async def test_nobody_waits_to_write_while_what_was_saved_is_read_from_the_disk(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[costly]]", budget=Budget(usd=1.0))
        saved = bench.data_dir / "artifacts" / task.id / "1" / "patch.diff"
        saved.unlink()
        os.mkfifo(saved)
        deciding = asyncio.create_task(bench.controls.decide(task.id, "more"))
        reading = await asyncio.to_thread(os.open, saved, os.O_WRONLY)
        try:
            await asyncio.wait_for(bench.store.write(lambda tx: None), WAIT)
        finally:
            os.close(reading)
        with pytest.raises(ResumeUnavailable):
            await deciding


async def test_replan_tells_the_agent_to_finish_cheaply(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[costly]]", budget=Budget(usd=1.0))
        await bench.controls.decide(task.id, "replan")
        await bench.until_event("step.started", task.id, count=2)
        taken = await bench.store.read(lambda c: steps.of_task(c, task.id))
        assert CHEAPLY in taken[-1].prompt
        assert (await bench.task(task.id)).options.budget == Budget(usd=2.2)
        await bench.controls.cancel(task.id)


async def test_a_bill_that_comes_with_the_end_takes_nothing_back(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path)
    async with bench:
        bill_at_the_end(bench)
        _, task = await waits(bench, "[[paid-at-the-end]]", budget=Budget(usd=1.0))
        assert (task.status, task.verdict) == (S.COMPLETE, Verdict.UNVERIFIED)


async def test_the_time_of_a_budget_is_counted_while_it_runs(tmp_path: Path) -> None:
    """GRD-8"""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await bench.begin("[[stalls]]", budget=Budget(minutes=0.5))
        await bench.until_event("task.milestone", task.id, count=2)
        await clock.pass_by(29)
        assert (await bench.task(task.id)).status is S.RUNNING
        await clock.pass_by(2)
        waiting = await bench.rest(task)
        assert (waiting.awaiting, (await hold_of(bench, task)).kind) == (Awaiting.BUDGET, "time")


async def test_a_time_that_is_set_while_an_agent_is_silent_counts_at_once(tmp_path: Path) -> None:
    """GRD-8"""
    bench, clock = await opened(tmp_path)
    async with bench:
        session, task = await bench.begin("[[stalls]]")
        await bench.until_event("task.milestone", task.id, count=2)
        await bench.sessions.change(session.id, budget={"minutes": 0.5})
        await clock.pass_by(31)
        waiting = await bench.rest(task)
        hold = await hold_of(bench, task)
        assert (waiting.awaiting, hold.kind, hold.scope) == (Awaiting.BUDGET, "time", "session")


async def test_a_session_has_a_budget_of_its_own(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path, session_budget_usd=0.5)
    async with bench:
        bill_at_the_end(bench)
        session, first = await waits(bench, "[[cheap]]")
        assert first.status is S.COMPLETE
        second = await bench.rest(await bench.send(session, "[[cheap]]"))
        assert second.status is S.COMPLETE
        third = await bench.rest(await bench.send(session, "[[cheap]]"))
        hold = await hold_of(bench, third)
        assert (third.awaiting, hold.scope, hold.spent) == (Awaiting.BUDGET, "session", 0.8)
        await bench.controls.decide(third.id, "more")
        await bench.rest(third, S.COMPLETE)
        kept = await bench.store.read(lambda c: holds.of_session(c, session.id))
        assert kept.budget.usd == pytest.approx(1.3)


async def test_a_decision_in_a_text_marker_becomes_a_question(tmp_path: Path) -> None:
    """GRD-1"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[decides]]")
        # The scenario goes on and writes; the question is asked all the same.
        assert (task.awaiting, task.question) == (Awaiting.QUESTION, "Which file?")


async def test_a_fix_that_was_held_back_follows_its_verification_later(tmp_path: Path) -> None:
    """GRD-8: the checks are not run again, and the agent is told what failed."""
    bench, _ = await opened(tmp_path)
    async with bench:
        bill_at_the_end(bench)
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: level, command: test -f fixed.txt}\n")
        _, task = await waits(bench, "[[fails-once]]", budget=Budget(usd=1.0))
        assert task.awaiting is Awaiting.BUDGET
        await bench.controls.decide(task.id, "more", 10)
        done = await bench.rest(task, S.COMPLETE)
        assert done.verdict is Verdict.PASS
        taken = await bench.store.read(lambda c: steps.of_task(c, task.id))
        assert [(step.kind.value, step.outcome) for step in taken] == [
            ("edit", "done"),
            ("verify", "failed"),
            ("fix", "held"),
            ("fix", "done"),
            ("verify", "passed"),
            ("summarise", "done"),
        ]


async def test_guards_decide_nothing_about_a_task_they_do_not_hold(tmp_path: Path) -> None:
    """TSK-4"""
    bench, _ = await opened(tmp_path)
    async with bench:
        _, task = await waits(bench, "[[cheap]]")
        with pytest.raises(IllegalTransition):
            await bench.controls.decide(task.id, "reset")


async def test_a_budget_stored_in_the_settings_holds_where_nothing_nearer_says_one(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path)
    async with bench:
        stored = {"budgets": BudgetPreferences(task_usd=1.0)}
        await bench.store.write(lambda tx: preferences.save(tx, stored))
        _, task = await waits(bench, "[[costly]]")
        assert (task.awaiting, task.error_message) == (
            Awaiting.BUDGET,
            "The budget of $1.00 is used up for this task.",
        )
