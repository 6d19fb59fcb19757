"""Processes that would not end are told, with what to do about them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from pilothouse.domain.ports import Agent, AgentEvent, AgentHealth, AgentRun, Ended, ProcessMark, SpawnRequest
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import TaskStatus
from pilothouse.process.environment import INSTANCE_VARIABLE, SPAWN_VARIABLE, instance_of
from pilothouse.store import notices
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import Workbench, git, make_repository


class Leaving(AgentRun):
    """A run that is over while something it started cannot be ended."""

    process = ProcessMark(2**22 + 1, 0.0)

    async def events(self) -> AsyncIterator[AgentEvent]:
        yield Ended("done", "All done.", left=("4711 sudo tail -f log",))

    def alive(self) -> bool:
        return False

    def tool_alive(self) -> bool:
        return False

    async def stop(self, grace: float = 5.0) -> None:
        return None


class LeavingAgent(Agent):
    name = "leaving"

    async def health(self) -> AgentHealth:
        return AgentHealth("leaving", "Leaving", True, True)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        return None

    async def start(self, request: SpawnRequest) -> AgentRun:
        return Leaving()


async def test_a_process_that_a_task_could_not_end_is_told_by_event_and_notice(tmp_path: Path) -> None:
    """WEB-1"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        agent = LeavingAgent()
        bench.runtime.agents = {agent.name: agent}
        message = Message("anything", agent=agent.name)
        _, task = await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        await bench.rest(task, TaskStatus.COMPLETE)
        told = await bench.until_event("guard.strays", task.id)
        assert told.data.remaining == ["4711 sudo tail -f log"]
        (notice,) = await bench.store.read(notices.open)
        assert notice.code == "strays_remain"
        assert "sudo tail -f log (pid 4711)" in notice.message
        assert "kill -9 4711" in notice.message


async def test_strays_that_a_start_ended_are_told_without_a_notice(tmp_path: Path) -> None:
    """WEB-1"""
    repo, data = make_repository(tmp_path / "repo"), tmp_path / "data"
    data.mkdir()
    marker = {SPAWN_VARIABLE: "s1", INSTANCE_VARIABLE: instance_of(data)}
    stray = await asyncio.create_subprocess_exec("sleep", "600", env={**os.environ, **marker})
    try:
        async with await Workbench.open(data, repo) as bench:
            told = await bench.until_event("guard.strays")
            assert told.data.ended == [f"{stray.pid} sleep 600"]
            assert told.data.remaining == []
            assert await bench.store.read(notices.open) == []
    finally:
        with contextlib.suppress(ProcessLookupError):
            stray.kill()
        assert await stray.wait() == -signal.SIGKILL


LEAVES_LOCK = """
scenarios:
  leaves-lock:
    - write: {path: calc.py, text: "changed\\n"}
    - run: "GIT_EDITOR=.pilothouse/editor git commit -aq & while test ! -e ignored; do sleep 0.02; done; kill -9 $!"
    - say: Killed in the middle.
"""
EDITOR = "#!/bin/sh\ntouch ignored\nexec tail -f /dev/null >/dev/null 2>&1\n"


def with_editor(tmp_path: Path) -> Path:
    repo = make_repository(tmp_path / "repo", LEAVES_LOCK)
    (repo / ".pilothouse" / "editor").write_text(EDITOR)
    (repo / ".pilothouse" / "editor").chmod(0o700)
    (repo / ".gitignore").write_text(".pilothouse/\nignored\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "ready")
    return repo


async def test_the_lock_of_a_git_that_was_killed_under_the_agent_does_not_end_its_task(tmp_path: Path) -> None:
    """WEB-1"""
    async with await Workbench.open(tmp_path / "data", with_editor(tmp_path)) as bench:
        _, begun = await bench.begin("[[leaves-lock]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.files_changed == 1
        (notice,) = await bench.store.read(notices.open)
        assert (notice.code, Path(notice.details[0]).name.endswith("index.lock")) == ("lock_set_aside", True)
        assert Path(notice.details[0]).exists()
        assert not (bench.repo / ".git" / "index.lock").exists()
