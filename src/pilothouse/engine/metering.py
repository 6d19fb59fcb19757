"""What a spawn uses: a row from its start, brought up to date while it runs, closed together with its step."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pilothouse.domain.ports import Context, SpawnRequest, Usage
from pilothouse.domain.tasks import Step, Task
from pilothouse.domain.usage import COMPACT_AT, Spawn, is_model, level
from pilothouse.domain.usage_events import ContextFilled, UsageModelDiffers, UsageRecorded
from pilothouse.engine import instructing
from pilothouse.engine.runtime import Runtime
from pilothouse.store import notices, usage
from pilothouse.store.database import Tx

if TYPE_CHECKING:
    from pilothouse.engine.stepping import Steps

STORE_EVERY = 10.0
"""Seconds. What a spawn has used is told at once, but written seldom: a crash loses at most this much of it."""


class Meter:
    """Takes in what one spawn tells of its use."""

    def __init__(self, runtime: Runtime, task: Task, spawn: Spawn, marked: int = 0) -> None:
        self._runtime = runtime
        self._task = task
        self.spawn = spawn
        self._marked = marked
        """The highest mark that was told of in this agent session."""
        self._written: Counter[str] = Counter()
        self._stored = runtime.clock.monotonic()

    async def note(self, event: Usage | Context) -> None:
        if isinstance(event, Usage):
            self._add(event)
        else:
            self.spawn = replace(self.spawn, context_tokens=event.tokens, context_window=event.window)
            await self._mark()
        self._tell()
        now = self._runtime.clock.monotonic()
        if now - self._stored >= STORE_EVERY:
            self._stored = now
            spawn = self.spawn
            await self._runtime.store.write(lambda tx: usage.note(tx, spawn))

    async def end(self, agent_session: str | None) -> None:
        """The program has ended: write what it used, so that only the end of its step is still to come."""
        self.spawn = replace(self.spawn, agent_session=agent_session or self.spawn.agent_session)
        await self._runtime.store.write(self._record)

    def _add(self, event: Usage) -> None:
        spent = self.spawn
        if event.model:
            self._written[event.model] += max(1, event.output_tokens)
        model = self._written.most_common(1)[0][0] if self._written else spent.model
        self.spawn = replace(
            spent,
            cost_usd=spent.cost_usd + event.cost_usd,
            input_tokens=spent.input_tokens + event.input_tokens,
            output_tokens=spent.output_tokens + event.output_tokens,
            cache_read_tokens=spent.cache_read_tokens + event.cache_read_tokens,
            cache_write_tokens=spent.cache_write_tokens + event.cache_write_tokens,
            model=model,
            models=tuple(self._written),
            model_differs=not is_model(spent.requested_model, model),
        )

    async def _mark(self) -> None:
        spent = self.spawn
        passed = level(spent.context_tokens, spent.context_window)
        if passed <= self._marked:
            return
        self._marked = passed
        reached: Literal[80, 95] = 95 if passed == COMPACT_AT else 80
        told = ContextFilled(
            step_id=spent.step_id,
            attempt=self._task.attempt,
            tokens=spent.context_tokens,
            window=spent.context_window,
            level=reached,
        )
        await self._runtime.store.write(
            lambda tx: tx.emit(told, session_id=self._task.session_id, task_id=self._task.id)
        )

    def _tell(self) -> None:
        spent = self.spawn
        # Scouts have a memory of their own; what the screens show is that of the agent that edits.
        aside = spent.role.startswith(("scout", "small"))
        self._runtime.broadcast.item(
            {
                "type": "usage",
                "task_id": self._task.id,
                "attempt": self._task.attempt,
                "step_id": spent.step_id,
                "model": spent.model,
                "cost_usd": spent.cost_usd,
                "input_tokens": spent.input_tokens,
                "output_tokens": spent.output_tokens,
                "cache_read_tokens": spent.cache_read_tokens,
                "cache_write_tokens": spent.cache_write_tokens,
                "context_tokens": 0 if aside else spent.context_tokens,
                "context_window": 0 if aside else spent.context_window,
            }
        )

    def _record(self, tx: Tx) -> None:
        spent, task = self.spawn, self._task
        usage.note(tx, spent)
        told = UsageRecorded(
            step_id=spent.step_id,
            attempt=task.attempt,
            agent=spent.agent,
            role=spent.role,
            model=spent.model,
            requested_model=spent.requested_model,
            cost_usd=spent.cost_usd,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cache_read_tokens=spent.cache_read_tokens,
            cache_write_tokens=spent.cache_write_tokens,
            context_tokens=spent.context_tokens,
            context_window=spent.context_window,
        )
        tx.emit(told, session_id=task.session_id, task_id=task.id)
        if spent.model_differs and spent.requested_model:
            self._warn(tx, spent.requested_model)

    def _warn(self, tx: Tx, requested: str) -> None:
        spent, task = self.spawn, self._task
        told = UsageModelDiffers(
            step_id=spent.step_id,
            attempt=task.attempt,
            agent=spent.agent,
            requested_model=requested,
            model=spent.model,
        )
        tx.emit(told, session_id=task.session_id, task_id=task.id)
        advice = "Look at the model in the agent's settings, or at what your account may use."
        notices.add(tx, "model_differs", f"{usage.differs(requested, spent.model)} {advice}", [f"task {task.id}"])


async def begin(steps: Steps, step: Step, agent: str, request: SpawnRequest) -> tuple[SpawnRequest, Meter]:
    """Add the instructions files to the request, and open the spawn's row."""
    runtime, task, resume = steps.runtime, steps.task, request.resume
    text, files = await instructing.gather(runtime.settings, request.workspace)
    spawn = Spawn(
        step_id=step.id,
        task_id=task.id,
        session_id=task.session_id,
        project_id=task.project_id,
        agent=agent,
        role=request.role,
        started_at=runtime.clock.now(),
        requested_model=request.choice.model or task.options.model,
        agent_session=resume,
        instructions=files,
    )

    def write(tx: Tx) -> Spawn | None:
        last = usage.newest_of_conversation(tx.conn, task.session_id, resume) if resume else None
        usage.start(tx, spawn)
        return last

    before = await runtime.store.write(write)
    marked = level(before.context_tokens, before.context_window) if before else 0
    return replace(request, instructions=text), Meter(runtime, task, spawn, marked)
