"""One conversation of the agent for a whole thread, whatever happened to the work before."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.session.session import Session
from pilothouse.domain.task.task import Step, Task, TaskStatus
from pilothouse.engine.talk.talk import Talk
from pilothouse.store.task import steps
from pilothouse.workflows.chat import Message
from tests.engine.performing import Performer
from tests.workbench import Workbench, make_repository

S = TaskStatus
SCENARIOS = """
scenarios:
  writes: [write: {path: new.txt, text: "1"}, say: Written.]
  stalls: [write: {path: new.txt, text: "1"}, stall: true]
  fails: [write: {path: new.txt, text: "1"}, fail: "Out of ink."]
  asks: [ask: "Which name?", write: {path: new.txt, text: "{reply}"}]
  wants: [permission: {tool: shell, detail: rm -rf x}, say: Went on.]
  again: [say: Here.]
"""


async def opened(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


async def prompt_of(bench: Workbench, task: Task) -> str:
    done: list[Step] = await bench.store.read(lambda c: steps.of_task(c, task.id))
    return done[0].prompt


async def then(bench: Workbench, session: Session, before: Task) -> str:
    """Send another message, and return what its agent was told, in the same conversation."""
    before = await bench.task(before.id)
    later = await bench.rest(await bench.send(session, "And now? [[again]]"), S.COMPLETE)
    assert before.agent_session is not None
    assert later.agent_session == before.agent_session
    assert "agent.fresh" not in await bench.types(later.id)
    return await prompt_of(bench, later)


async def test_after_work_that_was_done_nothing_is_told(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[writes]]")
        await bench.rest(task, S.COMPLETE)
        assert "since your last turn" not in await then(bench, session, task)


async def test_a_stop_does_not_end_the_conversation(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[stalls]]")
        await bench.until_event("step.tool_finished", task.id)
        await bench.controls.cancel(task.id)
        told = await then(bench, session, task)
        assert "You were stopped in the middle of “First.”; the files were kept as they were when you" in told
        assert (bench.repo / "new.txt").exists()


async def test_an_error_does_not_end_the_conversation(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[fails]]")
        await bench.rest(task, S.ERROR)
        assert "The run for “First.” ended with an error; the files were kept" in await then(bench, session, task)


async def test_a_message_after_being_stuck_goes_on_in_the_conversation(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: never, command: 'false'}\n")
        session, task = await bench.begin("First. [[writes]]")
        await bench.rest(task, S.STUCK)
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: always, command: 'true'}\n")
        assert "the checks still failed when all tries were used up" in await then(bench, session, task)


async def test_a_refused_permission_does_not_end_the_conversation(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[wants]]")
        await bench.rest(task, S.AWAITING_RESPONSE)
        await Talk(bench.runtime, bench.runner).permit(task.id, "deny", "Too much.")
        await bench.rest(task, S.COMPLETE)
        await then(bench, session, task)


async def test_a_rollback_its_undo_and_a_commit_are_told_in_a_line(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[writes]]")
        await bench.rest(task, S.COMPLETE)
        await bench.controls.rollback(task.id)
        told = await then(bench, session, task)
        assert "The files were rolled back to before “First.”: what was changed from there on is gone" in told
        second = await bench.rest(await bench.send(session, "More. [[writes]]"), S.COMPLETE)
        assert "since your last turn" not in await prompt_of(bench, second), "it was told already"
        await bench.controls.rollback(second.id)
        await bench.controls.undo_rollback(second.id, None)
        await bench.controls.commit(second.project_id, "Keep it", None, second.id)
        told = await then(bench, session, second)
        undone, committed = "The rollback to before “More.” was undone", "The changes were committed: “Keep it”."
        assert told.index("rolled back to before “More.”") < told.index(undone) < told.index(committed)


async def test_a_question_that_others_came_between_is_named_again(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[asks]]")
        await bench.rest(task, S.AWAITING_RESPONSE)
        await then(bench, session, task)
        await bench.controls.reply(task.id, "Ada")
        done = await bench.rest(task, S.COMPLETE)
        assert (bench.repo / "new.txt").read_text() == "Ada"
        last = (await bench.store.read(lambda c: steps.of_task(c, done.id)))[-1]
        assert "This is about “First.” again, where you had asked: Which name?" in last.prompt


async def test_a_lost_conversation_begins_afresh_from_a_digest_and_says_so(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[asks]]")
        await bench.rest(task, S.AWAITING_RESPONSE)
        await bench.controls.reply(task.id, "Ada")
        task = await bench.rest(task, S.COMPLETE)
        (bench.data_dir / "agents" / "rehearsal" / f"{task.agent_session}.json").unlink()
        later = await bench.rest(await bench.send(session, "And now? [[again]]"), S.COMPLETE)
        assert later.agent_session not in (None, task.agent_session)
        assert "no longer knows" in (await bench.until_event("agent.fresh", later.id)).data.reason
        told = await prompt_of(bench, later)
        assert told.startswith("[Earlier in this thread, which you do not remember]\nThe person asked: First.\n")
        assert "The agent asked: Which name?\n  The person answered: Ada" in told
        assert told.index("It ended: done, and not verified.") < told.index("[Task]\nAnd now?")


async def test_another_agent_is_told_what_came_before_and_the_thread_says_so(tmp_path: Path) -> None:
    """BYD-18"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("First. [[writes]]")
        await bench.rest(task, S.COMPLETE)
        await bench.controls.rollback(task.id)
        performer = Performer([])
        bench.runtime.agents = {**bench.runtime.agents, performer.name: performer}
        later = await bench.chat.send(session.id, Message("And now?", agent=performer.name))
        reason = (await bench.until_event("agent.fresh", later.id)).data.reason
        await bench.rest(later)
        assert reason.startswith("This thread was with rehearsal.")
        (request,) = performer.requests
        assert request.resume is None
        assert "The person asked: First.\nIt ended: done, and not verified.\nThe agent said: Written." in request.prompt
        assert "The files were rolled back to before “First.”" in request.prompt
