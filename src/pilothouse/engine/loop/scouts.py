"""Scouts: read-only agents that look around, side by side, before the edit and where a replan calls for it.

They are asked in rounds: first both, then whoever's answer could not be used, up to three tries each. They look around
in a scratch copy without the workspace's ignored files: whatever they write is gone with it, and what a person saves
in the workspace meanwhile stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.agent import scouts
from pilothouse.domain.agent.scouts import TRIES, Scout
from pilothouse.domain.ports import Ended
from pilothouse.domain.task.checks import VerificationRun
from pilothouse.domain.task.loop import Tried
from pilothouse.domain.task.task import WORK_ANEW, Step, StepKind, Task
from pilothouse.engine.attempt import measure, spawn
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.finished import Finished, Spoken
from pilothouse.engine.attempt.watch import Stop
from pilothouse.git.model import Checkpoint
from pilothouse.git.scratch import Scratch
from pilothouse.store.guard.holds import HELD
from pilothouse.store.task import attempts
from pilothouse.store.task import steps as step_rows
from pilothouse.words import say

_NO_TRY = (HELD, *(stop.value for stop in (Stop.INTERRUPTED, Stop.CANCELLED, Stop.LIMIT, Stop.BUDGET, Stop.BREAKER)))
"""A scout that was not let begin, or was ended for what is none of its doing, has still to be asked."""
Prompt = Callable[[Scout], str]


class Scouts:
    """Those of one attempt. What they found is in the step rows, so it outlives the attempt."""

    def __init__(self, cx: Context) -> None:
        self._cx = cx
        self._runtime = cx.runtime

    async def before_edit(self, task: Task, before: Checkpoint) -> tuple[Task, Finished | None]:
        """Ask the scouts that have not answered; returns a step if the attempt was stopped."""
        if not self._cx.scouting:
            return task, None
        so_far = await self._so_far(task)
        if any(step.kind is StepKind.EDIT and step.outcome != HELD for step in so_far):
            return task, None
        return await self._ask(task, before, so_far, lambda scout: scouts.before_edit(scout, task))

    async def at_replan(
        self, task: Task, before: Checkpoint, run: VerificationRun, tried: Sequence[Tried], account: Sequence[str]
    ) -> tuple[Task, Finished | None]:
        """Ask again where the diagnosis calls for it, as `before_edit` does."""
        if not self._cx.scouting or not scouts.reason_to_ask(tried):
            return task, None
        so_far = await self._so_far(task)
        return await self._ask(
            task, before, so_far, lambda scout: scouts.at_replan(scout, task, account), since=run.finished_at
        )

    async def sections(self, task: Task) -> list[str]:
        """The newest report of each scout since the task started over, for the agent that edits."""
        if not self._cx.scouting and task.attempt == 1:
            return []
        so_far = await self._so_far(task)
        answers = {Scout(step.name): step.answer for step in so_far if _answered(step)}
        readings = {scout: scouts.read(scout, answers[scout]) for scout in Scout if scout in answers}
        return [scouts.section_of(scout, reading.report) for scout, reading in readings.items() if reading.report]

    async def _so_far(self, task: Task) -> list[Step]:
        def read(c: Connection) -> list[Step]:
            began = attempts.newest_in(c, task.id, WORK_ANEW)
            return [step for step in step_rows.of_task(c, task.id) if step.attempt >= began]

        return await self._runtime.store.read(read)

    async def _ask(
        self, task: Task, before: Checkpoint, so_far: Sequence[Step], prompt: Prompt, since: datetime | None = None
    ) -> tuple[Task, Finished | None]:
        asked = [step for step in so_far if step.kind is StepKind.SCOUT]
        known = [step for step in asked if since is None or step.started_at >= since]
        turns = {scout: sum(1 for step in asked if step.name == scout and step.outcome != HELD) for scout in Scout}
        if not any(_due(scout, known) for scout in Scout):
            return task, None
        async with self._scratch(task, before) as root:
            while asking := [scout for scout in Scout if _due(scout, known)]:
                await self._runtime.milestone(task, "scouting", _asking(asking))
                for scout in asking:
                    turns[scout] += 1
                spoken = await self._together(
                    task, [_turn(scout, prompt(scout), root, turns[scout], known) for scout in asking]
                )
                judged = [_judged(one, before, since is not None) for one in spoken]
                if self._cx.control.stopped:
                    return task, await self._stopped(task, judged, spoken[-1].ended, before)
                task = await measure.close(self._cx, task, judged)
                known += judged
        await self._tell_missing(task, known)
        return task, None

    @asynccontextmanager
    async def _scratch(self, task: Task, before: Checkpoint) -> AsyncIterator[Path]:
        workspace = self._cx.workspace
        folder = self._runtime.settings.data_dir / "scratch" / f"{task.id}-scouts"
        async with self._runtime.lock(workspace.id):
            scratch = await self._runtime.on_tree(workspace, lambda tree: Scratch.make(tree, before.commit, folder))
        try:
            yield scratch.root
        finally:
            await asyncio.to_thread(scratch.remove)

    async def _together(self, task: Task, turns: Sequence[Turn]) -> list[Spoken]:
        """Every one is followed to its end, also when another breaks: none may be left running."""
        found = await asyncio.gather(*(self._followed(task, turn) for turn in turns), return_exceptions=True)
        ended: list[Spoken] = []
        for one in found:
            if isinstance(one, BaseException):
                raise one
            ended.append(one)
        return ended

    async def _followed(self, task: Task, turn: Turn) -> Spoken:
        spoken = await spawn.run(self._cx, task, turn)
        return replace(spoken, step=replace(spoken.step, finished_at=self._runtime.clock.now()))

    async def _stopped(self, task: Task, judged: Sequence[Step], ended: Ended, before: Checkpoint) -> Finished:
        """The last scout's step is the one the attempt ends with. Its words are not what the task says last."""
        *others, last = judged
        if others:
            task = await measure.close(self._cx, task, others)
        words = replace(ended, text="", message=last.detail)
        control = self._cx.control
        return await measure.finish(self._cx, Spoken(task, last, words, control.stopped, control.hold), before)

    async def _tell_missing(self, task: Task, known: Sequence[Step]) -> None:
        missing = [scout for scout in Scout if not any(_answered(step) and step.name == scout for step in known)]
        if missing:
            one = say("scout.given_up", scout=_called(missing[0]), tries=TRIES)
            words = one if len(missing) == 1 else say("scout.both_given_up", tries=TRIES)
            await self._runtime.milestone(task, "without_scout", words)


def _answered(step: Step) -> bool:
    return step.kind is StepKind.SCOUT and step.outcome == "done"


def _tries(scout: Scout, known: Sequence[Step]) -> list[Step]:
    return [step for step in known if step.name == scout and step.outcome not in _NO_TRY]


def _due(scout: Scout, known: Sequence[Step]) -> bool:
    tries = _tries(scout, known)
    return len(tries) < TRIES and not any(_answered(step) for step in tries)


def _turn(scout: Scout, prompt: str, root: Path, number: int, known: Sequence[Step]) -> Turn:
    tries = _tries(scout, known)
    if tries:
        prompt = scouts.again(prompt, len(tries) + 1, tries[-1].detail, tries[-1].answer)
    return Turn(StepKind.SCOUT, prompt, scout.value, number, read_only=True, directory=root)


def _judged(spoken: Spoken, before: Checkpoint, failing: bool) -> Step:
    step, ended = spoken.step, spoken.ended
    if step.outcome == HELD:
        return replace(step, detail=say("scout.held_back"), checkpoint=before.commit)
    result, detail = _result(Scout(step.name), ended, spoken.stop, failing)
    return replace(step, outcome=result, detail=detail, exit_code=ended.exit_code, checkpoint=before.commit)


def _result(scout: Scout, ended: Ended, stop: Stop | None, failing: bool) -> tuple[str, str]:
    """How a try ended, and what is to be said about it. One that ends in a question is judged by its text too."""
    if stop:
        asked = stop in (Stop.CANCELLED, Stop.INTERRUPTED, Stop.BREAKER)
        return stop.value, say("scout_stopped.stopped" if asked else f"scout_stopped.{stop}")
    if ended.outcome in ("failed", "crashed"):
        return ended.outcome, ended.message or say("scout.no_answer")
    problem = scouts.read(scout, ended.text, failing).problem
    return ("failed", problem) if problem else ("done", "")


def _called(scout: Scout) -> str:
    return say(f"scout.name.{scout.name}")


def _asking(asked: Sequence[Scout]) -> str:
    return say("scout.asking", scout=_called(asked[0])) if len(asked) == 1 else say("milestone.scouting")
