"""What the program asks before a prompt reaches its model: one that is for practice is refused, one that is told ahead
waits until it counts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from uuid import uuid4

from claude_agent_sdk import HookJSONOutput

PRACTICE = "Pilothouse makes Claude Code ready. Nothing is asked."
ASKED_SECONDS = 3600.0
"""For how long the program waits for an answer: longer than any is kept, for what it does then is its own affair."""
NOTHING_CAME = "Nothing came of this prompt."
STOPPED = "This run was stopped."


@dataclass(frozen=True, slots=True)
class Held:
    """A prompt that the program has and its model must not hear of yet."""

    text: str
    name: str
    """Under which the program says that it has taken it in."""
    let_go: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Gate:
    def __init__(self, hold_seconds: float) -> None:
        self._hold_seconds = hold_seconds
        self.asked = False
        """Whether the program has been seen to ask: one that does not can be held back from nothing."""
        self.refused = False
        """Whether it has asked about its practice, and was refused."""
        self.practice = f"{PRACTICE} {uuid4().hex}"
        self.held: Held | None = None
        self.closed = False
        """Whether the program is being ended: it may begin nothing more, and use no tool."""
        self.spoilt = False
        """Whether nothing can come of it any more: it could not be told, or was held for too long."""

    def hold(self, text: str) -> Held:
        """Whatever is asked about from now on waits."""
        self.held = Held(text, str(uuid4()))
        return self.held

    def let_go(self) -> None:
        if self.held:
            self.held.let_go.set_result(None)
            self.held = None

    def before_tool(self) -> HookJSONOutput | None:
        """None where this has nothing against it."""
        if self.closed:
            return denied(STOPPED)
        return denied(NOTHING_CAME) if self.held else None

    async def before_prompt(self, prompt: str) -> HookJSONOutput:
        """Raises `TimeoutError` for one that was held for too long: the program must be ended then, unanswered."""
        self.asked = True
        if prompt == self.practice:
            self.refused = True
            return {"decision": "block", "reason": PRACTICE}
        if self.closed:
            return {"decision": "block", "reason": STOPPED}
        if self.held:
            try:
                async with asyncio.timeout(self._hold_seconds):
                    await asyncio.shield(self.held.let_go)
            except TimeoutError:
                self.spoilt = True
                raise
        return {}


def denied(reason: str) -> HookJSONOutput:
    """The answer about a tool that may not be used."""
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }
