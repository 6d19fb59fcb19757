"""A task done by an agent that speaks the Agent Client Protocol, from the message to its end."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection

from pilothouse.domain.preferences import AgentPreferences
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus, Verdict
from pilothouse.process import strays
from pilothouse.process.environment import instance_of
from pilothouse.store.database import Store
from pilothouse.store.talk import grants, questions
from pilothouse.workflows.chat import Message, Opening
from tests.agents.acp.stage import Stage, staged
from tests.process.watching import runs
from tests.workbench import Workbench, make_repository

S = TaskStatus
T = TypeVar("T")
MAKE = ["may", "t1", "execute", "Run tests", {"rawInput": {"command": "make test"}}]
GRANT = "execute: make test"
FORM = {
    "store": {"type": "string", "title": "Which store?", "enum": ["SQLite", "PostgreSQL"]},
    "name": {"type": "string", "title": "What is it called?"},
}


class Play:
    """A workbench whose only agent is the actor."""

    def __init__(self, bench: Workbench, stage: Stage) -> None:
        self.bench = bench
        self.stage = stage
        bench.runtime.agents = {"actor": stage.agent}

    async def begin(self, *script: list[Any]) -> Task:
        message = Message(json.dumps(script), agent="actor")
        _, task = await self.bench.chat.open(Opening(str(self.bench.repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        return task

    async def send(self, before: Task, *script: list[Any]) -> Task:
        return await self.bench.chat.send(before.session_id, Message(json.dumps(script), agent="actor"))

    async def done(self, task: Task) -> Task:
        return await self.bench.rest(task, S.COMPLETE)

    async def waits(self, task: Task, for_what: Awaiting) -> Task:
        found = await self.bench.rest(task, S.AWAITING_RESPONSE)
        assert found.awaiting is for_what
        return found

    def processes(self) -> list[strays.Stray]:
        return strays.find((), self.stage.environment.instance)


@asynccontextmanager
async def opened(tmp_path: Path, *traits: str, bench_of: type[Workbench] = Workbench) -> AsyncIterator[Play]:
    """Again on the same data, it is a server that was started anew."""
    repo = tmp_path / "repo"
    if not repo.exists():
        make_repository(repo)
    stage = staged(tmp_path, *traits)
    assert stage.environment.instance == instance_of(tmp_path)
    try:
        async with await bench_of.open(tmp_path / "data", repo) as bench:
            yield Play(bench, stage)
    finally:
        Stage.opened.remove(stage)
        await stage.close()


async def test_a_message_is_worked_on_and_the_next_one_goes_on_in_the_same_process(tmp_path: Path) -> None:
    """BYD-1, BYD-14"""
    async with opened(tmp_path) as play:
        file = play.bench.repo / "made.txt"
        first = await play.done(await play.begin(["say", "Making. "], ["writefile", str(file), "x\n"], ["say", "!"]))
        assert file.read_text() == "x\n"
        assert (first.verdict, first.output) == (Verdict.UNVERIFIED, "Making. written!")
        kept = play.stage.pool.kept(first.session_id)
        assert kept
        second = await play.done(await play.send(first, ["say", "Still here."]))
        assert (second.verdict, second.output) == (Verdict.NO_CHANGES, "Still here.")
        assert second.agent_session == first.agent_session == kept.session
        assert play.stage.pool.kept(first.session_id) is kept
    assert not runs(kept.spawned.process.pid)


async def test_a_form_is_filled_in_on_the_agents_own_request(tmp_path: Path) -> None:
    """BYD-1, RPL-8"""
    async with opened(tmp_path) as play:
        waiting = await play.waits(await play.begin(["elicit", "Choose", FORM]), Awaiting.QUESTION)
        asked = await play.bench.store.read(lambda c: questions.open_of_task(c, waiting.id))
        assert [question.text for question in asked] == ["Which store?", "What is it called?"]
        kept = play.stage.pool.kept(waiting.session_id)
        assert kept
        await play.bench.controls.talk.answer(waiting.id, {asked[0].id: "SQLite", asked[1].id: "Ada"})
        done = await play.done(waiting)
        assert json.loads(done.output) == {"action": "accept", "content": {"store": "SQLite", "name": "Ada"}}
        assert play.stage.pool.kept(waiting.session_id) is kept


async def test_a_permission_is_asked_for_given_for_the_session_and_revoked(tmp_path: Path) -> None:
    """GRD-7"""
    async with opened(tmp_path) as play:
        waiting = await play.waits(await play.begin(MAKE, ["say", " Ran."]), Awaiting.PERMISSION)
        assert waiting.permission
        assert (waiting.permission.detail, waiting.permission.grant) == ("make test", GRANT)
        await play.bench.controls.talk.permit(waiting.id, "session", "")
        done = await play.done(waiting)
        assert done.output == "[t1: x4] Ran."
        assert (await play.done(await play.send(done, MAKE))).output == "[t1: x4]"
        kept = play.stage.pool.kept(done.session_id)
        assert kept
        (grant,) = await play.bench.store.read(lambda c: grants.of_session(c, done.session_id))
        await play.bench.controls.talk.revoke(done.session_id, grant.id)
        assert not runs(kept.spawned.process.pid)
        again = await play.waits(await play.send(done, MAKE), Awaiting.PERMISSION)
        await play.bench.controls.talk.permit(again.id, "deny", "Not today")
        assert "Not today" in (await play.done(again)).output


async def test_what_is_revoked_while_the_agent_works_is_asked_for_again_at_once(tmp_path: Path) -> None:
    """GRD-7"""
    async with opened(tmp_path) as play:
        first = await play.waits(await play.begin(MAKE), Awaiting.PERMISSION)
        await play.bench.controls.talk.permit(first.id, "session", "")
        await play.done(first)
        go = tmp_path / "go"
        look = ["tool", "t2", "read", "Look", "in_progress"]
        task = await play.send(first, MAKE, look, ["wait", str(go)], ["progress", "t2", "completed"], MAKE)
        await play.bench.until_event("step.tool_started", task.id)
        (grant,) = await play.bench.store.read(lambda c: grants.of_session(c, first.session_id))
        await play.bench.controls.talk.revoke(first.session_id, grant.id)
        go.touch()
        await play.waits(task, Awaiting.PERMISSION)
        assert play.stage.pool.sessions == ()


class SlowReader(Store):
    """What a read has found may be out of date by the time it is told."""

    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def read(self, job: Callable[[Connection], T]) -> T:
        found = await super().read(job)
        if self.meanwhile and found == (GRANT,):
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        return found


class SlowlyRead(Workbench):
    stores = SlowReader


async def test_what_is_revoked_while_the_agent_is_about_to_start_is_not_granted(tmp_path: Path) -> None:
    """GRD-7"""
    async with opened(tmp_path, bench_of=SlowlyRead) as play:
        store, talk = play.bench.store, play.bench.controls.talk
        assert isinstance(store, SlowReader)
        first = await play.waits(await play.begin(MAKE), Awaiting.PERMISSION)
        await talk.permit(first.id, "session", "")
        await play.done(first)
        (grant,) = await store.read(lambda c: grants.of_session(c, first.session_id))
        store.meanwhile = partial(talk.revoke, first.session_id, grant.id)
        await play.waits(await play.send(first, MAKE), Awaiting.PERMISSION)
        assert store.meanwhile is None


async def test_settings_that_change_while_the_agent_works_hold_for_the_next_message(tmp_path: Path) -> None:
    """GRD-7: the process that works now was started under the old ones, and serves no other message"""
    async with opened(tmp_path, "resume") as play:
        go = tmp_path / "go"
        task = await play.begin(
            ["tool", "t", "read", "Look", "in_progress"], ["wait", str(go)], ["progress", "t", "completed"]
        )
        await play.bench.until_event("step.tool_started", task.id)
        await play.bench.switchboard.change({"agents": AgentPreferences(env=("MY_VARIABLE",))})
        go.touch()
        done = await play.done(task)
        assert play.stage.pool.kept(done.session_id) is None
        assert play.processes() == []
        later = await play.done(await play.send(done, ["say", "On."]))
        assert (later.output, later.agent_session) == ("On.", done.agent_session)
        assert play.stage.pool.kept(done.session_id)


async def test_a_cancelled_task_leaves_no_process(tmp_path: Path) -> None:
    """TSK-6: nor does a tool of the agent's own that keeps to itself"""
    async with opened(tmp_path) as play:
        busy = ["tool", "t", "execute", "Wait", "in_progress"]
        task = await play.begin(["child"], busy, ["until_cancelled"])
        await play.bench.until_event("step.tool_started", task.id)
        # The actor, its child, and who keeps them.
        assert len(play.processes()) >= 2
        await play.bench.controls.cancel(task.id)
        assert (await play.bench.task(task.id)).status is S.CANCELLED
        assert play.processes() == []


async def test_after_a_restart_the_session_is_resumed_and_what_was_decided_is_told(tmp_path: Path) -> None:
    """BYD-1, RPL-3"""
    async with opened(tmp_path, "resume") as play:
        first = await play.done(await play.begin(["say", "One."]))
        waiting = await play.waits(await play.send(first, ["echo"], MAKE), Awaiting.PERMISSION)
        assert waiting.agent_session == first.agent_session
    assert play.processes() == []
    async with opened(tmp_path, "resume") as play:
        await play.bench.controls.talk.permit(waiting.id, "session", "")
        done = await play.done(waiting)
        assert "The person allows what you asked for" in done.output
        assert done.output.endswith("[t1: x4]")
        assert (done.agent_session, done.notes) == (first.agent_session, ())
        later = await play.done(await play.send(done, ["say", "Two."]))
        assert (later.output, later.agent_session) == ("Two.", first.agent_session)


@pytest.mark.parametrize("trait", ["resume", "load"])
async def test_after_a_restart_what_is_allowed_once_is_let_through_once(tmp_path: Path, trait: str) -> None:
    """GRD-7, RPL-3"""
    async with opened(tmp_path, trait) as play:
        waiting = await play.waits(await play.begin(MAKE, ["say", " Ran. "], MAKE), Awaiting.PERMISSION)
    async with opened(tmp_path, trait) as play:
        await play.bench.controls.talk.permit(waiting.id, "once", "")
        await play.bench.until_event("permission.asked", waiting.id)
        again = await play.waits(waiting, Awaiting.PERMISSION)
        assert again.output == "[t1: x4] Ran. "
        await play.bench.controls.talk.permit(waiting.id, "once", "")
        assert (await play.done(waiting)).output.endswith("[t1: x4]")


@pytest.mark.parametrize("trait", ["resume", "load"])
async def test_after_a_restart_a_plan_that_was_approved_is_let_through_once(tmp_path: Path, trait: str) -> None:
    """GRD-7, RPL-3"""
    plan = ["may", "p", "switch_mode", "Ready", {"rawInput": {"plan": "## Plan\n\n1. Prüfen"}}]
    async with opened(tmp_path, trait) as play:
        waiting = await play.waits(await play.begin(plan, ["say", " Ran. "], plan), Awaiting.QUESTION)
        assert waiting.plan == "## Plan\n\n1. Prüfen"
    async with opened(tmp_path, trait) as play:
        (asked,) = await play.bench.store.read(lambda c: questions.open_of_task(c, waiting.id))
        await play.bench.controls.talk.answer(waiting.id, {asked.id: "approve"})
        await play.bench.until_event("question.asked", waiting.id)
        again = await play.waits(waiting, Awaiting.QUESTION)
        assert (again.output, again.plan) == ("[p: x4] Ran. ", waiting.plan)


async def test_a_session_that_the_agent_lost_begins_afresh_and_says_so(tmp_path: Path) -> None:
    """RPL-3"""
    async with opened(tmp_path, "resume") as play:
        first = await play.done(await play.begin(["say", "One."]))
    (tmp_path / "state" / (first.agent_session or "")).unlink()
    async with opened(tmp_path, "resume") as play:
        done = await play.done(await play.send(first, ["say", "Two."]))
        assert done.output == "Two."
        assert done.agent_session not in (None, first.agent_session)
        assert [note.kind for note in done.notes] == ["fresh"]
