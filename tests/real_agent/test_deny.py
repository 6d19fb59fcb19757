"""A file that the person's or the project's settings deny is never sent to the provider of the real program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import PermissionMode, TaskOptions, TaskStatus
from pilothouse.errors import BadConfiguration
from pilothouse.workflows.chat import Message, Opening
from tests.real_agent.messages_api import Answer, MessagesApi, say, use
from tests.real_agent.workshop import Workshop
from tests.workbench import Workbench, make_repository

SECRET = "the-secret-of-the-house"
READING: dict[str, Answer] = {
    "a file": use("Read", file_path="{cwd}/secrets/key.txt"),
    "a link to it": use("Read", file_path="{cwd}/link"),
    "a command": use("Bash", command="cat secrets/key.txt"),
    "a subagent": use("Agent", description="Look", prompt="Read the key.", subagent_type="general-purpose"),
}


def _deny(folder: Path, *rules: str, local: bool = False) -> None:
    (folder / ".claude").mkdir(parents=True, exist_ok=True)
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "touch hooked"}]}]}
    text = json.dumps({"permissions": {"deny": [*rules]}, "hooks": hooks})
    (folder / ".claude" / ("settings.local.json" if local else "settings.json")).write_text(text)


def _furnish(folder: Path) -> None:
    (folder / "secrets").mkdir()
    (folder / "secrets" / "key.txt").write_text(SECRET)
    (folder / "link").symlink_to("secrets/key.txt")


def _sent(api: MessagesApi) -> str:
    return json.dumps(api.requests)


@pytest.mark.parametrize("whose", ["person", "project", "local"])
@pytest.mark.parametrize("way", READING)
async def test_what_is_denied_is_in_no_request(workshop: Workshop, whose: str, way: str) -> None:
    """BYD-18"""
    _furnish(workshop.workspace)
    _deny(workshop.home if whose == "person" else workshop.workspace, "Read(secrets/**)", local=whose == "local")
    calls = [READING[way], *([READING["a file"], say("Refused.")] if way == "a subagent" else [])]
    workshop.api.next(*calls, say("I could not."))
    told = await workshop.play_alone("Look at @secrets/key.txt.", permission_mode=PermissionMode.ALL)
    assert told.end.text == "I could not."
    assert SECRET not in _sent(workshop.api)
    assert len(workshop.api.requests) == len(calls) + 1
    assert not (workshop.workspace / "hooked").exists(), "nothing else of the file counts"


async def test_without_the_rule_the_same_file_is_sent(workshop: Workshop) -> None:
    """BYD-18: or the tests above would prove nothing"""
    _furnish(workshop.workspace)
    workshop.api.next(READING["a file"], say("Read it."))
    await workshop.play_alone("Look.", permission_mode=PermissionMode.ALL)
    assert SECRET in _sent(workshop.api)


@pytest.mark.parametrize("more", [{}, {"read_only": True}, {"read_only": True, "role": "scout A"}])
async def test_a_copy_of_the_workspace_is_protected_by_the_settings_of_the_original(
    workshop: Workshop, tmp_path: Path, more: dict[str, Any]
) -> None:
    """BYD-18: settings.local.json is ignored by git, and not in the copy"""
    original = tmp_path / "original"
    original.mkdir()
    _deny(original, "Read(/secrets/**)", local=True)
    _furnish(workshop.workspace)
    workshop.api.next(READING["a file"], say("I could not."))
    told = await workshop.play_alone("Look.", settings_of=(original,), **more)
    assert told.end.text == "I could not."
    assert SECRET not in _sent(workshop.api)


async def test_an_instructions_file_that_is_denied_is_left_out(workshop: Workshop, tmp_path: Path) -> None:
    """BYD-18"""
    repo = make_repository(tmp_path / "repo")
    (repo / "CLAUDE.md").write_text(SECRET)
    (repo / "AGENTS.md").write_text("Be brief.")
    _deny(repo, "Read(CLAUDE.md)")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        workshop.api.next(say("Here."))
        message = Message("Hello.", agent=workshop.agent.name, options=TaskOptions())
        _, task = await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        await bench.rest(task, TaskStatus.COMPLETE)
        assert "Be brief." in _sent(workshop.api)
        assert SECRET not in _sent(workshop.api)


async def test_a_broken_file_is_said_before_anything_runs(workshop: Workshop, tmp_path: Path) -> None:
    """BYD-18"""
    repo = make_repository(tmp_path / "repo")
    (repo / ".claude").mkdir()
    (repo / ".claude" / "settings.json").write_text("{broken")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        message = Message("Hello.", agent=workshop.agent.name)
        with pytest.raises(BadConfiguration, match="cannot be understood"):
            await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
    assert workshop.api.requests == []
