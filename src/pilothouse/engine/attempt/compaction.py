"""Leaving an agent session that is full for a fresh one, which is told what was saved of the task.

What the agent remembers is never the only copy: the request, the steps, the changed files, the failed checks and the
person's decisions are all ours. Only a full memory, or the agent's own word that it can take in no more, compacts;
time does not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pilothouse.domain import prompts
from pilothouse.domain.tasks import StepKind, Task
from pilothouse.domain.usage import Spawn, signals_pressure
from pilothouse.domain.usage_events import ContextCompacted
from pilothouse.engine.attempt import artifacts, outcome
from pilothouse.store import attempts, tasks, usage
from pilothouse.store import steps as step_rows
from pilothouse.store.database import Tx

if TYPE_CHECKING:
    from pilothouse.engine.attempt.finished import Finished
    from pilothouse.engine.attempt.steps import Steps, Turn

Reason = Literal["full", "pressure"]
_WHY: dict[Reason, str] = {
    "full": "The agent's memory was full.",
    "pressure": "The agent said that it can take in no more.",
}


async def relieved(steps: Steps, turn: Turn, last: Spawn) -> Turn:
    """The turn begun afresh, for the conversation it continues is full."""
    return await _compact(steps, turn, "full", last)


async def again(steps: Steps, turn: Turn, finished: Finished) -> Turn | None:
    """The turn to try once more, afresh, where it ended because the agent could take in no more."""
    ended = finished.ended
    if turn.seeded or finished.stop or steps.stopped or ended.outcome not in ("failed", "crashed") or ended.limit:
        return None
    if not signals_pressure(f"{ended.message}\n{ended.text}"):
        return None
    steps.task, _ = await outcome.record(steps.runtime, steps.task, finished)
    last = await steps.runtime.store.read(lambda c: usage.get(c, finished.step.id))
    return replace(await _compact(steps, turn, "pressure", last), seeded=True)


async def _compact(steps: Steps, turn: Turn, reason: Reason, last: Spawn | None) -> Turn:
    """Record it as a step of its own; the next spawn starts without the old conversation."""
    runtime = steps.runtime
    await runtime.milestone(steps.task, "compacting")
    seed = await _seed(steps)
    begun = await steps.begin(StepKind.COMPACT, seed)
    what = f" {last.fill} % of it were in use." if last and last.context_window else ""
    commit = await _newest_checkpoint(steps)
    step = replace(begun, outcome="done", detail=_WHY[reason] + what, checkpoint=commit, log_path=None)
    left = steps.task.agent_session

    def write(tx: Tx) -> Task:
        told = ContextCompacted(
            step_id=step.id,
            attempt=step.attempt,
            reason=reason,
            tokens=last.context_tokens if last else 0,
            window=last.context_window if last else 0,
            agent_session=left,
        )
        outcome.emit(tx, steps.task, told)
        return tasks.update(tx, steps.task.id, agent_session=None)

    await steps.close([step])
    steps.task = await runtime.store.write(write)
    return replace(turn, prompt=f"{seed}\n{turn.prompt}", resume=None)


async def _seed(steps: Steps) -> str:
    runtime, task = steps.runtime, steps.task
    done = await runtime.store.read(lambda c: step_rows.of_task(c, task.id))
    failed = await runtime.store.read(lambda c: artifacts.failures(c, task.id))
    commit = await _newest_checkpoint(steps)
    files: list[str] = []
    if commit and commit != steps.base:
        async with runtime.lock(steps.workspace.id):
            stat = await runtime.on_tree(steps.workspace, lambda tree: tree.stat(steps.base, commit))
        files = [change.path for change in stat.files]
    return prompts.saved_state(task, done, files, [str(failure) for failure in failed])


async def _newest_checkpoint(steps: Steps) -> str | None:
    """Of the state the next turn begins with."""
    task = steps.task
    done = await steps.runtime.store.read(lambda c: step_rows.of_task(c, task.id, task.attempt))
    saved = [step.checkpoint for step in done if step.checkpoint]
    if saved:
        return saved[-1]
    began = await steps.runtime.store.read(lambda c: attempts.get(c, task.id, task.attempt))
    return began.checkpoint if began else None
