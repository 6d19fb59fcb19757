"""What a person is told about an agent before it is used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pilothouse.agents.acp.adapter import AcpAgent
from pilothouse.agents.acp.conversation import Conversation
from pilothouse.agents.acp.presets import CODEX, GEMINI, OPENCODE, PRESETS, Preset, custom
from pilothouse.agents.pool import Pool
from pilothouse.domain.clock import SystemClock
from pilothouse.errors import BadConfiguration, NoCredentials
from pilothouse.process.environment import Environment, instance_of


def installed(folder: Path, preset: Preset, prints: str = "v1.2.3 (x)") -> None:
    program = folder / "bin" / preset.command[0]
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!{sys.executable} -IS\nprint('{prints}')\n")
    program.chmod(0o755)


def agent(folder: Path, preset: Preset, **source: str) -> AcpAgent:
    source = {"HOME": str(folder), "PATH": f"{folder / 'bin'}{os.pathsep}{os.defpath}", **source}
    pool: Pool[Conversation] = Pool(SystemClock(), most=0, idle_seconds=1, memory_floor_mb=0)
    return AcpAgent(preset, Environment(source, instance_of(folder)), pool)


async def test_what_is_missing_comes_with_the_way_to_get_it(tmp_path: Path) -> None:
    """BYD-1, PLT-3"""
    health = await agent(tmp_path, GEMINI).health()
    assert (health.installed, health.ready, health.version) == (False, False, None)
    assert "gemini" in health.problem
    assert health.fix == GEMINI.install
    with pytest.raises(BadConfiguration, match="npm install -g @google/gemini-cli"):
        await agent(tmp_path, GEMINI).check("x", tmp_path, {})


async def test_without_a_login_nothing_is_started(tmp_path: Path) -> None:
    """BYD-1, WEB-7"""
    installed(tmp_path, GEMINI)
    health = await agent(tmp_path, GEMINI).health()
    assert (health.installed, health.ready, health.credentials, health.version) == (True, False, False, "1.2.3")
    assert health.fix == GEMINI.login
    with pytest.raises(NoCredentials, match="GEMINI_API_KEY"):
        await agent(tmp_path, GEMINI).check("x", tmp_path, {})
    await agent(tmp_path, GEMINI).check("x", tmp_path, {"GEMINI_API_KEY": "k"})
    await agent(tmp_path, GEMINI, GEMINI_API_KEY="k").check("x", tmp_path, {})


async def test_a_login_on_disk_counts(tmp_path: Path) -> None:
    """BYD-1, WEB-7"""
    installed(tmp_path, CODEX, "codex-acp 2.6.0")
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "auth.json").write_text("{}")
    health = await agent(tmp_path, CODEX).health()
    assert (health.ready, health.credentials, health.version) == (True, True, "2.6.0")
    assert health.program == str(tmp_path / "bin" / "codex-acp")


async def test_where_only_a_run_can_tell_nothing_is_claimed(tmp_path: Path) -> None:
    """BYD-1"""
    installed(tmp_path, OPENCODE, "no figure at all")
    health = await agent(tmp_path, OPENCODE).health()
    assert (health.ready, health.credentials, health.version) == (True, None, None)
    await agent(tmp_path, OPENCODE).check("x", tmp_path, {})


async def test_only_agents_that_can_be_kept_from_writing_claim_read_only(tmp_path: Path) -> None:
    """BYD-1, GRD-7"""
    found = {preset.name: (await agent(tmp_path, preset).health()).capabilities for preset in PRESETS}
    assert {name for name, can in found.items() if "read_only" in can} == {"opencode", "claude-acp"}
    assert all({"permissions", "mcp"} <= can for can in found.values())


def test_the_persons_own_command_is_read_as_a_shell_would() -> None:
    """BYD-1"""
    assert [preset.name for preset in PRESETS] == ["gemini", "codex", "opencode", "goose", "claude-acp"]
    assert custom("my-agent --acp 'a b'").name == "acp"
    assert custom("my-agent --acp 'a b'").command == ("my-agent", "--acp", "a b")


async def test_a_command_that_cannot_be_read_is_told_and_stops_nothing(tmp_path: Path) -> None:
    """BYD-1"""
    health = await agent(tmp_path, custom("my-agent 'unclosed")).health()
    assert (health.installed, health.ready) == (False, False)
    assert "my-agent 'unclosed" in health.problem


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_says_what_to_do(preset: Preset) -> None:
    """BYD-1"""
    assert preset.install
    assert preset.login
    assert preset.docs.startswith("https://")


def test_the_server_starts_without_the_models_of_the_protocol() -> None:
    """BYD-1: they take more than a second to build."""
    code = "import sys, pilothouse.agents.acp.adapter; sys.exit('acp' in sys.modules)"
    path = os.pathsep.join(entry for entry in sys.path if entry)
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, check=False).returncode == 0
