"""Messages sent to a task while it runs: each reaches the agent once, or comes back to the person.

A message is handed to the run that is under way, if that agent takes messages while it works; otherwise it goes into
the prompt of the next turn. It counts as delivered when the agent says so (`Steered`), or, in a prompt, once the run
has begun its conversation. It is then also a reply of the person, so that a replay or a resume tells it again.

What was handed over and not confirmed when the run ended waits again: a run always confirms what it took in. When the
server itself was killed, the run's raw log decides: an agent that took a message in has named it there, and whoever is
not named there is told in the next attempt.
"""

from __future__ import annotations

import asyncio
import logging
import mmap
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import Connection

from pilothouse.domain.agent import prompts
from pilothouse.domain.event.talk import SteeringDelivered, SteeringHanded
from pilothouse.domain.ports import AgentRun, Ended
from pilothouse.domain.talk.steering import OPEN, SteerMessage, SteerState
from pilothouse.domain.task.task import Reply, Step, StepKind, Task
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import unhand
from pilothouse.store.database import Tx
from pilothouse.store.talk import steering
from pilothouse.store.task import steps, tasks

if TYPE_CHECKING:
    from pilothouse.engine.attempt.context import Context, Turn

log = logging.getLogger(__name__)
_S = SteerState
ALONG = "Sent by the person while you worked, in this order; take it into account"
STEERED = "steered"
"""Outcome of a step that was cut short to tell the agent something."""


def takes_messages(turn: Turn) -> bool:
    """Scouts and closing turns take no messages."""
    return turn.kind is not StepKind.SCOUT and not turn.read_only


def along(c: Connection, task: Task, turn: Turn) -> tuple[Turn, list[SteerMessage]]:
    """The turn with what waits put into its prompt.

    An answer to an open conversation goes without its prompt: then the message is handed over later, or told next.
    """
    answers = turn.resume is not None and (turn.reply is not None or turn.decision is not None or bool(turn.answers))
    if answers or not takes_messages(turn):
        return turn, []
    waiting = steering.of_task(c, task.id, _S.WAITING)
    if not waiting:
        return turn, []
    told = prompts.section(ALONG, "\n\n".join(message.text for message in waiting))
    return replace(turn, prompt=f"{turn.prompt}\n{told}"), waiting


async def waits(runtime: Runtime, task: Task) -> bool:
    return bool(await runtime.store.read(lambda c: steering.of_task(c, task.id, _S.WAITING)))


class Live:
    """The run of an agent that messages can be handed to now."""

    def __init__(self, runtime: Runtime, task: Task, step: Step, run: AgentRun) -> None:
        self._runtime = runtime
        self._task = task
        self._step = step
        self._run = run
        self._handing = asyncio.Lock()
        self._over = False
        self.cut = False
        """Whether the turn was interrupted so that the agent hears something at once."""
        self.found = False
        """Whether there was something to hand over."""

    async def hand_over(self) -> None:
        """Offer what waits to the agent; what it cannot take now keeps waiting."""
        async with self._handing:
            for message in await self._runtime.store.read(lambda c: steering.of_task(c, self._task.id, _S.WAITING)):
                self.found = True
                if self._over or not await self._hand(message):
                    return

    async def _hand(self, message: SteerMessage) -> bool:
        def mark(tx: Tx) -> bool:
            changes = {"step_id": self._step.id, "in_prompt": False}
            return steering.move(tx, message.id, [_S.WAITING], _S.HANDED, **changes) is not None

        # Marked before it is handed over: what a crash leaves behind is looked up, never told blindly again.
        if not await self._runtime.store.write(mark):
            return True
        try:
            taken = await self._run.steer(message.id, message.text)
        except OSError as error:
            log.info("a message could not be handed to the agent any more: %s", error)
            taken = False
        if taken:
            await self._tell(message)
        else:
            await self._runtime.store.write(lambda tx: steering.move(tx, message.id, [_S.HANDED], _S.WAITING))
        return taken

    async def _tell(self, message: SteerMessage) -> None:
        try:
            await self._runtime.store.write(lambda tx: _tell_handed(tx, message))
        except Exception:  # the agent has it: whoever sent it must not be told to send it again
            log.exception("that message %s was handed over could not be told", message.id)

    async def withdraw(self, message_id: str) -> bool:
        return await self._run.withdraw(message_id)

    async def interrupt(self) -> None:
        async with self._handing:
            if self._over or self.cut:
                return
            self.cut = True
        await self._run.interrupt()

    async def over(self) -> None:
        async with self._handing:
            self._over = True


@asynccontextmanager
async def offered(cx: Context, task: Task, turn: Turn, step: Step, run: AgentRun, told: bool) -> AsyncIterator[Live]:
    """While a run is followed, messages can be handed to it, beside those that may be `told` in its prompt.

    Afterwards none of them is left in between.
    """
    runtime = cx.runtime
    live = Live(runtime, task, step, run)
    if not takes_messages(turn):
        yield live
        return
    cx.control.hears(live)
    handing = asyncio.create_task(live.hand_over())
    try:
        yield live
    finally:
        cx.control.hears(None)
        await live.over()
        await handing
        if told or live.found:
            await runtime.store.write(lambda tx: unhand(tx, task))


async def with_what_was_heard(cx: Context, task: Task, live: Live, told: bool) -> Task:
    """What the agent took in is a reply of the person, and the task's from now on."""
    if not (told or live.found):
        return task
    return replace(task, replies=(await cx.runtime.store.read(lambda c: tasks.require(c, task.id))).replies)


def outcome_of(live: Live, ended: Ended) -> str | None:
    """A turn counts as interrupted only if it ends with nothing else: a question or a limit comes first."""
    cut = live.cut and ended.outcome in ("done", "crashed", "failed") and ended.limit is None
    return STEERED if cut else None


def hand_along(tx: Tx, step: Step, messages: Sequence[SteerMessage]) -> None:
    """Note that these go with the step's prompt."""
    for message in messages:
        if steering.move(tx, message.id, [_S.WAITING], _S.HANDED, step_id=step.id, in_prompt=True):
            _tell_handed(tx, message)


def _tell_handed(tx: Tx, message: SteerMessage) -> None:
    """Whether it can be taken back may have changed. The agent may have been faster to say that it has it."""
    now = steering.require(tx.conn, message.task_id, message.id)
    if now.state is _S.HANDED:
        told = SteeringHanded(message_id=now.id, text=now.text, in_prompt=now.in_prompt)
        tx.emit(told, session_id=now.session_id, task_id=now.task_id)


async def heard(runtime: Runtime, task: Task, step: Step, ended: Ended) -> None:
    """A run that finished has read its prompt, even if it never named its conversation."""
    if ended.outcome == "crashed":
        return
    if await runtime.store.read(lambda c: steering.of_task(c, task.id, _S.HANDED)):
        await runtime.store.write(lambda tx: began(tx, task, step))


def began(tx: Tx, task: Task, step: Step) -> None:
    """The run has begun its conversation: it has read its prompt."""
    for message in steering.of_task(tx.conn, task.id, _S.HANDED):
        if message.in_prompt and message.step_id == step.id:
            deliver(tx, task, message)


async def confirmed(runtime: Runtime, task: Task, message_id: str) -> None:
    """The agent says that it took a message in."""

    def write(tx: Tx) -> None:
        message = next((m for m in steering.of_task(tx.conn, task.id, _S.HANDED) if m.id == message_id), None)
        if message:
            deliver(tx, task, message)

    await runtime.store.write(write)


def deliver(tx: Tx, task: Task, message: SteerMessage) -> None:
    if steering.move(tx, message.id, OPEN, _S.DELIVERED) is None:
        return
    present = tasks.require(tx.conn, task.id)
    said = Reply(message.text, tx.now, "", present.attempt)
    tasks.update(tx, task.id, replies=(*present.replies, said))
    told = SteeringDelivered(
        message_id=message.id, text=message.text, attempt=present.attempt, in_prompt=message.in_prompt
    )
    tx.emit(told, session_id=task.session_id, task_id=task.id)


async def recover(runtime: Runtime) -> None:
    """After a crash: what the agent can be seen to have had is delivered, the rest waits."""
    for message in await runtime.store.read(lambda c: steering.handed(c, runtime.host_id)):
        step = await runtime.store.read(lambda c, m=message: steps.get(c, m.step_id or ""))  # type: ignore[misc]
        had = step is not None and await asyncio.to_thread(_shows, Path(step.log_path or ""), message)
        await runtime.store.write(lambda tx, m=message, had=had: _recovered(tx, m, had))  # type: ignore[misc]


def _recovered(tx: Tx, message: SteerMessage, had: bool) -> None:
    task = tasks.get(tx.conn, message.task_id)
    if task and had:
        deliver(tx, task, message)
    elif task:
        steering.move(tx, message.id, [_S.HANDED], _S.WAITING, step_id=None, in_prompt=False)


def _shows(path: Path, message: SteerMessage) -> bool:
    """Whether the run's log proves that the agent had the message: it names it, or spoke after reading its prompt."""
    try:
        with path.open("rb") as file:
            if message.in_prompt or not (size := path.stat().st_size):
                return path.stat().st_size > 0
            with mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as text:
                names = (message.id, str(UUID(message.id)))
                return any(text.find(name.encode()) >= 0 for name in names)
    except (OSError, ValueError):
        return False
