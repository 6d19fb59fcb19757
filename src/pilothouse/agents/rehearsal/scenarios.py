"""A scenario, and how a prompt picks one. Reading them from files is `files`, which the program seldom needs."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_NAME = re.compile(r"\[\[\s*([^\[\]\n]+?)\s*\]\]")


class Scenario(NamedTuple):
    name: str
    steps: list[dict[str, Any]]
    """Each `{"verb", "value", "when"?, "unless"?}`; plain JSON, so that a session can keep its scenario."""
    description: str = ""
    requires_env: str = ""


def chosen(prompt: str) -> str | None:
    """The scenario a prompt names; the first, if it names several."""
    match = _NAME.search(prompt)
    return match[1] if match else None
