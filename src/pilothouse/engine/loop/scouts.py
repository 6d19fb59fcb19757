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

from pilothouse.domain import scout_prompts, scouting
from pilothouse.domain.checks import VerificationRun
from pilothouse.domain.debug_prompts import Tried
from pilothouse.domain.ports import Ended
from pilothouse.domain.scouting import TRIES, Scout
from pilothouse.domain.tasks import WORK_ANEW, Step, StepKind
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.steps import Steps, Turn
from pilothouse.engine.attempt.watch import Stop
from pilothouse.git.model import Checkpoint
from pilothouse.git.scratch import Scratch
from pilothouse.store import attempts
from pilothouse.store import steps as step_rows
from pilothouse.store.limits import HELD

_NO_TRY = (HELD, *(stop.value for stop in (Stop.INTERRUPTED, Stop.CANCELLED, Stop.LIMIT, Stop.BUDGET, Stop.BREAKER)))
"""A scout that was not let begin, or was ended for what is none of its doing, has still to be asked."""
HELD_BACK = "It was not started; it is asked when the task goes on."
_STOPPED = {
    Stop.IDLE: "It was silent for too long.",
    Stop.HARD: "It ran into its time limit.",
    Stop.ABSENT: "It went silent and its process is gone.",
    Stop.LIMIT: "It was ended at a limit; it is asked again when the task goes on.",
    Stop.BUDGET: "It was ended at the end of a budget; it is asked again when the task goes on.",
}
Asked = tuple[Step, Ended, Stop | None]
Prompt = Callable[[Scout], str]
Ask = Callable[[Scout], tuple[str, Path]]


class Scouts:
    """Those of one attempt. What they found is in the step rows, so it outlives the attempt."""

    def __init__(self, steps: Steps, wanted: bool) -> None:
        self._steps = steps
        self._runtime = steps.runtime
        self.wanted = wanted

    async def before_edit(self, before: Checkpoint) -> Finished | None:
        """Ask whoever has not answered yet; a step comes back where the attempt was stopped meanwhile."""
        if not self.wanted:
            return None
        so_far = await self._so_far()
        if any(step.kind is StepKind.EDIT and step.outcome != HELD for step in so_far):
            return None
        task = self._steps.task
        return await self._ask(before, so_far, lambda scout: scout_prompts.before_edit(scout, task))

    async def at_replan(
        self, before: Checkpoint, run: VerificationRun, tried: Sequence[Tried], account: Sequence[str]
    ) -> Finished | None:
        """Ask again where the diagnosis calls for it, as `before_edit` does."""
        if not self.wanted or not scouting.reason_to_ask(tried):
            return None
        task = self._steps.task
        so_far = await self._so_far()
        return await self._ask(
            before, so_far, lambda scout: scout_prompts.at_replan(scout, task, account), since=run.finished_at
        )

    async def sections(self) -> list[str]:
        """The newest report of each scout since the task began anew, for the agent that edits."""
        if not self.wanted and self._steps.task.attempt == 1:
            return []
        so_far = await self._so_far()
        answers = {Scout(step.name): step.answer for step in so_far if _answered(step)}
        readings = {scout: scouting.read(scout, answers[scout]) for scout in Scout if scout in answers}
        return [scout_prompts.told(scout, reading.report) for scout, reading in readings.items() if reading.report]

    async def _so_far(self) -> list[Step]:
        task = self._steps.task
        if task.attempt == 1 and not self._steps.begun:
            return []

        def read(c: Connection) -> list[Step]:
            began = attempts.newest_in(c, task.id, WORK_ANEW)
            return [step for step in step_rows.of_task(c, task.id) if step.attempt >= began]

        return await self._runtime.store.read(read)

    async def _ask(
        self, before: Checkpoint, so_far: Sequence[Step], prompt: Prompt, since: datetime | None = None
    ) -> Finished | None:
        scouts = [step for step in so_far if step.kind is StepKind.SCOUT]
        known = [step for step in scouts if since is None or step.started_at >= since]
        turns = {scout: sum(1 for step in scouts if step.name == scout and step.outcome != HELD) for scout in Scout}
        if not any(_due(scout, known) for scout in Scout):
            return None
        async with self._scratch(before) as root:
            stopped = await self._rounds(before, known, turns, lambda scout: (prompt(scout), root), since is not None)
        if stopped is None:
            await self._tell_missing(known)
        return stopped

    @asynccontextmanager
    async def _scratch(self, before: Checkpoint) -> AsyncIterator[Path]:
        workspace = self._steps.workspace
        folder = self._runtime.settings.data_dir / "scratch" / f"{self._steps.task.id}-scouts"
        async with self._runtime.lock(workspace.id):
            scratch = await self._runtime.on_tree(workspace, lambda tree: Scratch.make(tree, before.commit, folder))
        try:
            yield scratch.root
        finally:
            await asyncio.to_thread(scratch.remove)

    async def _rounds(
        self, before: Checkpoint, known: list[Step], turns: dict[Scout, int], ask: Ask, failing: bool
    ) -> Finished | None:
        while asking := [scout for scout in Scout if _due(scout, known)]:
            await self._runtime.milestone(self._steps.task, "scouting", _asking(asking))
            for scout in asking:
                turns[scout] += 1
            ended = await self._together([_turn(scout, *ask(scout), turns[scout], known) for scout in asking])
            round_ = [_judged(one, before, failing) for one in ended]
            if self._steps.stopped:
                return await self._stopped(round_, ended[-1][1], before)
            await self._steps.close(round_)
            known += round_
        return None

    async def _together(self, turns: Sequence[Turn]) -> list[Asked]:
        """Every one is followed to its end, also when another breaks: none may be left running."""
        found = await asyncio.gather(*(self._followed(turn) for turn in turns), return_exceptions=True)
        ended: list[Asked] = []
        for one in found:
            if isinstance(one, BaseException):
                raise one
            ended.append(one)
        return ended

    async def _followed(self, turn: Turn) -> Asked:
        step, ended, stop = await self._steps.agent(turn)
        return replace(step, finished_at=self._runtime.clock.now()), ended, stop

    async def _stopped(self, round_: Sequence[Step], ended: Ended, before: Checkpoint) -> Finished:
        """The last scout's step is the one the attempt ends with. Its words are not what the task says last."""
        *others, last = round_
        if others:
            await self._steps.close(others)
        words = replace(ended, text="", message=last.detail)
        return await self._steps.finish(last, words, self._steps.stopped, before)

    async def _tell_missing(self, known: Sequence[Step]) -> None:
        missing = [scout for scout in Scout if not any(_answered(step) and step.name == scout for step in known)]
        if missing:
            words = f"Going on without {_names(missing)}, after {TRIES} tries"
            await self._runtime.milestone(self._steps.task, "without_scout", words)


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
        prompt = scout_prompts.again(prompt, len(tries) + 1, tries[-1].detail, tries[-1].answer)
    return Turn(StepKind.SCOUT, prompt, scout.value, number, read_only=True, directory=root)


def _judged(asked: Asked, before: Checkpoint, failing: bool) -> Step:
    step, ended, stop = asked
    if step.outcome == HELD:
        return replace(step, detail=HELD_BACK, checkpoint=before.commit)
    result, detail = _result(Scout(step.name), ended, stop, failing)
    return replace(step, outcome=result, detail=detail, exit_code=ended.exit_code, checkpoint=before.commit)


def _result(scout: Scout, ended: Ended, stop: Stop | None, failing: bool) -> tuple[str, str]:
    """How a try ended, and what is to be said about it. One that ends in a question is judged by its text too."""
    if stop:
        return stop.value, _STOPPED.get(stop, "It was stopped.")
    if ended.outcome in ("failed", "crashed"):
        return ended.outcome, ended.message or "It ended without an answer."
    problem = scouting.read(scout, ended.text, failing).problem
    return ("failed", problem) if problem else ("done", "")


def _names(scouts: Sequence[Scout]) -> str:
    return scouts[0].value if len(scouts) == 1 else "scouts A and B"


def _asking(scouts: Sequence[Scout]) -> str:
    return f"Asking {_names(scouts)}"
