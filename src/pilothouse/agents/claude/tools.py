"""Claude Code's tools in words: what a call would do, in one line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

EDITING = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
LOOKING = {"Read": "file_path", "Grep": "path", "Glob": "path", "LS": "path", "NotebookRead": "notebook_path"}
HARMLESS = {
    # They change nothing but the program's own notes; what a subagent wants to do is asked for by itself.
    *("Task", "Agent", "TaskOutput", "TaskStop", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "TodoWrite"),
    *("ToolSearch", "Skill", "EnterPlanMode", "ReportFindings", "ListMcpResourcesTool", "ReadMcpResourceTool"),
}
QUESTION, PLAN = "AskUserQuestion", "ExitPlanMode"
_SHOWN = ("command", "url", "query", "pattern", "description", "prompt", "skill", "subagent_type")
_LONGEST = 200
_EXIT = re.compile(r"^(?:Error: )?Exit code (\d+)")


def path_of(name: str, arguments: Mapping[str, Any], workspace: Path) -> Path | None:
    """The file or folder a tool is about, with its links followed; None for other tools."""
    field = EDITING.get(name) or LOOKING.get(name)
    if field is None:
        return None
    given = arguments.get(field)
    return (workspace / given if isinstance(given, str) and given else workspace).resolve()


def detail(name: str, arguments: Mapping[str, Any], workspace: Path) -> str:
    field = EDITING.get(name) or (LOOKING.get(name) if name not in ("Grep", "Glob") else None)
    if field and isinstance(arguments.get(field), str):
        return _line(_inside(arguments[field], workspace))
    if name in ("Grep", "Glob"):
        pattern, path = str(arguments.get("pattern", "")), arguments.get("path")
        return _line(f"{pattern} in {_inside(path, workspace)}" if isinstance(path, str) and path else pattern)
    if name == QUESTION:
        questions = arguments.get("questions")
        first = questions[0] if isinstance(questions, list) and questions else {}
        return _line(str(first.get("question", ""))) if isinstance(first, dict) else ""
    for key in _SHOWN:
        if isinstance(arguments.get(key), str) and arguments[key]:
            return _line(arguments[key])
    return ""


def result_detail(content: object) -> str:
    """The first line of what a tool answered."""
    return _line(next((line for line in _text(content).splitlines() if line.strip()), ""))


def exit_code(content: object) -> int | None:
    found = _EXIT.match(_text(content))
    return int(found.group(1)) if found else None


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))


def _inside(path: str, workspace: Path) -> str:
    """Relative to the workspace where it lies in it, as the person names it."""
    try:
        return str(Path(path).relative_to(workspace))
    except ValueError:
        return path


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
