"""The real program when it is asked for an answer: it and its subagents look, and neither can do anything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pilothouse.domain.agent import tool_policy
from pilothouse.domain.ports import ToolFinished, ToolStarted
from pilothouse.domain.task.task import PermissionMode
from tests.agents.playing import Told
from tests.real_agent.messages_api import Answer, say, use
from tests.real_agent.workshop import Workshop, follow
from tests.server.web import services_of, serving
from tests.workbench import Workbench, git, make_repository

ASKED: dict[str, Any] = {
    "role": "ask",
    "read_only": True,
    "tools": tool_policy.allowed("ask", read_only=True),
    "permission_mode": PermissionMode.ALL,
}
EDITING: dict[str, Any] = {"tools": tool_policy.allowed("edit"), "permission_mode": PermissionMode.ALL}
CHANGES = {"Write", "Edit", "NotebookEdit", "Bash", "WebFetch", "WebSearch"}


def subagent(mark: str, tool: str = "Agent", **more: str) -> Answer:
    return use(tool, description="x", prompt=f"[[{mark}]]", subagent_type="general-purpose", **more)


def tries(place: Path, known: Path) -> list[Answer]:
    """What an agent that may only look must not manage."""
    return [
        use("Write", file_path=str(place), content="x"),
        use("Edit", file_path=str(known), old_string="def", new_string="x"),
        use("Bash", command=f"touch {place}"),
        # The program runs this one without asking for a permission.
        use("Bash", command="ls"),
        use("WebFetch", url="http://127.0.0.1:9/", prompt="x"),
        use("mcp__workbench__answer", answer={"a": "of the subagent"}),
        subagent("below", isolation="worktree"),
    ]


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def asked(workshop: Workshop) -> Workshop:
    """A repository, and a model that tries all it can: by itself, by a subagent, and by a subagent's own."""
    workshop.workspace.rmdir()
    known = make_repository(workshop.workspace) / "calc.py"
    # Looked at before: git writes its index anew.
    git(workshop.workspace, "status")
    tried = tries(workshop.workspace / "new.txt", known)
    scenarios = workshop.api.scenarios
    scenarios["main"] = [*tried, subagent("sub"), subagent("sub", "Task"), say("Looked.")]
    scenarios["sub"] = [*tried, use("Read", file_path=str(known)), subagent("below"), say("The subagent looked.")]
    scenarios["below"] = [*tried[:4], use("Read", file_path=str(known)), say("The one below looked.")]
    return workshop


def worked(told: Told) -> list[str]:
    """The tools that did something, but for those of a subagent's own: of them the program tells nothing."""
    names = {tool.tool_id: tool.name for tool in told.of(ToolStarted)}
    return sorted(names[tool.tool_id] for tool in told.of(ToolFinished) if tool.ok)


WORKED = ["Agent", "Agent", "Agent", "Read", "Read", "Task"]
"""Two subagents, each of which read and started another."""


async def test_neither_who_is_asked_nor_its_subagents_can_write(asked: Workshop) -> None:
    """GRD-7: their models are not even offered it"""
    before = everything(asked.workspace)
    told = await asked.play_alone("Look. [[main]]", **ASKED)
    assert (told.end.outcome, told.end.text) == ("done", "Looked.")
    assert everything(asked.workspace) == before
    assert git(asked.workspace, "worktree", "list").count("\n") == 1
    assert worked(told) == WORKED
    assert str(asked.api.requests).count("The one below looked.") >= 2
    offered = {tool["name"] for request in asked.api.requests for tool in request["tools"]}
    assert {"Agent", "Read", "Grep", "Glob"} <= offered
    assert not offered & CHANGES
    assert not set(asked.api.visits) - {"/v1/messages", "/v1/messages/count_tokens"}


async def test_the_hook_alone_keeps_subagents_from_writing(asked: Workshop) -> None:
    """GRD-7: also where the program was started with every tool"""
    before = everything(asked.workspace)
    await asked.agent.prepare(asked.request("", session="", **EDITING))
    (conversation,) = asked.pool.prepared
    run = await asked.start("Look. [[main]]", **EDITING)
    assert run.process == conversation.process
    conversation.serve(run, asked.request("", **ASKED))
    told = await follow(run)
    assert told.end.text == "Looked."
    assert everything(asked.workspace) == before
    assert git(asked.workspace, "worktree", "list").count("\n") == 1
    assert worked(told) == WORKED
    assert str(asked.api.requests).count("The one below looked.") >= 2
    assert {tool["name"] for tool in asked.api.requests[-1]["tools"]} >= {"Write", "Edit", "Bash"}


async def test_the_same_model_with_an_editors_tools_writes(asked: Workshop) -> None:
    """GRD-7: or the tests above would prove nothing"""
    asked.api.scenarios["main"] = [subagent("sub"), say("Looked.")]
    asked.api.scenarios["sub"] = [*tries(asked.workspace / "new.txt", asked.workspace / "calc.py")[:3], say("Wrote.")]
    await asked.play_alone("Go. [[main]]", **EDITING)
    assert (asked.workspace / "new.txt").exists()


async def test_a_process_that_edited_is_not_asked(workshop: Workshop) -> None:
    """GRD-7: its subagents would have the tools it was started with"""
    edited = await workshop.start("Write. [[write]]", **EDITING)
    told = await follow(edited)
    beside = await workshop.start("Look. [[hello]]", **ASKED)
    assert beside.process != edited.process
    await follow(beside)
    assert edited.alive(), "it was asked beside the conversation"
    within = await workshop.start("Look. [[hello]]", resume=told.session, **ASKED)
    assert within.process != edited.process
    assert (await follow(within)).end.outcome == "done"
    assert not within.alive()


async def test_the_real_program_answers_by_the_tool_and_its_subagent_does_not(
    workshop: Workshop, tmp_path: Path
) -> None:
    """BYD-13"""
    repo = make_repository(tmp_path / "repo", "scenarios:\n  waits:\n    - stall: true\n")
    async with await Workbench.open(tmp_path / "data", repo) as bench, serving(services_of(bench)):
        _, task = await bench.begin("[[waits]]")
        await bench.until_event("task.milestone", task.id, count=2)
        (busy,) = bench.runtime.seats.open_now()
        seat = bench.runtime.seats.take(task, busy.step, answers=True)
        workshop.api.scenarios["sub"] = [use("mcp__workbench__answer", answer={"files": ["wrong"]}), say("Said so.")]
        workshop.api.scenarios["main"] = [
            use("mcp__workbench__answer", answer=["no object"]),
            use("mcp__workbench__answer", answer={"files": ["calc.py"]}),
            subagent("sub"),
            say("Answered."),
        ]
        told = await workshop.play_alone("Which files? [[main]]", workbench=seat.offer, **ASKED)
        assert (told.end.outcome, told.end.text) == ("done", "Answered.")
        assert seat.close(told.end).answer == {"files": ["calc.py"]}
        await bench.controls.cancel(task.id)
