"""How the program is started for a request, and which requests one process can serve.

Of settings files only the deny rules are loaded (`deny`): no hooks, no other permission rules, no MCP servers, no
CLAUDE.md of the person or the project. The instructions come with the request, so that the step can show them, and
permissions are asked here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pilothouse.agents.claude.credentials import Login
from pilothouse.agents.claude.program import Program
from pilothouse.domain.agent.tool_policy import CANNOT_WRITE, READING, WORKBENCH_SERVER
from pilothouse.domain.ports import SpawnRequest, Workbench
from pilothouse.domain.task.task import PermissionMode
from pilothouse.process.confine import Cage, Identity, identity

_REFUSED = (
    # A turn is over when it says so: nothing may wake the program later.
    *("CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "Monitor", "SendMessage", "ListAgents", "Workflow"),
    # The work stays in the workspace that is checkpointed.
    *("EnterWorktree", "ExitWorktree"),
)
_ASKED = ("Bash", "Edit", "Write", "NotebookEdit", "WebFetch", "WebSearch")
_SWITCHES = {
    "CLAUDE_CODE_ENTRYPOINT": "sdk-py",
    "DISABLE_AUTOUPDATER": "1",
    # What an attempt learned must go with it when it is rolled back.
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "CLAUDE_CODE_DISABLE_CRON": "1",
    # Where the provider is busy, the program says for how long: whether that is waited for is decided here.
    "CLAUDE_CODE_RETRY_WATCHDOG": "1",
    "CLAUDE_CODE_RETRY_WATCHDOG_SCOPE": "capacity",
}
_LONGEST_ARGUMENT = 100_000
"""Linux takes 128 KiB for one argument."""


@dataclass(frozen=True, slots=True)
class Launch:
    """Requests with an equal one can be served by the same process."""

    argv: tuple[str, ...]
    """Without what belongs to one conversation: its id, its model, its workbench."""
    tools: tuple[str, ...]
    """The arguments that say which it has."""
    env: Mapping[str, str] = field(repr=False)
    workspace: Path
    directory: Identity | None
    """Identifies the directory; another may now have this path."""
    cage: Cage | str | None = None

    def beside_tools(self, other: Launch) -> bool:
        """Whether nothing but the tools tells the two apart."""
        return replace(self, tools=()) == replace(other, tools=())

    def command(self, resume: str | None, model: str | None) -> list[str]:
        # In one word each: a value that begins with a dash must not become an option of its own.
        return [
            *self.argv,
            *self.tools,
            *([f"--resume={resume}"] if resume else []),
            *([f"--model={model}"] if model else []),
        ]


def prepared(
    request: SpawnRequest,
    program: Program,
    env: Mapping[str, str],
    login: Login,
    state_dir: Path,
    cage: Cage | str | None = None,
    denied: Sequence[str] = (),
) -> Launch:
    """`env` is the environment of the spawn without our switches."""
    argv = [
        *(program.path, "--output-format", "stream-json", "--input-format", "stream-json", "--verbose"),
        *("--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool", "stdio"),
        *("--permission-mode", "default", "--setting-sources=", "--strict-mcp-config"),
        # The instructions of this run count, not those of the conversation's first.
        *("--system-prompt-snapshot", "off"),
        *("--settings", _passed(json.dumps(_settings(request, login, denied)), state_dir)),
        *_instructions(request.instructions, state_dir),
    ]
    if request.choice.effort:
        argv.append(f"--effort={request.choice.effort}")
    workspace = request.workspace
    return Launch(tuple(argv), _tools(request), {**env, **_SWITCHES}, workspace, identity(workspace), cage)


def servers(workbench: Workbench | None) -> dict[str, Any]:
    """Set on the running process: the token belongs to one spawn, and a kept process serves several."""
    if workbench is None:
        return {}
    headers = {"Authorization": f"Bearer {workbench.token}"}
    return {WORKBENCH_SERVER: {"type": "http", "url": workbench.url, "headers": headers}}


def looking(request: SpawnRequest) -> tuple[str, ...] | None:
    """The tools of a read-only run; None if it may write."""
    if not request.read_only:
        return None
    return tuple(name for name in (READING if request.tools is None else request.tools) if name in CANNOT_WRITE)


def _tools(request: SpawnRequest) -> tuple[str, ...]:
    allowed = looking(request) if request.read_only else request.tools
    if allowed is None:
        return ("--disallowedTools", ",".join(_REFUSED))
    own = [name for name in allowed if not name.startswith("mcp__") and name not in _REFUSED]
    return ("--tools", ",".join(own))


def _settings(request: SpawnRequest, login: Login, denied: Sequence[str]) -> dict[str, Any]:
    """Commands that only look are not asked about by the program itself, unless a rule says so."""
    asked = {"ask": list(_ASKED)} if request.permission_mode is PermissionMode.ASK else {}
    rules = {**asked, **({"deny": list(denied)} if denied else {})}
    return {**login.settings, **({"permissions": rules} if rules else {})}


def _passed(settings: str, state_dir: Path) -> str:
    """Itself, or the file it stands in where it is too long."""
    if len(settings.encode()) <= _LONGEST_ARGUMENT:
        return settings
    return str(_kept(settings, state_dir / "settings", ".json"))


def _instructions(text: str, state_dir: Path) -> list[str]:
    if not text:
        return []
    if len(text.encode()) <= _LONGEST_ARGUMENT:
        return ["--append-system-prompt", text]
    return ["--append-system-prompt-file", str(_kept(text, state_dir / "instructions", ".md"))]


def _kept(text: str, folder: Path, ending: str) -> Path:
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}{ending}"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
