"""Permissions, forms and plans: the run ends with them, and the person's answer goes to the next one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pilothouse.domain.ports import AgentRun, SpawnRequest
from pilothouse.domain.talk.questions import Question
from pilothouse.domain.task.task import Awaiting, PermissionMode, ResumeMode, Task, TaskStatus, Verdict
from pilothouse.engine.talk.questions import APPROVE
from pilothouse.errors import Conflict, IllegalTransition, InvalidInput, NotFound
from pilothouse.store.talk import grants, questions
from tests.engine.listening import Listening
from tests.passing import PassingAgent
from tests.workbench import WAIT, Workbench, make_repository

SCENARIOS = """
scenarios:
  clean:
    - permission: {tool: Bash, detail: make clean, grant: "Bash(make:*)"}
    - write: {path: cleaned.txt, text: "yes\\n"}
      when: allowed
    - say: "I left it alone ({reply})."
      when: denied
  twice:
    - permission: {tool: Bash, detail: make clean, grant: "Bash(make:*)"}
    - permission: {tool: Bash, detail: make all, grant: "Bash(make:*)"}
    - write: {path: made.txt, text: "{reply}\\n"}
  after-edit:
    - write: {path: before.txt, text: "x\\n"}
    - permission: {tool: Bash, detail: make clean}
    - write: {path: cleaned.txt, text: "yes\\n"}
      when: allowed
  edits:
    - permission: {tool: Write, detail: new.txt}
    - write: {path: new.txt, text: "{reply}\\n"}
  form:
    - form:
        - {question: "Which store?", header: Store, options: [SQLite (recommended), PostgreSQL]}
        - {question: "What else?", options: [Docs, Tests], several: true}
        - {question: "What is it called?"}
    - write: {path: form.txt, text: "{answer 1}|{answer 2}|{answer 3}\\n"}
  one:
    - form: [{question: "Which store?", options: [SQLite, PostgreSQL]}]
    - write: {path: one.txt, text: "{answer 1}\\n"}
  plan:
    - plan: "## Plan\\n\\n1. Write it."
    - write: {path: plan.txt, text: "{reply}\\n"}
"""


async def opened(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


async def open_questions(bench: Workbench, task: Task) -> list[Question]:
    return await bench.store.read(lambda c: questions.open_of_task(c, task.id))


class Overheard(PassingAgent):
    """Notes what reaches the bench's agent."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.runtime.agents["rehearsal"])
        self.requests: list[SpawnRequest] = []
        self.forgotten: list[str | None] = []
        bench.runtime.agents = {self.name: self}

    async def start(self, request: SpawnRequest) -> AgentRun:
        self.requests.append(request)
        return await super().start(request)

    async def forget(self, session: str | None = None) -> None:
        self.forgotten.append(session)


async def test_a_permission_waits_and_allowing_it_once_goes_to_the_next_run(tmp_path: Path) -> None:
    """GRD-7"""
    async with await opened(tmp_path) as bench:
        heard = Overheard(bench)
        session, task = await bench.begin("[[clean]]")
        waiting = await bench.rest(task)
        assert waiting.awaiting is Awaiting.PERMISSION
        assert waiting.permission is not None
        assert (waiting.permission.tool, waiting.permission.detail) == ("Bash", "make clean")
        assert not waiting.holds_workspace
        with pytest.raises(IllegalTransition):
            await bench.controls.reply(task.id, "go ahead")
        before, after = await bench.controls.talk.permit(task.id, "once", "")
        assert (before.status, after.status) == (TaskStatus.AWAITING_RESPONSE, TaskStatus.QUEUED)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert (done.attempt, done.permission, done.pending_decision) == (2, None, None)
        assert (bench.repo / "cleaned.txt").read_text() == "yes\n"
        decision = heard.requests[1].decision
        assert decision is not None
        assert (decision.choice, heard.requests[1].reply) == ("once", None)
        assert heard.requests[1].resume is not None
        assert await bench.store.read(lambda c: grants.of_session(c, session.id)) == []
        types = await bench.types(task.id)
        assert [t for t in types if t.startswith("permission.")] == ["permission.asked", "permission.decided"]


async def test_a_denial_is_told_with_its_reason_and_shown(tmp_path: Path) -> None:
    """GRD-7"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[clean]]")
        await bench.rest(task)
        await bench.controls.talk.permit(task.id, "deny", "the cache is shared")
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert done.verdict is Verdict.NO_CHANGES
        assert "the cache is shared" in done.output
        assert [(note.kind, note.text) for note in done.notes] == [("denied", "Bash: make clean")]
        denied = next(event for event in bench.heard if event.type == "agent.denied")
        assert (denied.data.tool, denied.data.detail) == ("Bash", "make clean")


async def test_what_is_allowed_for_a_session_is_asked_once_until_it_is_revoked(tmp_path: Path) -> None:
    """GRD-7"""
    async with await opened(tmp_path) as bench:
        heard = Overheard(bench)
        session, task = await bench.begin("[[twice]]")
        await bench.rest(task)
        await bench.controls.talk.permit(task.id, "session", "")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert heard.requests[-1].granted == ("Bash(make:*)",)
        later = await bench.send(session, "[[clean]]")
        await bench.rest(later, TaskStatus.COMPLETE)
        (grant,) = await bench.store.read(lambda c: grants.of_session(c, session.id))
        await bench.controls.talk.revoke(session.id, grant.id)
        assert heard.forgotten == [session.id]
        with pytest.raises(NotFound):
            await bench.controls.talk.revoke(session.id, grant.id)
        again = await bench.send(session, "[[clean]]")
        assert (await bench.rest(again)).awaiting is Awaiting.PERMISSION
        assert not heard.requests[-1].granted


class Slow(Listening):
    """Takes its time to end a process of the session."""

    def __init__(self) -> None:
        super().__init__()
        self.told, self.ended = asyncio.Event(), asyncio.Event()

    async def revoke(self, session: str, grant: str) -> None:
        self.told.set()
        await self.ended.wait()


async def test_no_agent_waits_for_another_to_hear_what_is_revoked(tmp_path: Path) -> None:
    """GRD-7"""
    async with await opened(tmp_path) as bench:
        one, other = Slow(), Slow()
        bench.runtime.agents = {"one": one, "other": other}
        revoking = asyncio.create_task(bench.runtime.revoke("session", "Bash(make:*)"))
        await asyncio.wait_for(asyncio.gather(one.told.wait(), other.told.wait()), WAIT)
        one.ended.set()
        other.ended.set()
        await revoking


async def test_the_permission_mode_decides_what_is_asked_at_all(tmp_path: Path) -> None:
    """GRD-7"""
    async with await opened(tmp_path) as bench:
        _, edits = await bench.begin("[[edits]]", permission_mode=PermissionMode.EDITS)
        await bench.rest(edits, TaskStatus.COMPLETE)
        _, asks = await bench.begin("[[edits]]", permission_mode=PermissionMode.ASK)
        assert (await bench.rest(asks)).awaiting is Awaiting.PERMISSION
        await bench.controls.cancel(asks.id)
        _, everything = await bench.begin("[[clean]]", permission_mode=PermissionMode.ALL)
        await bench.rest(everything, TaskStatus.COMPLETE)


async def test_a_replay_gives_the_recorded_decision_again(tmp_path: Path) -> None:
    """WEB-5"""
    async with await opened(tmp_path) as bench:
        heard = Overheard(bench)
        _, task = await bench.begin("[[twice]]")
        await bench.rest(task)
        await bench.controls.talk.permit(task.id, "once", "")
        await bench.until_event("permission.asked", task.id, count=2)
        waiting = await bench.rest(task)
        assert waiting.permission is not None
        assert waiting.permission.detail == "make all"
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("permission.asked", task.id, count=4)
        waiting = await bench.rest(task)
        assert (waiting.attempt, waiting.permission and waiting.permission.detail) == (3, "make all")
        assert [(d.detail, d.replayed) for d in waiting.decisions] == [("make clean", False), ("make clean", True)]
        assert heard.requests[-1].decision is not None
        told = [event.data.replayed for event in bench.heard if event.type == "permission.decided"]
        assert told[-1] is True


async def test_a_form_is_answered_natively_and_each_answer_is_kept(tmp_path: Path) -> None:
    """RPL-3 WEB-5"""
    async with await opened(tmp_path) as bench:
        heard = Overheard(bench)
        _, task = await bench.begin("[[form]]")
        await bench.rest(task)
        store, more, name = await open_questions(bench, task)
        assert [q.kind for q in (store, more, name)] == ["single_choice", "multi_choice", "text"]
        assert (store.header, store.options[0].recommended) == ("Store", True)
        with pytest.raises(InvalidInput, match="What is it called"):
            await bench.controls.talk.answer(task.id, {store.id: "SQLite", more.id: "Docs"})
        with pytest.raises(InvalidInput, match="no open question"):
            await bench.controls.talk.answer(task.id, {"strange": "x"})
        answers = {store.id: "SQLite", more.id: "Docs, Tests", name.id: "Ada"}
        await bench.controls.talk.answer(task.id, answers)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert heard.requests[1].answers == {
            "Which store?": "SQLite",
            "What else?": "Docs, Tests",
            "What is it called?": "Ada",
        }
        assert (bench.repo / "form.txt").read_text() == "SQLite|Docs, Tests|Ada\n"
        assert [reply.content for reply in done.replies] == ["SQLite", "Docs, Tests", "Ada"]
        assert done.pending_answers == {}
        with pytest.raises(IllegalTransition):
            await bench.controls.talk.answer(task.id, answers)


async def test_a_replay_fills_the_form_in_again(tmp_path: Path) -> None:
    """WEB-5"""
    scenarios = SCENARIOS + "  stays:\n    - form: [{question: One?}, {question: Two?}]\n    - ask: Last?\n"
    bench = await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", scenarios))
    async with bench:
        heard = Overheard(bench)
        _, task = await bench.begin("[[stays]]")
        await bench.rest(task)
        one, two = await open_questions(bench, task)
        await bench.controls.talk.answer(task.id, {one.id: "1", two.id: "2"})
        await bench.until_event("question.asked", task.id, count=3)
        await bench.rest(task)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("question.asked", task.id, count=6)
        waiting = await bench.rest(task)
        assert (waiting.attempt, waiting.question) == (3, "Last?")
        assert heard.requests[-1].answers == {"One?": "1", "Two?": "2"}
        assert [(r.content, r.replayed) for r in waiting.replies] == [
            ("1", False), ("2", False), ("1", True), ("2", True),
        ]  # fmt: skip


async def test_a_form_takes_free_words_too(tmp_path: Path) -> None:
    """RPL-1"""
    async with await opened(tmp_path) as bench:
        heard = Overheard(bench)
        _, task = await bench.begin("[[one]]")
        waiting = await bench.rest(task)
        assert waiting.question == "Which store?"
        await bench.controls.reply(task.id, "DuckDB, please")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert heard.requests[1].answers == {"Which store?": "DuckDB, please"}
        assert (bench.repo / "one.txt").read_text() == "DuckDB, please\n"
        _, several = await bench.begin("[[form]]")
        await bench.rest(several)
        await bench.controls.reply(several.id, "Whatever you think")
        await bench.rest(several, TaskStatus.COMPLETE)
        assert await open_questions(bench, several) == []
        assert (heard.requests[-1].answers, heard.requests[-1].reply) == ({}, "Whatever you think")


async def test_a_plan_is_approved_or_sent_back_with_words(tmp_path: Path) -> None:
    """RPL-1"""
    async with await opened(tmp_path) as bench:
        heard = Overheard(bench)
        _, task = await bench.begin("[[plan]]")
        waiting = await bench.rest(task)
        assert waiting.plan == "## Plan\n\n1. Write it."
        (asked,) = await open_questions(bench, task)
        assert asked.kind == "confirmation"
        await bench.controls.talk.answer(task.id, {asked.id: APPROVE})
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert done.plan is None
        assert (bench.repo / "plan.txt").read_text() == "approved\n"
        assert heard.requests[1].decision is not None
        assert heard.requests[1].decision.choice == "once"
        _, back = await bench.begin("[[plan]]")
        await bench.rest(back)
        await bench.controls.reply(back.id, "Write two of them")
        await bench.rest(back, TaskStatus.COMPLETE)
        decision = heard.requests[-1].decision
        assert decision is not None
        assert (decision.choice, decision.reason) == ("deny", "Write two of them")
        assert (bench.repo / "plan.txt").read_text() == "sent back: Write two of them\n"


async def test_what_is_kept_for_a_session_is_forgotten_when_it_no_longer_holds(tmp_path: Path) -> None:
    """WEB-6"""
    async with await opened(tmp_path) as bench:
        heard = Overheard(bench)
        session, task = await bench.begin("[[after-edit]]")
        assert (await bench.rest(task)).holds_workspace
        await bench.controls.rollback(task.id)
        assert heard.forgotten == [session.id]
        await bench.controls.cancel(task.id)
        assert heard.forgotten == [session.id] * 2
        await bench.sessions.change(session.id, archived=True)
        assert heard.forgotten == [session.id] * 3
        await bench.runner.stop("over", wait_seconds=0.01)
        assert heard.forgotten[-1] is None


async def test_two_decisions_at_once_and_only_one_counts(tmp_path: Path) -> None:
    """RPL-7"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[clean]]")
        await bench.rest(task)
        await bench.controls.talk.permit(task.id, "deny", "")
        with pytest.raises(Conflict):
            await bench.controls.talk.permit(task.id, "once", "")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert not (bench.repo / "cleaned.txt").exists()
