"""The course of a change: scouts, the edit, then the project's checks and what they call for.

It ends where they pass and it is summed up, where the loops are used up, or where a person is needed.

It begins with a checkpoint (`begin.py`). Nothing is reverted between loops: each fix builds on what is there.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace

from pilothouse.domain.task.checks import Check, RunResult, VerificationRun
from pilothouse.domain.task.loop import LOOPS, Next
from pilothouse.domain.task.task import AttemptMode, Step, StepKind, Task
from pilothouse.engine.attempt import apply, first_words, measure, outcome, spawn, turns
from pilothouse.engine.attempt.context import Began, Context, Turn
from pilothouse.engine.attempt.ending import Passed, Result, Stuck, Unrunnable
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop import aside, debug_turns, doubts
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.loop.verification import verify
from pilothouse.engine.talk import steering
from pilothouse.errors import BadConfiguration
from pilothouse.git.model import Checkpoint
from pilothouse.git.names import raw
from pilothouse.store.guard.holds import HELD
from pilothouse.store.session import projects
from pilothouse.store.task import attempts, runs, steps, tasks
from pilothouse.verify.chosen_checks import ChosenChecks, checks_of, with_new
from pilothouse.verify.runs.bytecode import drop_stale

_TURNS = (StepKind.EDIT, StepKind.FIX, StepKind.REPLAN)


@dataclass(frozen=True, slots=True)
class VerifyAgain:
    """The agent left something that no verification has seen yet."""

    finished: Finished


async def change(began: Began) -> Result:
    result = await _course(began)
    # At the very end: a summary can plant something, too.
    if result.finished.apart or not (result.conclusion or result.finished.plain):
        return result
    task = await doubts.with_planted(began.context, result.finished)
    return replace(result, finished=replace(result.finished, task=task))


async def _course(began: Began) -> Result:
    cx, task, taken = began.context, began.task, began.checkpoint
    scouts = Scouts(cx)
    finished = await _resumed(cx, task, taken) or await _edit(cx, task, taken, scouts)
    if not finished.plain or not finished.changed:
        return Result(finished)
    finished = await _with_checks(cx, finished)
    if not finished.task.checks:
        return Result(replace(finished, task=await doubts.inspect(cx, finished, ())))
    run = await _recorded_run(cx, finished)
    while True:
        if run is None:
            finished, run = await _verify(cx, finished)
        if run is None:
            return Result(finished)
        following = await _after(cx, finished, run, scouts)
        if isinstance(following, Result):
            return following
        finished, run = following.finished, None


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


async def _with_checks(cx: Context, finished: Finished) -> Finished:
    """With the checks it began with. Where there were none the task may have brought them with it."""
    task, checks = finished.task, cx.checks.checks or (await _checks_now(cx)).checks
    if checks == task.checks:
        return finished
    await cx.runtime.store.write(lambda tx: tasks.update(tx, task.id, checks=checks))
    return replace(finished, task=replace(task, checks=checks))


async def _verify(cx: Context, finished: Finished) -> tuple[Finished, VerificationRun | None]:
    """Run the checks on what the agent left; without a run it was stopped."""
    if not finished.recorded:
        finished = await outcome.record(cx.runtime, finished, pending_reply=None)
    changed = [os.fsdecode(raw(file.path)) for file in finished.total.files]
    await asyncio.to_thread(drop_stale, cx.place, changed)
    return await verify(cx, finished.task, await _to_run(cx, finished.task), finished.checkpoint)


async def _to_run(cx: Context, task: Task) -> tuple[Check, ...]:
    """The checks it began with, then those it wrote into agent.yaml: what it asks of others holds for itself."""
    checks = task.checks or ()
    try:
        now = await _checks_now(cx)
    except BadConfiguration:
        return checks  # what is wrong with the file is said where it is looked at
    return with_new(checks, now.checks) if now.origin == "agent.yaml" else checks


async def _after(cx: Context, finished: Finished, run: VerificationRun, scouts: Scouts) -> Result | VerifyAgain:
    """What a verification calls for: the summary, a fix, another approach, or the report that ends it."""
    if run.result is RunResult.INFRASTRUCTURE:
        return Result(finished, Unrunnable(run))
    if run.result is RunResult.PASS:
        return await _sum_up(cx, finished, run, scouts)
    match finished.task.loop.after_failure:
        case Next.FIX:
            return _unless_over(await _fix(cx, finished, run, scouts))
        case Next.REPLAN:
            return _unless_over(await _replan(cx, finished, run, scouts))
        case Next.STOP:
            return Result(await _last_words(cx, finished, await debug_turns.stuck(cx, finished)), Stuck())


def _unless_over(finished: Finished) -> Result | VerifyAgain:
    return VerifyAgain(finished) if finished.plain else Result(finished)


async def _fix(cx: Context, finished: Finished, run: VerificationRun, scouts: Scouts) -> Finished:
    task = finished.task
    await cx.runtime.milestone(task, "debugging")
    return await turns.take(cx, task, await debug_turns.fix(cx, task, run), finished.checkpoint, scouts)


async def _replan(cx: Context, finished: Finished, run: VerificationRun, scouts: Scouts) -> Finished:
    await cx.runtime.milestone(finished.task, "replanning")
    tried = await debug_turns.tried(cx, finished.task)
    known = await debug_turns.account(cx, run, tried)
    task, stopped = await scouts.at_replan(finished.task, finished.checkpoint, run, tried, known)
    if stopped:
        return stopped
    turn = await debug_turns.replan(cx, task, run, known, scouts)
    return await turns.take(cx, task, turn, finished.checkpoint, scouts)


async def _sum_up(cx: Context, finished: Finished, run: VerificationRun, scouts: Scouts) -> Result | VerifyAgain:
    """The end, unless a message came meanwhile or the agent changed files in its summary, whatever it said with it."""
    if await _is_told_more(cx, finished.task):
        return _unless_over(await _tell_more(cx, finished, scouts))
    finished = replace(finished, task=await doubts.inspect(cx, finished, finished.task.checks or (), run))
    last = await _last_words(cx, finished, debug_turns.summary(finished, run))
    if last.stop is None and await _is_told_more(cx, last.task):
        return _unless_over(await _tell_more(cx, last, scouts))
    if last.stop is None and last.step.files_changed and last.task.loop.total < LOOPS:
        return VerifyAgain(last)
    return Result(last, Passed(run))


async def _is_told_more(cx: Context, task: Task) -> bool:
    return task.loop.total < LOOPS and await steering.waits(cx.runtime, task)


async def _tell_more(cx: Context, finished: Finished, scouts: Scouts) -> Finished:
    task, turn = await turns.steered_turn(cx, finished, Turn(StepKind.EDIT, ""), scouts)
    return await turns.take(cx, task, turn, finished.checkpoint, scouts)


async def _last_words(cx: Context, finished: Finished, turn: Turn) -> Finished:
    return await measure.finish(cx, await spawn.run(cx, finished.task, turn), finished.checkpoint)


async def _recorded_run(cx: Context, resumed: Finished) -> VerificationRun | None:
    """The run that a resumed attempt goes on behind; None where the tree is to be verified."""
    run_id = resumed.step.run_id if resumed.step.kind is StepKind.VERIFY else None
    run = await cx.runtime.store.read(lambda c: runs.get(c, run_id)) if run_id else None
    return None if run and run.result is RunResult.PASS and run.tree != resumed.checkpoint.tree else run


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
    checked = [step for step in done[done.index(asked[-1]) :] if step.run_id and step.name not in aside.NAMES.values()]
    decided = [step for step in checked if step.outcome in ("failed", "passed")]
    return (decided or asked)[-1]


async def _checks_now(cx: Context) -> ChosenChecks:
    """As the repository and the person have it by now."""
    project = await cx.runtime.store.read(lambda c: projects.get(c, cx.project.id))
    return await asyncio.to_thread(checks_of, cx.place, project.checks if project else None)
