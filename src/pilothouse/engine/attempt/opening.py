"""Opening a spawn: in one transaction its step becomes a row, what waits for the agent goes along, the guards are asked
and its use begins to be counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pilothouse.domain.ports import Choice
from pilothouse.domain.tasks import Step
from pilothouse.domain.usage import COMPACT_AT, Spawn
from pilothouse.engine.attempt import compaction as compacting
from pilothouse.engine.briefing import Draft, drafted
from pilothouse.engine.guard import meter as metering
from pilothouse.engine.guard.spawn_guard import Allowance, held
from pilothouse.engine.talk import steering
from pilothouse.store import grants, usage
from pilothouse.store.database import Tx

if TYPE_CHECKING:
    from pilothouse.engine.attempt.steps import Steps, Turn


@dataclass(frozen=True, slots=True)
class Opened:
    turn: Turn
    """As asked for, with what waited put into its prompt."""
    draft: Draft
    granted: tuple[str, ...] = ()
    spawn: Spawn | None = None
    """None where nothing may begin."""
    last: Spawn | None = None
    """Who spoke in this conversation before."""
    allowance: Allowance | None = None
    """None where the guards were not asked, for the attempt is stopped anyway."""
    told: bool = False
    """Whether messages that waited went into the prompt."""

    @property
    def step(self) -> Step:
        return self.draft.step

    @property
    def is_full(self) -> bool:
        """Whether there is no step yet, for the conversation must be left for a fresh one first."""
        return self.spawn is None and self.last is not None and self.last.fill >= COMPACT_AT


async def opened(steps: Steps, turn: Turn, agent: str, choice: Choice) -> Opened:
    """Where a guard says no, the step is there and held, and the attempt is stopped."""
    draft = await drafted(steps, turn, agent)
    spawn = metering.spawn(steps.task, turn.role, agent, choice, draft.files)
    begun = await _begin(steps, turn, draft, spawn)
    if begun.is_full and begun.last:
        steps.drop_draft()
        turn = await compacting.relieved(steps, turn, begun.last)
        again = steps.draft(turn.kind, draft.step.name, agent)
        begun = await _begin(steps, turn, replace(draft, step=again), spawn)
    if begun.allowance:
        steps.guard.accept(begun.allowance)
    if steps.ending and begun.spawn:
        # Stopped while its rows were written: what never ran is counted nowhere.
        await steps.runtime.store.write(lambda tx: usage.drop(tx, begun.step.id))
        begun = replace(begun, spawn=None)
    if begun.spawn is None and steps.guard.hold:
        begun = replace(begun, draft=replace(begun.draft, step=held(begun.step)))
    return begun


async def _begin(steps: Steps, turn: Turn, draft: Draft, spawn: Spawn) -> Opened:
    task, stopped = steps.task, steps.stopped is not None
    ask = steps.guard.before_spawn(turn, spawn.agent)
    untold = steps.untold

    def write(tx: Tx) -> Opened:
        if untold:
            untold(tx)
        last = usage.newest_of_conversation(tx.conn, task.session_id, turn.resume) if turn.resume else None
        if last and last.fill >= COMPACT_AT and not stopped:
            return Opened(turn, draft, last=last)
        complete, told = steering.along(tx.conn, task, turn)
        step = replace(draft.step, prompt=complete.prompt, started_at=tx.now)
        steps.tell_begun(tx, step)
        told_of = replace(draft, step=step)
        if stopped:
            return Opened(complete, told_of)
        allowance = ask(tx, bool(told))
        if allowance.hold:
            return Opened(complete, told_of, allowance=allowance)
        begun = replace(spawn, step_id=step.id, started_at=tx.now, agent_session=turn.resume)
        usage.start(tx, begun)
        steering.hand_along(tx, step, told)
        granted = grants.names(tx.conn, task.session_id)
        return Opened(complete, told_of, granted, begun, last, allowance, bool(told))

    begun = await steps.runtime.store.write(write)
    steps.untold = None
    return begun
