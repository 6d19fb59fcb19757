"""Makes the environment of a check: that of every spawn, with colours on and prompts off."""

from __future__ import annotations

from collections.abc import Mapping

from pilothouse.process.environment import Environment

# A check has no terminal, so each tool is asked for colours in its own way.
_COLOURS = {
    "TERM": "xterm-256color",
    "FORCE_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "PY_COLORS": "1",
    "CARGO_TERM_COLOR": "always",
}
# `CI` keeps test runners from watching for changes and from asking about snapshots.
_ALONE = {
    "CI": "true",
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "PIP_NO_INPUT": "1",
    "DEBIAN_FRONTEND": "noninteractive",
    **dict.fromkeys(("PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER"), "cat"),
}
# Else Python prints into a pipe in blocks, and nobody sees it work.
_LIVE = {"PYTHONUNBUFFERED": "1"}


def surroundings(environment: Environment, extra: Mapping[str, str]) -> dict[str, str]:
    chosen = environment.for_spawn({**_COLOURS, **_ALONE, **_LIVE, **extra})
    if "NO_COLOR" not in extra:
        # The person set it for their own terminal; with FORCE_COLOR it makes Node.js warn in every log.
        chosen.pop("NO_COLOR", None)
    return chosen
