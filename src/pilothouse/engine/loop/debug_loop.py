"""From “the agent says it is finished” to verified, stuck, or back in the person's hands.

Nothing is reverted between loops: each fix builds on what is there.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

from pilothouse.domain.agent import debug_prompts
from pilothouse.domain.agent.debug_prompts import Tried
from pilothouse.domain.task.checks import Check, RunResult, VerificationRun
from pilothouse.domain.task.contexts import ContextKind
from pilothouse.domain.task.loop import LOOPS, Next
from pilothouse.domain.task.task import StepKind, Task
from pilothouse.engine.attempt import measure, outcome, spawn, turns
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.ending import Passed, Result, Stuck, Unrunnable
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop import doubts
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.loop.verification import verify
from pilothouse.engine.talk import steering
from pilothouse.engine.transition import write_context
from pilothouse.git.names import raw
from pilothouse.store.task import runs
from pilothouse.store.task import steps as step_rows
from pilothouse.verify.runs.bytecode import drop_stale
from pilothouse.verify.runs.logs import plain

_ANSWERS = (StepKind.FIX, StepKind.REPLAN)


class DebugLoop:
    def __init__(self, cx: Context, checks: tuple[Check, ...], scouts: Scouts) -> None:
        self._cx = cx
        self._runtime = cx.runtime
        self._checks = checks
        self._scouts = scouts

    async def run(self, finished: Finished) -> Result:
        """Verify what the agent left, and go on until the checks pass, the loops are used up, or a person is needed."""
        while True:
            if not finished.recorded:
                finished = await outcome.record(self._runtime, finished, pending_reply=None)
            changed = [os.fsdecode(raw(file.path)) for file in finished.total.files]
            await asyncio.to_thread(drop_stale, self._cx.place, changed)
            finished, run = await verify(self._cx, finished.task, self._checks, finished.checkpoint)
            if run is None:
                return Result(finished)
            result = await self.after(finished, run)
            finished = result.finished
            # What was changed while it was summed up is verified in turn, whatever the agent said with it.
            over = not finished.plain and finished.step.kind is not StepKind.SUMMARISE
            if result.conclusion or over:
                return result

    async def after(self, finished: Finished, run: VerificationRun) -> Result:
        """What a verification calls for: the summary, a fix, another approach, or the report that ends it."""
        match run.result:
            case RunResult.PASS:
                return await self._passed(finished, run)
            case RunResult.INFRASTRUCTURE:
                return Result(finished, Unrunnable(run))
        task, next_ = finished.task, finished.task.loop.after_failure
        if next_ is Next.STOP:
            return await self._stuck(finished)
        await self._runtime.milestone(task, "replanning" if next_ is Next.REPLAN else "debugging")
        return Result(await (self._replan if next_ is Next.REPLAN else self._fix)(finished, run))

    async def _fix(self, finished: Finished, run: VerificationRun) -> Finished:
        task, loop = finished.task, finished.task.loop
        prompt = debug_prompts.fix(task, run, plain(run.tail), await self._diff())
        number = loop.total - loop.replans
        turn = Turn(StepKind.FIX, prompt, "fix", number, task.agent_session, milestone="debugging")
        return await turns.take(self._cx, task, turn, finished.checkpoint, self._scouts)

    async def _replan(self, finished: Finished, run: VerificationRun) -> Finished:
        task, tried = finished.task, await self._tried(finished.task)
        account = debug_prompts.account(run, plain(run.tail), await self._diff(), tried)
        task, stopped = await self._scouts.at_replan(task, finished.checkpoint, run, tried, account)
        if stopped:
            return stopped
        prompt = debug_prompts.replan(task, account, await self._scouts.sections(task))
        text = f"Verification {run.loop} failed: {run.first_failing_line}\n\n## What the agent was told\n\n{prompt}"
        await self._runtime.store.write(lambda tx: write_context(tx, task, ContextKind.REPLAN, text))
        number = task.loop.replans
        turn = Turn(StepKind.REPLAN, prompt, "replan", number, task.agent_session, milestone="replanning")
        return await turns.take(self._cx, task, turn, finished.checkpoint, self._scouts)

    async def _diff(self) -> str:
        cx, limit = self._cx, debug_prompts.DIFF_LIMIT
        async with self._runtime.lock(cx.workspace.id):
            found = await self._runtime.on_tree(cx.workspace, lambda tree: tree.diff(cx.base, limit=limit))
        return found.text

    async def _tried(self, task: Task) -> list[Tried]:
        """Every failed verification with what the agent then did about it."""
        known = await self._runtime.store.read(lambda c: runs.failed(c, task.id))
        every = await self._runtime.store.read(lambda c: step_rows.of_task(c, task.id))
        answers = [step for step in every if step.kind in _ANSWERS]
        tried = []
        for run in known:
            answer = next((step.answer for step in answers if step.started_at >= run.finished_at), "")
            name = run.failing.name if run.failing else ""
            tried.append(Tried(run.loop, name, run.first_failing_line, answer))
        return tried

    async def _passed(self, finished: Finished, run: VerificationRun) -> Result:
        """Sum up. Without a conclusion the agent changed files while it did, which have to be verified in turn.

        So has what it did about a message that came meanwhile.
        """
        if await self._is_told_more(finished.task):
            return Result(await self._tell_more(finished))
        task = await doubts.inspect(self._cx, finished, self._checks, run)
        files = [change.path for change in finished.total.files]
        prompt = debug_prompts.summary(task, run, files)
        last = await self._last_words("summarise", prompt, replace(finished, task=task))
        if last.stop is None and await self._is_told_more(last.task):
            return Result(await self._tell_more(last))
        if last.stop is None and last.step.files_changed and last.task.loop.total < LOOPS:
            return Result(last)
        return Result(last, Passed(run))

    async def _is_told_more(self, task: Task) -> bool:
        return task.loop.total < LOOPS and await steering.waits(self._runtime, task)

    async def _tell_more(self, finished: Finished) -> Finished:
        task, turn = await turns.steered_turn(self._cx, finished, Turn(StepKind.EDIT, ""), self._scouts)
        return await turns.take(self._cx, task, turn, finished.checkpoint, self._scouts)

    async def _stuck(self, finished: Finished) -> Result:
        files = [change.path for change in finished.total.files]
        prompt = debug_prompts.stuck(finished.task, await self._tried(finished.task), files)
        return Result(await self._last_words("stuck", prompt, finished), Stuck())

    async def _last_words(self, role: str, prompt: str, finished: Finished) -> Finished:
        task = finished.task
        turn = Turn(StepKind.SUMMARISE, prompt, role, resume=task.agent_session, read_only=True, milestone=role)
        return await measure.finish(self._cx, await spawn.run(self._cx, task, turn), finished.checkpoint)
