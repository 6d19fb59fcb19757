"""One execution of a claimed task: checkpoint, steps, outcome.

The order is what makes a `kill -9` harmless: the attempt is a row before the tree is touched, the checkpoint is a ref
before the agent starts, and the outcome of a step, the task's new status and their events commit together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from pilothouse.domain import debug_prompts, prompts
from pilothouse.domain.checks import RunResult, VerificationRun
from pilothouse.domain.contexts import ContextKind
from pilothouse.domain.events import AttemptStarted
from pilothouse.domain.loop import LoopState
from pilothouse.domain.ports import Ended
from pilothouse.domain.sessions import Project, Session, Workspace
from pilothouse.domain.tasks import COUNT_ANEW, AttemptMode, ErrorKind, StepKind, Task
from pilothouse.engine import surroundings
from pilothouse.engine.agents import choice as choosing
from pilothouse.engine.attempt import artifacts, outcome
from pilothouse.engine.attempt import compaction as compacting
from pilothouse.engine.attempt import continuation as continuing
from pilothouse.engine.attempt import proposal as proposing
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.steps import Steps, Turn
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.loop import conclusions
from pilothouse.engine.loop import doubts as inspecting
from pilothouse.engine.loop.debug_loop import DebugLoop, Result
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.surroundings import Surroundings
from pilothouse.engine.talk import permissions as permitting
from pilothouse.engine.talk.markers import understood
from pilothouse.engine.talk.steering import Live
from pilothouse.engine.workspace import refs, retraction, rollback
from pilothouse.errors import BadConfiguration, MergeNeeded, NoCredentials, PilothouseError, ProposalRefused
from pilothouse.git.model import Checkpoint
from pilothouse.store import attempts, projects, runs, sessions, steps, stuck_reports, tasks
from pilothouse.store.database import Tx
from pilothouse.store.limits import HELD
from pilothouse.verify.plan import Plan, checks_of

_TURNS = (StepKind.EDIT, StepKind.FIX, StepKind.REPLAN)
Words = tuple[str, str | None, str | None]
"""What the agent is told first, the person's answer in it, and the agent's own session that it is told in."""


class AttemptRun:
    def __init__(
        self, runtime: Runtime, task: Task, workspace: Workspace, mode: AttemptMode, found: Surroundings | None
    ) -> None:
        """`found` is what was stored near the task when it was claimed."""
        self.runtime = runtime
        self.workspace = workspace
        self.mode = mode
        self.hold_after = False
        self.over = asyncio.Event()
        """Set when the task is settled and the attempt is forgotten."""
        self._found = found
        self._steps = Steps(runtime, task, workspace)
        self._plan = Plan()
        self._apart = False
        """Whether this is a dry run: the agent works in a scratch, and its work is only proposed."""
        self._scouts = Scouts(self._steps, wanted=False)
        self._brought: Plan | None = None
        """The checks as the last turn left them, where the task began without any."""
        self._words: Words | None = None
        """Where nothing that happens before the first turn can change them."""
        self._told_last: Callable[[Tx], None] | None = None
        """What is written together with the end of the attempt."""

    @property
    def task(self) -> Task:
        return self._steps.task

    @property
    def spawned(self) -> bool:
        return self._steps.spawned and not self._apart

    @property
    def live(self) -> Live | None:
        return self._steps.live

    def stop(self, reason: Stop, hold: bool = False) -> None:
        """End what runs; the attempt then settles the task by the reason."""
        self.hold_after = self.hold_after or hold
        self._steps.stop(reason)

    async def budget_changed(self) -> None:
        await self._steps.guard.look_again()

    async def run(self) -> Task:
        """Run to the end and return the settled task."""
        settled = await self._run()
        await proposing.drop_settled(self.runtime, settled)
        return settled

    async def _run(self) -> Task:
        try:
            if self.task.options.dry_run:
                self._apart = await self.runtime.store.read(lambda c: proposing.is_apart(c, self.task))
            began = await self._begin()
            settled, in_vain = await self._work(began)
        except (MergeNeeded, ProposalRefused) as error:
            return await proposing.returned(self.runtime, self.task, error)
        except BadConfiguration as error:
            return await self._broke(error, ErrorKind.CONFIGURATION)
        except NoCredentials as error:
            return await self._broke(error, ErrorKind.CREDENTIALS)
        except (PilothouseError, OSError) as error:
            return await self._broke(error, ErrorKind.INFRASTRUCTURE)
        if in_vain:
            await retraction.take_back(self.runtime, settled, self.workspace)
        return settled

    async def _broke(self, error: Exception, kind: ErrorKind) -> Task:
        if tell := self._steps.untold:
            self._steps.untold = None
            await self.runtime.store.write(tell)
        return await outcome.broke(self.runtime, self.task, str(error), self.spawned, kind)

    async def _begin(self) -> Checkpoint:
        """Roll back where that was asked for, then save the state this attempt starts from."""
        runtime, task = self.runtime, self.task
        # The workspace of one that a message began may just be looked through for it.
        looked = task.attempt == 1
        async with runtime.lock(self.workspace.id).reading(self._prepare, early=looked) as prepare:
            if self.mode is AttemptMode.ROLLBACK:
                await rollback.before_replay(runtime, task, self.workspace)
                await runtime.milestone(task, "checkpoint")
            ref = refs.step(task, 0)
            taking = asyncio.create_task(runtime.on_tree(self.workspace, lambda tree: tree.take(ref, looked=looked)))
            before, preparing = asyncio.create_task(self._before()), prepare()
            # Where one fails the others are still at work, in the tree too: none may outlast the attempt or the lock.
            await asyncio.wait((taking, before, preparing))
            taken, (earlier, others), _ = await asyncio.gather(taking, before, preparing)
            # What others did since this task's last attempt is not its own: its work begins anew from here.
            anew = self.mode is AttemptMode.ROLLBACK or (bool(others) and not self._apart)
            self._steps.base = taken.commit if anew else earlier or taken.commit
            # Each file is a flush that the agent would wait for.
            vouchers = artifacts.NOTHING_YET if task.attempt == 1 else await self._steps.save(taken)

        def tell(tx: Tx) -> None:
            self._tell_began(tx, taken, vouchers)

        if self._is_direct:
            self._steps.untold = tell
        else:
            await runtime.store.write(tell)
        return taken

    async def _before(self) -> tuple[str | None, list[str]]:
        """Where the task's work began as far as it is known, and who worked here since its last attempt."""
        task, kept = self.task, proposing if self._apart else rollback
        if task.attempt == 1:
            return None, []
        return await self.runtime.store.read(lambda c: (kept.base(c, task), attempts.others_since(c, task)))

    @property
    def _is_direct(self) -> bool:
        """Whether a turn of the agent is what comes first: its rows then tell of the attempt's beginning too."""
        if self._apart or self.task.proposal or self._scouts.wanted:
            return False
        return self.mode not in (AttemptMode.SOFT, AttemptMode.APPLY)

    async def _prepare(self, at_once: bool) -> None:
        """Read what the repository says about the work, as it stands where the work begins."""
        found = (self._found if at_once else None) or await self._surroundings()
        # First what the agent is told: it has that to take in while the rest is found out.
        await self._assign(found.around, found.resume)
        self._plan = await self._planned(found.around.project)
        if self.mode in COUNT_ANEW:
            self._steps.task = replace(self.task, checks=self._plan.checks)
        else:
            self._steps.failures = await self.runtime.store.read(lambda c: artifacts.failures(c, self.task.id))
        self._steps.profile = self._plan.config.timeouts.of(self.task.options.timeout_profile)

    async def _assign(self, around: choosing.Around, resume: str | None) -> None:
        """Who does what; and where nothing comes before the agent's first turn, it is told of it as soon as can be."""
        # It may be the second time, where somebody came in between.
        self._words = None
        strict = self.mode in COUNT_ANEW or not self.task.checks
        config = await asyncio.to_thread(choosing.config_of, self._steps.directory, strict=strict)
        if self.mode in COUNT_ANEW:
            self._steps.task = replace(self.task, package=config.package)
        wanted = choosing.scouts(self.task.options, config)
        self._scouts = Scouts(self._steps, wanted)
        self._steps.assigned = assigned = choosing.assigned_by(around, self.task, config)
        await choosing.require_ready(self.runtime, assigned, self.task, self.workspace, scouts=wanted)
        if self._is_direct:
            self._words = await self._first_words(around.session, resume)

    async def _planned(self, project: Project) -> Plan:
        """The checks a task began with hold until it begins anew, or ended in an error that a person has set right."""
        task = self.task
        if self.mode in COUNT_ANEW or not task.checks:
            return await self._read_plan(project)
        past = await self.runtime.store.read(lambda c: attempts.get(c, task.id, task.attempt - 1))
        if past and past.outcome == "failed":
            return await self._read_plan(project)
        try:
            return replace(await self._read_plan(project), checks=task.checks, package=task.package)
        except BadConfiguration:
            return Plan(checks=task.checks, package=task.package)

    def _tell_began(self, tx: Tx, taken: Checkpoint, vouchers: dict[str, str]) -> None:
        task = self.task
        if self.mode in COUNT_ANEW:
            planned = {"package": self._plan.package, "checks": self._plan.checks}
            anew = {"loop": LoopState(), "run_id": None, "findings": (), "checklist": ()}
            self._steps.task = task = tasks.update(tx, task.id, **planned, **anew)
            conclusions.write_context(tx, task, ContextKind.START, self._start_context(taken))
        attempts.update(tx, task.id, task.attempt, checkpoint=taken.commit, base=self._steps.base, **vouchers)
        rollback.settle_cut_short(tx, task.id)
        session = sessions.get(tx.conn, task.session_id)
        if session and session.checkpoint is None:
            sessions.update(tx, session.id, checkpoint=taken.commit, base_commit=taken.head, base_branch=taken.branch)
        started = AttemptStarted(attempt=task.attempt, mode=self.mode, checkpoint=taken.commit)
        tx.emit(started, session_id=task.session_id, task_id=task.id)

    def _start_context(self, taken: Checkpoint) -> str:
        checks = "\n".join(f"- {check.name}: `{check.shown}`" for check in self._plan.checks) or "None were found."
        where = f"On {taken.branch or 'no branch'}, commit {taken.head or 'none yet'}."
        request = "\n".join(prompts.opening(self.task))
        return f"{request}\n## Where it begins\n\n{where}\n\n## Checks\n\n{checks}\n"

    async def _work(self, taken: Checkpoint) -> tuple[Task, bool]:
        """The settled task, and whether its changes are to be taken back."""
        finished, conclude = await self._to_the_end(taken)
        settled = await outcome.settle(self.runtime, self.task, finished, self.hold_after, conclude, self._told_last)
        return settled, not self._apart and retraction.is_due(settled)

    async def _to_the_end(self, taken: Checkpoint) -> Result:
        """The agent's turn, then the checks and what they call for; behind a finished turn only the latter."""
        if self._apart:
            began = await proposing.prepare(self._steps, taken, self.mode)
            return await proposing.propose(self._steps, await self._first_turn(began))
        loop = DebugLoop(self._steps, self._plan.checks, self._scouts, self._ask, self._inspect)
        behind = await self._behind(taken) if self.mode is AttemptMode.SOFT else None
        if behind and behind.step.kind is StepKind.VERIFY and self._plan.checks:
            return await self._behind_checks(loop, behind)
        finished = behind or await self._first_turn(taken)
        if not finished.plain or not finished.changed:
            return finished, None
        if not self._plan.checks:
            # The task may have brought the checks with it; where it has not, its findings are all there is to tell.
            self._told_last = await inspecting.inspected(self._steps, finished, ())
            self._plan = self._brought or await self._read_plan()
        if not self._plan.checks:
            return finished, None
        self._told_last = None
        if self._plan.checks != self.task.checks:
            await self.runtime.store.write(lambda tx: tasks.update(tx, self.task.id, checks=self._plan.checks))
            loop = DebugLoop(self._steps, self._plan.checks, self._scouts, self._ask, self._inspect)
        return await loop.run(finished)

    async def _behind_checks(self, loop: DebugLoop, behind: Finished) -> Result:
        """Go on behind a verification that was recorded: answer its failure, or sum up what it passed."""
        run = await self.runtime.store.read(lambda c: runs.get(c, behind.step.run_id or ""))
        if run is None or (run.result is RunResult.PASS and run.tree != behind.checkpoint.tree):
            return await loop.run(behind)
        finished, conclude = await (loop.passed if run.result is RunResult.PASS else loop.answer)(behind, run)
        return (finished, conclude) if conclude or not finished.plain else await loop.run(finished)

    async def _first_turn(self, taken: Checkpoint) -> Finished:
        if await self._is_to_be_written():
            written = await proposing.write_proposal(self._steps, taken)
            if written and (written.stop or self.task.pending_reply is None):
                return written
            if written:
                # What the person said meanwhile is still to be told to the agent.
                self._steps.task, written = await outcome.record(self.runtime, self.task, written)
                taken = written.checkpoint
        stopped = await self._scouts.before_edit(taken)
        if stopped:
            return stopped
        return await self._ask(self._turn(self._words or await self._words_now(taken)), taken)

    def _turn(self, words: Words) -> Turn:
        prompt, reply, resume = words
        return permitting.answering(Turn(StepKind.EDIT, prompt, resume=resume, reply=reply), self.task)

    async def _surroundings(self) -> Surroundings:
        return await self.runtime.store.read(lambda c: surroundings.of(c, self.runtime.agents, self.task, self.mode))

    async def _is_to_be_written(self) -> bool:
        """Whether this attempt applies a proposal, or goes on with one that was cut short while it was written."""
        task = self.task
        if self._apart or task.proposal is None:
            return False
        if self.mode not in (AttemptMode.SOFT, AttemptMode.REPLY):
            return True
        return not await self.runtime.store.read(lambda c: proposing.is_written(c, task))

    async def _behind(self, taken: Checkpoint) -> Finished | None:
        """The last finished step, where a soft resume can go on from it; None where the agent must be asked again."""
        task = self.task
        if task.pending_reply is not None:
            return None
        past = [
            a for a in await self.runtime.store.read(lambda c: attempts.of_task(c, task.id)) if a.number < task.attempt
        ]
        if not past or past[-1].outcome == "asked":
            return None
        began = max(attempt.number for attempt in past if attempt.mode is not AttemptMode.SOFT)
        before = [s for s in await self.runtime.store.read(lambda c: steps.of_task(c, task.id)) if s.attempt >= began]
        turns = [step for step in before if step.kind in _TURNS and step.outcome != HELD]
        if not turns or turns[-1].outcome != "done":
            return None
        checked = [s for s in before[before.index(turns[-1]) :] if s.run_id and s.name != inspecting.BASE_TESTS]
        decided = [step for step in checked if step.outcome in ("failed", "passed")]
        found = await self._steps.as_found((decided or turns)[-1], taken)
        return found if found.changed else None

    async def _read_plan(self, project: Project | None = None) -> Plan:
        project = project or await self.runtime.store.read(lambda c: projects.get(c, self.task.project_id))
        edited = project.checks if project else None
        return await asyncio.to_thread(checks_of, self._steps.directory, edited)

    async def _inspect(self, finished: Finished, passed: VerificationRun | None = None) -> None:
        await inspecting.inspect(self._steps, finished, self._plan.checks, passed)

    async def _ask(self, turn: Turn, before: Checkpoint) -> Finished:
        """One turn of the agent, and further ones as long as it is told what was answered before, or sent meanwhile."""
        while True:
            step, ended, stop = await self._steps.agent(turn)
            ended = ended if stop else await understood(self._steps, ended, before)
            finished, self._brought = await asyncio.gather(
                self._steps.finish(step, ended, stop, before), self._plan_left(ended, stop)
            )
            if afresh := await compacting.again(self._steps, turn, finished):
                turn, before = afresh, finished.checkpoint
                continue
            following = await continuing.turn_after(self._steps, finished, turn, self._scouts)
            if following is None:
                return finished
            before, turn = finished.checkpoint or before, following

    async def _plan_left(self, ended: Ended, stop: Stop | None) -> Plan | None:
        """Where the task began without checks, those it may have brought; what is wrong with them is told later."""
        if stop or ended.outcome != "done" or self._plan.checks or self._apart:
            return None
        try:
            return await self._read_plan()
        except (PilothouseError, OSError):
            return None

    async def _words_now(self, taken: Checkpoint) -> Words:
        found = await self._surroundings()
        if self.mode is not AttemptMode.SOFT:
            return await self._first_words(found.around.session, found.resume)
        task, base = self.task, self._steps.base
        before = await self.runtime.store.read(lambda c: steps.of_task(c, task.id))
        stat = await self.runtime.on_tree(self.workspace, lambda tree: tree.stat(base, taken.commit))
        files = [change.path for change in stat.files]
        told = prompts.section("The person's answer", task.pending_reply) if task.pending_reply else ""
        scouted = await self._scouts.sections()
        prompt = prompts.soft_resume(task, before, files, await self._failures(), scouted)
        return prompt + (f"\n{told}" if told else ""), task.pending_reply, found.resume

    async def _first_words(self, session: Session, resume: str | None) -> Words:
        task, scouted = self.task, await self._scouts.sections()
        if self.mode is AttemptMode.REPLY and task.pending_reply is not None:
            return prompts.continuation(task, task.output, task.pending_reply, scouted), task.pending_reply, resume
        records = self.runtime.settings.data_dir / task.project_id / session.slug
        return prompts.first(task, str(records), scouted) + await self._report(), None, resume

    async def _failures(self) -> list[str]:
        """The verifications that failed so far, for an agent that comes back to the task."""
        failed = await self.runtime.store.read(lambda c: runs.failed(c, self.task.id))
        return [f"Verification {run.loop}: {run.first_failing_line} (run {run.id})" for run in failed]

    async def _report(self) -> str:
        """Of the stuck task this one starts from: only the report, which names the logs."""
        stuck = self.task.options.from_stuck
        report = await self.runtime.store.read(lambda c: stuck_reports.get(c, stuck)) if stuck else None
        return f"\n{debug_prompts.from_report(report.markdown())}" if report else ""
