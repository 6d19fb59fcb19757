"""The agents people have, and how each is started, logged in, and made to ask before it acts."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pilothouse.domain.task.task import PermissionMode
from pilothouse.words import say

WORKBENCH = "pilothouse"
"""The name our own tools go by."""
_EVERYTHING_IS_ASKED = json.dumps({"*": "ask", **dict.fromkeys(("read", "grep", "glob", "list"), "allow")})
_NOTHING_WRITES = json.dumps(
    {"*": "deny", **dict.fromkeys(("read", "grep", "glob", "list", f"{WORKBENCH}_*"), "allow")}
)


@dataclass(frozen=True)
class Preset:
    name: str
    label: str
    command: tuple[str, ...]
    install: str
    """What a person without the program does."""
    docs: str = ""
    credentials: tuple[str, ...] = ()
    """Variables of the server's environment with a key in them; one that is set is a login."""
    variables: tuple[str, ...] = ()
    """Further ones it works by. Like the keys, they reach this agent and no command that it runs through us."""
    credential_files: tuple[str, ...] = ()
    """Below the home directory: one that exists is a login."""
    needs_login: bool = True
    """False where the agent may work without either, so that only a run can tell."""
    login: str = ""
    """How a person logs in."""
    auth_methods: Mapping[str, str] = field(default_factory=dict)
    """Variable to the method that logs in with it, for agents that have to be told."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Makes it ask us before it acts, and turns off features a server does not need."""
    read_only_env: Mapping[str, str] | None = None
    read_only_meta: Mapping[str, Any] | None = None
    """With either of these two the agent itself refuses to write: it then claims `read_only`."""
    modes: Mapping[PermissionMode, str] = field(default_factory=dict)
    """The agent's own mode that asks about what the permission mode says, where it has several."""
    read_only_mode: str = ""
    """The same for a run that may only look: what it then asks for is refused."""
    model_arguments: tuple[str, ...] = ()
    """Chooses a model at launch, for agents that offer no choice in the session; `{model}` stands for it."""
    model_env: str = ""
    tells_version: bool = True
    """Whether the first word of the command answers `--version` for the agent, and not for something that runs it."""
    questions: bool = False
    costs: bool = False

    @property
    def enforces_read_only(self) -> bool:
        return self.read_only_env is not None or self.read_only_meta is not None

    @property
    def fix(self) -> str:
        return self.login or say("agent.login.terminal", label=self.label)


GEMINI = Preset(
    name="gemini",
    label="Gemini CLI",
    command=("gemini", "--acp"),
    install=say("agent.install.npm", package="@google/gemini-cli"),
    docs="https://github.com/google-gemini/gemini-cli",
    credentials=("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"),
    variables=("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GEMINI_BASE_URL"),
    credential_files=(".gemini/oauth_creds.json",),
    login=say("agent.login.gemini"),
    auth_methods={"GEMINI_API_KEY": "gemini-api-key", "GOOGLE_API_KEY": "vertex-ai"},
    modes=dict.fromkeys(PermissionMode, "default"),
    read_only_mode="default",
    model_arguments=("--model", "{model}"),
)
CODEX = Preset(
    name="codex",
    label="Codex",
    command=("codex-acp",),
    install=say("agent.install.npm", package="@agentclientprotocol/codex-acp"),
    docs="https://github.com/agentclientprotocol/codex-acp",
    credentials=("OPENAI_API_KEY", "CODEX_API_KEY"),
    variables=("OPENAI_BASE_URL", "CODEX_HOME"),
    credential_files=(".codex/auth.json",),
    login=say("agent.login.codex"),
    auth_methods={"CODEX_API_KEY": "api-key", "OPENAI_API_KEY": "api-key"},
    modes={
        PermissionMode.ASK: "read-only",
        PermissionMode.EDITS: "workspace-write",
        PermissionMode.ALL: "agent-full-access",
    },
    read_only_mode="read-only",
)
OPENCODE = Preset(
    name="opencode",
    label="OpenCode",
    command=("opencode", "acp"),
    install=say("agent.install.npm", package="opencode-ai"),
    docs="https://opencode.ai/docs",
    credentials=("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_API_KEY"),
    variables=("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT"),
    credential_files=(".local/share/opencode/auth.json",),
    needs_login=False,
    login=say("agent.login.opencode"),
    env={"OPENCODE_PERMISSION": _EVERYTHING_IS_ASKED, "OPENCODE_DISABLE_AUTOUPDATE": "true"},
    read_only_env={"OPENCODE_PERMISSION": _NOTHING_WRITES, "OPENCODE_DISABLE_AUTOUPDATE": "true"},
    costs=True,
)
GOOSE = Preset(
    name="goose",
    label="Goose",
    command=("goose", "acp"),
    install=say(
        "agent.install.page", version="1.8", page="https://block.github.io/goose/docs/getting-started/installation"
    ),
    docs="https://block.github.io/goose",
    credentials=("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"),
    variables=("GOOSE_PROVIDER",),
    credential_files=(".config/goose/config.yaml",),
    needs_login=False,
    login=say("agent.login.goose"),
    env={"GOOSE_MODE": "approve"},
    model_env="GOOSE_MODEL",
)
CLAUDE_BRIDGE = Preset(
    name="claude-acp",
    label="Claude Code (ACP bridge)",
    command=("claude-agent-acp",),
    install=say("agent.install.npm_node", package="@agentclientprotocol/claude-agent-acp", version="22"),
    docs="https://github.com/agentclientprotocol/claude-agent-acp",
    credentials=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
    variables=("ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"),
    credential_files=(".claude/.credentials.json",),
    # On macOS the login is in the keychain, which is not ours to look into.
    needs_login=False,
    login=say("agent.login.claude_bridge"),
    # With its own ten retries a wrong key takes a minute to be told.
    env={"CLAUDE_CODE_MAX_RETRIES": "2"},
    read_only_meta={"claudeCode": {"options": {"tools": ["Read", "Grep", "Glob"]}}},
    modes=dict.fromkeys(PermissionMode, "default"),
    read_only_mode="default",
    questions=True,
    costs=True,
)
PRESETS: tuple[Preset, ...] = (GEMINI, CODEX, OPENCODE, GOOSE, CLAUDE_BRIDGE)


def custom(command: str, name: str = "acp", label: str = "Custom ACP agent") -> Preset:
    """An agent by the command line a person wrote; one that cannot be read is a program that does not exist."""
    try:
        words = tuple(shlex.split(command)) or (command,)
    except ValueError:
        words = (command,)
    return Preset(
        name=name,
        label=label,
        command=words,
        install=say("agent.install.command"),
        needs_login=False,
        tells_version=False,
        login=say("agent.login.custom"),
    )
