"""A thread of messages is one conversation of the real program, and a new chat finds it ready."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import PermissionMode, Task, TaskOptions, TaskStatus
from pilothouse.workflows.chat import Message, Opening
from tests.real_agent.messages_api import say, use
from tests.real_agent.workshop import Workshop, until
from tests.workbench import Workbench, make_repository


async def _sent(bench: Workbench, repo: Path, text: str, name: str) -> Task:
    _, task = await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, Message(text, agent=name)))
    assert task is not None
    return await bench.rest(task, TaskStatus.COMPLETE)


async def test_the_next_message_goes_on_in_the_same_conversation_and_process(
    workshop: Workshop, tmp_path: Path
) -> None:
    """BYD-14"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        workshop.api.next(say("Noted."), say("It was seven."))
        first = await _sent(bench, repo, "Remember seven.", workshop.agent.name)
        kept = workshop.pool.kept(first.session_id)
        assert kept is not None
        second = await bench.chat.send(first.session_id, Message("Which number?", agent=workshop.agent.name))
        done = await bench.rest(second, TaskStatus.COMPLETE)
        assert done.output == "It was seven."
        assert done.agent_session == first.agent_session
        assert workshop.pool.kept(first.session_id) is kept
        assert "Remember seven." in str(workshop.api.requests[-1])


async def test_after_a_rollback_the_conversation_goes_on_and_is_told(workshop: Workshop, tmp_path: Path) -> None:
    """BYD-18"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        workshop.api.next(use("Write", file_path=str(repo / "new.txt"), content="new\n"), say("Written."), say("Anew."))
        first = await _sent(bench, repo, "Write it.", workshop.agent.name)
        assert (repo / "new.txt").read_text() == "new\n"
        await bench.controls.rollback(first.id)
        second = await bench.chat.send(first.session_id, Message("And now?", agent=workshop.agent.name))
        done = await bench.rest(second, TaskStatus.COMPLETE)
        assert done.agent_session == first.agent_session
        heard = str(workshop.api.requests[-1]["messages"])
        assert heard.index("Write it.") < heard.index("And now?")
        assert "The files were rolled back to before “Write it.”" in workshop.api.prompts[-1]


async def test_after_a_stop_in_the_middle_of_a_command_the_conversation_goes_on(
    workshop: Workshop, tmp_path: Path
) -> None:
    """BYD-18"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        options = TaskOptions(permission_mode=PermissionMode.ALL)
        message = Message("Work. [[long]]", agent=workshop.agent.name, options=options)
        _, task = await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        await until((repo / "begun").exists)
        await bench.controls.cancel(task.id)
        stopped = await bench.rest(task, TaskStatus.CANCELLED)
        workshop.api.next(say("I see."))
        second = await bench.chat.send(task.session_id, Message("And now?", agent=workshop.agent.name))
        done = await bench.rest(second, TaskStatus.COMPLETE)
        assert (done.output, done.agent_session) == ("I see.", stopped.agent_session)
        assert "You were stopped in the middle of “Work.”; the files were kept" in workshop.api.prompts[-1]
        assert "while :; do sleep 0.1; done" in str(workshop.api.requests[-1]["messages"])


async def test_a_conversation_the_program_no_longer_has_begins_from_a_digest(
    workshop: Workshop, tmp_path: Path
) -> None:
    """BYD-18"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        workshop.api.next(say("Noted."), say("It was seven."))
        first = await _sent(bench, repo, "Remember seven.", workshop.agent.name)
        await workshop.agent.forget()
        for record in workshop.home.glob(f".claude/projects/*/{first.agent_session}.jsonl"):
            record.unlink()
        second = await bench.chat.send(first.session_id, Message("Which number?", agent=workshop.agent.name))
        done = await bench.rest(second, TaskStatus.COMPLETE)
        assert done.agent_session not in (None, first.agent_session)
        assert "The person asked: Remember seven." in workshop.api.prompts[-1]
        assert "no longer has this conversation" in (await bench.until_event("agent.fresh", second.id)).data.reason


async def test_a_new_chat_finds_the_process_that_was_made_ready_for_it(workshop: Workshop, tmp_path: Path) -> None:
    """BYD-14"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        project = await bench.projects.add(str(repo))
        assert await bench.projects.prepare(project)
        (ready,) = workshop.pool.prepared
        workshop.api.next(say("Here."))
        task = await _sent(bench, repo, "Hello.", workshop.agent.name)
        assert workshop.pool.prepared == []
        assert workshop.pool.kept(task.session_id) is ready
