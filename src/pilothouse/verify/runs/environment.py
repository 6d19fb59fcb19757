"""What a check finds in its environment beside what every spawn gets: colours, and nobody to ask."""

from __future__ import annotations

from collections.abc import Mapping

from pilothouse.process.environment import Environment

# No check has a terminal, so each tool is told in its own way that its colours will be seen.
_COLOURS = {
    "TERM": "xterm-256color",
    "FORCE_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "PY_COLORS": "1",
    "CARGO_TERM_COLOR": "always",
}
# `CI` keeps test runners from watching for changes and from asking whether a snapshot shall be written.
_ALONE = {
    "CI": "true",
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "PIP_NO_INPUT": "1",
    "DEBIAN_FRONTEND": "noninteractive",
    **dict.fromkeys(("PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER"), "cat"),
}
# Without it a program writes into a pipe by the block, and nobody sees it work.
_LIVE = {"PYTHONUNBUFFERED": "1"}


def surroundings(environment: Environment, extra: Mapping[str, str]) -> dict[str, str]:
    chosen = environment.for_spawn({**_COLOURS, **_ALONE, **_LIVE, **extra})
    if "NO_COLOR" not in extra:
        # Meant for the person's own terminal; next to FORCE_COLOR it makes Node.js warn in every log.
        chosen.pop("NO_COLOR", None)
    return chosen
