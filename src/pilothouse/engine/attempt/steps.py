"""The steps of one attempt: each is a row before it runs and after, and a checkpoint follows each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from uuid import uuid4

from pilothouse.domain.events import StepStarted
from pilothouse.domain.ports import Agent, AgentRun, Decision, Ended, ProcessMark, SpawnRequest
from pilothouse.domain.sessions import Workspace, slugify
from pilothouse.domain.tasks import RunnerMark, Step, StepKind, Task
from pilothouse.domain.timeouts import PROFILES
from pilothouse.engine import briefing
from pilothouse.engine.agents import choice as choosing
from pilothouse.engine.agents.workbench import Seat
from pilothouse.engine.attempt import artifacts, opening, outcome
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.watch import Stop, Watch
from pilothouse.engine.guard.meter import Meter
from pilothouse.engine.guard.spawn_guard import Guard
from pilothouse.engine.runtime import Runtime, tell_milestone
from pilothouse.engine.talk import permissions as permitting
from pilothouse.engine.talk import steering
from pilothouse.engine.talk.steering import Live
from pilothouse.engine.workspace import leftovers, refs
from pilothouse.git.model import Checkpoint, DiffStat
from pilothouse.git.scratch import Scratch
from pilothouse.process.output import Chunk, OutputBuffer
from pilothouse.store import output, steps, tasks
from pilothouse.store.database import Tx

log = logging.getLogger(__name__)
GATHER_SECONDS = 0.01
"""How long text may wait for more: a model that speaks every 20 ms is relayed at once, a flood is still gathered."""


Write = Callable[[Callable[[Tx], None]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the agent is asked for, once."""

    kind: StepKind
    prompt: str
    role: str = "edit"
    number: int = 1
    resume: str | None = None
    reply: str | None = None
    decision: Decision | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    read_only: bool = False
    directory: Path | None = None
    """Where the agent works, when not where the attempt does."""
    milestone: str = "analysing"
    seeded: bool = False
    """Whether it is the second try, afresh, of one that the agent could not take in."""


class Steps:
    def __init__(self, runtime: Runtime, task: Task, workspace: Workspace) -> None:
        self.runtime = runtime
        self.task = task
        self.workspace = workspace
        self.directory = Path(workspace.path)
        """Where the agent works: the workspace, or a scratch copy of it."""
        self.scratch: Scratch | None = None
        """Set in a dry run: its steps leave their state there, and the workspace is not looked at."""
        self.profile = PROFILES[task.options.timeout_profile]
        self.base = ""
        """Commit of the checkpoint that the task's own work is measured against."""
        self.failures: tuple[artifacts.Failure, ...] = ()
        self.spawned = False
        """Whether an agent was started, so that the tree may have changed."""
        self.stopped: Stop | None = None
        """Set when nothing more may begin."""
        self.ending = False
        """Whether what runs is ended too."""
        self.assigned: choosing.Assigned | None = None
        """Who does what, agreed on where the attempt began."""
        self.live: Live | None = None
        """The agent's run, while messages can be handed to it."""
        self.untold: Callable[[Tx], None] | None = None
        """How the attempt began, to be written together with its first spawn."""
        self._done: list[Step] = []
        self._begun = 0
        self._written = 0
        self._enders: list[Callable[[Stop], None]] = []
        self.guard = Guard(self)

    def stop(self, reason: Stop, *, begun: bool = True) -> None:
        """Let nothing more begin, and end what runs; without `begun` that may come to its own end."""
        if self.stopped is None or reason.outranks(self.stopped):
            self.stopped = reason
        if begun:
            self.ending = True
            for end in self._enders:
                end(reason)

    @asynccontextmanager
    async def ended_by(self, end: Callable[[Stop], None], *, begun: bool = False) -> AsyncIterator[None]:
        """`end` is called when the attempt is stopped meanwhile, or was before; what is `begun`, where that ends it."""
        self._enders.append(end)
        try:
            if self.stopped and (self.ending or not begun):
                end(self.stopped)
            yield
        finally:
            self._enders.remove(end)

    async def agent(self, turn: Turn) -> tuple[Step, Ended, Stop | None]:
        """Ask the agent, and follow it to its end."""
        runtime, task = self.runtime, self.task
        self.assigned = self.assigned or await choosing.assigned(runtime, task)
        name, choice, tools = self.assigned.post(turn.role, read_only=turn.read_only)
        agent = choosing.known(runtime, name)
        opened = await opening.opened(self, turn, name, choice)
        turn, step, task = opened.turn, opened.step, self.task
        if opened.spawn is None:
            return step, Ended("crashed", message="Stopped before the agent was started."), self.stopped
        seat = runtime.seats.take(task, step)
        request = briefing.request_of(self, turn, opened.draft, choice, tools, seat.place)
        request = await permitting.complete(self, turn, request, opened.granted)
        meter = Meter(runtime, task, opened.spawn, opened.last)
        self.spawned = True
        aside = turn.kind in (StepKind.SCOUT, StepKind.READ)
        run = await self._started(agent, request, seat)
        try:
            printing = None if aside else self.printing(meter)
            watch = Watch(runtime, task, step, run, printing, self.profile, meter, self.guard.use)
            async with (
                self._marked(run.process, None if aside else turn.milestone),
                self.ended_by(watch.end, begun=True),
                self.guard.timing(),
                meter.writing(),
                steering.offered(self, turn, step, run, opened.told) as live,
            ):
                ended = seat.close(await watch.follow())
                if watch.agent_session is None and not aside:
                    await steering.heard(runtime, task, step, ended)
        except BaseException:
            # Nobody would follow it any more, and the next task must not start beside it.
            seat.closed = True
            await run.stop(runtime.settings.stop_grace_seconds)
            raise
        await meter.end(watch.agent_session)
        if not aside:
            self.task = replace(self.task, agent_session=watch.agent_session or self.task.agent_session)
        if watch.stop is None:
            await runtime.health.note(name, ended)
        step = replace(step, output_to=self._written, cost_usd=meter.spawn.cost_usd, answer=ended.text)
        step = replace(step, outcome=None if watch.stop else steering.outcome_of(live, ended))
        await self._tell_aftermath(step, ended, watch)
        return step, ended, self.guard.ended(ended, watch.stop)

    async def _started(self, agent: Agent, request: SpawnRequest, seat: Seat) -> AgentRun:
        try:
            return await agent.start(request)
        except BaseException:
            seat.closed = True
            raise

    async def _tell_aftermath(self, step: Step, ended: Ended, watch: Watch) -> None:
        """What a person should know of a run beside its work: what it was refused, why it was ended, what it left."""
        runtime, task = self.runtime, self.task
        await permitting.tell_denied(runtime, task, step, ended)
        if watch.stop in (Stop.IDLE, Stop.HARD, Stop.ABSENT):
            await outcome.tell_guard(runtime, task, watch)
        if ended.left:
            await runtime.store.write(lambda tx: leftovers.tell(tx, [], ended.left, task))

    @asynccontextmanager
    async def _marked(self, process: ProcessMark, milestone: str | None) -> AsyncIterator[None]:
        """As `mark`, while the run is followed: the agent hears its message without waiting for that."""
        marking = asyncio.create_task(self.mark(process, milestone))
        try:
            yield
        finally:
            [failed] = await asyncio.gather(marking, return_exceptions=True)
            if failed:
                # Without the mark its process is found by what stands in its environment.
                log.error("the process of task %s could not be noted", self.task.id, exc_info=failed)

    async def mark(self, process: ProcessMark, milestone: str | None, text: str | None = None) -> None:
        """Note which process runs now, so that it is found again after a crash.

        Of several at once the newest is noted; the others are found by the marker in their environment, as it is too.
        """
        mark = RunnerMark(self.runtime.boot_id, process.pid, process.started)

        def write(tx: Tx) -> None:
            if milestone:
                tell_milestone(tx, self.task, milestone, text, runner=mark)
            else:
                tasks.update(tx, self.task.id, runner=mark)

        await self.runtime.store.write(write)

    async def begin(self, kind: StepKind, prompt: str, name: str = "", agent: str = "") -> Step:
        step = replace(self.draft(kind, name, agent), prompt=prompt)
        await self.runtime.store.write(lambda tx: self.tell_begun(tx, step))
        return step

    def draft(self, kind: StepKind, name: str = "", agent: str = "") -> Step:
        """The step that comes next, before it is a row."""
        task, now = self.task, self.runtime.clock.now()
        self._begun += 1
        # Two scouts may begin in the same instant, and each has its own log.
        what = {StepKind.VERIFY: "verify", StepKind.SCOUT: f"{agent}-{slugify(name)}"}.get(kind, agent or task.agent)
        return Step(
            id=uuid4().hex,
            task_id=task.id,
            attempt=task.attempt,
            number=self._begun,
            kind=kind,
            prompt="",
            started_at=now,
            log_path=str(self.runtime.settings.logs / f"{what}_{task.session_id}_{now:%Y%m%dT%H%M%S%f}.log"),
            output_from=self._written,
            output_to=self._written,
            name=name,
        )

    def drop_draft(self) -> None:
        """The newest never became a row: another step gets its number."""
        self._begun -= 1

    def tell_begun(self, tx: Tx, step: Step) -> None:
        steps.start(tx, step)
        told = StepStarted(step_id=step.id, attempt=step.attempt, number=step.number, kind=step.kind, name=step.name)
        tx.emit(told, session_id=self.task.session_id, task_id=self.task.id)

    def printing(self, meter: Meter | None = None) -> OutputBuffer:
        """Takes what a step prints, to the store and to whoever watches."""
        write = meter.write if meter else self.runtime.store.write
        return OutputBuffer(partial(self._sink, write), self.runtime.clock, self._written, delay=GATHER_SECONDS)

    @property
    def written(self) -> int:
        return self._written

    @property
    def begun(self) -> int:
        """How many steps this attempt has begun."""
        return self._begun

    async def _sink(self, write: Write, chunks: list[Chunk]) -> None:
        task = self.task
        rows = [(chunk.offset, chunk.text) for chunk in chunks]
        await write(lambda tx: output.append(tx, task.id, task.attempt, rows))
        self._written = chunks[-1].end
        for offset, text in rows:
            self.runtime.broadcast.output(task.id, task.attempt, offset, text)

    async def close(self, done: Sequence[Step]) -> None:
        """Close steps that left the tree as they found it, and pay for them."""
        self._done += done
        task = self.task

        def write(tx: Tx) -> Task:
            for step in done:
                outcome.close_step(tx, task, step)
            return tasks.update(tx, task.id, cost_usd=task.cost_usd + sum(step.cost_usd for step in done))

        self.task = await self.runtime.store.write(write)

    async def finish(self, step: Step, ended: Ended, stop: Stop | None, before: Checkpoint) -> Finished:
        """Checkpoint what the step left, and measure it against where the step, and the task, began."""
        runtime, task = self.runtime, self.task
        async with runtime.lock(self.workspace.id):
            if self.spawned and not ended.left and self.scratch is None:
                await leftovers.free(runtime, self.workspace, step.started_at)
            ref = refs.step(task, step.number)
            taken = await runtime.on_tree(
                self.workspace, lambda tree: self.scratch.save(ref) if self.scratch else tree.take(ref)
            )
            step = replace(
                step,
                finished_at=runtime.clock.now(),
                outcome=step.outcome or stop or ended.outcome,
                detail=ended.message,
                exit_code=ended.exit_code,
                checkpoint=taken.commit,
            )
            patched, measured = await asyncio.gather(self.save_patch(taken), self._measured(step, before, taken))
            step, stat, total, changed, logged = measured
            vouchers = patched | logged
        apart, hold = self.scratch is not None, self.guard.hold
        finished = Finished(step, ended, stop, taken, total, changed, vouchers, apart=apart, hold=hold)
        files = [change.path for change in stat.files]
        return replace(finished, seen=self.guard.observed(finished, files, before.head != taken.head))

    async def _measured(
        self, step: Step, before: Checkpoint, taken: Checkpoint
    ) -> tuple[Step, DiffStat, DiffStat, bool, artifacts.Vouchers]:
        """What the step changed and what the task did, whether that is anything, and the log that says so."""
        stat = await self._stat(before.commit, taken.commit)
        total = stat if self.base == before.commit else await self._stat(self.base, taken.commit)
        # Only where no file differs can HEAD, index and modes tell, and looking at them means another scan.
        changed = bool(total.files) or not await self.runtime.on_tree(
            self.workspace, lambda tree: self.scratch is not None or tree.same_as(self.base)
        )
        step = replace(step, files_changed=len(stat.files), insertions=stat.insertions, deletions=stat.deletions)
        self._done.append(step)
        return step, stat, total, changed, await self.save_log()

    async def as_found(self, last: Step, taken: Checkpoint) -> Finished:
        """An earlier attempt's last step, as if it had just ended: the tree is now as `taken` saw it."""
        total = await self.runtime.on_tree(self.workspace, lambda tree: tree.stat(self.base, taken.commit))
        ended = Ended("done", self.task.output)
        changed = bool(total.files)
        return Finished(last, ended, None, checkpoint=taken, total=total, changed=changed, vouchers={}, recorded=True)

    async def _stat(self, old: str, new: str) -> DiffStat:
        return await self.runtime.on_tree(self.workspace, lambda tree: tree.stat(old, new))

    async def save(self, taken: Checkpoint) -> artifacts.Vouchers:
        """What a soft resume needs, as of the checkpoint just taken."""
        patched, logged = await asyncio.gather(self.save_patch(taken), self.save_log())
        return patched | logged

    async def save_patch(self, taken: Checkpoint) -> artifacts.Vouchers:
        """Bring the saved patch of a soft resume up to the checkpoint just taken."""
        data_dir, task, base = self.runtime.settings.data_dir, self.task, self.base

        def patch(write: artifacts.Write) -> None:
            if base != taken.commit:
                self.runtime.checkpoints(self.workspace).patch(base, taken.commit, write)

        return await asyncio.to_thread(artifacts.save_patch, data_dir, task.id, task.attempt, patch)

    async def save_log(self) -> artifacts.Vouchers:
        data_dir, task = self.runtime.settings.data_dir, self.task
        return await asyncio.to_thread(artifacts.save_log, data_dir, task.id, task.attempt, self._done, self.failures)
