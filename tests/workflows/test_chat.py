"""Threads, messages, and what is refused before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.agent.prompts import PROMPT_LIMIT
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.scope import Scope
from pilothouse.domain.task.task import TaskStatus
from pilothouse.errors import BadConfiguration, Conflict, InvalidInput, NoCredentials, NotFound, TooLarge
from pilothouse.store.session import sessions
from pilothouse.store.task import steps, tasks
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import Workbench, make_repository

SCENARIOS = """
scenarios:
  quick:
    - say: Done.
  slow:
    - wait: 600
  needs-key:
    requires_env: NO_SUCH_KEY
    steps:
      - say: Never reached.
"""
R = "rehearsal"


async def opened(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


async def test_messages_of_a_thread_never_make_another_and_a_new_chat_does(tmp_path: Path) -> None:
    """WEB-9"""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[quick]]")
        second = await bench.send(session, "[[quick]]")
        assert second.session_id == first.session_id == session.id
        other, third = await bench.begin("[[quick]]")
        assert other.id != session.id
        assert third.session_id == other.id
        assert other.slug != session.slug
        count = await bench.store.read(lambda c: sessions.count(c, session.project_id))
        assert count == 2


async def test_limits_written_in_the_text_and_given_as_fields_are_kept_apart_and_repeated(tmp_path: Path) -> None:
    """TSK-1"""
    async with await opened(tmp_path) as bench:
        text = "[[quick]] Fix the login.\n\nConstraints:\n- keep the tokens\n\nNon-goals:\n* no refactoring"
        message = Message(text, scope=Scope(boundaries=("docs/",), constraints=("keep the tokens",)), agent=R)
        _, task = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        assert task.prompt == "[[quick]] Fix the login."
        assert task.scope == Scope(("keep the tokens",), ("no refactoring",), ("docs/",))
        await bench.rest(task, TaskStatus.COMPLETE)
        prompt = (await bench.store.read(lambda c: steps.of_task(c, task.id)))[0].prompt
        for limit in ("keep the tokens", "no refactoring", "docs/"):
            assert limit in prompt
        started = await bench.until_event("task.started", task.id)
        assert started.data.constraints == ["keep the tokens"]


async def test_an_empty_message_is_refused(tmp_path: Path) -> None:
    """PLT-8"""
    async with await opened(tmp_path) as bench:
        for text in ("", "  \n ", "Constraints:\n- only limits"):
            with pytest.raises(InvalidInput, match="empty"):
                await bench.begin(text)


async def test_a_message_over_the_limit_is_refused(tmp_path: Path) -> None:
    """PLT-8"""
    async with await opened(tmp_path) as bench:
        with pytest.raises(TooLarge):
            await bench.begin("x" * (PROMPT_LIMIT + 1))


async def test_without_a_named_agent_nothing_stands_in_silently(tmp_path: Path) -> None:
    """PLT-9"""
    async with await opened(tmp_path) as bench:
        with pytest.raises(BadConfiguration, match="no agent yet"):
            await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, None, None, Message("Do something")))
        with pytest.raises(InvalidInput, match="no agent"):
            await bench.chat.open(
                Opening(str(bench.repo), SessionKind.CHAT, None, None, Message("Do it", agent="nobody"))
            )


async def test_missing_credentials_refuse_the_message_and_leave_nothing(tmp_path: Path) -> None:
    """PLT-9"""
    async with await opened(tmp_path) as bench:
        with pytest.raises(NoCredentials, match="NO_SUCH_KEY"):
            await bench.begin("[[needs-key]]")
        project = await bench.projects.add(str(bench.repo))
        assert await bench.store.read(lambda c: sessions.count(c, project.id)) == 0
        assert sum((await bench.store.read(lambda c: tasks.counts(c, bench.runtime.host_id))).values()) == 0


async def test_a_broken_scenario_file_refuses_the_message(tmp_path: Path) -> None:
    """PLT-9"""
    async with await opened(tmp_path) as bench:
        (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text("scenarios: [oops\n")
        with pytest.raises(BadConfiguration, match="line"):
            await bench.begin("[[quick]]")


@pytest.mark.parametrize("make", ["missing", "file", "plain"])
async def test_a_path_that_is_no_repository_is_refused_with_what_to_do(tmp_path: Path, make: str) -> None:
    """PLT-8"""
    async with await opened(tmp_path) as bench:
        path = tmp_path / make
        if make == "file":
            path.write_text("x")
        elif make == "plain":
            path.mkdir()
        with pytest.raises(InvalidInput) as refused:
            await bench.projects.add(str(path))
        assert refused.value.details == {"field": "project_path"} | (refused.value.details or {})


async def test_a_project_added_twice_is_one(tmp_path: Path) -> None:
    """PLT-8"""
    async with await opened(tmp_path) as bench:
        link = tmp_path / "link"
        link.symlink_to(bench.repo)
        first = await bench.projects.add(str(bench.repo))
        assert await bench.projects.add(str(link)) == first


async def test_chats_of_one_title_are_told_apart_by_a_number_and_add_their_project_once(tmp_path: Path) -> None:
    """WEB-9"""
    async with await opened(tmp_path) as bench:
        link = tmp_path / "link"
        link.symlink_to(bench.repo)
        made = []
        for path, title in ((bench.repo, "Fix it"), (link, "Fix it"), (bench.repo, "Fix it 4"), (link, "fix it!")):
            session, _ = await bench.chat.open(Opening(str(path), SessionKind.CHAT, title, None, None))
            made.append((session.project_id, session.slug))
        last, _ = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, "Fix it", None, None))
        assert [slug for _, slug in made] == ["fix-it", "fix-it-2", "fix-it-4", "fix-it-3"]
        assert last.slug == "fix-it-5"
        assert {project for project, _ in made} == {last.project_id}
        assert [event.type for event in bench.heard].count("project.added") == 1


async def test_a_session_with_open_work_cannot_be_deleted_and_a_deleted_one_takes_no_message(tmp_path: Path) -> None:
    """PLT-9"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("[[slow]]")
        with pytest.raises(Conflict):
            await bench.sessions.change(session.id, deleted=True)
        await bench.until_event("step.started", task.id)
        await bench.controls.cancel(task.id)
        gone = await bench.sessions.change(session.id, deleted=True)
        assert gone.deleted
        with pytest.raises(Conflict):
            await bench.send(session, "[[quick]]")


async def test_titles_come_from_the_first_line_and_can_be_changed(tmp_path: Path) -> None:
    """WEB-9"""
    async with await opened(tmp_path) as bench:
        session, _ = await bench.begin(
            "\n[[quick]] Sort the berths by length and then by width, largest ones first\nMore"
        )
        assert session.title == "Sort the berths by length and then by width, largest ones…"
        renamed = await bench.sessions.change(session.id, title="Berths")
        assert (renamed.title, renamed.slug) == ("Berths", session.slug)
        changed = await bench.until_event("session.changed")
        assert changed.data.title == "Berths"
        with pytest.raises(NotFound):
            await bench.sessions.change("no-such-session", title="x")
