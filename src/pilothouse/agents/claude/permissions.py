"""Which calls of a tool are allowed, by the task's permission mode and by what the person granted for the session."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pilothouse.agents.claude import tools
from pilothouse.domain.agent.tool_policy import ANSWER, SUBAGENT, WORKBENCH_SERVER
from pilothouse.domain.ports import Permission
from pilothouse.domain.task.task import PermissionMode

_SHELL = re.compile(r"[;&|<>$`\\\n(){}*?~#!]")
"""A command with any of these can do more than its first words say."""
_SUBCOMMAND = re.compile(r"[a-z][a-z0-9:_-]*$")
_RUNS_ANYTHING = {
    *("sh", "bash", "zsh", "fish", "dash", "env", "sudo", "doas", "xargs", "find", "exec", "eval", "nohup", "time"),
    *("python", "python3", "node", "ruby", "perl", "php", "deno", "bun", "ssh", "docker", "kubectl", "nice", "timeout"),
    *("npx", "uvx", "pipx", "awk", "sed", "rm", "mv", "cp", "dd", "curl", "wget"),
}
LOOKING_ONLY = "This run may look at files of the workspace, and do nothing else."
_SUBAGENT_HERE = "Start a subagent in this directory, without isolation: it may look, and do nothing else."
_ANSWER_YOURS = "Report to the agent that started you: the answer is its own to give."
_SUBAGENT_TAKES = frozenset({"description", "prompt", "subagent_type", "model", "effort"})
"""Of a subagent's arguments these change nothing; another may make a worktree, or leave the machine."""


def against(only: Collection[str], name: str, arguments: Mapping[str, Any], *, subagent: bool) -> str:
    """What speaks against a call in a run that may use these tools `only`; empty where nothing does."""
    if name not in only:
        return LOOKING_ONLY
    if name == SUBAGENT and not _SUBAGENT_TAKES.issuperset(arguments):
        return _SUBAGENT_HERE
    return _ANSWER_YOURS if subagent and name == ANSWER else ""


def allowed(
    name: str, arguments: Mapping[str, Any], workspace: Path, mode: PermissionMode, granted: Iterable[str]
) -> bool:
    """Questions and plans are never decided here: they are for the person."""
    if mode is PermissionMode.ALL or name.startswith(f"mcp__{WORKBENCH_SERVER}__") or name in tools.HARMLESS:
        return True
    if any(_covers(rule, name, arguments, workspace) for rule in granted):
        return True
    path = tools.path_of(name, arguments, workspace)
    if path is None or not _ordinary(path, workspace):
        return False
    return name in tools.LOOKING or mode is PermissionMode.EDITS


def permission(name: str, arguments: Mapping[str, Any], workspace: Path) -> Permission:
    return Permission(
        name, tools.detail(name, arguments, workspace), dict(arguments), grant(name, arguments, workspace)
    )


def grant(name: str, arguments: Mapping[str, Any], workspace: Path) -> str:
    """What “always in this session” means for this call, as narrow as it is useful."""
    if name == "Bash":
        return f"Bash({_prefix(str(arguments.get('command', '')))})"
    if name == "WebFetch":
        return f"WebFetch({urlsplit(str(arguments.get('url', ''))).hostname or ''})"
    path = tools.path_of(name, arguments, workspace)
    if path is None:
        return name
    kind = "Edit" if name in tools.EDITING else "Read"
    if _ordinary(path, workspace):
        return kind
    return f"{kind}({path if name in ('Grep', 'Glob', 'LS') else path.parent}/)"


def _covers(rule: str, name: str, arguments: Mapping[str, Any], workspace: Path) -> bool:
    kind, _, inner = rule.removesuffix(")").partition("(")
    if kind == "Bash" and name == "Bash":
        return _command_covered(inner, str(arguments.get("command", "")).strip())
    if kind == "WebFetch" and name == "WebFetch":
        return bool(inner) and urlsplit(str(arguments.get("url", ""))).hostname == inner
    path = tools.path_of(name, arguments, workspace)
    if path is None:
        return rule == name
    if kind != ("Edit" if name in tools.EDITING else "Read"):
        return False
    return path.is_relative_to(Path(inner)) if inner else _ordinary(path, workspace)


def _command_covered(rule: str, command: str) -> bool:
    if not rule.endswith(" *"):
        return command == rule
    prefix = rule.removesuffix(" *")
    return not _SHELL.search(command) and (command == prefix or command.startswith(prefix + " "))


def _prefix(command: str) -> str:
    """`git commit *` for a plain command, the command itself where its first words do not tell what it does."""
    command = command.strip()
    words = command.split()
    if not words or _SHELL.search(command) or "=" in words[0] or Path(words[0]).name in _RUNS_ANYTHING:
        return command
    if len(words) > 1 and _SUBCOMMAND.match(words[1]):
        return f"{words[0]} {words[1]} *"
    return f"{words[0]} *"


def _ordinary(path: Path, workspace: Path) -> bool:
    """Inside the workspace, and no part of git's own files: a hook written there would run."""
    root = workspace.resolve()
    return path.is_relative_to(root) and ".git" not in path.relative_to(root).parts
