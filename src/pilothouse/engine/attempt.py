"""One execution of a claimed task: checkpoint, steps, outcome.

The order is what makes a `kill -9` harmless: the attempt is a row before the tree is touched, the checkpoint is a ref
before the agent starts, and the outcome of a step, the task's new status and their events commit together.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from pilothouse.domain import prompts
from pilothouse.domain.events import AttemptStarted, StepStarted
from pilothouse.domain.ports import Ended, ProcessMark, SpawnRequest
from pilothouse.domain.replay import recorded_answer
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import AttemptMode, Reply, RunnerMark, Step, StepKind, Task
from pilothouse.engine import artifacts, outcome, refs, rollback
from pilothouse.engine.outcome import Finished
from pilothouse.engine.runtime import Runtime, tell_milestone
from pilothouse.engine.watch import Stop, Watch
from pilothouse.errors import PilothouseError
from pilothouse.git.model import Checkpoint
from pilothouse.process.output import Chunk, OutputBuffer
from pilothouse.store import attempts, output, sessions, steps
from pilothouse.store.database import Tx

GATHER_SECONDS = 0.01
"""How long text may wait for more: a model that speaks every 20 ms is relayed at once, a flood is still gathered."""


class AttemptRun:
    def __init__(self, runtime: Runtime, task: Task, workspace: Workspace, mode: AttemptMode) -> None:
        self.runtime = runtime
        self.task = task
        self.workspace = workspace
        self.mode = mode
        self.hold_after = False
        self.over = asyncio.Event()
        """Set when the task is settled and the attempt is forgotten."""
        self.spawned = False
        """Whether an agent was started, so that the tree may have changed."""
        self._base = ""
        self._steps: list[Step] = []
        self._written = 0
        self._watch: Watch | None = None
        self._stop: Stop | None = None

    def stop(self, reason: Stop, hold: bool = False) -> None:
        """End what runs; the attempt then settles the task by the reason."""
        self.hold_after = self.hold_after or hold
        self._stop = self._stop or reason
        if self._watch:
            self._watch.end(reason)

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
            self._base = taken.commit if anew else earlier or taken.commit
            vouchers = await self._save(taken, [])
        await runtime.store.write(lambda tx: self._tell_began(tx, taken, vouchers))
        return taken

    def _tell_began(self, tx: Tx, taken: Checkpoint, vouchers: dict[str, str]) -> None:
        task = self.task
        attempts.update(tx, task.id, task.attempt, checkpoint=taken.commit, base=self._base, **vouchers)
        rollback.settle_cut_short(tx, task.id)
        session = sessions.get(tx.conn, task.session_id)
        if session and session.checkpoint is None:
            sessions.update(tx, session.id, checkpoint=taken.commit, base_commit=taken.head, base_branch=taken.branch)
        started = AttemptStarted(attempt=task.attempt, mode=self.mode, checkpoint=taken.commit)
        tx.emit(started, session_id=task.session_id, task_id=task.id)

    async def _save(self, taken: Checkpoint, done: list[Step]) -> dict[str, str]:
        """Bring the saved parts of a soft resume up to the checkpoint just taken; the columns that vouch for them."""
        data_dir, task, base = self.runtime.settings.data_dir, self.task, self._base

        def write() -> dict[str, str]:
            tree = self.runtime.checkpoints(self.workspace)
            patch = tree.patch(base, taken.commit) if base != taken.commit else b""
            return artifacts.save(data_dir, task.id, task.attempt, patch, done)

        return await asyncio.to_thread(write)

    async def _work(self, taken: Checkpoint) -> Task:
        """Spawn the agent, again with a recorded answer as long as it asks what was answered before."""
        prompt, reply = await self._opening()
        resume = self.task.agent_session if self.mode in (AttemptMode.REPLY, AttemptMode.SOFT) else None
        while True:
            step, ended, stop = await self._spawn(prompt, resume, reply)
            finished = await self._finish_step(step, ended, stop, taken)
            answer = await self._recorded_answer(finished)
            if answer is None:
                return await outcome.settle(self.runtime, self.task, finished, self.hold_after)
            self.task = await outcome.answer_again(self.runtime, self.task, finished, answer)
            taken = finished.checkpoint or taken
            prompt = prompts.continuation(self.task, ended.text, answer.content)
            resume, reply = self.task.agent_session, answer.content

    async def _opening(self) -> tuple[str, str | None]:
        task = self.task
        if self.mode is AttemptMode.SOFT:
            before = await self.runtime.store.read(lambda c: steps.of_task(c, task.id))
            stat = await asyncio.to_thread(lambda: self.runtime.checkpoints(self.workspace).stat(self._base, None))
            return prompts.soft_resume(task, before, [f.path for f in stat.files], []), task.pending_reply
        if self.mode is AttemptMode.REPLY and task.pending_reply is not None:
            return prompts.continuation(task, task.output, task.pending_reply), task.pending_reply
        session = await self.runtime.store.read(lambda c: sessions.get(c, task.session_id))
        slug = session.slug if session else ""
        return prompts.first(task, str(self.runtime.settings.data_dir / task.project_id / slug)), None

    async def _spawn(self, prompt: str, resume: str | None, reply: str | None) -> tuple[Step, Ended, Stop | None]:
        runtime, task = self.runtime, self.task
        step = await self._start_step(prompt)
        if self._stop:
            return step, Ended("crashed", message="Stopped before the agent was started."), self._stop
        request = SpawnRequest(
            spawn_id=step.id,
            workspace=Path(self.workspace.path),
            prompt=prompt,
            log_path=Path(step.log_path or ""),
            resume=resume,
            reply=reply,
        )
        self.spawned = True
        run = await runtime.agents[task.agent].start(request)
        try:
            buffer = OutputBuffer(self._sink, runtime.clock, self._written, delay=GATHER_SECONDS)
            watch = self._watch = Watch(runtime, task, step, run, buffer)
            await self._mark(run.process)
            if self._stop:
                watch.end(self._stop)
            ended = await watch.follow()
        except BaseException:
            # Nobody would follow it any more, and the next task must not start beside it.
            await run.stop(runtime.settings.stop_grace_seconds)
            raise
        self._watch = None
        self.task = replace(self.task, agent_session=watch.agent_session or self.task.agent_session)
        step = replace(step, output_to=self._written, cost_usd=watch.cost_usd)
        if watch.stop in (Stop.IDLE, Stop.HARD, Stop.ABSENT):
            await outcome.tell_guard(runtime, task, watch)
        return step, ended, watch.stop

    async def _mark(self, process: ProcessMark) -> None:
        mark = RunnerMark(self.runtime.boot_id, process.pid, process.started)
        await self.runtime.store.write(lambda tx: tell_milestone(tx, self.task, "analysing", runner=mark))

    async def _start_step(self, prompt: str) -> Step:
        task, clock = self.task, self.runtime.clock
        now = clock.now()
        name = f"{task.agent}_{task.session_id}_{now:%Y%m%dT%H%M%S%f}.log"
        step = Step(
            id=uuid4().hex,
            task_id=task.id,
            attempt=task.attempt,
            number=len(self._steps) + 1,
            kind=StepKind.EDIT,
            prompt=prompt,
            started_at=now,
            log_path=str(self.runtime.settings.logs / name),
            output_from=self._written,
            output_to=self._written,
        )

        def write(tx: Tx) -> None:
            steps.start(tx, step)
            started = StepStarted(step_id=step.id, attempt=step.attempt, number=step.number, kind=step.kind)
            tx.emit(started, session_id=task.session_id, task_id=task.id)

        await self.runtime.store.write(write)
        return step

    async def _sink(self, chunks: list[Chunk]) -> None:
        task = self.task
        rows = [(chunk.offset, chunk.text) for chunk in chunks]
        await self.runtime.store.write(lambda tx: output.append(tx, task.id, task.attempt, rows))
        self._written = chunks[-1].end
        for offset, text in rows:
            self.runtime.broadcast.output(task.id, task.attempt, offset, text)

    async def _finish_step(self, step: Step, ended: Ended, stop: Stop | None, before: Checkpoint) -> Finished:
        """Checkpoint what the step left, and measure it against where the step, and the task, began."""
        runtime, task = self.runtime, self.task
        async with runtime.lock(self.workspace.id):
            taken = await runtime.on_tree(self.workspace, lambda tree: tree.take(refs.step(task, step.number)))
            stat = await runtime.on_tree(self.workspace, lambda tree: tree.stat(before.commit, taken.commit))
            total = stat
            if self._base != before.commit:
                total = await runtime.on_tree(self.workspace, lambda tree: tree.stat(self._base, taken.commit))
            # Only where no file differs can HEAD, index and modes tell, and looking at them means another scan.
            changed = bool(total.files) or not await runtime.on_tree(
                self.workspace, lambda tree: tree.same_as(self._base)
            )
            step = replace(
                step,
                finished_at=runtime.clock.now(),
                outcome=stop or ended.outcome,
                detail=ended.message,
                exit_code=ended.exit_code,
                checkpoint=taken.commit,
                files_changed=len(stat.files),
                insertions=stat.insertions,
                deletions=stat.deletions,
            )
            self._steps.append(step)
            vouchers = await self._save(taken, self._steps)
        return Finished(step, ended, stop, checkpoint=taken, total=total, changed=changed, vouchers=vouchers)

    async def _recorded_answer(self, finished: Finished) -> Reply | None:
        if finished.stop or not finished.question:
            return None
        task = self.task
        since = await self.runtime.store.read(lambda c: rollback.replay_began(c, task.id))
        if since is None:
            return None
        return recorded_answer(task.replies, since, finished.question.question)
