"""Where a conversation with the rehearsal agent stands, kept on disk so that another spawn can go on with it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from pilothouse.agents.rehearsal.scenarios import Scenario

_ID = re.compile(r"[0-9a-f]{32}")
_NOTHING: dict[str, Any] = {"scenario": None, "position": 0, "reply": None, "answers": [], "asks": None}


class Session:
    """Keeps the scenario itself too: a rollback may take away the file it came from."""

    def __init__(self, directory: Path | None, session_id: str, task: str | None = "") -> None:
        self._directory = directory
        self.id = session_id
        self.task = task
        """The message of the person that it is about; None where an older file does not say."""
        self.left: dict[str, dict[str, Any]] = {}
        """What is open for other messages."""
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

    def turn_to(self, task: str) -> None:
        """Take up what was open for another message of the person; what is open for this one waits."""
        if self.task:
            self.left[self.task] = self._state()
        self.task = task
        self._take(self.left.pop(task, _NOTHING))

    def save(self) -> None:
        if self._directory is None:
            return
        self._directory.mkdir(parents=True, exist_ok=True)
        path = self._directory / f"{self.id}.json"
        new = path.with_suffix(".new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({**self._state(), "task": self.task, "left": self.left}, file)
        new.replace(path)

    def _state(self) -> dict[str, Any]:
        state = {"position": self.position, "reply": self.reply, "answers": self.answers, "asks": self.asks}
        return {**state, "scenario": self.scenario._asdict() if self.scenario else None}

    def _take(self, state: dict[str, Any]) -> None:
        self.scenario = None if state["scenario"] is None else _scenario(state["scenario"])
        self.position, self.reply, self.asks = state["position"], state["reply"], state["asks"]
        self.answers = state["answers"]


def load(directory: Path | None, session_id: str) -> Session | None:
    """None when there is no such session, or its file cannot be understood."""
    if directory is None or not _ID.fullmatch(session_id):
        return None
    try:
        state = json.loads((directory / f"{session_id}.json").read_text())
        session = Session(directory, session_id)
        session._take(state)
        session.task, session.left = state.get("task"), state.get("left", {})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return session if isinstance(session.position, int) else None


def _scenario(state: dict[str, Any]) -> Scenario:
    scenario = Scenario(**state)
    if any(not isinstance(step, dict) or not {"verb", "value"} <= step.keys() for step in scenario.steps):
        raise ValueError("not steps")
    return scenario
