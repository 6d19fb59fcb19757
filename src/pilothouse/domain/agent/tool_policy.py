"""Which tools an agent gets: a list for each role, taken from one whitelist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pilothouse.domain.agent.crew import Role
from pilothouse.errors import BadConfiguration
from pilothouse.words import say

WORKBENCH_SERVER = "workbench"
"""What our MCP server is called by the agents that take one; its tools are named after it."""
READING = ("Read", "Glob", "Grep")
SUBAGENT = "Agent"
"""Claude Code's tool for an agent inside the agent. That one has no tool which the program was not started with."""
WRITING = ("Write", "Edit", "Bash")
NARROW = ("Bash(git:*)", "Bash(gh:*)", "Bash(git:diff*)", "Bash(gh:pr*)")
ASKING = ("AskUserQuestion", "EnterPlanMode", "ExitPlanMode")
WORKBENCH = tuple(f"mcp__{WORKBENCH_SERVER}__{tool}" for tool in ("decide", "plan", "step_done", "status", "blocked"))
ANSWER = f"mcp__{WORKBENCH_SERVER}__answer"

WHITELIST = frozenset((*READING, SUBAGENT, *WRITING, *NARROW, *ASKING, *WORKBENCH, ANSWER))
CANNOT_WRITE = frozenset((*READING, SUBAGENT, *WORKBENCH, ANSWER))
"""Nothing here starts a program, writes a file or goes to the network."""

TOOL = r"^[A-Za-z][A-Za-z0-9_-]*(\([^(),\u0000-\u001f\u007f]{1,200}\))?$"
"""A name, or a name with a pattern: neither can be taken for two, or for an option of the program."""


@dataclass(frozen=True, slots=True)
class Duty:
    """What a role may use; the person adds nothing to one that is read-only."""

    role: Role
    tools: tuple[str, ...]
    read_only: bool = False


_WORK = Duty(Role.EDITOR, (*READING, SUBAGENT, *WRITING, *ASKING, *WORKBENCH))
_LOOK = Duty(Role.EDITOR, READING, read_only=True)
DUTIES: Mapping[str, Duty] = {
    "edit": _WORK,
    "fix": _WORK,
    "replan": _WORK,
    "summarise": _LOOK,
    "stuck": _LOOK,
    "ask": Duty(Role.EDITOR, (*READING, SUBAGENT, *WORKBENCH, ANSWER), read_only=True),
    "scout A": Duty(Role.SCOUT, READING, read_only=True),
    "scout B": Duty(Role.SCOUT, READING, read_only=True),
    "small": Duty(Role.SMALL, (), read_only=True),
}


def duty_of(name: str) -> Duty:
    """A role without an allow-list does not start."""
    if name not in DUTIES:
        raise BadConfiguration(say("tool.no_list", name=name))
    return DUTIES[name]


def allowed(name: str, *, read_only: bool = False, further: Iterable[str] = ()) -> tuple[str, ...]:
    """The tools for a role, checked. `further` are those the person added for agents that may write."""
    duty = duty_of(name)
    if duty.read_only:
        return require(duty.tools, read_only=True)
    if read_only:
        return require((tool for tool in duty.tools if tool in READING), read_only=True)
    added = tuple(further)
    return require((*duty.tools, *added), read_only=False, further=added)


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
        if read_only and tool not in CANNOT_WRITE:
            raise BadConfiguration(say("tool.writes", tool=tool), {"tool": tool})
    return found


def well_formed(tool: str) -> bool:
    return re.fullmatch(TOOL.removesuffix("$"), tool) is not None
