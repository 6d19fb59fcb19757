"""What lets Claude Code log in: variables of the server's environment, the person's settings, or a login of theirs.

Only the Claude program gets these variables; other agents and checks do not. What Claude runs as a tool inherits
them, as it does when the person runs Claude Code themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pilothouse.process.environment import Environment

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_CLOUDS: Mapping[str, tuple[str, ...]] = {
    "CLAUDE_CODE_USE_BEDROCK": ("AWS_*", "ANTHROPIC_BEDROCK_*", "CLAUDE_CODE_SKIP_BEDROCK_AUTH"),
    "CLAUDE_CODE_USE_VERTEX": (
        *("GOOGLE_*", "CLOUDSDK_*", "GCLOUD_PROJECT", "CLOUD_ML_REGION", "VERTEX_REGION_*"),
        *("ANTHROPIC_VERTEX_*", "CLAUDE_CODE_SKIP_VERTEX_AUTH"),
    ),
    "CLAUDE_CODE_USE_FOUNDRY": ("AZURE_*", "ANTHROPIC_FOUNDRY_*", "CLAUDE_CODE_SKIP_FOUNDRY_AUTH"),
}
_NAMED = (
    *KEYS,
    *("ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_BETAS", "ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_*"),
    *("ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION"),
    *("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_API_KEY_HELPER_TTL_MS", "CLAUDE_CODE_MAX_RETRIES", "API_TIMEOUT_MS"),
    *("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "MAX_THINKING_TOKENS", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"),
    *("CLAUDE_CODE_CLIENT_CERT", "CLAUDE_CODE_CLIENT_KEY", "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE"),
    *("DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_PROMPT_CACHING", "BASH_DEFAULT_TIMEOUT_MS"),
    *("BASH_MAX_TIMEOUT_MS", "BASH_MAX_OUTPUT_LENGTH"),
)
_HELPERS = ("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh")


@dataclass(frozen=True, slots=True)
class Login:
    """Where the credentials come from; empty when there are none."""

    source: str
    settings: Mapping[str, Any]
    """Of the person's own settings, those that a login needs; nothing else of theirs is loaded."""
    model: str | None = None
    """The model the person chose for themselves."""

    def __bool__(self) -> bool:
        return bool(self.source)


def environment(base: Environment) -> Environment:
    """The same environment with what Claude needs, of the cloud providers only those that are switched on."""
    clouds = [name for switch, names in _CLOUDS.items() if _on(base.source, switch) for name in (switch, *names)]
    return replace(base, named=(*base.named, *_NAMED, *clouds))


def config_dir(env: Mapping[str, str]) -> Path:
    given = env.get("CLAUDE_CONFIG_DIR")
    return Path(given) if given else Path(env.get("HOME") or "/") / ".claude"


def from_settings(env: Mapping[str, str]) -> dict[str, str]:
    """Variables the person set for Claude Code in its settings, of those that may reach it; the server's own win."""
    values = _settings(env).get("env")
    if not isinstance(values, dict):
        return {}
    source = {str(name): str(value) for name, value in values.items()}
    chosen = environment(Environment(source, "")).for_spawn()
    return {name: value for name, value in chosen.items() if name in source and name not in env}


def login(env: Mapping[str, str]) -> Login:
    """`env` is what the program will see, `from_settings` included."""
    settings = _settings(env)
    helpers = {name: settings[name] for name in _HELPERS if isinstance(settings.get(name), str)}
    model = settings.get("model")
    source = _variable(env) or ("apiKeyHelper" if "apiKeyHelper" in helpers else "") or _file(env)
    return Login(source, helpers, model if isinstance(model, str) else None)


def _variable(env: Mapping[str, str]) -> str:
    present: Iterable[str] = (name for name in KEYS if env.get(name))
    return next(iter(present), "") or next((switch for switch in _CLOUDS if _on(env, switch)), "")


def _file(env: Mapping[str, str]) -> str:
    folder = config_dir(env)
    login = _json(folder / ".credentials.json").get("claudeAiOauth")
    if isinstance(login, dict) and login.get("accessToken"):
        return str(folder / ".credentials.json")
    state = folder / ".claude.json" if env.get("CLAUDE_CONFIG_DIR") else folder.with_name(".claude.json")
    account = _json(state)
    # On macOS the tokens are in the keychain, and only the account is in a file.
    return str(state) if account.get("primaryApiKey") or account.get("oauthAccount") else ""


def _settings(env: Mapping[str, str]) -> dict[str, Any]:
    return _json(config_dir(env) / "settings.json")


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _on(env: Mapping[str, str], switch: str) -> bool:
    return env.get(switch, "").lower() not in ("", "0", "false", "no", "off")
