"""Which tools an agent gets for what it is asked: an allow-list for each stage, out of one whitelist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pilothouse.domain.crew import Role
from pilothouse.errors import BadConfiguration
from pilothouse.words import say

WORKBENCH_SERVER = "workbench"
"""What our MCP server is called by the agents that take one; its tools are named after it."""
READING = ("Read", "Glob", "Grep")
WRITING = ("Write", "Edit", "Bash", "Task")
NARROW = ("Bash(git:*)", "Bash(gh:*)", "Bash(git:diff*)", "Bash(gh:pr*)")
ASKING = ("AskUserQuestion", "EnterPlanMode", "ExitPlanMode")
WORKBENCH = tuple(f"mcp__{WORKBENCH_SERVER}__{tool}" for tool in ("decide", "plan", "step_done", "status", "blocked"))

WHITELIST = frozenset((*READING, *WRITING, *NARROW, *ASKING, *WORKBENCH))
READ_ONLY = frozenset(READING)
"""Nothing here starts a program, and an agent inside the agent would bring tools of its own."""

TOOL = r"^[A-Za-z][A-Za-z0-9_-]*(\([^(),\u0000-\u001f\u007f]{1,200}\))?$"
"""A name, or a name with a pattern: neither can be taken for two, or for an option of the program."""


@dataclass(frozen=True, slots=True)
class Stage:
    role: Role
    tools: tuple[str, ...]
    read_only: bool = False


_WORK = Stage(Role.EDITOR, (*READING, *WRITING, *ASKING, *WORKBENCH))
_LOOK = Stage(Role.EDITOR, READING, read_only=True)
STAGES: Mapping[str, Stage] = {
    "edit": _WORK,
    "fix": _WORK,
    "replan": _WORK,
    "summarise": _LOOK,
    "stuck": _LOOK,
    "scout A": Stage(Role.SCOUT, READING, read_only=True),
    "scout B": Stage(Role.SCOUT, READING, read_only=True),
    "small": Stage(Role.SMALL, (), read_only=True),
}


def stage_of(name: str) -> Stage:
    """What nobody wrote an allow-list for is not begun."""
    if name not in STAGES:
        raise BadConfiguration(say("tool.no_list", name=name))
    return STAGES[name]


def allowed(name: str, *, read_only: bool = False, further: Iterable[str] = ()) -> tuple[str, ...]:
    """The tools for a stage, checked. `further` are those the person added for agents that may write."""
    stage = stage_of(name)
    restricted = read_only or stage.read_only
    tools = tuple(tool for tool in stage.tools if not restricted or tool in READ_ONLY)
    granted = () if restricted else tuple(further)
    return require((*tools, *granted), read_only=restricted, further=granted)


def require(tools: Iterable[str], *, read_only: bool, further: Iterable[str] = ()) -> tuple[str, ...]:
    """The list without repetitions; raises before anything runs where a name does not belong there."""
    found = tuple(dict.fromkeys(tools))
    granted = frozenset(further)
    for tool in found:
        if not well_formed(tool):
            raise BadConfiguration(say("tool.no_name", tool=tool), {"tool": tool})
        if tool not in WHITELIST and tool not in granted:
            raise BadConfiguration(
                say("tool.not_allowed", tool=tool),
                {"tool": tool},
            )
        if read_only and tool not in READ_ONLY:
            raise BadConfiguration(say("tool.writes", tool=tool), {"tool": tool})
    return found


def well_formed(tool: str) -> bool:
    return re.fullmatch(TOOL.removesuffix("$"), tool) is not None
