from __future__ import annotations

import json
from pathlib import Path

import pytest

from pilothouse.agents.claude import credentials
from pilothouse.process.environment import Environment


def _env(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), **more}


def test_only_claude_gets_the_providers_variables() -> None:
    """WEB-7"""
    source = {
        "ANTHROPIC_API_KEY": "k",
        "ANTHROPIC_BASE_URL": "u",
        "AWS_SECRET_ACCESS_KEY": "s",
        "GITHUB_TOKEN": "t",
        "PILOTHOUSE_TOKEN": "p",
    }
    base = Environment(source, "i", ("EXTRA",))
    assert "ANTHROPIC_API_KEY" not in base.for_spawn()
    given = credentials.environment(base).for_spawn()
    assert {name for name in source if name in given} == {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"}
    cloud = credentials.environment(Environment({**source, "CLAUDE_CODE_USE_BEDROCK": "1"}, "i")).for_spawn()
    assert cloud["AWS_SECRET_ACCESS_KEY"] == "s"
    assert cloud["CLAUDE_CODE_USE_BEDROCK"] == "1"


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"])
def test_a_variable_is_a_login(tmp_path: Path, name: str) -> None:
    """WEB-7"""
    assert credentials.login(_env(tmp_path, **{name: "x"})).source == name
    assert not credentials.login(_env(tmp_path, **{name: ""}))


def test_a_cloud_provider_is_a_login_when_it_is_switched_on(tmp_path: Path) -> None:
    """WEB-7"""
    assert credentials.login(_env(tmp_path, CLAUDE_CODE_USE_VERTEX="true")).source == "CLAUDE_CODE_USE_VERTEX"
    assert not credentials.login(_env(tmp_path, CLAUDE_CODE_USE_VERTEX="0"))


def test_a_login_of_the_person_is_found_in_its_files(tmp_path: Path) -> None:
    """WEB-7"""
    folder = tmp_path / ".claude"
    folder.mkdir()
    assert not credentials.login(_env(tmp_path))
    (folder / ".credentials.json").write_text("not json")
    assert not credentials.login(_env(tmp_path))
    (folder / ".credentials.json").write_text(json.dumps({"claudeAiOauth": {"accessToken": "t"}}))
    assert credentials.login(_env(tmp_path)).source == str(folder / ".credentials.json")
    other = tmp_path / "elsewhere"
    other.mkdir()
    env = _env(tmp_path, CLAUDE_CONFIG_DIR=str(other))
    assert not credentials.login(env)
    (other / ".claude.json").write_text(json.dumps({"oauthAccount": {"emailAddress": "a"}}))
    assert credentials.login(env).source == str(other / ".claude.json")


def test_of_the_persons_settings_only_what_a_login_needs_is_used(tmp_path: Path) -> None:
    """WEB-7"""
    folder = tmp_path / ".claude"
    folder.mkdir()
    settings = {
        "apiKeyHelper": "print-key",
        "model": "sonnet",
        "hooks": {"PreToolUse": []},
        "permissions": {"allow": ["Bash"]},
        "env": {"ANTHROPIC_BASE_URL": "https://proxy.example.org", "ANTHROPIC_MODEL": "m", "LD_PRELOAD": "evil.so"},
    }
    (folder / "settings.json").write_text(json.dumps(settings))
    env = _env(tmp_path, ANTHROPIC_MODEL="of the server")
    assert credentials.from_settings(env) == {"ANTHROPIC_BASE_URL": "https://proxy.example.org"}
    login = credentials.login(env)
    assert login.source == "apiKeyHelper"
    assert login.settings == {"apiKeyHelper": "print-key"}
    assert login.model == "sonnet"
    (folder / "settings.json").write_text("[]")
    assert credentials.from_settings(env) == {}
