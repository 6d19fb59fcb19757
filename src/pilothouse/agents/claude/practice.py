"""What a prepared program does before anybody has said anything to it, so that its first turn finds all of it done."""

from __future__ import annotations

import asyncio

from claude_agent_sdk import ClaudeSDKClient, Message, ResultMessage, SystemMessage

from pilothouse.agents.claude.gate import Gate
from pilothouse.agents.claude.transport import KeeperTransport


class Practice:
    def __init__(
        self, client: ClaudeSDKClient, transport: KeeperTransport, gate: Gate, heard: asyncio.Queue[Message | None]
    ) -> None:
        self._client = client
        self._transport = transport
        self._gate = gate
        self._heard = heard
        self.going = False
        """Whether what is heard now belongs to a practice."""
        self.deaf = False
        """Whether the program did not ask about a prompt of ours, so that it cannot be kept from a model."""
        self.conversation: str | None = None
        """Which one the program practised in."""

    async def turn(self) -> bool:
        """One that is refused here before the model is asked; whether it was heard to its end.

        A refused prompt is no part of the conversation, and costs nothing.
        """
        self.going = True
        try:
            await self._client.query(self._gate.practice)
            while (message := await self._heard.get()) is not None:
                if isinstance(message, ResultMessage):
                    return True
                self._look_at(message)
                if self.deaf:
                    return False
            return False
        finally:
            self.going = False

    def _look_at(self, message: Message) -> None:
        """A turn begins with this word, and a request to the model comes next."""
        if isinstance(message, SystemMessage) and message.subtype == "init":
            self.deaf = not self._gate.refused
            self.conversation = str(message.data.get("session_id"))

    async def estimate(self) -> None:
        """Have the program work out what its context holds: its prompt and tools are put together for that, as they
        are for a request to its model, and nobody is asked."""
        await self._transport.request(subtype="get_context_usage", detail="summary")
