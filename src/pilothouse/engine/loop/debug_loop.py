"""From “the agent says it is finished” to verified, stuck, or back in the person's hands.

Nothing is reverted between loops: each fix builds on what is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from pilothouse.domain import debug_prompts
from pilothouse.domain.checks import Check, RunResult, VerificationRun
from pilothouse.domain.contexts import ContextKind
from pilothouse.domain.debug_prompts import Tried
from pilothouse.domain.loop import LOOPS, Next
from pilothouse.domain.tasks import StepKind
from pilothouse.engine.attempt import continuation as continuing
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.outcome import Conclude
from pilothouse.engine.attempt.steps import Steps, Turn
from pilothouse.engine.loop import conclusions
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.loop.verification import verify
from pilothouse.engine.talk import steering
from pilothouse.git.model import Checkpoint
from pilothouse.store import runs
from pilothouse.store import steps as step_rows
from pilothouse.verify.bytecode import drop_stale
from pilothouse.verify.logs import plain

Ask = Callable[[Turn, Checkpoint], Awaitable[Finished]]
Inspect = Callable[[Finished, VerificationRun], Awaitable[None]]
Result = tuple[Finished, Conclude | None]
_ANSWERS = (StepKind.FIX, StepKind.REPLAN)


class DebugLoop:
    def __init__(self, steps: Steps, checks: tuple[Check, ...], scouts: Scouts, ask: Ask, inspect: Inspect) -> None:
        self._steps = steps
        self._runtime = steps.runtime
        self._checks = checks
        self._scouts = scouts
        self._ask = ask
        self._inspect = inspect

    async def run(self, finished: Finished) -> Result:
        """Verify what the agent left, and go on until the checks pass, the loops are used up, or a person is needed."""
        while True:
            finished = await self._record(finished)
            changed = [file.path for file in finished.total.files]
            await asyncio.to_thread(drop_stale, self._steps.directory, changed)
            finished, run = await verify(self._steps, self._checks, finished.checkpoint)
            if run is None:
                return finished, None
            if run.result is RunResult.PASS:
                finished, conclude = await self.passed(finished, run)
                if conclude or (finished.step.kind is StepKind.EDIT and not finished.plain):
                    return finished, conclude
                continue
            if run.result is RunResult.INFRASTRUCTURE:
                return finished, partial(conclusions.unrunnable, run=run)
            finished, conclude = await self.answer(finished, run)
            if conclude or not finished.plain:
                return finished, conclude

    async def answer(self, finished: Finished, run: VerificationRun) -> Result:
        """What a failure calls for: a fix, another approach, or the report that ends it."""
        after = self._steps.task.loop.after_failure
        if after is Next.STOP:
            return await self._stuck(finished)
        await self._runtime.milestone(self._steps.task, "replanning" if after is Next.REPLAN else "debugging")
        if after is Next.REPLAN:
            return await self._replan(finished, run), None
        return await self._fix(finished, run), None

    async def _record(self, finished: Finished) -> Finished:
        if finished.recorded:
            return finished
        self._steps.task, finished = await outcome.record(self._runtime, self._steps.task, finished, pending_reply=None)
        return finished

    async def _fix(self, finished: Finished, run: VerificationRun) -> Finished:
        task, loop = self._steps.task, self._steps.task.loop
        prompt = debug_prompts.fix(task, run, plain(run.tail), await self._diff())
        number = loop.total - loop.replans
        turn = Turn(StepKind.FIX, prompt, "fix", number, task.agent_session, milestone="debugging")
        return await self._ask(turn, finished.checkpoint)

    async def _replan(self, finished: Finished, run: VerificationRun) -> Finished:
        tried = await self._tried()
        account = debug_prompts.account(run, plain(run.tail), await self._diff(), tried)
        stopped = await self._scouts.at_replan(finished.checkpoint, run, tried, account)
        if stopped:
            return stopped
        task, number = self._steps.task, self._steps.task.loop.replans
        prompt = debug_prompts.replan(task, account, await self._scouts.sections())
        await self._note_replan(run, prompt)
        turn = Turn(StepKind.REPLAN, prompt, "replan", number, task.agent_session, milestone="replanning")
        return await self._ask(turn, finished.checkpoint)

    async def _diff(self) -> str:
        steps, limit = self._steps, debug_prompts.DIFF_LIMIT
        async with self._runtime.lock(steps.workspace.id):
            found = await self._runtime.on_tree(steps.workspace, lambda tree: tree.diff(steps.base, limit=limit))
        return found.text

    async def _tried(self) -> list[Tried]:
        """Every failed verification with what the agent then did about it."""
        task = self._steps.task
        known = await self._runtime.store.read(lambda c: runs.failed(c, task.id))
        every = await self._runtime.store.read(lambda c: step_rows.of_task(c, task.id))
        answers = [step for step in every if step.kind in _ANSWERS]
        tried = []
        for run in known:
            answer = next((step.answer for step in answers if step.started_at >= run.finished_at), "")
            name = run.failing.name if run.failing else ""
            tried.append(Tried(run.loop, name, run.first_failing_line, answer))
        return tried

    async def _note_replan(self, run: VerificationRun, prompt: str) -> None:
        task = self._steps.task
        text = f"Verification {run.loop} failed: {run.first_failing_line}\n\n## What the agent was told\n\n{prompt}"
        await self._runtime.store.write(lambda tx: conclusions.write_context(tx, task, ContextKind.REPLAN, text))

    async def passed(self, finished: Finished, run: VerificationRun) -> Result:
        """Sum up. Without a conclusion the agent changed files while it did, which have to be verified in turn.

        So has what it did about a message that came meanwhile.
        """
        if await self._is_told_more():
            return await self._tell_more(finished), None
        await self._inspect(finished, run)
        files = [change.path for change in finished.total.files]
        prompt = debug_prompts.summary(self._steps.task, run, files)
        last = await self._last_words("summarise", prompt, finished)
        if last.stop is None and await self._is_told_more():
            return await self._tell_more(last), None
        if last.stop is None and last.step.files_changed and self._steps.task.loop.total < LOOPS:
            return last, None
        return last, partial(conclusions.passed, run=run)

    async def _is_told_more(self) -> bool:
        task = self._steps.task
        return task.loop.total < LOOPS and await steering.waits(self._runtime, task)

    async def _tell_more(self, finished: Finished) -> Finished:
        turn = await continuing.steered_turn(self._steps, finished, Turn(StepKind.EDIT, ""), self._scouts)
        return await self._ask(turn, finished.checkpoint)

    async def _stuck(self, finished: Finished) -> Result:
        files = [change.path for change in finished.total.files]
        prompt = debug_prompts.stuck(self._steps.task, await self._tried(), files)
        return await self._last_words("stuck", prompt, finished), conclusions.stuck

    async def _last_words(self, role: str, prompt: str, finished: Finished) -> Finished:
        steps = self._steps
        session = steps.task.agent_session
        turn = Turn(StepKind.SUMMARISE, prompt, role, resume=session, read_only=True, milestone=role)
        step, ended, stop = await steps.agent(turn)
        return await steps.finish(step, ended, stop, finished.checkpoint)
