"""Processes kept warm: quick where they fit, gone where they do not, and never with a stale conversation."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.ports import Choice, Workbench
from pilothouse.process import strays
from tests.real_agent.messages_api import MessagesApi
from tests.real_agent.workshop import Workshop, follow, until


async def test_the_next_turn_is_served_by_the_same_process_into_its_own_log(workshop: Workshop) -> None:
    """BYD-14"""
    first = workshop.request("One. [[hello]]")
    run = await workshop.agent.start(first)
    told = await follow(run)
    second = workshop.request("Two. [[hello]]", resume=told.session)
    again = await workshop.agent.start(second)
    await follow(again)
    assert again.process == run.process
    # Between the two the program may still print something of its own.
    assert b"Two." not in first.log_path.read_bytes()
    assert b"Two." in second.log_path.read_bytes()
    assert b"Hello from the stand-in." in second.log_path.read_bytes()
    assert [message["role"] for message in workshop.api.requests[-1]["messages"]].count("assistant") == 1


async def test_costs_are_differences_on_a_kept_and_on_a_resumed_process(workshop: Workshop) -> None:
    """GRD-8: trap: the program's total runs over the whole conversation, also on resume"""
    first = await workshop.play("One. [[hello]]")
    second = await workshop.play("Two. [[hello]]", resume=first.session)
    await workshop.agent.forget()
    workshop.another()
    third = await workshop.play("Three. [[hello]]", resume=first.session)
    costs = [told.used.cost_usd for told in (first, second, third)]
    assert costs[0] > 0
    assert [round(cost / costs[0], 3) for cost in costs] == [1, 1, 1]
    assert [told.used.input_tokens for told in (first, second, third)] == [1000] * 3


async def test_a_process_killed_without_a_total_is_not_billed_too_little_afterwards(workshop: Workshop) -> None:
    """GRD-8"""
    first = await workshop.play("One. [[hello]]")
    kept = workshop.pool.kept("session")
    assert kept is not None
    for pid, _ in kept.spawned.living():
        os.kill(pid, signal.SIGKILL)
    await kept.spawned.wait()
    second = await workshop.play("Two. [[hello]]", resume=first.session)
    assert second.end.outcome == "done"
    assert round(second.used.cost_usd / first.used.cost_usd, 3) == 1


async def test_a_prepared_process_serves_a_new_session_once(workshop: Workshop) -> None:
    """BYD-14"""
    await workshop.agent.prepare(workshop.request("", session=""))
    (prepared,) = workshop.pool.prepared
    await workshop.agent.prepare(workshop.request("", session=""))
    assert workshop.pool.prepared == [prepared]
    run = await workshop.start("Hi. [[hello]]", session="new")
    assert run.process == prepared.process
    assert workshop.pool.prepared == []
    assert (await follow(run)).end.outcome == "done"
    other = await workshop.start("Hi. [[hello]]", session="other")
    assert other.process != prepared.process
    await follow(other)


async def test_making_ready_asks_the_provider_nothing_and_leaves_no_record(workshop: Workshop) -> None:
    """BYD-14: the person's own list of conversations is theirs"""
    await workshop.agent.prepare(workshop.request("", session=""))
    (prepared,) = workshop.pool.prepared
    assert await prepared.connect() == ""
    await workshop.agent.forget()
    assert not prepared.alive()
    assert workshop.api.visits == []
    assert list((workshop.home / ".claude").glob("projects/*/*.jsonl")) == []


@pytest.mark.parametrize("until_then", ["it starts", "it is connected", "it is told of its servers"])
async def test_a_message_that_comes_before_the_process_is_ready_is_answered(
    workshop: Workshop, until_then: str
) -> None:
    """BYD-14"""
    first, second = (Workbench(f"{workshop.api.url}/workbench", token) for token in ("prepared", "of the run"))
    await workshop.agent.prepare(workshop.request("", session="", workbench=first))
    (prepared,) = workshop.pool.prepared
    if until_then == "it is connected":
        await prepared.connect()
    elif until_then == "it is told of its servers":
        await until(lambda: bool(workshop.api.workbench_tokens))
    run = await workshop.start("Hi. [[hello]]", workbench=second)
    assert run.process == prepared.process
    assert (await follow(run)).end.outcome == "done"
    assert run.alive()
    assert workshop.api.prompts == ["Hi. [[hello]]"]
    assert workshop.api.workbench_tokens[-1] == "Bearer of the run"


async def test_a_process_with_another_launch_is_not_used(workshop: Workshop) -> None:
    """BYD-14"""
    first = await workshop.start("One. [[hello]]")
    told = await follow(first)
    second = await workshop.start("Two. [[hello]]", resume=told.session, instructions="Be brief.")
    assert second.process != first.process
    assert not first.alive(), "it has written the conversation to its end before another goes on with it"
    costs = [told.used.cost_usd, (await follow(second)).used.cost_usd]
    assert round(costs[1] / costs[0], 3) == 1


async def test_another_model_is_set_on_the_living_process(workshop: Workshop) -> None:
    """BYD-14"""
    first = await workshop.start("One. [[hello]]")
    told = await follow(first)
    second = await workshop.start("Two. [[hello]]", resume=told.session, choice=Choice("claude-haiku-4-5"))
    assert second.process == first.process
    assert (await follow(second)).used.model.startswith("claude-haiku")
    assert workshop.api.requests[-1]["model"].startswith("claude-haiku")


async def test_a_conversation_that_went_on_elsewhere_is_not_continued_from_memory(workshop: Workshop) -> None:
    """BYD-14"""
    first = await workshop.start("One. [[hello]]")
    told = await follow(first)
    elsewhere = await workshop.play("Elsewhere. [[hello]]", session="", resume=told.session)
    assert elsewhere.end.outcome == "done"
    second = await workshop.start("Two. [[hello]]", resume=told.session)
    assert second.process != first.process
    await follow(second)
    assert "Elsewhere. [[hello]]" in str(workshop.api.requests[-1]["messages"])


async def test_words_that_somebody_else_added_to_the_conversation_count(workshop: Workshop) -> None:
    """BYD-14"""
    first = await workshop.start("One. [[hello]]")
    told = await follow(first)
    (transcript,) = (workshop.home / ".claude" / "projects").glob(f"*/{told.session}.jsonl")
    kept = workshop.pool.kept("session")
    assert kept is not None
    assert not kept.stale()
    with transcript.open("a") as file:
        file.write('{"type":"user","message":{"role":"user","content":"from a terminal"}}\n')
    assert kept.stale()


async def test_a_rolled_back_session_loses_its_process_at_once(workshop: Workshop) -> None:
    """BYD-14"""
    first = await workshop.start("One. [[hello]]")
    await follow(first)
    assert first.alive()
    await workshop.agent.forget("session")
    assert not first.alive()
    await workshop.agent.forget("session")


async def test_an_idle_process_is_ended_by_the_clock(tmp_path: Path, api: MessagesApi) -> None:
    """BYD-14"""
    clock = ManualClock()
    workshop = Workshop(tmp_path, api, clock=clock)
    run = await workshop.start("One. [[hello]]")
    await follow(run)
    await clock.advance(299)
    assert run.alive()
    await clock.advance(2)
    assert workshop.pool.sessions == ()
    await workshop.close()
    assert not run.alive()


async def test_short_memory_ends_what_is_kept_and_keeps_no_more(tmp_path: Path, api: MessagesApi) -> None:
    """BYD-14"""
    clock = ManualClock()
    workshop = Workshop(tmp_path, api, clock=clock)
    await workshop.agent.prepare(workshop.request("", session=""))
    run = await workshop.start("One. [[hello]]")
    await follow(run)
    workshop.memory_mb = 400.0
    # The look at the memory begins with what is kept now, in a turn of the loop.
    await asyncio.sleep(0)
    await clock.advance(16)
    assert workshop.pool.sessions == ()
    await workshop.agent.prepare(workshop.request("", session=""))
    assert workshop.pool.prepared == []
    await workshop.play("Two. [[hello]]")
    assert workshop.pool.sessions == ()
    await workshop.close()
    assert not run.alive()


async def test_there_are_never_more_than_allowed(tmp_path: Path, api: MessagesApi) -> None:
    """BYD-14"""
    workshop = Workshop(tmp_path, api, most=1)
    first = await workshop.start("One. [[hello]]", session="a")
    await follow(first)
    await workshop.play("Two. [[hello]]", session="b")
    assert workshop.pool.sessions == ("b",)
    await until(lambda: not first.alive())
    await workshop.close()


async def test_a_kept_process_carries_the_marker_and_ends_with_the_agent(workshop: Workshop) -> None:
    """BYD-14: it is found after a crash of the server, and left alone while the server lives"""
    run = await workshop.start("One. [[hello]]")
    await follow(run)
    instance = workshop.environment.instance
    found = strays.of_spawn("spawn-1", instance)
    assert run.process in [stray.process for stray in found]
    await workshop.agent.forget()
    assert strays.of_spawn("spawn-1", instance) == []


async def test_a_process_that_died_while_it_waited_is_replaced(workshop: Workshop) -> None:
    """BYD-14"""
    run = await workshop.start("One. [[hello]]")
    told = await follow(run)
    kept = workshop.pool.kept("session")
    assert kept is not None
    request = workshop.request("Two. [[hello]]", resume=told.session)
    again = await workshop.agent.start(request)
    assert again.process == run.process
    await kept.spawned.stop(0.5)
    second = await follow(again)
    assert second.end.outcome == "done"
    assert second.session == told.session


async def test_the_workbench_is_offered_with_the_token_of_each_run(workshop: Workshop) -> None:
    """BYD-13: a kept process is told the next run's token"""
    first = workshop.request("One. [[hello]]", workbench=Workbench(f"{workshop.api.url}/workbench", "token-1"))
    told = await follow(await workshop.agent.start(first))
    second = replace(
        workshop.request("Two. [[hello]]", resume=told.session),
        workbench=Workbench(f"{workshop.api.url}/workbench", "token-2"),
    )
    await follow(await workshop.agent.start(second))
    assert {"Bearer token-1", "Bearer token-2"} <= set(workshop.api.workbench_tokens)
