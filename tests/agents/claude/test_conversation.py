"""What a program that is being ended may still do."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.agents.claude.conversation import STOPPED, Conversation
from pilothouse.agents.claude.program import Programs
from pilothouse.agents.pool import Pool
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import SpawnRequest
from pilothouse.process.environment import Environment, instance_of
from tests.real_agent.workshop import follow, until

_OBSTINATE = """#!{python}
import json, pathlib, signal, sys

def say(**message):
    print(json.dumps(message), flush=True)

def ask(*_):
    use = {{"tool_name": "Bash", "tool_input": {{}}}}
    asked = {{"subtype": "hook_callback", "callback_id": callback, "input": use}}
    say(type="control_request", request_id="tool", request=asked)

signal.signal(signal.SIGTERM, ask)
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "control_request":
        if heard["request"]["subtype"] == "initialize":
            callback = heard["request"]["hooks"]["PreToolUse"][0]["hookCallbackIds"][0]
        response = {{"subtype": "success", "request_id": heard["request_id"], "response": {{}}}}
        say(type="control_response", response=response)
    elif heard["type"] == "user":
        pathlib.Path("heard").touch()
    else:
        pathlib.Path("answer").write_text(line)
        break
"""


async def test_a_program_that_is_stopped_may_use_no_tool_however_long_it_takes_to_end(tmp_path: Path) -> None:
    """TSK-6"""
    program = tmp_path / "claude"
    program.write_text(_OBSTINATE.format(python=sys.executable))
    program.chmod(0o755)
    environment = Environment(
        {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "k"}, instance_of(tmp_path)
    )
    pool: Pool[Conversation] = Pool(SystemClock(), most=0, idle_seconds=1, memory_floor_mb=0)
    agent = ClaudeAgent(tmp_path / "state", environment, pool, programs=Programs(program), grace=60)
    run = await agent.start(SpawnRequest("s", tmp_path, "Hi.", tmp_path / "log"))
    following = asyncio.create_task(follow(run))
    await until((tmp_path / "heard").exists)
    await run.stop(grace=60)
    assert (await following).end.outcome == "crashed"
    said = json.loads((tmp_path / "answer").read_text())["response"]["response"]["hookSpecificOutput"]
    assert (said["permissionDecision"], said["permissionDecisionReason"]) == ("deny", STOPPED)
