"""A scenario, and how a prompt picks one. `files` reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

EDIT, ASK = "edit", "ask"
STEERED = "steered"
_NAME = re.compile(r"\[\[\s*([^\[\]\n]+?)\s*\]\]")


class Scenario(NamedTuple):
    name: str
    steps: list[dict[str, Any]]
    """Each `{"verb", "value", "when"?, "unless"?}`; plain JSON, so that a session can keep its scenario."""
    description: str = ""
    requires_env: str = ""
    turns: Mapping[str, list[dict[str, Any]]] = {}
    """Steps for the other things an agent is asked for, by role, or by role and number: `fix`, `fix 2`, `scout A`. For
    `ask` they are those of the scenario where it has no others; `steered` is for what the person sent while it played
    and it had not taken in."""

    def for_turn(self, role: str, turn: int) -> Scenario | None:
        """What is played when the agent is asked as `role` for the `turn`-th time."""
        if role == EDIT and turn == 1:
            return self
        if role == EDIT:
            role, turn = STEERED, turn - 1
        otherwise = self.steps if role == ASK else None
        steps = self.turns.get(f"{role} {turn}", self.turns.get(role, otherwise))
        return None if steps is None else self._replace(steps=steps)


def chosen(prompt: str) -> str | None:
    """The scenario a prompt names; the first, if it names several."""
    match = _NAME.search(prompt)
    return match[1] if match else None
