"""The tools that agents are offered, over a real port, used by a real MCP client and by the rehearsal agent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from pilothouse.domain.event.log import Event
from pilothouse.domain.ports import Ended, SpawnRequest
from pilothouse.domain.ports import Workbench as Offer
from pilothouse.domain.talk.answers import LIMIT
from pilothouse.domain.talk.workbench import ANSWER_TAKEN
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.engine.agents.workbench import CALLS_PER_SPAWN, Seat
from pilothouse.server.access.middleware import WORKBENCH
from pilothouse.server.services import Services
from tests.server.web import BEARER, serving
from tests.workbench import Workbench

PLAN = {"steps": ["Look", "Change", "Test"]}


@asynccontextmanager
async def tools_of(offer: Offer) -> AsyncIterator[Client]:
    """What an agent that was given this offer has."""
    headers = {"Authorization": f"Bearer {offer.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False) as http,
        Client(streamable_http_client(offer.url, http_client=http)) as client,
    ):
        yield client


async def working(bench: Workbench) -> tuple[Task, Offer]:
    """A task whose agent is at work, and what that agent was given."""
    _, task = await bench.begin("Wait. [[waits]]")
    started = await bench.until_event("step.started", task.id)
    await bench.until_event("task.milestone", task.id, count=2)
    (seat,) = bench.runtime.seats.open_now()
    assert (seat.task.id, seat.step.id) == (task.id, started.data.step_id)
    assert seat.offer is not None
    return task, seat.offer


async def use(client: Client, tool: str, **arguments: Any) -> tuple[bool, str]:
    done = await client.call_tool(tool, arguments)
    (said,) = done.content
    assert isinstance(said, TextContent)
    return done.is_error, said.text


def called(bench: Workbench) -> list[Event]:
    return [event for event in bench.heard if event.type == "workbench.called"]


async def test_every_call_is_an_event_at_once_and_leaves_its_mark(bench: Workbench, services: Services) -> None:
    """BYD-13"""
    async with serving(services):
        task, offer = await working(bench)
        async with tools_of(offer) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == {"decide", "plan", "step_done", "status", "blocked"}
            assert all(
                tool.description and tool.input_schema["additionalProperties"] is False for tool in tools.values()
            )
            assert await use(client, "plan", **PLAN) == (False, "The person sees your plan. Go on.")
            await use(client, "step_done", step=2, note="Done in one file")
            await use(client, "status", text="Running the tests")
        assert [(event.data.tool, event.task_id) for event in called(bench)] == [
            ("plan", task.id), ("step_done", task.id), ("status", task.id),
        ]  # fmt: skip
        now = await bench.task(task.id)
        assert [(item.title, item.done, item.note) for item in now.checklist] == [
            ("Look", False, ""), ("Change", True, "Done in one file"), ("Test", False, ""),
        ]  # fmt: skip
        assert now.milestone == "Running the tests"
        await bench.controls.cancel(task.id)


async def test_what_an_agent_says_wrongly_is_told_to_it_and_changes_nothing(
    bench: Workbench, services: Services
) -> None:
    """BYD-13"""
    async with serving(services):
        task, offer = await working(bench)
        async with tools_of(offer) as client:
            for tool, arguments in (
                ("plan", {"steps": []}),
                ("plan", {"steps": ["One"], "extra": 1}),
                ("step_done", {"step": 1}),
                ("status", {"text": "x" * 301}),
                ("decide", {"questions": [{"options": []}]}),
                ("dance", {}),
            ):
                failed, said = await use(client, tool, **arguments)
                assert (failed, len(said) > 20) == (True, True), (tool, arguments)
            for _ in range(CALLS_PER_SPAWN):
                last = await use(client, "status", text="Again")
        assert last == (True, "That is too many calls for one turn; go on without these tools.")
        assert {event.data.tool for event in called(bench)} == {"status"}
        await bench.controls.cancel(task.id)


async def test_the_token_opens_the_tools_alone_and_only_while_the_agent_runs(
    bench: Workbench, services: Services
) -> None:
    """BYD-12 BYD-13"""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with serving(services) as at, httpx.AsyncClient(base_url=f"http://{at}", trust_env=False) as http:
        task, offer = await working(bench)
        agent = {"Authorization": f"Bearer {offer.token}"}
        assert offer.url == f"http://{at}{WORKBENCH}"
        assert (await http.post(WORKBENCH, json=ping, headers=agent)).json()["result"] == {}
        assert (await http.get(WORKBENCH, headers=agent)).status_code == 405
        assert (await http.get("/api/state", headers=agent)).status_code == 401
        for other in (BEARER, {}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {offer.token}"}):
            assert (await http.post(WORKBENCH, json=ping, headers=other)).status_code == 401, other
        page = {**agent, "Origin": "http://evil.example"}
        assert (await http.post(WORKBENCH, json=ping, headers=page)).status_code == 403
        await bench.controls.cancel(task.id)
        assert (await http.post(WORKBENCH, json=ping, headers=agent)).status_code == 401


async def test_who_is_made_ready_sees_the_tools_and_uses_none_before_its_session_begins(
    bench: Workbench, services: Services
) -> None:
    """BYD-13: a process that waits for a new chat has the token which that chat will get."""
    async with serving(services):
        project = await bench.projects.add(str(bench.repo))
        own = (await bench.directory(project.id)).id
        ready, other = (bench.runtime.seats.reserve(workspace) for workspace in (own, "another"))
        assert ready is not None
        assert bench.runtime.seats.reserve(own) == ready != other
        async with tools_of(ready) as client:
            assert [tool.name for tool in (await client.list_tools()).tools]
            assert await use(client, "status", text="Too early") == (True, "Your turn has not begun.")
            task, offer = await working(bench)
            assert offer == ready
            assert await use(client, "status", text="In time") == (False, "Noted. Go on.")
        assert bench.runtime.seats.reserve(own) != ready
        assert bench.runtime.seats.reserve("another") == other
        assert [event.task_id for event in called(bench)] == [task.id]
        await bench.controls.cancel(task.id)


async def seated(bench: Workbench) -> tuple[Seat, Offer]:
    """A turn that is to end with an answer, of a task whose agent is at work."""
    task, _ = await working(bench)
    (busy,) = bench.runtime.seats.open_now()
    seat = bench.runtime.seats.take(task, busy.step, answers=True)
    assert seat.offer is not None
    assert seat.offer != busy.offer
    return seat, seat.offer


async def test_who_is_asked_answers_by_a_tool_and_the_last_answer_counts(bench: Workbench, services: Services) -> None:
    """BYD-13: once its turn is over nothing counts any more"""
    async with serving(services):
        seat, offer = await seated(bench)
        async with tools_of(offer) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == {"decide", "plan", "step_done", "status", "blocked", "answer"}
            assert tools["answer"].input_schema["properties"]["answer"]["type"] == "object"
            for wrong in ("[]", [1], None, {"a": "x" * LIMIT}, {"a": "\x00"}):
                failed, said = await use(client, "answer", answer=wrong)
                assert failed, wrong
                assert said.startswith("answer was not understood: answer: "), said
            for number in (1, 2):
                assert await use(client, "answer", answer={"a": [number, {}]}) == (False, ANSWER_TAKEN)
            ended = seat.close(Ended("done", "I looked."))
            assert (ended.outcome, ended.text, ended.answer) == ("done", "I looked.", {"a": [2, {}]})
        (first, last) = called(bench)
        assert (first.data.tool, last.data.arguments) == ("answer", {"answer": {"a": [2, {}]}})
        await bench.controls.cancel(seat.task.id)


async def test_who_is_not_asked_has_no_answer_to_give(bench: Workbench, services: Services) -> None:
    """BYD-13"""
    async with serving(services):
        task, offer = await working(bench)
        async with tools_of(offer) as client:
            failed, said = await use(client, "answer", answer={"a": 1})
        assert failed
        assert said.startswith("There is no tool “answer”.")
        (seat,) = bench.runtime.seats.open_now()
        assert seat.close(Ended("done")).answer is None
        await bench.controls.cancel(task.id)


async def test_the_rehearsal_agent_answers_by_the_tool(bench: Workbench, services: Services) -> None:
    """BYD-13"""
    async with serving(services):
        seat, offer = await seated(bench)
        folder = bench.repo / ".pilothouse" / "rehearsal.yaml"
        folder.write_text(f"{folder.read_text()}  it:\n    - answer: {{a: 1}}\n    - say: Never said.\n")
        log = bench.settings.logs / "asked.log"
        request = SpawnRequest("asked", bench.repo, "[[it]]", log, role="ask", read_only=True, workbench=offer)
        run = await bench.runtime.agents["rehearsal"].start(request)
        *_, ended = [event async for event in run.events()]
        assert isinstance(ended, Ended)
        assert ended.text == ""
        assert seat.close(ended).answer == {"a": 1}
        await bench.controls.cancel(seat.task.id)


async def test_what_is_no_request_is_answered_as_the_protocol_says(bench: Workbench, services: Services) -> None:
    """BYD-13"""
    async with serving(services) as at:
        task, offer = await working(bench)
        headers = {"Authorization": f"Bearer {offer.token}", "Content-Type": "text/plain"}
        async with httpx.AsyncClient(base_url=f"http://{at}", headers=headers, trust_env=False) as http:
            answers = [
                (await http.post(WORKBENCH, content=body)).json()["error"]["code"]
                for body in (b"{", b"[]", b'{"id": 1}', b'{"id": 1, "method": "dance"}',
                             b'{"id": 1, "method": "tools/call", "params": []}', b'{"id": 1, "method": "tools/call"}')
            ]  # fmt: skip
            noted = await http.post(WORKBENCH, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert answers == [-32700, -32600, -32600, -32601, -32602, -32602]
        assert (noted.status_code, noted.content) == (202, b"")
        await bench.controls.cancel(task.id)


async def test_decide_makes_the_task_wait_as_a_question_when_the_turn_ends(
    bench: Workbench, services: Services
) -> None:
    """BYD-13 RPL-1"""
    async with serving(services):
        _, task = await bench.begin("Notes, please. [[planned]]")
        asked = await bench.rest(task)
        assert (asked.status, asked.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.QUESTION)
        assert asked.question == "Where should the notes go?"
        assert [item.done for item in asked.checklist] == [True, False, False]
        await bench.controls.reply(task.id, "One file, NOTES.md")
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert [item.done for item in done.checklist] == [True, True, True]
        assert "You answered: One file, NOTES.md" in done.output


async def test_a_blocker_waits_for_the_person_and_goes_on_with_the_answer(bench: Workbench, services: Services) -> None:
    """BYD-13"""
    async with serving(services):
        _, task = await bench.begin("Migrate. [[blocked]]")
        waiting = await bench.rest(task)
        assert (waiting.status, waiting.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.BLOCKER)
        assert "Start it, then answer here." in (waiting.question or "")
        await bench.controls.reply(task.id, "It runs now.")
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert "Going on: It runs now." in done.output


async def test_without_a_server_agents_are_offered_nothing(bench: Workbench) -> None:
    """BYD-13"""
    _, task = await bench.begin("Notes, please. [[planned]]")
    done = await bench.rest(task)
    assert done.status is TaskStatus.COMPLETE
    assert called(bench) == []
