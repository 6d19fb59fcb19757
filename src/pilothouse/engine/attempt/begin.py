"""How an attempt begins: roll back where that was asked for, read what the repository says, save the state."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from pilothouse.domain.agent import prompts
from pilothouse.domain.event.attempt import AttemptStarted
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.checks import Check
from pilothouse.domain.task.contexts import ContextKind
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.task import COUNT_ANEW, WORK_ANEW, AttemptMode, Purpose, Task
from pilothouse.engine.agents import choice
from pilothouse.engine.attempt import measure, thread
from pilothouse.engine.attempt.context import Began, Context, Control
from pilothouse.engine.guard.spawn_guard import SpawnGuard
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import emit, write_context
from pilothouse.engine.workspace import artifacts, proposals, refs, rollback, ways
from pilothouse.errors import BadConfiguration, Unavailable
from pilothouse.git.model import Checkpoint
from pilothouse.store.database import Tx
from pilothouse.store.session import pins, sessions
from pilothouse.store.task import attempts, tasks
from pilothouse.verify.agent_yaml.config import Config
from pilothouse.verify.chosen_checks import ChosenChecks, checks_of
from pilothouse.words import say, sentences


async def begin(
    runtime: Runtime, task: Task, workspace: Workspace, mode: AttemptMode, control: Control, guard: SpawnGuard
) -> Began:
    async with runtime.lock(workspace.id):
        if mode is AttemptMode.ROLLBACK:
            await rollback.before_replay(runtime, task, workspace)
            await runtime.milestone(task, "checkpoint")
        cx = await _prepared(runtime, task, workspace, mode, control, guard)
        ref = refs.step(task, 0)
        taken = await runtime.on_tree(workspace, lambda tree: tree.take(ref))
        cx = replace(cx, base=await _base(cx, task, taken))
        # A first attempt has done nothing yet that would have to be saved.
        vouchers = artifacts.NOTHING_YET if task.attempt == 1 else await measure.save(cx, task, taken)

    def write(tx: Tx) -> Task:
        return _tell_began(tx, cx, task, taken, vouchers)

    return Began(cx, await runtime.store.write(write), taken)


async def _prepared(
    runtime: Runtime, task: Task, workspace: Workspace, mode: AttemptMode, control: Control, guard: SpawnGuard
) -> Context:
    """What the repository and the person say about the work, as it stands where the work begins."""
    near, place_in_thread = await runtime.store.read(
        lambda c: (choice.stored_near(c, task), thread.found(c, runtime, task, mode))
    )
    place = Path(workspace.path)
    strict = mode in COUNT_ANEW or not task.checks
    config = await asyncio.to_thread(choice.config_of, place, strict=strict)
    assigned = choice.assigned(near, task, config)
    scouting = task.purpose is not Purpose.ASK and choice.scouts(task.options, config)
    await choice.require_crew(runtime, assigned.crew, task.prompt, place, scouts=scouting)
    checks = await _chosen(runtime, task, place, near.project.checks, mode, config)
    if not checks.checks and task.purpose is not Purpose.ASK:
        # Whoever took them away, a person did not accept that.
        pin = await runtime.store.read(lambda c: pins.get(c, task.project_id))
        checks = replace(checks, checks=pin.checks) if pin else checks
    if task.purpose is Purpose.CHANGE and mode in WORK_ANEW:
        await _require_programs(runtime, place, checks)
    return Context(
        runtime=runtime,
        control=control,
        guard=guard,
        project=near.project,
        session=near.session,
        workspace=workspace,
        mode=mode,
        checks=checks,
        assigned=assigned,
        profile=checks.config.timeouts.of(task.options.timeout_profile),
        base="",
        place=place,
        scouting=scouting,
        thread=place_in_thread,
    )


async def _chosen(
    runtime: Runtime, task: Task, place: Path, edited: tuple[Check, ...] | None, mode: AttemptMode, config: Config
) -> ChosenChecks:
    """A task keeps its first checks until it starts over, or until a person has fixed the error it ended with."""
    if task.purpose is Purpose.ASK:
        return ChosenChecks(config=config)
    if mode in COUNT_ANEW or not task.checks:
        return await asyncio.to_thread(checks_of, place, edited)
    past = await runtime.store.read(lambda c: attempts.get(c, task.id, task.attempt - 1))
    if past and past.outcome == "failed":
        return await asyncio.to_thread(checks_of, place, edited)
    try:
        return replace(await asyncio.to_thread(checks_of, place, edited), checks=task.checks, package=task.package)
    except BadConfiguration:
        return ChosenChecks(checks=task.checks, package=task.package)


async def _require_programs(runtime: Runtime, place: Path, chosen: ChosenChecks) -> None:
    """Whoever pays an agent for work that nothing can verify should know it before.

    No checkpoint is taken yet, so a replay takes nothing of what a person corrects.
    """
    lacks = await asyncio.to_thread(runtime.verifier.missing, place, chosen.checks)
    if lacks:
        why = say("check_cause.found.no_program", what=lacks.program)
        told = say("attempt.impossible", check=lacks.check.name, why=why)
        raise Unavailable(sentences(told, say("check_cause.install_or_correct")))


async def _base(cx: Context, task: Task, taken: Checkpoint) -> str:
    """Where the task's own work begins. What others did since its last attempt is not its own."""
    if cx.mode is AttemptMode.ROLLBACK or task.attempt == 1:
        return taken.commit
    if task.purpose is Purpose.PROPOSE:
        return await cx.runtime.store.read(lambda c: proposals.base(c, task)) or taken.commit
    earlier = await cx.runtime.store.read(lambda c: ways.base(c, task))
    others = await cx.runtime.store.read(lambda c: attempts.others_since(c, task))
    return taken.commit if others or earlier is None else earlier


def _tell_began(tx: Tx, cx: Context, task: Task, taken: Checkpoint, vouchers: artifacts.Vouchers) -> Task:
    if cx.mode in COUNT_ANEW:
        chosen = {"package": cx.checks.package, "checks": cx.checks.checks}
        anew = {"loop": LoopState(), "run_id": None, "doubts": (), "checklist": (), "offer": ""}
        task = tasks.update(tx, task.id, **chosen, **anew)
        write_context(tx, task, ContextKind.START, _start_context(task, cx.checks, taken))
    # An ask does nothing that could be rolled back.
    base = None if task.purpose is Purpose.ASK else cx.base
    attempts.update(tx, task.id, task.attempt, checkpoint=taken.commit, base=base, **vouchers)
    rollback.settle_cut_short(tx, task.id)
    if cx.session.checkpoint is None:
        began = {"checkpoint": taken.commit, "base_commit": taken.head, "base_branch": taken.branch}
        sessions.update(tx, cx.session.id, **began)
    emit(tx, task, AttemptStarted(attempt=task.attempt, mode=cx.mode, checkpoint=taken.commit))
    return task


def _start_context(task: Task, chosen: ChosenChecks, taken: Checkpoint) -> str:
    checks = "\n".join(f"- {check.name}: `{check.shown}`" for check in chosen.checks) or "None were found."
    where = f"On {taken.branch or 'no branch'}, commit {taken.head or 'none yet'}."
    request = "\n".join(prompts.opening(task))
    return f"{request}\n## Where it begins\n\n{where}\n\n## Checks\n\n{checks}\n"
