"""Who decides whether a tool is used."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from pilothouse.agents.acp.permissions import Ruling, judge
from pilothouse.agents.acp.updates import Call
from pilothouse.domain.ports import (
    AgentRun,
    AgentSession,
    Decision,
    Ended,
    Permission,
    SpawnRequest,
    TextOut,
    ToolFinished,
    ToolStarted,
)
from pilothouse.domain.talk.permissions import plan_call
from pilothouse.domain.task.task import PermissionMode
from tests.agents.acp.stage import ALL, ASK, EDITS, Stage, staged
from tests.agents.playing import Told
from tests.process.watching import runs

COMMAND = {"rawInput": {"command": "make test"}}
MAKE = ["may", "t1", "execute", "Run tests", COMMAND]
GRANT = "execute: make test"
EDIT = ["touched", "t1", "edit", "Edit", ["a.txt"]]


@pytest.mark.parametrize(
    ("mode", "call", "ruling"),
    [
        (EDITS, Call("c", "Edit", "edit", paths=("a.txt",)), Ruling.ALLOW),
        (EDITS, Call("c", "Delete", "delete", paths=("sub/a.txt",)), Ruling.ALLOW),
        (EDITS, Call("c", "Edit", "edit"), Ruling.ASK),
        (EDITS, Call("c", "Edit", "edit", paths=("a.txt", "/etc/passwd")), Ruling.ASK),
        (EDITS, Call("c", "Edit", "edit", paths=(".git/hooks/pre-commit",)), Ruling.ASK),
        (EDITS, Call("c", "Edit", "edit", paths=("link/passwd",)), Ruling.ASK),
        (EDITS, Call("c", "Look", "read", paths=("a.txt",)), Ruling.ALLOW),
        (EDITS, Call("c", "Look", "read", paths=("/etc/passwd",)), Ruling.ASK),
        (EDITS, Call("c", "make", "execute"), Ruling.ASK),
        (EDITS, Call("c", "https://x", "fetch"), Ruling.ASK),
        (EDITS, Call("c", "anything", "other"), Ruling.ASK),
        (EDITS, Call("c", "mcp__pilothouse__decide", "other"), Ruling.ALLOW),
        (EDITS, Call("c", "pilothouse_decide", "other"), Ruling.ALLOW),
        (EDITS, Call("c", "pilothouse_decide; rm -rf /", "other"), Ruling.ASK),
        (EDITS, Call("c", "pilothouse_decide", "execute"), Ruling.ASK),
        (ASK, Call("c", "Edit", "edit", paths=("a.txt",)), Ruling.ASK),
        (ASK, Call("c", "Look", "read", paths=("a.txt",)), Ruling.ASK),
        (ALL, Call("c", "rm -rf /", "execute"), Ruling.ALLOW),
    ],
)
def test_the_permission_mode_decides(tmp_path: Path, mode: PermissionMode, call: Call, ruling: Ruling) -> None:
    """BYD-1"""
    (tmp_path / "link").symlink_to("/etc")
    request = SpawnRequest("s", tmp_path, "", tmp_path / "log", permission_mode=mode)
    assert judge(call, request, ()) is ruling


@pytest.mark.parametrize("kind", ["edit", "delete", "move", "execute", "fetch", "other", "switch_mode"])
def test_read_only_refuses_whatever_the_mode_allows(tmp_path: Path, kind: str) -> None:
    """BYD-1, GRD-7"""
    request = SpawnRequest("s", tmp_path, "", tmp_path / "log", permission_mode=ALL, read_only=True)
    assert judge(Call("c", "x", kind, paths=("a.txt",)), request, {kind}) is Ruling.REFUSE
    assert judge(Call("c", "x", "read", paths=("a.txt",)), request, ()) is Ruling.ALLOW


async def test_what_is_allowed_is_answered_once_by_kind_whatever_its_id_and_place(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(EDIT, ["permission", "t1"], permission_mode=EDITS)
    assert told.end.text == "[t1: x4]"
    assert told.end.denied == ()


async def test_what_may_not_be_done_is_refused_and_named(tmp_path: Path) -> None:
    """BYD-1, GRD-7"""
    told = await staged(tmp_path).play(MAKE, EDIT, ["permission", "t1"], read_only=True, permission_mode=ALL)
    assert told.text == "[t1: x3][t1: x3]"
    assert told.end.outcome == "done"
    assert told.end.denied == ("execute: make test", "edit: a.txt")


async def test_a_permission_ends_the_run_and_is_answered_on_the_open_request(tmp_path: Path) -> None:
    """BYD-1, RPL-8: the process that asked goes on, in a log of its own for each run."""
    stage = staged(tmp_path)
    run = await stage.start(["tool", "t1", "execute", "Run tests"], MAKE, ["say", " on"], session="s1")
    events = [event async for event in run.events()]
    end = events[-1]
    permission = getattr(end, "permission", None)
    assert isinstance(permission, Permission)
    assert replace(permission, call="") == Permission("execute", "make test", {"command": "make test"}, GRANT)
    assert getattr(end, "outcome", "") == "permission"
    assert runs(run.process.pid)
    session = next(event.id for event in events if isinstance(event, AgentSession))
    second = await stage.play(["never"], session="s1", resume=session, decision=Decision("once"))
    assert second.events[1] == ToolStarted("t1", "execute", "make test")
    assert second.text == "[t1: x4] on"
    assert second.end.outcome == "done"
    assert " on" in stage.log(2)
    assert " on" not in stage.log(1)
    await stage.agent.forget()
    assert not runs(run.process.pid)


async def asked(stage: Stage, *script: list[Any], **more: Any) -> str:
    told = await stage.play(*script, **more)
    assert told.end.outcome == "permission"
    return told.session


def decided(told: Told, choice: Literal["once", "session", "deny"]) -> Decision:
    """What the engine hands back of what a run ended with."""
    wanted = told.end.permission
    assert wanted
    return Decision(choice, tool=wanted.tool, detail=wanted.detail, call=wanted.call)


@pytest.mark.parametrize("session", ["s1", None], ids=["kept", "ended"])
async def test_a_tool_that_waits_for_a_decision_did_not_fail(tmp_path: Path, session: str | None) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(EDIT, ["permission", "t1"], session=session, permission_mode=ASK)
    assert told.end.outcome == "permission"
    assert [tool.tool_id for tool in told.of(ToolStarted)] == ["t1"]
    assert told.of(ToolFinished) == []


async def test_a_denial_reaches_the_agent_with_its_reason(tmp_path: Path) -> None:
    """BYD-1: the protocol has no place for a reason, so it is said when the turn is over."""
    stage = staged(tmp_path)
    session = await asked(stage, MAKE, session="s1")
    told = await stage.play(["x"], session="s1", resume=session, decision=Decision("deny", "Not on Fridays"))
    assert told.text.startswith("[t1: x3]The person does not allow what you asked for (execute: make test).")
    assert told.text.endswith("They say: Not on Fridays")
    assert told.end.denied == ("execute: make test",)
    assert told.end.text.startswith("The person does not allow")


async def test_always_in_this_session_holds_for_that_command_in_this_process_and_the_next(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "resume")
    other = ["may", "t3", "execute", "x", {"rawInput": {"command": "make install"}}]
    again = ["may", "t2", "execute", "Again", COMMAND]
    session = await asked(stage, MAKE, again, other, session="s1")
    told = await stage.play(["x"], session="s1", resume=session, decision=Decision("session"), granted=(GRANT,))
    assert told.text == "[t1: x4][t2: x4]"
    assert told.end.permission
    assert told.end.permission.detail == "make install"
    await stage.agent.forget("s1")
    told = await stage.play(MAKE, session="s1", resume=session, granted=(GRANT,))
    assert told.text == "[t1: x4]"


@pytest.mark.parametrize("choice", ["once", "session"])
async def test_when_the_process_is_gone_the_answer_is_said_and_the_same_thing_not_asked_twice(
    tmp_path: Path, choice: Any
) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "resume")
    first = await stage.play(MAKE, session="s1")
    stage = staged(tmp_path, "resume")
    granted = (GRANT,) if choice == "session" else ()
    told = await stage.play(
        ["echo"], MAKE, MAKE, session="s1", resume=first.session, decision=decided(first, choice), granted=granted
    )
    assert "The person allows what you asked for (execute: make test)." in told.text
    assert told.text.count("[t1: x4]") == (2 if choice == "session" else 1)
    assert told.end.outcome == ("done" if choice == "session" else "permission")


@pytest.mark.parametrize(
    "another",
    [
        ["may", "t2", "execute", "Run tests", {"rawInput": {"command": "make test", "timeout": 9}}],
        ["may", "t2", "execute", "make test", {}],
        ["may", "t2", "fetch", "Run tests", COMMAND],
    ],
)
async def test_a_call_that_differs_from_the_one_that_was_allowed_once_is_asked_about(
    tmp_path: Path, another: list[Any]
) -> None:
    """GRD-7: and leaves what was allowed for the call that it was allowed for"""
    first = await staged(tmp_path, "resume").play(MAKE, session="s1")
    stage = staged(tmp_path, "resume")
    allowed = decided(first, "once")
    told = await stage.play(another, MAKE, MAKE, session="s1", resume=first.session, decision=allowed)
    assert (told.text, told.end.outcome) == ("", "permission")
    told = await stage.play(["x"], session="s1", resume=first.session, decision=decided(told, "deny"))
    assert told.text == "[t2: x3]", "what was allowed to the run before holds for that run alone"
    assert told.end.permission
    assert told.end.permission.detail == "make test"


@pytest.mark.parametrize(("text", "outcome"), [("mine", "done"), ("other", "permission")])
@pytest.mark.parametrize("verb", ["may", "writefile"])
async def test_what_a_file_is_to_hold_is_part_of_what_was_allowed_once(
    tmp_path: Path, verb: str, text: str, outcome: str
) -> None:
    """GRD-7"""
    file = str(tmp_path / "workspace" / "a.txt")

    def edit(text: str) -> list[Any]:
        if verb == "writefile":
            return [verb, file, text]
        return [verb, "t1", "edit", "Edit", {"content": [{"type": "diff", "path": file, "newText": text}]}]

    first = await staged(tmp_path, "resume").play(edit("mine"), session="s1", permission_mode=ASK)
    again = {"session": "s1", "resume": first.session, "decision": decided(first, "once"), "permission_mode": ASK}
    told = await staged(tmp_path, "resume").play(edit(text), **again)
    assert told.end.outcome == outcome


async def test_what_an_earlier_run_was_told_is_asked_about_again(tmp_path: Path) -> None:
    """GRD-7: it may have made the call before it was cut off"""
    first = await staged(tmp_path, "resume").play(MAKE, session="s1")
    told_before = replace(decided(first, "once"), told=True)
    told = await staged(tmp_path, "resume").play(MAKE, session="s1", resume=first.session, decision=told_before)
    assert (told.text, told.end.outcome) == ("", "permission")


async def test_what_is_revoked_is_asked_for_again_in_the_run_that_is_under_way(tmp_path: Path) -> None:
    """GRD-7: and what another session was granted is not"""
    stage = staged(tmp_path)
    go = stage.workspace / "go"
    script: list[list[Any]] = [MAKE, ["wait", str(go)], ["may", "t2", "execute", "Again", COMMAND]]
    runs = [await stage.start(*script, session=session, granted=(GRANT,)) for session in ("s1", "s2")]
    texts: list[str] = []

    async def follow(run: AgentRun, reached: asyncio.Event) -> Ended:
        async for event in run.events():
            if isinstance(event, TextOut):
                texts.append(event.text)
                reached.set()
        assert isinstance(event, Ended)
        return event

    reached = [asyncio.Event(), asyncio.Event()]
    following = [asyncio.create_task(follow(*both)) for both in zip(runs, reached, strict=True)]
    await asyncio.gather(*(event.wait() for event in reached))
    await stage.agent.revoke("s1", GRANT)
    go.touch()
    first, second = await asyncio.gather(*following)
    assert (first.outcome, second.outcome) == ("permission", "done")
    assert sorted(texts) == ["[t1: x4]", "[t1: x4]", "[t2: x4]"]
    assert [run.alive() for run in runs] == [False, True]


async def test_nothing_is_kept_while_a_tool_still_runs(tmp_path: Path) -> None:
    """BYD-1: its writes would come when nobody follows."""
    stage = staged(tmp_path, "resume")
    run = await stage.start(["child"], MAKE, session="s1")
    events = [event async for event in run.events()]
    child = next(int(event.text.split()[1]) for event in events if isinstance(event, TextOut))
    assert getattr(events[-1], "outcome", "") == "permission"
    assert not runs(child)
    assert not runs(run.process.pid)
    run = await stage.start(["tool", "t0", "edit", "Edit", "in_progress"], MAKE, session="s1")
    assert [event async for event in run.events()]
    assert not runs(run.process.pid)


async def test_two_permissions_at_once_are_asked_one_after_the_other(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    two = ["both", "make", "make install"]
    session = await asked(stage, two, session="s1")
    second = await stage.play(["x"], session="s1", resume=session, decision=Decision("once"))
    assert second.end.permission
    assert second.end.permission.detail == "make install"
    third = await stage.play(["x"], session="s1", resume=session, decision=Decision("once"))
    assert (third.end.outcome, third.text) == ("done", "both answered")


async def test_another_prompt_instead_of_a_decision_cancels_what_was_asked(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    session = await asked(stage, MAKE, ["say", "never"], session="s1")
    told = await stage.play(["say", "something else"], session="s1", resume=session, reply="leave it")
    assert (told.text, told.end.outcome) == ("something else", "done")


def planned(plan: dict[str, Any], title: str = "Ready") -> list[Any]:
    return ["may", "p", "switch_mode", title, plan]


STEPS: dict[str, Any] = {"rawInput": {"plan": "# Steps"}}
WRITTEN: dict[str, Any] = {"content": [{"type": "content", "content": {"type": "text", "text": "# Steps"}}]}


@pytest.mark.parametrize("plan", [STEPS, WRITTEN], ids=["as input", "as content"])
async def test_a_plan_that_was_approved_is_not_asked_about_again_when_the_process_is_gone(
    tmp_path: Path, plan: dict[str, Any]
) -> None:
    """GRD-7: once, for that is what was approved"""
    first = await staged(tmp_path, "resume").play(planned(plan), session="s1")
    assert first.end.plan == "# Steps"
    allowed = Decision("once", call=plan_call("# Steps"))
    again = {"session": "s1", "resume": first.session, "reply": "Go on.", "decision": allowed}
    told = await staged(tmp_path, "resume").play(planned(plan, "Ready now"), planned(plan), **again)
    assert (told.text, told.end.outcome, told.end.plan) == ("[p: x4]", "asked", "# Steps")


@pytest.mark.parametrize(
    ("plan", "decision"),
    [
        ({"rawInput": {"plan": "# Other steps"}}, Decision("once", call=plan_call("# Steps"))),
        ({}, Decision("once", call=plan_call("Ready"))),
        (STEPS, Decision("once", call=plan_call("# Steps"), told=True)),
        (STEPS, Decision("deny", "Smaller steps", call=plan_call("# Steps"))),
        (STEPS, Decision("once")),
    ],
    ids=["another plan", "a title alone", "told before", "sent back", "one that names no plan"],
)
async def test_any_other_plan_is_asked_about(tmp_path: Path, plan: dict[str, Any], decision: Decision) -> None:
    """GRD-7"""
    first = await staged(tmp_path, "resume").play(planned(STEPS), session="s1")
    stage = staged(tmp_path, "resume")
    told = await stage.play(planned(plan), session="s1", resume=first.session, reply="Go on.", decision=decision)
    assert (told.text, told.end.outcome) == ("", "asked")


@pytest.mark.parametrize(("reply", "answer"), [("Approve", "[p: x4]"), ("Use SQLite", "[p: x3]")])
async def test_a_plan_is_approved_or_sent_back_by_the_reply(tmp_path: Path, reply: str, answer: str) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    first = await stage.play(["may", "p", "switch_mode", "Ready", {"rawInput": {"plan": "# Steps"}}], session="s1")
    assert (first.end.outcome, first.end.plan) == ("asked", "# Steps")
    second = await stage.play(["x"], session="s1", resume=first.session, reply=reply)
    assert second.text.startswith(answer)
    assert ("Use SQLite" in second.text) == (reply == "Use SQLite")
