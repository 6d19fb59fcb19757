from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.claude import launch
from pilothouse.agents.claude.credentials import Login
from pilothouse.agents.claude.program import Program
from pilothouse.domain.ports import Choice, SpawnRequest, Workbench
from pilothouse.domain.task.task import PermissionMode
from pilothouse.process.confine import Cage

PROGRAM = Program("/opt/claude", "2.1.325", False)
NOBODY = Login("ANTHROPIC_API_KEY", {})


def _launch(tmp_path: Path, **more: Any) -> launch.Launch:
    request = SpawnRequest("s", tmp_path, "Go.", tmp_path / "log", **more)
    return launch.prepared(request, PROGRAM, {"HOME": "/home/a"}, NOBODY, tmp_path)


def _after(argv: tuple[str, ...], option: str) -> str:
    return argv[argv.index(option) + 1]


def test_nothing_of_the_machine_is_loaded(tmp_path: Path) -> None:
    """GRD-7"""
    argv = tuple(_launch(tmp_path).command(None, None))
    assert "--setting-sources=" in argv
    assert "--strict-mcp-config" in argv
    assert "--dangerously-skip-permissions" not in argv
    assert "EnterWorktree" in _after(argv, "--disallowedTools")


@pytest.mark.parametrize(
    ("more", "tools"),
    [
        ({"read_only": True}, "Read,Glob,Grep"),
        ({"read_only": True, "tools": ("Read", "Agent", "mcp__workbench__answer", "Edit")}, "Read,Agent"),
        ({"read_only": True, "tools": ("Read", "Write", "Bash")}, "Read"),
        ({"tools": ("Read", "Write", "Monitor", "mcp__workbench__decide")}, "Read,Write"),
        ({"tools": ()}, ""),
    ],
)
def test_the_tools_are_those_given_at_the_launch(tmp_path: Path, more: dict[str, Any], tools: str) -> None:
    """GRD-7"""
    assert _after(_launch(tmp_path, **more).tools, "--tools") == tools


def test_a_launch_tells_apart_what_one_process_cannot_serve(tmp_path: Path) -> None:
    """BYD-14, GRD-7"""
    plain = _launch(tmp_path)
    same: list[dict[str, Any]] = [
        {"choice": Choice("opus")},
        {"session": "x"},
        {"resume": "y"},
        {"workbench": Workbench("u", "t")},
    ]
    assert all(_launch(tmp_path, **more) == plain for more in same)
    others: list[dict[str, Any]] = [
        {"instructions": "Be brief."},
        {"tools": ("Read",)},
        {"read_only": True},
        {"permission_mode": PermissionMode.ASK},
        {"choice": Choice(None, "high")},
    ]
    assert all(_launch(tmp_path, **more) != plain for more in others)
    assert replace(plain, cage=Cage("/usr/bin/bwrap")) != plain
    assert [_launch(tmp_path, **more).beside_tools(plain) for more in others] == [False, True, True, False, False]


def test_a_directory_that_came_to_the_name_of_another_is_another(tmp_path: Path) -> None:
    """BYD-14: the process works in the one it was started in."""
    (tmp_path / "repo").mkdir()

    def launched() -> launch.Launch:
        request = SpawnRequest("s", tmp_path / "repo", "Go.", tmp_path / "log")
        return launch.prepared(request, PROGRAM, {"KEY": "secret"}, NOBODY, tmp_path)

    first = launched()
    assert launched() == first
    (tmp_path / "repo").rename(tmp_path / "old")
    (tmp_path / "repo").mkdir()
    assert launched() != first
    assert "secret" not in repr(first)


def test_a_value_never_becomes_an_option(tmp_path: Path) -> None:
    """GRD-7"""
    command = _launch(tmp_path, choice=Choice(None, "--evil")).command("--dangerously-skip-permissions", "--model2")
    assert "--resume=--dangerously-skip-permissions" in command
    assert "--model=--model2" in command
    assert "--effort=--evil" in command


def test_long_instructions_go_through_a_file(tmp_path: Path) -> None:
    """BYD-1: one argument holds 128 KiB at most"""
    assert _after(_launch(tmp_path, instructions="Be brief.").argv, "--append-system-prompt") == "Be brief."
    text = "Be brief. " * 20_000
    path = Path(_after(_launch(tmp_path, instructions=text).argv, "--append-system-prompt-file"))
    assert path.read_text() == text


def test_the_person_s_way_to_a_key_is_handed_on(tmp_path: Path) -> None:
    """WEB-7"""
    request = SpawnRequest("s", tmp_path, "Go.", tmp_path / "log", permission_mode=PermissionMode.ASK)
    login = Login("apiKeyHelper", {"apiKeyHelper": "print-key"})
    settings = json.loads(_after(launch.prepared(request, PROGRAM, {}, login, tmp_path).argv, "--settings"))
    assert settings["apiKeyHelper"] == "print-key"
    assert "Bash" in settings["permissions"]["ask"]


def test_the_workbench_is_an_http_server_with_a_token() -> None:
    """BYD-13"""
    assert launch.servers(None) == {}
    (server,) = launch.servers(Workbench("http://127.0.0.1/mcp", "t")).values()
    assert server["headers"] == {"Authorization": "Bearer t"}
