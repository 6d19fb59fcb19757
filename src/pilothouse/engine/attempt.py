"""One execution of a claimed task: checkpoint, steps, outcome.

The order is what makes a `kill -9` harmless: the attempt is a row before the tree is touched, the checkpoint is a ref
before the agent starts, and the outcome of a step, the task's new status and their events commit together.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from pilothouse.domain import prompts
from pilothouse.domain.events import AttemptStarted
from pilothouse.domain.replay import recorded_answer
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import AttemptMode, Reply, StepKind, Task
from pilothouse.engine import outcome, refs, rollback
from pilothouse.engine.outcome import Finished
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.stepping import Steps, Turn
from pilothouse.engine.watch import Stop
from pilothouse.errors import PilothouseError
from pilothouse.git.model import Checkpoint
from pilothouse.store import attempts, sessions, steps
from pilothouse.store.database import Tx


class AttemptRun:
    def __init__(self, runtime: Runtime, task: Task, workspace: Workspace, mode: AttemptMode) -> None:
        self.runtime = runtime
        self.workspace = workspace
        self.mode = mode
        self.hold_after = False
        self.over = asyncio.Event()
        """Set when the task is settled and the attempt is forgotten."""
        self._steps = Steps(runtime, task, workspace)

    @property
    def task(self) -> Task:
        return self._steps.task

    @property
    def spawned(self) -> bool:
        return self._steps.spawned

    def stop(self, reason: Stop, hold: bool = False) -> None:
        """End what runs; the attempt then settles the task by the reason."""
        self.hold_after = self.hold_after or hold
        self._steps.stop(reason)

    async def run(self) -> Task:
        """Run to the end and return the settled task."""
        try:
            began = await self._begin()
            return await self._work(began)
        except (PilothouseError, OSError) as error:
            return await outcome.broke(self.runtime, self.task, str(error), self.spawned)

    async def _begin(self) -> Checkpoint:
        """Roll back where that was asked for, then save the state this attempt starts from."""
        runtime, task = self.runtime, self.task
        async with runtime.lock(self.workspace.id):
            if self.mode is AttemptMode.ROLLBACK:
                await runtime.milestone(task, "rollback")
                await rollback.before_replay(runtime, task, self.workspace)
            taken, earlier, others, _ = await asyncio.gather(
                runtime.on_tree(self.workspace, lambda tree: tree.take(refs.step(task, 0))),
                runtime.store.read(lambda c: rollback.base(c, task)),
                runtime.store.read(lambda c: attempts.others_since(c, task)),
                runtime.milestone(task, "checkpoint"),
            )
            # What others did since this task's last attempt is not its own: its work begins anew from here.
            anew = self.mode is AttemptMode.ROLLBACK or bool(others)
            self._steps.base = taken.commit if anew else earlier or taken.commit
            vouchers = await self._steps.save(taken)
        await runtime.store.write(lambda tx: self._tell_began(tx, taken, vouchers))
        return taken

    def _tell_began(self, tx: Tx, taken: Checkpoint, vouchers: dict[str, str]) -> None:
        task = self.task
        attempts.update(tx, task.id, task.attempt, checkpoint=taken.commit, base=self._steps.base, **vouchers)
        rollback.settle_cut_short(tx, task.id)
        session = sessions.get(tx.conn, task.session_id)
        if session and session.checkpoint is None:
            sessions.update(tx, session.id, checkpoint=taken.commit, base_commit=taken.head, base_branch=taken.branch)
        started = AttemptStarted(attempt=task.attempt, mode=self.mode, checkpoint=taken.commit)
        tx.emit(started, session_id=task.session_id, task_id=task.id)

    async def _work(self, taken: Checkpoint) -> Task:
        """Spawn the agent, again with a recorded answer as long as it asks what was answered before."""
        prompt, reply = await self._opening()
        resume = self.task.agent_session if self.mode in (AttemptMode.REPLY, AttemptMode.SOFT) else None
        finished = await self._ask(Turn(StepKind.EDIT, prompt, resume=resume, reply=reply), taken)
        return await outcome.settle(self.runtime, self.task, finished, self.hold_after)

    async def _ask(self, turn: Turn, before: Checkpoint) -> Finished:
        """One turn of the agent, and further ones as long as it asks what was answered before."""
        while True:
            step, ended, stop = await self._steps.agent(turn)
            finished = await self._steps.finish(step, ended, stop, before)
            answer = await self._recorded_answer(finished)
            if answer is None:
                return finished
            self._steps.task = task = await outcome.answer_again(self.runtime, self.task, finished, answer)
            before = finished.checkpoint or before
            prompt = prompts.continuation(task, ended.text, answer.content)
            turn = replace(turn, prompt=prompt, resume=task.agent_session, reply=answer.content)

    async def _opening(self) -> tuple[str, str | None]:
        task = self.task
        if self.mode is AttemptMode.SOFT:
            before = await self.runtime.store.read(lambda c: steps.of_task(c, task.id))
            base = self._steps.base
            stat = await asyncio.to_thread(lambda: self.runtime.checkpoints(self.workspace).stat(base, None))
            return prompts.soft_resume(task, before, [f.path for f in stat.files], []), task.pending_reply
        if self.mode is AttemptMode.REPLY and task.pending_reply is not None:
            return prompts.continuation(task, task.output, task.pending_reply), task.pending_reply
        return prompts.first(task), None

    async def _recorded_answer(self, finished: Finished) -> Reply | None:
        if finished.stop or not finished.question:
            return None
        task = self.task
        since = await self.runtime.store.read(lambda c: rollback.replay_began(c, task.id))
        if since is None:
            return None
        return recorded_answer(task.replies, since, finished.question.question)
