"""A message that a person sends to a task while it runs.

waiting ──▶ handed ──▶ delivered
   ▲          │
   └──────────┘ the run ended, or died, and nothing shows that the agent took it in

waiting, handed ──▶ taken_back     by the person
waiting, handed ──▶ returned       the task ended; the words go back to where they were written
returned ──▶ taken_back            a composer has put them into its draft
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SteerState(StrEnum):
    WAITING = "waiting"
    HANDED = "handed"
    """The agent has it, and has not yet said that it took it in."""
    DELIVERED = "delivered"
    TAKEN_BACK = "taken_back"
    RETURNED = "returned"


OPEN = (SteerState.WAITING, SteerState.HANDED)


@dataclass(frozen=True, slots=True)
class SteerMessage:
    id: str
    session_id: str
    task_id: str
    text: str
    sent_at: datetime
    state: SteerState = SteerState.WAITING
    number: int = 0
    """Order within the task."""
    step_id: str | None = None
    """The spawn it was handed to."""
    in_prompt: bool = False
    """Whether it was handed over as part of the prompt, and not while the agent worked."""
    settled_at: datetime | None = None

    @property
    def is_unheard(self) -> bool:
        """Whether the agent would read it sooner if its turn ended now. It has read what stands in its prompt."""
        return self.state in OPEN and not self.in_prompt
