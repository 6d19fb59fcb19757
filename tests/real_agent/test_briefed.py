"""A prompt told ahead: the program has it, its model does not, until the run begins."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pilothouse.agents.claude.conversation import Conversation
from pilothouse.agents.claude.gate import Gate
from pilothouse.domain.ports import Choice, Decision, SpawnRequest, Usage
from pilothouse.domain.task.task import TaskStatus
from pilothouse.workflows.chat import Message
from tests.real_agent.messages_api import say, use
from tests.real_agent.workshop import Workshop, follow, until
from tests.server.web import services_of, serving
from tests.workbench import Workbench, make_repository

SCENARIOS = """
scenarios:
  writes:
    - write: {path: a.txt, text: "a\\n"}
    - say: Written.
"""


async def _prepared(workshop: Workshop) -> Conversation:
    await workshop.agent.prepare(workshop.request("", session=""))
    (prepared,) = workshop.pool.prepared
    await prepared.warmed()
    return prepared


async def _briefed(workshop: Workshop, request: SpawnRequest) -> None:
    """Returns when the program has asked whether it may go on."""
    await workshop.agent.brief(request)
    await until(lambda: b'"UserPromptSubmit"' in request.log_path.read_bytes())


async def test_a_new_conversation_begins_with_what_it_was_told_ahead(workshop: Workshop) -> None:
    """BYD-14, RPL-2: nothing is asked of a model before the run begins"""
    plain = await workshop.play_alone("Hi. [[hello]]")
    prepared = await _prepared(workshop)
    request = workshop.request("Hi. [[hello]]")
    await _briefed(workshop, request)
    assert len(workshop.api.requests) == 1
    run = await workshop.agent.start(request)
    assert run.process == prepared.process
    told = await follow(run)
    assert told.end.outcome == "done"
    assert told.of(Usage)[0].cost_usd == plain.of(Usage)[0].cost_usd
    assert workshop.api.prompts == ["Hi. [[hello]]"] * 2
    again = await workshop.start("Again. [[hello]]", resume=told.session)
    assert again.process == run.process
    await follow(again)
    assert [message["role"] for message in workshop.api.requests[-1]["messages"]].count("assistant") == 1


async def test_a_kept_conversation_goes_on_with_what_it_was_told_ahead(workshop: Workshop) -> None:
    """BYD-14, RPL-2"""
    first = await workshop.start("One. [[hello]]")
    told = await follow(first)
    request = workshop.request("Two. [[hello]]", resume=told.session)
    await _briefed(workshop, request)
    assert workshop.api.prompts == ["One. [[hello]]"]
    run = await workshop.agent.start(request)
    assert run.process == first.process
    assert (await follow(run)).session == told.session
    assert workshop.api.prompts == ["One. [[hello]]", "Two. [[hello]]"]
    assert b"Hello from the stand-in." in request.log_path.read_bytes()


@pytest.mark.parametrize("known", [False, True], ids=["prepared", "kept"])
async def test_what_is_asked_in_the_end_counts_and_not_what_was_told_ahead(workshop: Workshop, known: bool) -> None:
    """BYD-14: a message may come along, or another run before this one"""
    resume = (await workshop.play("One. [[hello]]")).session if known else None
    if not known:
        await _prepared(workshop)
    request = workshop.request("Never sent. [[hello]]", resume=resume)
    await _briefed(workshop, request)
    told = await workshop.play("Two. [[hello]]", resume=resume)
    assert told.end.outcome == "done"
    assert workshop.api.prompts == [*(["One. [[hello]]"] if known else []), "Two. [[hello]]"]
    assert "Never sent." not in str(workshop.api.requests)
    if known:
        assert told.session == resume


async def test_one_that_is_told_ahead_and_then_forgotten_ends_without_a_word(workshop: Workshop) -> None:
    """BYD-14"""
    prepared = await _prepared(workshop)
    await _briefed(workshop, workshop.request("Never sent. [[hello]]"))
    await workshop.agent.forget()
    assert not prepared.alive()
    assert workshop.api.requests == []


@pytest.mark.parametrize("known", [False, True], ids=["prepared", "kept"])
async def test_the_model_that_is_asked_for_in_the_end_answers(workshop: Workshop, known: bool) -> None:
    """BYD-14: the program no longer changes it for a prompt that it has taken in"""
    other = Choice(model="sonnet")
    await workshop.play_alone("Zero. [[hello]]", choice=other)
    resume = (await workshop.play("One. [[hello]]")).session if known else None
    if not known:
        await _prepared(workshop)
    await _briefed(workshop, workshop.request("Two. [[hello]]", resume=resume))
    told = await workshop.play("Two. [[hello]]", resume=resume, choice=other)
    assert told.end.outcome == "done"
    models = [request["model"] for request in workshop.api.requests]
    assert models[-1] == models[0]
    assert not known or models[1] != models[0]


async def test_one_that_is_told_ahead_serves_its_own_session_and_goes_with_it(workshop: Workshop) -> None:
    """BYD-14"""
    prepared = await _prepared(workshop)
    request = workshop.request("Hi. [[hello]]", session="its own")
    await _briefed(workshop, request)
    other = await workshop.start("Hi. [[hello]]", session="other")
    assert other.process != prepared.process
    await follow(other)
    assert prepared.alive()
    await workshop.agent.forget("other")
    assert prepared.alive()
    await workshop.agent.forget("its own")
    await until(lambda: not prepared.alive())
    assert workshop.api.prompts == ["Hi. [[hello]]"]


async def test_one_that_dies_before_it_may_go_on_is_replaced(workshop: Workshop) -> None:
    """BYD-14"""
    resume = (await workshop.play("One. [[hello]]")).session
    request = workshop.request("Two. [[hello]]", resume=resume)
    await _briefed(workshop, request)
    run = await workshop.agent.start(request)
    for pid, _ in run.living():
        os.kill(pid, signal.SIGKILL)
    await until(lambda: not run.alive())
    assert (await follow(run)).end.outcome == "done"
    assert workshop.api.prompts == ["One. [[hello]]", "Two. [[hello]]"]


async def test_one_that_has_its_tools_to_hear_of_first_is_told_nothing_ahead(
    workshop: Workshop, tmp_path: Path
) -> None:
    """BYD-14 BYD-13: a session that another agent began has a token of its own already"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {**bench.runtime.agents, "claude": workshop.agent}
        async with serving(services_of(bench)):
            session, first = await bench.begin("[[writes]]")
            await bench.rest(first, TaskStatus.COMPLETE)
            await bench.runner.dispatcher.settled()
            await bench.chat.choose_agent(first.project_id, "claude")
            assert await bench.chat.prepare(await bench.chat.add_project(str(repo)))
            (prepared,) = workshop.pool.prepared
            await prepared.warmed()
            workshop.api.next(use("mcp__workbench__plan", steps=["Look", "Ask"]), say("Planned."))
            task = await bench.chat.send(session.id, Message("Arrange it.", agent="claude"))
            done = await bench.rest(task, TaskStatus.COMPLETE)
            assert [item.title for item in done.checklist] == ["Look", "Ask"]
            assert workshop.pool.kept(session.id) is prepared


async def test_an_answer_to_what_is_open_is_told_by_the_run_itself(workshop: Workshop) -> None:
    """BYD-14: what is said then depends on what the program still waits for"""
    prepared = await _prepared(workshop)
    for answer in ({"reply": "Yes."}, {"decision": Decision("once")}, {"answers": {"Which?": "This."}}):
        request = workshop.request("Hi. [[hello]]", **answer)
        await workshop.agent.brief(request)
        assert not request.log_path.exists()
    run = await workshop.start("Hi. [[hello]]")
    assert run.process == prepared.process
    assert (await follow(run)).end.outcome == "done"


async def test_nothing_is_held_for_ever() -> None:
    """BYD-14: the program would go on by itself one day"""
    gate = Gate(hold_seconds=0.01)
    gate.hold("Hi.")
    with pytest.raises(TimeoutError):
        await gate.before_prompt("Hi.")
    gate.let_go()
    assert await gate.before_prompt("Hi.") == {}


async def test_a_program_that_is_being_ended_may_begin_nothing_and_use_nothing() -> None:
    """TSK-6 BYD-14: and that it asks about its practice is known all the same"""
    gate = Gate(hold_seconds=1)
    gate.closed = True
    for prompt in (gate.practice, "Hi."):
        assert (await gate.before_prompt(prompt)).get("decision") == "block"
    assert gate.refused
    assert gate.before_tool() is not None
