"""Where a conversation with the rehearsal agent stands, kept on disk so that another spawn can go on with it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from pilothouse.agents.rehearsal.scenarios import Scenario

_ID = re.compile(r"[0-9a-f]{32}")


class Session:
    """Keeps the scenario itself too: a rollback may take away the file it came from."""

    def __init__(self, directory: Path | None, session_id: str) -> None:
        self._directory = directory
        self.id = session_id
        self.scenario: Scenario | None = None
        self.position = 0
        """How many steps of the scenario are done."""
        self.reply: str | None = None
        self.answers: list[str] = []
        """To the newest form, one for each of its questions."""
        self.asks: dict[str, Any] | None = None
        """What is open, as the final message told it; the next spawn brings the answer, or asks again."""

    @property
    def unfinished(self) -> bool:
        return self.scenario is not None and (self.position < len(self.scenario.steps) or self.asks is not None)

    def begin(self, scenario: Scenario, reply: str | None) -> None:
        self.scenario, self.position, self.reply, self.asks = scenario, 0, reply, None
        self.save()

    def save(self) -> None:
        if self._directory is None:
            return
        self._directory.mkdir(parents=True, exist_ok=True)
        path = self._directory / f"{self.id}.json"
        new = path.with_suffix(".new")
        state = {"position": self.position, "reply": self.reply, "answers": self.answers, "asks": self.asks}
        scenario = self.scenario._asdict() if self.scenario else None
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({**state, "scenario": scenario}, file)
        new.replace(path)


def load(directory: Path | None, session_id: str) -> Session | None:
    """None when there is no such session, or its file cannot be understood."""
    if directory is None or not _ID.fullmatch(session_id):
        return None
    try:
        state = json.loads((directory / f"{session_id}.json").read_text())
        session = Session(directory, session_id)
        if state["scenario"] is not None:
            session.scenario = _scenario(state["scenario"])
        session.position, session.reply, session.asks = state["position"], state["reply"], state["asks"]
        session.answers = state["answers"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return session if isinstance(session.position, int) else None


def _scenario(state: dict[str, Any]) -> Scenario:
    scenario = Scenario(**state)
    if any(not isinstance(step, dict) or not {"verb", "value"} <= step.keys() for step in scenario.steps):
        raise ValueError("not steps")
    return scenario
