from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.claude.permissions import allowed, grant, permission
from pilothouse.domain.task.task import PermissionMode

ASK, EDITS, ALL = PermissionMode.ASK, PermissionMode.EDITS, PermissionMode.ALL


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    made.mkdir()
    return made


def test_edits_are_allowed_inside_the_workspace_only(workspace: Path) -> None:
    """GRD-7"""
    (workspace / "out").symlink_to("/tmp")
    for path in ("a.py", "deep/er/a.py", str(workspace / "a.py")):
        assert allowed("Write", {"file_path": path}, workspace, EDITS, ())
        assert not allowed("Write", {"file_path": path}, workspace, ASK, ())
    for path in ("/etc/passwd", "../beside.py", "out/a.py", ".git/hooks/pre-commit", "sub/.git/config"):
        assert not allowed("Edit", {"file_path": path}, workspace, EDITS, ()), path
        assert allowed("Edit", {"file_path": path}, workspace, ALL, ())


def test_looking_is_allowed_in_every_mode_but_not_everywhere(workspace: Path) -> None:
    """GRD-7"""
    for mode in (ASK, EDITS):
        assert allowed("Read", {"file_path": "a.py"}, workspace, mode, ())
        assert allowed("Grep", {"pattern": "x"}, workspace, mode, ())
        assert allowed("TodoWrite", {}, workspace, mode, ())
        assert allowed("mcp__workbench__decide", {}, workspace, mode, ())
        assert not allowed("Read", {"file_path": "/etc/shadow"}, workspace, mode, ())
        assert not allowed("WebFetch", {"url": "https://example.org"}, workspace, mode, ())
        assert not allowed("Bash", {"command": "ls"}, workspace, mode, ())
        assert not allowed("mcp__other__tool", {}, workspace, mode, ())
        assert not allowed("SomethingNew", {}, workspace, mode, ())


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("pytest -q", "Bash(pytest *)"),
        ("git commit -m x", "Bash(git commit *)"),
        ("npm run build", "Bash(npm run *)"),
        ("make", "Bash(make *)"),
        ("make && rm -rf /", "Bash(make && rm -rf /)"),
        ("python -c 1", "Bash(python -c 1)"),
        ("/usr/bin/env make", "Bash(/usr/bin/env make)"),
        ("A=1 make", "Bash(A=1 make)"),
        ("", "Bash()"),
    ],
)
def test_a_grant_is_as_narrow_as_it_is_useful(workspace: Path, command: str, wanted: str) -> None:
    """GRD-7"""
    assert grant("Bash", {"command": command}, workspace) == wanted


@pytest.mark.parametrize(
    ("rule", "command", "covered"),
    [
        ("Bash(pytest *)", "pytest", True),
        ("Bash(pytest *)", "pytest -q tests", True),
        ("Bash(pytest *)", "pytest; rm -rf /", False),
        ("Bash(pytest *)", "pytest $(evil)", False),
        ("Bash(pytest *)", "pytest-evil", False),
        ("Bash(git commit *)", "git push", False),
        ("Bash(make && make install)", "make && make install", True),
        ("Bash(make && make install)", "make && make install --force", False),
        ("Edit", "ls", False),
    ],
)
def test_a_grant_covers_what_it_says_and_no_more(workspace: Path, rule: str, command: str, covered: bool) -> None:
    """GRD-7"""
    assert allowed("Bash", {"command": command}, workspace, EDITS, (rule,)) is covered


@pytest.mark.parametrize(
    ("name", "arguments", "other"),
    [
        ("Write", {"file_path": "a.py"}, {"file_path": "/etc/passwd"}),
        ("Write", {"file_path": "/tmp/x/a.py"}, {"file_path": "/tmp/y/a.py"}),
        ("Read", {"file_path": "/opt/x/a.py"}, {"file_path": "/opt/a.py"}),
        ("Grep", {"pattern": "x", "path": "/opt/x"}, {"pattern": "x", "path": "/opt"}),
        ("WebFetch", {"url": "https://example.org/a"}, {"url": "https://example.com/a"}),
    ],
)
def test_what_is_granted_for_a_call_covers_that_call(
    workspace: Path, name: str, arguments: dict[str, Any], other: dict[str, Any]
) -> None:
    """GRD-7"""
    wanted = permission(name, arguments, workspace)
    assert wanted.tool == name
    assert wanted.arguments == arguments
    assert allowed(name, arguments, workspace, ASK, (wanted.grant,))
    assert not allowed(name, other, workspace, ASK, (wanted.grant,))


def test_a_tool_without_a_target_is_granted_by_its_name(workspace: Path) -> None:
    """GRD-7"""
    rule = grant("mcp__other__tool", {"a": 1}, workspace)
    assert allowed("mcp__other__tool", {"b": 2}, workspace, ASK, (rule,))
    assert not allowed("mcp__other__else", {}, workspace, ASK, (rule,))
