"""What a spawn uses: a row from its start, brought up to date while it runs, closed together with its step."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Literal, TypeVar

from pilothouse.domain.agent.instructions import InstructionsFile
from pilothouse.domain.agent.usage import COMPACT_AT, Spawn, is_model, level
from pilothouse.domain.event.usage import ContextFilled, UsageModelDiffers, UsageRecorded
from pilothouse.domain.ports import Choice, Context, Usage
from pilothouse.domain.task.task import Task
from pilothouse.engine.runtime import Runtime
from pilothouse.store import notices
from pilothouse.store.agent import usage
from pilothouse.store.database import Tx
from pilothouse.words import say, sentences

log = logging.getLogger(__name__)
STORE_WITHIN = 1.0
"""Seconds. What a spawn has used is told at once, and written with the next write there is, or after this time."""
T = TypeVar("T")


class Meter:
    """Takes in what one spawn tells of its use."""

    def __init__(self, runtime: Runtime, task: Task, spawn: Spawn, last: Spawn | None = None) -> None:
        """`last` spoke in the same conversation before."""
        self._runtime = runtime
        self._task = task
        self.spawn = spawn
        self._stored: Spawn | None = spawn
        self._marked = level(last.context_tokens, last.context_window) if last else 0
        """The highest mark that was told of in this agent session."""
        self._written: Counter[str] = Counter()
        self._told = asyncio.Event()

    async def note(self, event: Usage | Context) -> None:
        if isinstance(event, Usage):
            self._add(event)
        else:
            self.spawn = replace(self.spawn, context_tokens=event.tokens, context_window=event.window)
            await self._mark()
        self._tell()
        self._told.set()

    async def write(self, job: Callable[[Tx], T]) -> T:
        """Do `job`, and take along what was used where that is not written yet."""
        spent = self.spawn
        if spent is self._stored:
            return await self._runtime.store.write(job)

        def both(tx: Tx) -> T:
            usage.note(tx, spent)
            return job(tx)

        self._stored = spent
        try:
            return await self._runtime.store.write(both)
        except BaseException:
            self._stored = None
            raise

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Meanwhile nothing that was told stays unwritten for long."""
        task = asyncio.create_task(self._write_soon(), name="write what a spawn uses")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _write_soon(self) -> None:
        while True:
            await self._told.wait()
            await self._runtime.clock.sleep(STORE_WITHIN)
            self._told.clear()
            try:
                if self.spawn is not self._stored:
                    await self.write(lambda _: None)
            except Exception:  # a full disk: the end of the spawn writes it, or fails aloud
                log.exception("cannot write yet what a spawn has used")

    async def end(self, agent_session: str | None) -> None:
        """The program has ended: write what it used, so that only the end of its step is still to come."""
        self.spawn = replace(self.spawn, agent_session=agent_session or self.spawn.agent_session)
        await self._runtime.store.write(self._record)
        self._stored = self.spawn

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
        await self.write(lambda tx: tx.emit(told, session_id=self._task.session_id, task_id=self._task.id))

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
            },
            until=spent.step_id,
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
        message = sentences(usage.differs(requested, spent.model), say("usage.model_advice"))
        notices.add(tx, "model_differs", message, [say("notice.task", task=task.id)])


def spawn(task: Task, role: str, agent: str, choice: Choice, files: tuple[InstructionsFile, ...]) -> Spawn:
    """A spawn's row, but for what only its beginning tells."""
    return Spawn(
        step_id="",
        task_id=task.id,
        session_id=task.session_id,
        project_id=task.project_id,
        agent=agent,
        role=role,
        started_at=task.submitted_at,
        requested_model=choice.model or task.options.model,
        instructions=files,
    )
