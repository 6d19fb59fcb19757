"""A running step: its row, its process, and its output."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from pilothouse.domain.event.attempt import StepStarted
from pilothouse.domain.ports import ProcessMark
from pilothouse.domain.task.task import RunnerMark, Step, StepKind, Task
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.guard.meter import Meter
from pilothouse.engine.runtime import tell_milestone
from pilothouse.engine.transition import emit
from pilothouse.process.output import Chunk, OutputBuffer
from pilothouse.store.database import Tx
from pilothouse.store.task import output, steps, tasks

GATHER_SECONDS = 0.01
"""How long text may wait for more: a model that speaks every 20 ms is relayed at once, a flood is still gathered."""
Write = Callable[[Callable[[Tx], None]], Awaitable[None]]


async def begin_step(cx: Context, task: Task, kind: StepKind, prompt: str = "", name: str = "") -> Step:
    """A step that runs no agent."""
    step = replace(cx.draft(task, kind, name=name), prompt=prompt)
    await cx.runtime.store.write(lambda tx: tell_begun(tx, task, step))
    return step


def tell_begun(tx: Tx, task: Task, step: Step) -> None:
    steps.start(tx, step)
    told = StepStarted(step_id=step.id, attempt=step.attempt, number=step.number, kind=step.kind, name=step.name)
    emit(tx, task, told)


async def mark(cx: Context, task: Task, process: ProcessMark, milestone: str | None, text: str | None = None) -> None:
    """Note which process runs now, so that it is found again after a crash.

    Of several at once the newest is noted; the others are found by the marker in their environment, as it is too.
    """
    noted = RunnerMark(cx.runtime.boot_id, process.pid, process.started)

    def write(tx: Tx) -> None:
        if milestone:
            tell_milestone(tx, task, milestone, text, runner=noted)
        else:
            tasks.update(tx, task.id, runner=noted)

    await cx.runtime.store.write(write)


def printing(cx: Context, task: Task, spent: Meter | None = None) -> OutputBuffer:
    """Takes what a step prints, to the store and to whoever watches."""
    write = spent.write if spent else cx.runtime.store.write
    return OutputBuffer(partial(_print, cx, task, write), cx.runtime.clock, cx.control.printed, delay=GATHER_SECONDS)


async def _print(cx: Context, task: Task, write: Write, chunks: list[Chunk]) -> None:
    rows = [(chunk.offset, chunk.text) for chunk in chunks]
    await write(lambda tx: output.append(tx, task.id, task.attempt, rows))
    cx.control.print(chunks[-1].end)
    for offset, text in rows:
        cx.runtime.broadcast.output(task.id, task.attempt, offset, text)
