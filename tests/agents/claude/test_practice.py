"""What a prepared program does before anybody has said anything to it."""

from __future__ import annotations

import sys
from pathlib import Path

from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.agents.claude.conversation import Conversation
from pilothouse.agents.claude.program import Programs
from pilothouse.agents.keeping import Pool
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import SpawnRequest
from pilothouse.process.environment import Environment, instance_of

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


async def test_a_program_that_does_not_ask_about_prompts_is_ended_at_once(tmp_path: Path) -> None:
    """BYD-14: nothing that nobody asked for reaches a model"""
    program = tmp_path / "claude"
    program.write_text(_DEAF.format(python=sys.executable))
    program.chmod(0o755)
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "k"}
    pool: Pool[Conversation] = Pool(SystemClock(), most=1, idle_seconds=300, memory_floor_mb=0)
    environment = Environment(env, instance_of(tmp_path))
    agent = ClaudeAgent(tmp_path / "state", environment, pool, programs=Programs(program))
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
    await agent.forget()
