from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.claude import tools

WORKSPACE = Path("/somewhere/workspace")


@pytest.mark.parametrize(
    ("name", "arguments", "detail"),
    [
        ("Write", {"file_path": "/somewhere/workspace/src/a.py"}, "src/a.py"),
        ("Read", {"file_path": "/etc/hosts"}, "/etc/hosts"),
        ("NotebookEdit", {"notebook_path": "/somewhere/workspace/n.ipynb"}, "n.ipynb"),
        ("Bash", {"command": "pytest -q\n  tests", "description": "Test"}, "pytest -q tests"),
        ("Grep", {"pattern": "TODO", "path": "/somewhere/workspace/src"}, "TODO in src"),
        ("Glob", {"pattern": "**/*.py"}, "**/*.py"),
        ("WebFetch", {"url": "https://example.org", "prompt": "Read"}, "https://example.org"),
        ("Task", {"description": "Look around", "prompt": "…"}, "Look around"),
        ("AskUserQuestion", {"questions": [{"question": "Which?"}]}, "Which?"),
        ("AskUserQuestion", {"questions": ["odd"]}, ""),
        ("TodoWrite", {"todos": []}, ""),
        ("Bash", {"command": "x" * 500}, "x" * 199 + "…"),
    ],
)
def test_a_call_is_told_in_one_line(name: str, arguments: dict[str, Any], detail: str) -> None:
    """BYD-1"""
    assert tools.detail(name, arguments, WORKSPACE) == detail


def test_a_result_is_told_by_its_first_line_and_its_exit_code() -> None:
    """BYD-1"""
    assert tools.result_detail("\n  All good\nmore") == "All good"
    assert tools.result_detail([{"type": "text", "text": "In a block"}, {"type": "image"}]) == "In a block"
    assert tools.result_detail(None) == ""
    assert tools.exit_code("Exit code 3\nno such file") == 3
    assert tools.exit_code("It says: Exit code 3") is None
