"""Permissions: what an agent asked for, what the person decided, and what holds for the whole session."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pilothouse.words.fields import Words

DecisionChoice = Literal["once", "session", "deny"]


@dataclass(frozen=True, slots=True)
class AskedPermission:
    tool: str
    detail: str
    """The command or the file, in one line."""
    arguments: dict[str, object] = field(default_factory=dict)
    grant: str = ""
    """What “always in this session” would allow; empty where the agent cannot remember one."""
    call: str = ""
    """Tells this call from all others: not all of its arguments are kept."""

    @property
    def words(self) -> str:
        return f"{self.tool}: {self.detail}" if self.detail else self.tool


@dataclass(frozen=True, slots=True)
class Decided:
    choice: DecisionChoice
    at: datetime
    tool: str
    detail: str
    reason: str = ""
    attempt: int = 1
    replayed: bool = False
    call: str = ""
    """As it was asked for; empty where the agent did not name it."""

    @property
    def words(self) -> str:
        """For an agent that has no open call to answer."""
        wanted = f"{self.tool}: {self.detail}" if self.detail else self.tool
        match self.choice:
            case "once":
                return f"Allowed, this once: {wanted}"
            case "session":
                return f"Allowed, now and in the rest of this session: {wanted}"
            case "deny":
                why = f" The reason: {self.reason}" if self.reason else ""
                return f"Not allowed: {wanted}.{why} Do not try it again in another way; go on without it."


@dataclass(frozen=True, slots=True)
class Grant:
    """Something the person allowed for the rest of a session."""

    id: str
    session_id: str
    task_id: str
    name: str
    """As the agent named it in `Permission.grant`; handed to every later run of the session."""
    tool: str
    detail: str
    """What was asked when it was given."""
    granted_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AgentNote:
    """Something about a run that a person should see: a tool that was refused, a conversation that began anew."""

    kind: Literal["denied", "fresh"]
    text: Words
    attempt: int
    step_id: str


def plan_call(plan: str) -> str:
    """The `call` of a plan that the person is to approve: it stands for this text and no other."""
    return hashlib.sha256(json.dumps(["plan", plan]).encode()).hexdigest()


def recorded_decision(decided: Sequence[Decided], since_attempt: int, asked: AskedPermission) -> Decided | None:
    """The earlier decision about the same tool and detail, to give again in a replay that began with `since_attempt`.

    Only what was decided before the replay counts, in its order, and each of it once.
    """
    same = [d for d in decided if (d.tool, d.detail) == (asked.tool, asked.detail)]
    used = sum(1 for d in same if d.replayed and d.attempt >= since_attempt)
    recorded = [d for d in same if not d.replayed and d.attempt < since_attempt]
    return recorded[used] if used < len(recorded) else None
