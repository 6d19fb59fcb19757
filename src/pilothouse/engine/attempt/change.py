"""The course of a change: scouts, the edit, then the project's checks and what they call for, and the summary."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from pilothouse.domain.task.checks import RunResult
from pilothouse.domain.task.task import AttemptMode, Step, StepKind, Task
from pilothouse.engine.attempt import apply, first_words, measure, outcome, turns
from pilothouse.engine.attempt.context import Began, Context
from pilothouse.engine.attempt.ending import Result
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop import doubts
from pilothouse.engine.loop.debug_loop import DebugLoop
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.git.model import Checkpoint
from pilothouse.store.guard.limits import HELD
from pilothouse.store.session import projects
from pilothouse.store.task import attempts, runs, steps, tasks
from pilothouse.verify.check_plan import CheckPlan, checks_of

_TURNS = (StepKind.EDIT, StepKind.FIX, StepKind.REPLAN)


async def change(began: Began) -> Result:
    cx, task, taken = began.context, began.task, began.checkpoint
    scouts, checks = Scouts(cx), cx.plan.checks
    resumed = await _resumed(cx, task, taken)
    if resumed and resumed.step.kind is StepKind.VERIFY and checks:
        return await _behind_checks(cx, DebugLoop(cx, checks, scouts), resumed)
    finished = resumed or await _edit(cx, task, taken, scouts)
    if not finished.plain or not finished.changed:
        return Result(finished)
    if not checks:
        # The task may have brought the checks with it; where it has not, its doubts are all there is to tell.
        checks = (await _plan_now(cx)).checks
        if not checks:
            return Result(replace(finished, task=await doubts.inspect(cx, finished, ())))
    if checks != finished.task.checks:
        await cx.runtime.store.write(lambda tx: tasks.update(tx, task.id, checks=checks))
        finished = replace(finished, task=replace(finished.task, checks=checks))
    return await DebugLoop(cx, checks, scouts).run(finished)


async def _edit(cx: Context, task: Task, taken: Checkpoint, scouts: Scouts) -> Finished:
    if task.proposal and await _is_to_be_written(cx, task):
        written = await apply.write(cx, task, task.proposal, taken)
        if written.stop or task.pending_reply is None:
            return written
        # What the person said meanwhile is still to be told to the agent.
        written = await outcome.record(cx.runtime, written)
        task, taken = written.task, written.checkpoint
    task, stopped = await scouts.before_edit(task, taken)
    if stopped:
        return stopped
    turn = await first_words.first_turn(cx, task, taken, scouts)
    return await turns.take(cx, task, turn, taken, scouts)


async def _is_to_be_written(cx: Context, task: Task) -> bool:
    """Whether this attempt applies a proposal, or finishes one whose writing was interrupted."""
    if cx.mode not in (AttemptMode.SOFT, AttemptMode.REPLY):
        return True
    return not await cx.runtime.store.read(lambda c: apply.is_written(c, task))


async def _behind_checks(cx: Context, loop: DebugLoop, resumed: Finished) -> Result:
    """Go on behind a verification that was recorded: answer its failure, or sum up what it passed."""
    run = await cx.runtime.store.read(lambda c: runs.get(c, resumed.step.run_id or ""))
    if run is None or (run.result is RunResult.PASS and run.tree != resumed.checkpoint.tree):
        return await loop.run(resumed)
    result = await loop.after(resumed, run)
    return result if result.conclusion or not result.finished.plain else await loop.run(result.finished)


async def _resumed(cx: Context, task: Task, taken: Checkpoint) -> Finished | None:
    """The last finished step, where a soft resume can go on from it; None where the agent must be asked again."""
    if cx.mode is not AttemptMode.SOFT or task.pending_reply is not None:
        return None
    every = await cx.runtime.store.read(lambda c: attempts.of_task(c, task.id))
    past = [attempt for attempt in every if attempt.number < task.attempt]
    if not past or past[-1].outcome == "asked":
        return None
    began = max(attempt.number for attempt in past if attempt.mode is not AttemptMode.SOFT)
    done = await cx.runtime.store.read(lambda c: steps.of_task(c, task.id))
    last = _last_finished([step for step in done if step.attempt >= began])
    if last is None:
        return None
    found = await measure.as_found(cx, task, last, taken)
    return found if found.changed else None


def _last_finished(done: list[Step]) -> Step | None:
    """The newest turn that came to its end, or the newest verification behind it."""
    asked = [step for step in done if step.kind in _TURNS and step.outcome != HELD]
    if not asked or asked[-1].outcome != "done":
        return None
    checked = [step for step in done[done.index(asked[-1]) :] if step.run_id and step.name != doubts.BASE_TESTS]
    decided = [step for step in checked if step.outcome in ("failed", "passed")]
    return (decided or asked)[-1]


async def _plan_now(cx: Context) -> CheckPlan:
    """As the repository and the person have it by now."""
    project = await cx.runtime.store.read(lambda c: projects.get(c, cx.project.id))
    return await asyncio.to_thread(checks_of, cx.place, project.checks if project else None)
