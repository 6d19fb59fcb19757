"""Who does what: agent, model and tools of each spawn."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from pilothouse.domain.agent.crew import Crew, Member, Wish, Wishes
from pilothouse.domain.clock import ManualClock
from pilothouse.domain.ports import Agent, AgentHealth, Choice
from pilothouse.domain.preferences import AgentPreferences
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import ErrorKind, Task, TaskOptions, TaskStatus
from pilothouse.engine.agents import choice as choosing
from pilothouse.errors import BadConfiguration, InvalidInput, NoAgent, NoCredentials
from pilothouse.store import preferences
from pilothouse.store.agent import agent_errors
from pilothouse.workflows.chat import Message, Opening
from tests.engine.scripted import ScriptedAgent
from tests.workbench import Workbench, make_repository

ROLES = ("edit", "scout A", "scout B", "small", "summarise")
READING = ("Read", "Glob", "Grep")


class Named(ScriptedAgent):
    """A real agent of that name, as far as anyone can tell."""

    def __init__(self, name: str, *, ready: bool = True, credentials: bool | None = None) -> None:
        super().__init__(dict.fromkeys(ROLES, f"{name} is done."))
        self.name = name
        self.ready, self.credentials = ready, credentials

    async def health(self) -> AgentHealth:
        problem = "" if self.ready else "It is not logged in."
        fix = "" if self.ready else f"Run `{self.name} login`."
        return AgentHealth(
            self.name, self.name.title(), True, self.ready, None, problem, fix, credentials=self.credentials
        )


class Hanging(Named):
    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        await asyncio.Event().wait()


class Bare(Named):
    bare = False

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        if self.bare:
            raise NoCredentials("There is no login.")


async def bench_with(tmp_path: Path, *agents: Agent, config: str = "") -> Workbench:
    repo = make_repository(tmp_path / "repo")
    if config:
        (repo / "agent.yaml").write_text(config)
    bench = await Workbench.open(tmp_path / "data", repo)
    bench.runtime.agents = {**{agent.name: agent for agent in agents}, **bench.runtime.agents}
    return bench


async def send(bench: Workbench, agent: str | None = None, session: str | None = None, **options: object) -> Task:
    chosen = TaskOptions(**{"scouts": False, **options})  # type: ignore[arg-type]
    message = Message("anything", agent=agent, options=chosen)
    _, task = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, None, session, message))
    assert task is not None
    return task


async def prefer(bench: Workbench, agents: AgentPreferences) -> None:
    await bench.store.write(lambda tx: preferences.save(tx, {"agents": agents}))


async def test_the_nearest_place_decides_who_edits(tmp_path: Path) -> None:
    """BYD-1"""
    names = [Named(name) for name in ("first", "everywhere", "project", "repository", "session", "message")]
    bench = await bench_with(tmp_path, *names)
    async with bench:
        assert (await bench.rest(await send(bench))).agent == "first"
        await prefer(bench, AgentPreferences(default="everywhere"))
        assert (await bench.rest(await send(bench))).agent == "everywhere"
        project = await bench.projects.add(str(bench.repo))
        await bench.projects.choose_agent(project.id, "project")
        assert (await bench.rest(await send(bench))).agent == "project"
        (bench.repo / "agent.yaml").write_text("agent: repository\n")
        assert (await bench.rest(await send(bench))).agent == "repository"
        assert (await bench.rest(await send(bench, session="session"))).agent == "session"
        assert (await bench.rest(await send(bench, agent="message", session="session"))).agent == "message"


async def test_each_role_gets_its_agent_its_model_and_its_tools(tmp_path: Path) -> None:
    """BYD-1, GRD-7"""
    editor, scout = Named("editor"), Named("looker")
    config = "agent: editor\nagents:\n  editor: {model: large, effort: high}\n  scout: {agent: looker, model: small}\n"
    async with await bench_with(tmp_path, editor, scout, config=config) as bench:
        task = await bench.rest(await send(bench, scouts=True))
        assert task.status is TaskStatus.COMPLETE
        edits = {request.role: request for request in editor.requests}
        assert edits["edit"].choice == Choice("large", "high")
        assert edits["edit"].tools is not None
        assert {"Write", "Bash", "AskUserQuestion"} <= set(edits["edit"].tools)
        assert edits["edit"].session == task.session_id
        assert {request.role for request in scout.requests} == {"scout A", "scout B"}
        for request in scout.requests:
            assert (request.choice, request.tools, request.read_only) == (Choice("small"), READING, True)


async def test_a_message_may_name_model_and_effort(tmp_path: Path) -> None:
    """BYD-1"""
    editor = Named("editor")
    async with await bench_with(tmp_path, editor) as bench:
        await prefer(
            bench, AgentPreferences(roles=Wishes(editor=Wish("editor", "large", "high")), tools=("WebSearch",))
        )
        await bench.rest(await send(bench, model="huge"))
        await bench.rest(await send(bench, effort="low"))
        assert [request.choice for request in editor.requests] == [Choice("huge"), Choice("large", "low")]
        assert "WebSearch" in (editor.requests[0].tools or ())


async def test_without_a_real_agent_nobody_stands_in(tmp_path: Path) -> None:
    """BYD-1: decision 19."""
    async with await bench_with(tmp_path, Named("sick", ready=False)) as bench:
        with pytest.raises(NoAgent, match="no real one is ready"):
            await send(bench)
        with pytest.raises(InvalidInput, match="There is no agent “nobody”"):
            await send(bench, agent="nobody")


async def test_without_credentials_nothing_is_begun_until_they_are_there(tmp_path: Path) -> None:
    """WEB-7"""
    agent = Named("claude", ready=False, credentials=False)
    async with await bench_with(tmp_path, agent) as bench:
        await bench.runtime.health.all()
        with pytest.raises(NoCredentials, match="Run `claude login`") as caught:
            await send(bench, agent="claude")
        assert caught.value.details == {"agent": "claude", "fix": "Run `claude login`."}
        assert agent.requests == []
        agent.ready, agent.credentials = True, True
        assert (await bench.rest(await send(bench, agent="claude"))).status is TaskStatus.COMPLETE


async def test_a_scout_that_cannot_log_in_is_told_before_anything_runs(tmp_path: Path) -> None:
    """WEB-7"""
    editor, scout = Named("editor"), Named("looker", ready=False, credentials=False)
    async with await bench_with(tmp_path, editor, scout) as bench:
        await prefer(bench, AgentPreferences(roles=Wishes(scout=Wish("looker"))))
        await bench.runtime.health.all()
        with pytest.raises(NoCredentials):
            await send(bench, agent="editor", scouts=True)
        assert (await bench.rest(await send(bench, agent="editor"))).status is TaskStatus.COMPLETE


async def test_an_agent_that_does_not_answer_holds_no_message_up(tmp_path: Path) -> None:
    """PLT-3"""
    repo = make_repository(tmp_path / "repo")
    clock = ManualClock()
    async with await Workbench.open(tmp_path / "data", repo, clock) as bench:
        bench.runtime.agents = {"slow": Hanging("slow")}
        sending = asyncio.create_task(send(bench, agent="slow"))
        while not sending.done():
            await clock.advance(bench.settings.agent_check_seconds)
        with pytest.raises(BadConfiguration, match="did not answer within 10 seconds"):
            await sending


async def test_an_agent_that_is_gone_when_its_turn_comes_ends_the_task_in_words(tmp_path: Path) -> None:
    """BYD-1"""
    async with await bench_with(tmp_path, Named("mine")) as bench:
        project = await bench.projects.add(str(bench.repo))
        workspace = (await bench.directory(project.id)).id
        await bench.controls.hold(workspace, "")
        task = await send(bench, agent="mine")
        bench.runtime.agents = {name: agent for name, agent in bench.runtime.agents.items() if name != "mine"}
        await bench.controls.release(workspace)
        ended = await bench.rest(task)
        assert (ended.status, ended.error_kind) == (TaskStatus.ERROR, ErrorKind.CONFIGURATION)
        assert "There is no agent “mine”" in (ended.error_message or "")


async def test_how_an_agent_failed_last_is_kept_until_it_works_again(tmp_path: Path) -> None:
    """PLT-3"""
    async with await bench_with(tmp_path) as bench:
        scenarios = "scenarios:\n  breaks:\n    - fail: The model is gone.\n"
        (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text(scenarios)
        await bench.rest((await bench.begin("[[breaks]]"))[1])
        kept = await bench.store.read(agent_errors.all)
        assert "The model is gone." in kept["rehearsal"].message
        await bench.rest((await bench.begin("anything"))[1])
        assert await bench.store.read(agent_errors.all) == {}


def test_the_list_of_a_stage_is_checked_before_a_spawn() -> None:
    """GRD-7"""
    member = Member("a")
    wrong = choosing.Assigned(Crew(member, member), ("Read,Write",))
    with pytest.raises(BadConfiguration, match="not the name of a tool"):
        wrong.post("edit")
    assert wrong.post("summarise")[2] == READING
    with pytest.raises(BadConfiguration, match="No agent is chosen for “Small questions”"):
        wrong.post("small")


async def test_a_broken_file_is_told_before_a_missing_login(tmp_path: Path) -> None:
    """GRD-8: it stands nearer, and is the first thing to mend"""
    mine = Bare("mine")
    async with await bench_with(tmp_path, mine) as bench:
        workspace = (await bench.directory((await bench.projects.add(str(bench.repo))).id)).id
        await bench.controls.hold(workspace, "")
        task = await send(bench, agent="mine")
        mine.bare = True
        (bench.repo / "agent.yaml").write_text("version: [\n")
        await bench.controls.release(workspace)
        assert (await bench.rest(task, TaskStatus.ERROR)).error_kind is ErrorKind.CONFIGURATION
