"""The port behind which each kind of session decides what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Task
from pilothouse.store.database import Tx


class Workflow(Protocol):
    """Workflows inherit from it: what a kind of session has no use for is answered here."""

    @property
    def is_conversation(self) -> bool:
        """Whether a task's request is what a person wrote, so that markers in the agent's answer are for the person."""
        return False

    async def look(self, task: Task) -> Any:
        """Read disk and git before the task moves. `moved` gets the result.

        Must not take the workspace lock; some callers hold it. Where it fails or takes too long, `moved` gets None.
        """
        return None

    def moved(self, tx: Tx, before: Task, after: Task, seen: Any) -> None:
        """Decide, in the transaction that moves the task: add the next one, change the session, or nothing.

        Reads no disk. A queued task that is cancelled comes as `CANCELLED`, and its row is gone. `seen` is None for
        a claim: nobody looks before it. What it raises undoes the move, and comes to who wanted it as `WorkflowFailed`.
        A claim, a cancel, a start and the end of an attempt that broke cannot go back: they are carried out again
        without it, and a notice says so.
        """
        return


Workflows = Mapping[SessionKind, Workflow]
