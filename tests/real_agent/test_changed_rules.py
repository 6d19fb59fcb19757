"""A process in use when the rules change, and one that is asked to look only: neither does what it may not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.domain.agent import tool_policy
from pilothouse.domain.ports import Ended, TextOut, ToolFinished
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import PermissionMode, TaskStatus, Verdict
from pilothouse.process.confine import Confinement, Switch, look
from pilothouse.workflows.chat import Message, Opening
from tests.real_agent.messages_api import say, use
from tests.real_agent.workshop import Workshop, follow, until
from tests.workbench import Workbench, make_repository

ALL = PermissionMode.ALL
FIRST = "touch begun; while [ ! -e go ]; do sleep 0.02; done"
SECOND = "touch second"
GRANTS = (f"Bash({FIRST})", f"Bash({SECOND} *)")


async def test_a_process_that_serves_a_run_when_it_is_forgotten_ends_with_the_run(workshop: Workshop) -> None:
    """BYD-14, GRD-7"""
    run = await workshop.start("One. [[hello]]")
    async for event in run.events():
        if isinstance(event, TextOut):
            await workshop.agent.forget("session")
    assert isinstance(event, Ended)
    assert event.outcome == "done"
    assert workshop.pool.sessions == ()
    assert not run.alive()


async def test_forgetting_another_session_leaves_the_process_of_a_run(workshop: Workshop) -> None:
    """BYD-14: or the test above would prove nothing."""
    run = await workshop.start("One. [[hello]]")
    async for event in run.events():
        if isinstance(event, TextOut):
            await workshop.agent.forget("other")
    assert workshop.pool.sessions == ("session",)
    assert run.alive()


async def test_what_is_revoked_is_asked_for_again_in_the_run_that_is_under_way(workshop: Workshop) -> None:
    """GRD-7"""
    workshop.api.next(use("Bash", command=FIRST), use("Bash", command=SECOND), say("Never said."))
    run = await workshop.start("Do both.", granted=GRANTS)
    following = asyncio.create_task(follow(run))
    await until((workshop.workspace / "begun").exists)
    await workshop.agent.revoke("session", GRANTS[1])
    (workshop.workspace / "go").touch()
    end = (await following).end
    assert end.permission
    assert (end.permission.detail, end.permission.grant) == (SECOND, GRANTS[1])
    assert not (workshop.workspace / "second").exists()
    assert not run.alive()


async def test_a_process_is_used_only_as_confined_as_it_is_to_be(workshop: Workshop) -> None:
    """GRD-7: also where nobody said that it is to be forgotten"""
    found = await look()
    if found.program is None:
        pytest.skip(f"NOT TRIED, agents are not confined here: {found.problem}")
    switch = Switch(found)
    confine = Confinement(switch)
    workshop.agent = ClaudeAgent(workshop.root / "state", workshop.environment, workshop.pool, confine=confine)
    first = await workshop.start("One. [[hello]]")
    told = await follow(first)
    switch.mode = "processes"
    second = await workshop.start("Two. [[hello]]", resume=told.session)
    assert second.process != first.process
    assert (await follow(second)).end.outcome == "done"
    third = await workshop.start("Three. [[hello]]", resume=told.session)
    assert third.process == second.process
    await follow(third)


async def test_a_process_that_edited_sums_up_and_cannot_write_meanwhile(workshop: Workshop) -> None:
    """GRD-7, BYD-14: whatever the model tries, and whatever the task allows"""
    first = await workshop.start("Write. [[write]]", tools=tool_policy.allowed("edit"), permission_mode=ALL)
    told = await follow(first)
    before = sorted(workshop.workspace.rglob("*"))
    assert before
    place = str(workshop.workspace / "new.txt")
    tries = (
        use("Write", file_path=place, content="x"),
        use("Edit", file_path=str(before[0]), old_string="hello", new_string="x"),
        use("Bash", command=f"touch {place}"),
        # The program runs this one without asking for a permission.
        use("Bash", command="ls"),
        use("Task", description="x", prompt=f"Write {place}", subagent_type="general-purpose"),
        use("Read", file_path=str(before[0])),
    )
    workshop.api.next(*tries, say("I tried."))
    looking = {"tools": tool_policy.allowed("summarise"), "read_only": True, "permission_mode": ALL}
    run = await workshop.start("Sum up.", role="summarise", resume=told.session, **looking)
    assert run.process == first.process
    summary = await follow(run)
    assert summary.end.text == "I tried."
    assert [finished.ok for finished in summary.of(ToolFinished)] == [False, False, False, False, False, True]
    assert sorted(workshop.workspace.rglob("*")) == before
    assert before[0].read_text() == "hello\n"

    workshop.api.next(use("Write", file_path=place, content="x"), say("Written."))
    more = {"tools": tool_policy.allowed("edit"), "permission_mode": ALL}
    last = await workshop.start("Go on.", resume=told.session, **more)
    assert last.process == first.process
    await follow(last)
    assert Path(place).read_text() == "x"


async def test_a_process_that_has_not_shown_that_it_asks_is_not_trusted_with_looking(workshop: Workshop) -> None:
    """GRD-7: then one is started without the tools that write, as ever"""
    first = await workshop.start("One. [[hello]]", tools=tool_policy.allowed("edit"))
    told = await follow(first)
    looking = {"tools": tool_policy.allowed("summarise"), "read_only": True}
    run = await workshop.start("Sum up. [[hello]]", role="summarise", resume=told.session, **looking)
    assert run.process != first.process
    await follow(run)
    assert not {"Write", "Edit", "Bash", "Task"} & {tool["name"] for tool in workshop.api.requests[-1]["tools"]}
    assert not run.alive()


async def test_the_message_after_a_verified_task_finds_the_process_ready(workshop: Workshop, tmp_path: Path) -> None:
    """BYD-14: its summary is a turn that only looks"""
    repo = make_repository(tmp_path / "repo")
    (repo / "agent.yaml").write_text("verification:\n  - {name: tests, command: test -e made.txt}\n")
    api, name = workshop.api, workshop.agent.name
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {name: workshop.agent}
        api.next(use("Write", file_path=str(repo / "made.txt"), content="x"), say("Made."), say("In short."))
        _, task = await bench.chat.open(
            Opening(str(repo), SessionKind.CHAT, None, None, Message("Make it.", agent=name))
        )
        assert task is not None
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert (done.verdict, done.output) == (Verdict.PASS, "In short.")
        kept = workshop.pool.kept(done.session_id)
        assert kept is not None
        assert kept.turns == 2
        api.next(say("Here."))
        later = await bench.chat.send(done.session_id, Message("Hello?", agent=name))
        assert (await bench.rest(later, TaskStatus.COMPLETE)).output == "Here."
        assert workshop.pool.kept(done.session_id) is kept
