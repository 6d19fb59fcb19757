"""What the real program uses is counted while it works, ends it at a budget, and is billed once however it ends."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.ports import ToolFinished, Usage
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Awaiting, PermissionMode, Task, TaskOptions, TaskStatus
from pilothouse.store.agent import usage
from pilothouse.workflows.chat import Message, Opening
from tests.agents.playing import Told
from tests.real_agent.messages_api import Answer, say, use
from tests.real_agent.workshop import Workshop, follow, until
from tests.workbench import Workbench, make_repository

ONE = 0.0042
"""Dollars that one request to the stand-in costs, by the program's own figures."""
ALL = PermissionMode.ALL


def near(cost: float) -> object:
    return pytest.approx(cost, abs=ONE / 100)


def steps(count: int) -> list[Answer]:
    return [*(use("Bash", command=f"echo {n} >> turns.txt") for n in range(count)), say("Done.")]


async def test_each_request_is_told_when_it_is_over_and_the_sum_is_the_program_s_own(workshop: Workshop) -> None:
    """GRD-8"""
    workshop.api.next(*steps(2))
    told = await workshop.play_alone("Go.", permission_mode=ALL)
    before = told.events[: told.events.index(told.of(ToolFinished)[1])]
    known = [event for event in before if isinstance(event, Usage)]
    assert [(one.input_tokens, one.output_tokens) for one in known] == [(1000, 10)] * 2
    assert [one.cost_usd for one in known] == [near(ONE)] * 2
    assert (told.used.input_tokens, told.used.cost_usd) == (3000, near(3 * ONE))


async def test_what_subagents_use_is_counted(workshop: Workshop) -> None:
    """GRD-8"""
    agent = use("Agent", description="Look", prompt="Look around.", subagent_type="general-purpose")
    workshop.api.next(agent, use("Bash", command="echo sub"), say("Found nothing."), say("Done."))
    told = await workshop.play_alone("Go.", permission_mode=ALL)
    assert (told.used.input_tokens, told.used.output_tokens) == (4000, 40)
    assert told.used.cost_usd == near(4 * ONE)


async def _interrupted(workshop: Workshop, how: str) -> Told:
    """One request was answered when it ends, in the middle of a command."""
    workshop.api.next(use("Bash", command="touch begun; while :; do sleep 0.1; done"))
    run = await workshop.start("Go.", permission_mode=ALL)
    following = asyncio.create_task(follow(run))
    await until((workshop.workspace / "begun").exists)
    if how == "stopped":
        await run.stop(5)
    else:
        os.kill(run.living()[0][0], signal.SIGKILL)
    return await following


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_a_run_that_was_cut_off_is_billed_and_the_next_bills_only_its_own(workshop: Workshop, how: str) -> None:
    """GRD-8: trap: the program's total goes on after a stop, and forgets what it used when it is killed"""
    await workshop.play_alone("Learn what it costs.")
    told = await _interrupted(workshop, how)
    assert told.end.outcome == "crashed"
    assert (told.used.input_tokens, told.used.cost_usd) == (1000, near(ONE))
    again = workshop.another()
    workshop.api.next(say("Again."))
    after = await follow(await again.start(workshop.request("Again.", resume=told.session)))
    assert after.session == told.session
    assert (after.used.input_tokens, after.used.cost_usd) == (1000, near(ONE))


async def _begin(bench: Workbench, workshop: Workshop, repo: Path, budget: Budget) -> Task:
    bench.runtime.agents = {workshop.agent.name: workshop.agent}
    options = TaskOptions(permission_mode=ALL, budget=budget)
    message = Message("Go.", agent=workshop.agent.name, options=options)
    _, task = await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
    assert task is not None
    return task


@pytest.mark.parametrize("budget", [Budget(usd=2.5 * ONE), Budget(tokens=2500)])
async def test_a_budget_ends_a_run_between_two_commands(workshop: Workshop, tmp_path: Path, budget: Budget) -> None:
    """GRD-8"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        # The fourth command never comes to an end by itself.
        workshop.api.next(*steps(3)[:3], use("Bash", command="sleep 1000"))
        task = await _begin(bench, workshop, repo, budget)
        held = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert held.awaiting is Awaiting.BUDGET
        assert (repo / "turns.txt").read_text() == "0\n1\n2\n", "what was begun came to its end"
        assert held.cost_usd <= 4 * ONE * 1.01
        (spawn,) = await bench.store.read(lambda c: usage.of_task(c, task.id))
        assert spawn.cost_usd == near(held.cost_usd)
        assert spawn.input_tokens in (3000, 4000)
