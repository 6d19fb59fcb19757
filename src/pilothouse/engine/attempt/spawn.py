"""One run of an agent: its step becomes a row, the guards are asked, the program is started and followed to its end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pilothouse.domain.agent.usage import Spawn
from pilothouse.domain.ports import Agent, AgentRun, Ended, SpawnRequest
from pilothouse.domain.task.task import Step, StepKind, Task
from pilothouse.engine.agents import choice, instructions
from pilothouse.engine.agents.workbench import Seat
from pilothouse.engine.attempt import compaction, outcome
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.finished import Spoken
from pilothouse.engine.attempt.step import mark, printing, tell_begun
from pilothouse.engine.attempt.watch import Stop, Watch
from pilothouse.engine.guard import meter
from pilothouse.engine.guard.meter import Meter
from pilothouse.engine.guard.spawn_guard import Allowance, withheld
from pilothouse.engine.talk import permissions, steering
from pilothouse.engine.workspace import leftovers
from pilothouse.store.agent import usage
from pilothouse.store.database import Tx
from pilothouse.store.talk import grants
from pilothouse.words import say


@dataclass(frozen=True, slots=True)
class _Opened:
    """A run as it was written down before it began."""

    turn: Turn
    """As asked for, with what waited put into its prompt."""
    step: Step
    spawn: Spawn | None = None
    """None where nothing may begin."""
    granted: tuple[str, ...] = ()
    allowance: Allowance | None = None
    """None where the guards were not asked, for the attempt is stopped anyway."""
    told: bool = False
    """Whether messages that waited went into the prompt."""


async def run(cx: Context, task: Task, turn: Turn) -> Spoken:
    """Ask the agent, and follow it to its end. Where a guard says no, the step is there and held."""
    runtime = cx.runtime
    name, wanted, tools = cx.assigned.post(turn.role, read_only=turn.read_only)
    agent = choice.known(runtime, name)
    last = await _last_of(cx, turn)
    if last and last.is_full and not cx.control.stopped:
        task, turn = await compaction.relieved(cx, task, turn, last)
        last = None
    # Before anything is waited for: scouts side by side are numbered in their own order.
    step = cx.draft(task, turn.kind, name=turn.role if turn.kind is StepKind.SCOUT else "", agent=name)
    folders = (Path(cx.workspace.path), Path(cx.project.path))
    text, files = await instructions.gather(runtime.settings, turn.directory or cx.place, agent, folders)
    opened = await _open(cx, task, turn, step, meter.spawn(task, turn.role, name, wanted, files))
    turn, step = opened.turn, opened.step
    if opened.spawn is None:
        ended = Ended("crashed", message=say("attempt.not_started"))
        return Spoken(task, step, ended, cx.control.stopped, cx.control.hold)
    seat = runtime.seats.take(task, step, answers=turn.kind is StepKind.ASK)
    lost = await compaction.account(cx, task) if turn.resume else ""
    request = SpawnRequest(
        spawn_id=step.id,
        workspace=turn.directory or cx.place,
        prompt=turn.prompt,
        log_path=Path(step.log_path or ""),
        resume=turn.resume,
        digest=lost,
        since=turn.since,
        reply=turn.reply,
        role=turn.role,
        turn=turn.number,
        read_only=turn.read_only,
        settings_of=folders,
        task=task.id,
        session=task.session_id,
        choice=wanted,
        permission_mode=task.options.permission_mode,
        tools=tools,
        answers=turn.answers,
        instructions=text,
        workbench=seat.offer,
    )
    request = await permissions.complete(cx, task, turn, request, opened.granted)
    return await _follow(cx, task, opened, agent, request, seat, Meter(runtime, task, opened.spawn, last))


async def _last_of(cx: Context, turn: Turn) -> Spawn | None:
    """Who spoke in this conversation before."""
    resume = turn.resume
    if resume is None:
        return None
    return await cx.runtime.store.read(lambda c: usage.newest_of_conversation(c, cx.session.id, resume))


async def _open(cx: Context, task: Task, turn: Turn, draft: Step, spawn: Spawn) -> _Opened:
    control, stopped = cx.control, cx.control.stopped is not None
    allow = cx.guard.before_spawn(turn, spawn.agent)

    def write(tx: Tx) -> _Opened:
        complete, told = steering.along(tx.conn, task, turn)
        step = replace(draft, prompt=complete.prompt, started_at=tx.now)
        tell_begun(tx, task, step)
        if stopped:
            return _Opened(complete, step)
        allowance = allow(tx, bool(told))
        if allowance.hold:
            return _Opened(complete, step, allowance=allowance)
        begun = replace(spawn, step_id=step.id, started_at=tx.now, agent_session=turn.resume)
        usage.start(tx, begun)
        if turn.fresh:
            permissions.note_fresh(tx, task, step, turn.fresh)
        steering.hand_along(tx, step, told)
        return _Opened(complete, step, begun, grants.names(tx.conn, task.session_id), allowance, bool(told))

    opened = await cx.runtime.store.write(write)
    if opened.allowance:
        cx.guard.accept(opened.allowance)
    if control.ending and opened.spawn:
        # Stopped while its rows were written: what never ran is counted nowhere.
        await cx.runtime.store.write(lambda tx: usage.drop(tx, opened.step.id))
        opened = replace(opened, spawn=None)
    if opened.spawn is None and cx.control.hold:
        opened = replace(opened, step=withheld(opened.step))
    return opened


async def _follow(
    cx: Context, task: Task, opened: _Opened, agent: Agent, request: SpawnRequest, seat: Seat, spent: Meter
) -> Spoken:
    runtime, turn, step = cx.runtime, opened.turn, opened.step
    cx.control.spawn()
    run = await _started(agent, request, seat)
    try:
        await mark(cx, task, run.process, None if turn.is_aside else turn.milestone)
        printer = None if turn.is_aside else printing(cx, task, spent)
        told = {"digest": request.digest, "milestone": turn.milestone}
        watch = Watch(runtime, task, step, run, printer, cx.profile, spent, cx.guard.use, **told)
        async with (
            cx.control.ended_by(watch.end, begun=True),
            cx.guard.timing(),
            spent.writing(),
            steering.offered(cx, task, turn, step, run, opened.told) as live,
        ):
            ended = seat.close(await watch.follow())
            if watch.agent_session is None and not turn.is_aside:
                await steering.heard(runtime, task, step, ended)
    except BaseException:
        # Nobody would follow it any more, and the next task must not start beside it.
        seat.closed = True
        await run.stop(runtime.settings.stop_grace_seconds)
        raise
    await spent.end(watch.agent_session)
    task = await steering.with_what_was_heard(cx, task, live, opened.told)
    if not turn.is_aside:
        task = replace(task, agent_session=watch.agent_session or task.agent_session)
    if watch.stop is None:
        await runtime.health.note(agent.name, ended)
    step = replace(step, output_to=cx.control.printed, cost_usd=spent.spawn.cost_usd, answer=ended.text)
    step = replace(step, outcome=None if watch.stop else steering.outcome_of(live, ended))
    await _tell_aftermath(cx, task, step, ended, watch)
    stop = cx.guard.ended(ended, watch.stop)
    return Spoken(task, step, ended, stop, cx.control.hold)


async def _started(agent: Agent, request: SpawnRequest, seat: Seat) -> AgentRun:
    try:
        return await agent.start(request)
    except BaseException:
        seat.closed = True
        raise


async def _tell_aftermath(cx: Context, task: Task, step: Step, ended: Ended, watch: Watch) -> None:
    """What a person should know of a run beside its work: what it was refused, why it was ended, what it left."""
    await permissions.tell_denied(cx.runtime, task, step, ended)
    if watch.stop in (Stop.IDLE, Stop.HARD, Stop.ABSENT):
        await outcome.tell_guard(cx.runtime, task, watch)
    if ended.left:
        await cx.runtime.store.write(lambda tx: leftovers.tell(tx, [], ended.left, task))
