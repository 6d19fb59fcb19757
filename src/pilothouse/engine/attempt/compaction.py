"""Leaving an agent session that is full for a fresh one, which is told what was saved of the task.

What the agent remembers is never the only copy: the request, the steps, the changed files, the failed checks and the
person's decisions are all ours. Only a full memory, or the agent's own word that it can take in no more, compacts;
time does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from sqlalchemy import Connection

from pilothouse.domain.agent import digest
from pilothouse.domain.agent.usage import Spawn, signals_pressure
from pilothouse.domain.event.usage import ContextCompacted
from pilothouse.domain.task.task import StepKind, Task
from pilothouse.engine.attempt import measure, outcome, thread
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.step import begin_step
from pilothouse.engine.transition import emit
from pilothouse.engine.workspace import artifacts
from pilothouse.store.agent import usage
from pilothouse.store.database import Tx
from pilothouse.store.task import attempts, steps, tasks
from pilothouse.words import say, sentences

Reason = Literal["full", "pressure"]


async def relieved(cx: Context, task: Task, turn: Turn, last: Spawn) -> tuple[Task, Turn]:
    """The turn begun afresh, for the conversation it continues is full."""
    return await _compact(cx, task, turn, "full", last)


async def again(cx: Context, finished: Finished, turn: Turn) -> tuple[Task, Turn] | None:
    """The turn to try once more, afresh, where it ended because the agent could take in no more."""
    ended = finished.ended
    if turn.seeded or finished.stop or cx.control.stopped or ended.outcome not in ("failed", "crashed") or ended.limit:
        return None
    if not signals_pressure(f"{ended.message}\n{ended.text}"):
        return None
    finished = await outcome.record(cx.runtime, finished)
    last = await cx.runtime.store.read(lambda c: usage.get(c, finished.step.id))
    task, afresh = await _compact(cx, finished.task, turn, "pressure", last)
    return task, replace(afresh, seeded=True)


async def _compact(cx: Context, task: Task, turn: Turn, reason: Reason, last: Spawn | None) -> tuple[Task, Turn]:
    """Record it as a step of its own; the next spawn starts without the old conversation."""
    runtime = cx.runtime
    await runtime.milestone(task, "compacting")
    commit = await _newest_checkpoint(cx, task)
    seed = await _seed(cx, task, commit)
    begun = await begin_step(cx, task, StepKind.COMPACT, seed)
    filled = say("filled", percent=str(last.fill)) if last and last.context_window else ""
    detail = sentences(say(f"compaction.{reason}"), filled)
    step = replace(begun, outcome="done", detail=detail, checkpoint=commit, log_path=None)
    told = ContextCompacted(
        step_id=step.id,
        attempt=step.attempt,
        reason=reason,
        tokens=last.context_tokens if last else 0,
        window=last.context_window if last else 0,
        agent_session=task.agent_session,
    )

    def write(tx: Tx) -> None:
        emit(tx, task, told)
        tasks.update(tx, task.id, agent_session=None)

    task = replace(await measure.close(cx, task, [step]), agent_session=None)
    await runtime.store.write(write)
    return task, replace(turn, prompt=f"{seed}\n{turn.prompt}", resume=None)


async def account(cx: Context, task: Task) -> str:
    """What an agent is told first that is asked in this task and remembers nothing."""
    return await cx.runtime.store.read(lambda c: _account(c, task, ()))


def _account(c: Connection, task: Task, files: Sequence[str]) -> str:
    done = [step for step in steps.of_task(c, task.id) if step.kind is not StepKind.COMPACT]
    present = tasks.get(c, task.id) or task
    failed = [str(failure) for failure in artifacts.failures(c, task.id)]
    earlier, happened = thread.account(c, task)
    saved = digest.saved_state(present, done, failed, files, happened) if any(s.finished_at for s in done) else ""
    return "\n".join(filter(None, [earlier, saved]))


async def _seed(cx: Context, task: Task, commit: str | None) -> str:
    runtime = cx.runtime
    files: list[str] = []
    if commit and commit != cx.base:
        async with runtime.lock(cx.workspace.id):
            stat = await runtime.on_tree(cx.workspace, lambda tree: tree.stat(cx.base, commit))
        files = [change.path for change in stat.files]
    return await runtime.store.read(lambda c: _account(c, task, files))


async def _newest_checkpoint(cx: Context, task: Task) -> str | None:
    """Of the state the next turn begins with."""
    done = await cx.runtime.store.read(lambda c: steps.of_task(c, task.id, task.attempt))
    saved = [step.checkpoint for step in done if step.checkpoint]
    if saved:
        return saved[-1]
    began = await cx.runtime.store.read(lambda c: attempts.get(c, task.id, task.attempt))
    return began.checkpoint if began else None
