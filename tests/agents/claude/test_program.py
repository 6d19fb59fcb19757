from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.agents.claude.conversation import Conversation
from pilothouse.agents.claude.program import Programs, number
from pilothouse.agents.pool import Pool
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import SpawnRequest
from pilothouse.errors import BadConfiguration
from pilothouse.process.environment import Environment, instance_of


def _program(folder: Path, says: str, code: int = 0) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "claude"
    path.write_text(f"#!/bin/sh\necho run >> {folder}/runs\necho '{says}'\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bundled(tmp_path: Path) -> Path:
    path = _program(tmp_path / "bundled", "unused")
    path.with_name("claude.version").write_text("2.1.300 (Claude Code)\n")
    return path


@pytest.mark.parametrize(
    ("says", "code", "own"),
    [
        ("2.1.301 (Claude Code)", 0, True),
        ("10.0.0 (Claude Code)", 0, True),
        ("2.1.300 (Claude Code)", 0, False),
        ("2.1.99 (Claude Code)", 0, False),
        ("some other claude", 0, False),
        ("9.9.9 (Claude Code)", 1, False),
    ],
)
async def test_the_persons_own_program_runs_where_it_is_newer(
    tmp_path: Path, bundled: Path, says: str, code: int, own: bool
) -> None:
    """BYD-1"""
    path = _program(tmp_path / "bin", says, code)
    chosen = await Programs(bundled).choose({"PATH": f"{path.parent}:/usr/bin:/bin"})
    assert chosen is not None
    assert chosen.own is own
    assert chosen.path == str(path if own else bundled)


async def test_a_program_is_asked_for_its_version_once_until_it_changes(tmp_path: Path, bundled: Path) -> None:
    """BYD-1"""
    path = _program(tmp_path / "bin", "3.0.0")
    env = {"PATH": f"{path.parent}:/usr/bin:/bin"}
    programs = Programs(bundled)
    for _ in range(3):
        assert (await programs.choose(env)) is not None
    assert (path.parent / "runs").read_text().count("run") == 1
    _program(tmp_path / "bin", "3.0.10 (Claude Code)")
    chosen = await programs.choose(env)
    assert chosen is not None
    assert chosen.version == "3.0.10"


async def test_without_a_program_health_says_how_to_get_one_and_nothing_starts(tmp_path: Path) -> None:
    """WEB-7"""
    environment = Environment({"PATH": "/nowhere", "HOME": str(tmp_path)}, instance_of(tmp_path))
    pool: Pool[Conversation] = Pool(SystemClock(), most=0, idle_seconds=1, memory_floor_mb=0)
    agent = ClaudeAgent(tmp_path, environment, pool, programs=Programs(tmp_path / "none"))
    health = await agent.health()
    assert (health.installed, health.ready, health.version, health.program) == (False, False, None, "")
    assert "`npm install -g @anthropic-ai/claude-code`" in health.fix
    with pytest.raises(BadConfiguration, match="npm install"):
        await agent.check("Go.", tmp_path, {})
    with pytest.raises(BadConfiguration):
        await agent.start(SpawnRequest("s", tmp_path, "Go.", tmp_path / "log"))


async def test_without_a_login_the_commands_to_log_in_are_marked_as_such(tmp_path: Path, bundled: Path) -> None:
    """WEB-7: by name where the person has the program, by its path where it came with us"""
    pool: Pool[Conversation] = Pool(SystemClock(), most=0, idle_seconds=1, memory_floor_mb=0)
    own = _program(tmp_path / "bin", "3.0.0 (Claude Code)").parent
    for folder, command in ((str(own), "claude"), ("/nowhere", str(bundled))):
        environment = Environment({"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(tmp_path)}, "i")
        health = await ClaudeAgent(tmp_path, environment, pool, programs=Programs(bundled)).health()
        assert not health.ready
        assert f"`{command}` in a terminal and type `/login`" in health.fix
        assert f"`{command} setup-token`" in health.fix


async def test_health_names_the_program_that_runs_and_what_it_can_do(tmp_path: Path) -> None:
    """WEB-7"""
    environment = Environment({"PATH": "/nowhere", "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "k"}, "i")
    agent = ClaudeAgent(tmp_path, environment, Pool(SystemClock(), most=0, idle_seconds=1, memory_floor_mb=0))
    health = await agent.health()
    assert health.ready
    assert health.program.endswith("_bundled/claude")
    assert number(health.version or "") >= (2, 1)
    assert {"questions", "permissions", "steering", "read_only"} <= health.capabilities
    assert "high" in health.efforts
