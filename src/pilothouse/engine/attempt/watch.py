"""Following one spawn: relays what it says, notes its tools, and ends it when it is silent or takes too long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pilothouse.domain.event.attempt import StepToolFinished, StepToolStarted
from pilothouse.domain.event.payload import EventData
from pilothouse.domain.ports import (
    AgentEvent,
    AgentRun,
    AgentSession,
    Context,
    Ended,
    Fresh,
    Heartbeat,
    Retrying,
    Steered,
    TextOut,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    Usage,
)
from pilothouse.domain.task.task import Step, Task
from pilothouse.domain.task.timeouts import TimeoutProfile
from pilothouse.engine.guard.meter import Meter
from pilothouse.engine.runtime import Runtime, tell_milestone
from pilothouse.engine.talk import permissions as permitting
from pilothouse.engine.talk import steering
from pilothouse.process.output import OutputBuffer
from pilothouse.store.database import Tx
from pilothouse.store.task import tasks
from pilothouse.words import say

EDITS = {"write", "edit", "delete", "move", "chmod", "symlink", "commit", "checkout"}
HEARTBEAT_EVERY = 1.0
MOMENT = 0.5
"""How long an agent may take to finish after its budget is used up."""
LOOK_EVERY = 1.0
"""How often a silent agent's process is looked for."""


class Stop(StrEnum):
    """Why a spawn was ended early."""

    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    IDLE = "idle"
    HARD = "hard"
    ABSENT = "absent"
    LIMIT = "limit"
    BUDGET = "budget"
    BREAKER = "breaker"

    def outranks(self, other: Stop) -> bool:
        """A person who cancels, or a shutdown, is not kept waiting by what a guard found."""
        asked = (Stop.CANCELLED, Stop.INTERRUPTED)
        return self in asked and other in (Stop.LIMIT, Stop.BUDGET, Stop.BREAKER)


@dataclass(slots=True)
class OpenTool:
    name: str
    detail: str
    since: float


class Watch:
    def __init__(
        self,
        runtime: Runtime,
        task: Task,
        step: Step,
        run: AgentRun,
        output: OutputBuffer | None,
        profile: TimeoutProfile,
        meter: Meter,
        on_usage: Callable[[Usage], None],
        *,
        digest: str = "",
        milestone: str | None = None,
    ) -> None:
        """Without `output` the spawn runs aside: its words stay in its log, and what it does is no milestone."""
        self._on_usage = on_usage
        self._digest = digest
        self._doing = milestone or "analysing"
        """What the task is said to be doing, but while the provider is waited for."""
        self._waits = False
        self._runtime = runtime
        self._task = task
        self._step = step
        self._run = run
        self._output = output
        self.profile = profile
        self.meter = meter
        self._clock = runtime.clock
        self._began = self._heard = self._clock.monotonic()
        self._beat = 0.0
        self._milestone = ""
        self._tools: dict[str, OpenTool] = {}
        self._stopping: asyncio.Task[None] | None = None
        self._ended = False
        self._hurry = asyncio.Event()
        """Set when there is no more to wait for."""
        self._rested = asyncio.Event()
        """Set when no tool is open, or when more was asked of the model though the budget is used up."""
        self.stop: Stop | None = None
        self.silent_seconds = 0.0
        self.agent_session: str | None = None

    async def follow(self) -> Ended:
        """Read the run to its end; `self.stop` then says if it was ended early."""
        guard = asyncio.create_task(self._guard())
        ended = Ended("crashed", message=say("attempt.no_word"))
        try:
            async for event in self._run.events():
                self._heard = self._clock.monotonic()
                if isinstance(event, Ended):
                    ended = event
                    self._ended = True
                else:
                    await self._answered(event)
                    await self._note(event)
        finally:
            self._hurry.set()
            guard.cancel()
            await asyncio.gather(guard, return_exceptions=True)
            if self._output:
                await self._output.close()
        if self._stopping:
            await self._stopping
        return ended

    def end(self, stop: Stop) -> None:
        """End the spawn; the first reason given is the one that counts, but for what a person or a shutdown wants."""
        if self.stop is not None and stop.outranks(self.stop):
            self.stop = stop
            self._hurry.set()
        if self.stop is None:
            self.stop = stop
            self._stopping = asyncio.create_task(self._end(stop))

    async def _end(self, stop: Stop) -> None:
        if stop is Stop.BUDGET:
            await self._boundary()
        if not (self._ended and self.stop is Stop.BUDGET):
            await self._run.stop(self._runtime.settings.stop_grace_seconds)

    async def _boundary(self) -> None:
        """Nothing is left half done: what is open comes to its end first, and only then no more is asked of the model.

        What was spent is often told right before the end: then the work is done, and only the word is missing.
        """
        if not self._tools:
            await self._first(self._hurry.wait(), self._clock.sleep(MOMENT))
        if self._tools:
            await self._first(self._hurry.wait(), self._rested.wait(), self._clock.sleep(self.profile.idle_seconds))

    async def _first(self, *waits: Coroutine[Any, Any, object]) -> None:
        waiting = [asyncio.ensure_future(wait) for wait in waits]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()

    async def _guard(self) -> None:
        while self.stop is None:
            await self._clock.sleep(max(self._next_check(), 0.05))
            now = self._clock.monotonic()
            self.silent_seconds = now - self._heard
            if now - self._began >= self.profile.hard_seconds:
                self.end(Stop.HARD)
            elif self.silent_seconds >= self._runtime.settings.absence_seconds and not self._run.alive():
                self.end(Stop.ABSENT)
            elif self.silent_seconds >= self.profile.idle_seconds:
                self._quiet()

    def _quiet(self) -> None:
        """Quiet is not dead: an open tool whose process lives counts as progress."""
        if self._tools and self._run.tool_alive():
            self._heard = self._clock.monotonic()
        else:
            self.end(Stop.IDLE)

    def _next_check(self) -> float:
        now = self._clock.monotonic()
        silent_until = self._heard + self.profile.idle_seconds
        absent_until = self._heard + self._runtime.settings.absence_seconds
        # An agent that has been silent for long may lose its process at any moment: then there is no more to wait for.
        look = absent_until if absent_until > now else now + LOOK_EVERY
        return min(silent_until, look, self._began + self.profile.hard_seconds) - now

    async def _note(self, event: AgentEvent) -> None:
        match event:
            case TextOut(text):
                if self._output:
                    await self._output.write(text)
            case AgentSession(id=name):
                self.agent_session = name
                if self._output:
                    await self.meter.write(lambda tx: self._named(tx, name))
            case ToolStarted():
                await self._tool_started(event)
            case ToolFinished():
                await self._tool_finished(event)
            case Usage() | Context():
                await self._count(event)
            case Steered() | Fresh() | Retrying():
                await self._tell(event)
            case Heartbeat() | ToolProgress():
                self._heartbeat()

    def _named(self, tx: Tx, name: str) -> None:
        steering.began(tx, self._task, self._step)
        tasks.update(tx, self._task.id, agent_session=name)

    async def _count(self, event: Usage | Context) -> None:
        await self.meter.note(event)
        if isinstance(event, Usage):
            if self.stop is Stop.BUDGET:
                self._rested.set()
            self._on_usage(event)

    async def _tell(self, event: Steered | Fresh | Retrying) -> None:
        match event:
            case Retrying(seconds=seconds):
                await self._retrying(seconds)
            case Steered(message_id=message_id):
                await steering.confirmed(self._runtime, self._task, message_id)
            case Fresh(reason=reason):
                await permitting.tell_fresh(self._runtime, self._task, self._step, reason, self._digest)

    async def _answered(self, event: AgentEvent) -> None:
        """The provider is waited for until there is word of the agent again."""
        if self._waits and not isinstance(event, Retrying | Heartbeat | Usage | Context):
            self._waits = False
            await self._runtime.milestone(self._task, self._doing)

    async def _retrying(self, seconds: float) -> None:
        self._heartbeat()
        if self._output:
            self._waits = True
            text = say("agent.retrying", seconds=max(1, round(seconds)))
            await self._runtime.milestone(self._task, "retrying", text)

    def _heartbeat(self) -> None:
        now = self._clock.monotonic()
        if now - self._beat < HEARTBEAT_EVERY:
            return
        self._beat = now
        item: dict[str, object] = {"type": "progress", "task_id": self._task.id, "attempt": self._task.attempt}
        tool = next(iter(self._tools.values()), None)
        if tool:
            item |= {"kind": "tool", "tool": tool.name, "detail": tool.detail, "age_seconds": now - tool.since}
        else:
            item["kind"] = "heartbeat"
        self._runtime.broadcast.item(item)

    async def _tool_started(self, event: ToolStarted) -> None:
        if self.stop is not Stop.BUDGET:
            self._rested.clear()
        self._tools[event.tool_id] = OpenTool(event.name, event.detail, self._clock.monotonic())
        code = "editing" if event.name.lower() in EDITS else "command"
        anew = self._output is not None and code != self._milestone
        if anew:
            self._milestone = self._doing = code
        told = StepToolStarted(
            step_id=self._step.id,
            attempt=self._step.attempt,
            tool_id=event.tool_id,
            name=event.name,
            detail=event.detail,
        )
        await self._emit(told, code if anew else None)

    async def _tool_finished(self, event: ToolFinished) -> None:
        tool = self._tools.pop(event.tool_id, None)
        if tool is None:
            return
        if not self._tools:
            self._rested.set()
        await self._emit(
            StepToolFinished(
                step_id=self._step.id,
                attempt=self._step.attempt,
                tool_id=event.tool_id,
                name=tool.name,
                detail=event.detail or tool.detail,
                ok=event.ok,
                exit_code=event.exit_code,
                duration_ms=round((self._clock.monotonic() - tool.since) * 1000),
            )
        )

    async def _emit(self, data: EventData, milestone: str | None = None) -> None:
        def tell(tx: Tx) -> None:
            if milestone:
                tell_milestone(tx, self._task, milestone)
            tx.emit(data, session_id=self._task.session_id, task_id=self._task.id)

        await self.meter.write(tell)
