"""What a prepared program does before anybody has said anything to it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.agents.claude.conversation import Conversation
from pilothouse.agents.claude.program import Programs
from pilothouse.agents.keeping import Pool
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import SpawnRequest, Workbench
from pilothouse.process.environment import Environment, instance_of
from tests.real_agent.workshop import follow, until

_DEAF = """#!{python}
import json, pathlib, sys

for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "control_request":
        response = {{"subtype": "success", "request_id": heard["request_id"], "response": {{}}}}
        print(json.dumps({{"type": "control_response", "response": response}}), flush=True)
    else:
        pathlib.Path("heard").touch()
        print(json.dumps({{"type": "system", "subtype": "init", "session_id": "deaf"}}), flush=True)
"""

_SLOW = """#!{python}
import json, pathlib, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "control_request":
        if heard["request"]["subtype"] == "mcp_set_servers":
            pathlib.Path("told").touch()
            while not pathlib.Path("go").exists():
                time.sleep(0.01)
        response = {{"subtype": "success", "request_id": heard["request_id"], "response": {{}}}}
        say(type="control_response", response=response)
    elif heard["type"] == "user":
        with open("prompts", "a") as prompts:
            prompts.write(heard["message"]["content"] + "\\n")
        say(type="system", subtype="init", session_id="slow")
        say(type="result", subtype="success", session_id="slow", result="Done.", is_error=False, num_turns=1,
            duration_ms=1, duration_api_ms=1, total_cost_usd=0.1, usage={{}})
"""

_HASTY = """#!{python}
import json, pathlib, sys

def say(**message):
    print(json.dumps(message), flush=True)

def ask(id, event, **about):
    asked = {{"subtype": "hook_callback", "callback_id": callbacks[event], "input": about}}
    say(type="control_request", request_id=id, request=asked)

prompts = 0
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "control_request":
        if heard["request"]["subtype"] == "initialize":
            hooks = heard["request"]["hooks"]
            callbacks = {{event: hooks[event][0]["hookCallbackIds"][0] for event in hooks}}
        with open("asked", "a") as asked:
            print(heard["request"]["subtype"], heard["request"].get("detail", ""), file=asked)
        response = {{"subtype": "success", "request_id": heard["request_id"], "response": {{}}}}
        say(type="control_response", response=response)
    elif heard["type"] == "user":
        prompts += 1
        ask(f"prompt {{prompts}}", "UserPromptSubmit", prompt=heard["message"]["content"])
        if prompts == 2:
            ask("tool", "PreToolUse", tool_name="Bash", tool_input={{}})
    elif heard["response"]["request_id"] == "prompt 1":
        say(type="result", subtype="success", session_id="hasty", result="", is_error=False, num_turns=0,
            duration_ms=1, duration_api_ms=1, total_cost_usd=0, usage={{}})
    else:
        pathlib.Path("answer").write_text(line)
        pathlib.Path(heard["response"]["request_id"]).touch()
"""


_MUTE = """#!{python}
import json, sys

for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "control_request":
        response = {{"subtype": "success", "request_id": heard["request_id"], "response": {{}}}}
        print(json.dumps({{"type": "control_response", "response": response}}), flush=True)
"""


def agent_with(
    program: str, folder: Path, pool: Pool[Conversation], *, patience: float = 10.0, version: str = ""
) -> ClaudeAgent:
    path = folder / "claude"
    path.with_name("claude.version").write_text(version)
    path.write_text(program.format(python=sys.executable))
    path.chmod(0o755)
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "ANTHROPIC_API_KEY": "k"}
    environment = Environment(env, instance_of(folder))
    return ClaudeAgent(folder / "state", environment, pool, programs=Programs(path), patience=patience)


@pytest.fixture
def pool() -> Pool[Conversation]:
    return Pool(SystemClock(), most=1, idle_seconds=300, memory_floor_mb=0)


async def test_a_program_that_does_not_ask_about_prompts_is_ended_at_once(
    tmp_path: Path, pool: Pool[Conversation]
) -> None:
    """BYD-14: nothing that nobody asked for reaches a model"""
    agent = agent_with(_DEAF, tmp_path, pool)
    await agent.prepare(SpawnRequest("s", tmp_path, "", tmp_path / "log"))
    (prepared,) = pool.prepared
    await prepared.warmed()
    assert (tmp_path / "heard").exists()
    assert not prepared.alive()
    (tmp_path / "heard").unlink()
    await agent.prepare(SpawnRequest("t", tmp_path, "", tmp_path / "log"))
    (prepared,) = pool.prepared
    await prepared.warmed()
    assert prepared.alive(), "that it does not ask is known now"
    assert not (tmp_path / "heard").exists()
    await agent.brief(SpawnRequest("u", tmp_path, "Hi.", tmp_path / "log", session="x"))
    await prepared.adopt("another", {})
    assert not (tmp_path / "heard").exists(), "its model would hear it at once"
    await agent.forget()


async def test_a_program_that_does_not_come_to_the_end_of_its_practice_is_ended(
    tmp_path: Path, pool: Pool[Conversation]
) -> None:
    """BYD-14: what it has to say of it yet would be heard by a run"""
    agent = agent_with(_MUTE, tmp_path, pool, patience=0.2)
    await agent.prepare(SpawnRequest("s", tmp_path, "", tmp_path / "log"))
    (prepared,) = pool.prepared
    await prepared.warmed()
    assert not prepared.alive()
    assert not prepared.deaf, "that it asks nobody is not known"
    await agent.forget()


@pytest.mark.parametrize(
    ("version", "last"), [("2.1.325", "get_context_usage summary"), ("2.1.324", "initialize "), ("", "initialize ")]
)
async def test_only_a_program_that_estimates_is_asked_what_its_context_holds(
    tmp_path: Path, pool: Pool[Conversation], version: str, last: str
) -> None:
    """BYD-14: another would have the provider count it"""
    agent = agent_with(_HASTY, tmp_path, pool, version=version)
    await agent.prepare(SpawnRequest("s", tmp_path, "", tmp_path / "log"))
    (prepared,) = pool.prepared
    await prepared.warmed()
    assert (tmp_path / "asked").read_text().splitlines()[-1] == last
    assert prepared.alive()
    await agent.forget()


async def test_no_tool_is_used_for_a_prompt_that_is_told_ahead(tmp_path: Path, pool: Pool[Conversation]) -> None:
    """BYD-14, RPL-2: nothing is changed before the checkpoint is taken, should the program not wait"""
    agent = agent_with(_HASTY, tmp_path, pool)
    await agent.prepare(SpawnRequest("s", tmp_path, "", tmp_path / "log"))
    (prepared,) = pool.prepared
    await prepared.warmed()
    await agent.brief(SpawnRequest("t", tmp_path, "Hi.", tmp_path / "log", session="x"))
    await until(lambda: (tmp_path / "tool").exists())
    said = json.loads((tmp_path / "answer").read_text())["response"]["response"]["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert not (tmp_path / "prompt 2").exists()
    await agent.forget()


async def test_what_is_held_for_too_long_ends_with_its_program(tmp_path: Path, pool: Pool[Conversation]) -> None:
    """BYD-14: unanswered, for what it would do next is its own affair"""
    agent = agent_with(_HASTY, tmp_path, pool, patience=0.1)
    await agent.prepare(SpawnRequest("s", tmp_path, "", tmp_path / "log"))
    (prepared,) = pool.prepared
    await prepared.warmed()
    await agent.brief(SpawnRequest("t", tmp_path, "Hi.", tmp_path / "log", session="x"))
    await until(lambda: not prepared.alive())
    assert (tmp_path / "tool").exists()
    assert not (tmp_path / "prompt 2").exists()
    await agent.forget()


async def test_what_is_about_to_be_asked_keeps_a_program_from_practising(
    tmp_path: Path, pool: Pool[Conversation]
) -> None:
    """BYD-14"""
    agent = agent_with(_SLOW, tmp_path, pool)
    place = Workbench("http://127.0.0.1:9/workbench", "prepared")
    await agent.prepare(SpawnRequest("s", tmp_path, "", tmp_path / "log", workbench=place))
    (prepared,) = pool.prepared
    await until(lambda: (tmp_path / "told").exists())
    await agent.brief(SpawnRequest("t", tmp_path, "Hi.", tmp_path / "log", session="x", workbench=place))
    (tmp_path / "go").touch()
    await prepared.warmed()
    assert not (tmp_path / "prompts").exists()
    await agent.forget()


async def test_a_run_that_waits_for_the_program_goes_before_the_practice(
    tmp_path: Path, pool: Pool[Conversation]
) -> None:
    """BYD-14: what is said of the one must not be heard by the other"""
    agent = agent_with(_SLOW, tmp_path, pool)
    first, second = (Workbench("http://127.0.0.1:9/workbench", token) for token in ("prepared", "of the run"))
    await agent.prepare(SpawnRequest("s", tmp_path, "", tmp_path / "log", workbench=first))
    (prepared,) = pool.prepared
    await until(lambda: (tmp_path / "told").exists())
    run = await agent.start(SpawnRequest("t", tmp_path, "Hi.", tmp_path / "log", session="x", workbench=second))
    following = asyncio.create_task(follow(run))
    for _ in range(50):
        await asyncio.sleep(0)
    (tmp_path / "go").touch()
    assert (await following).end.outcome == "done"
    await prepared.warmed()
    assert (tmp_path / "prompts").read_text() == "Hi.\n"
    await agent.forget()
