"""Permissions: what an agent asks for, what it is allowed, and what it was refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from pilothouse.domain.agent import prompts
from pilothouse.domain.event.talk import AgentDenied, AgentFresh, PermissionDecided
from pilothouse.domain.ports import Decision, Ended, SpawnRequest
from pilothouse.domain.talk.permissions import AgentNote, AskedPermission, Decided
from pilothouse.domain.task.task import Step, Task
from pilothouse.engine.runtime import Runtime
from pilothouse.store.agent import usage
from pilothouse.store.database import Tx
from pilothouse.store.tables.columns import storable
from pilothouse.store.talk import grants
from pilothouse.store.task import steps as step_rows
from pilothouse.store.task import tasks

if TYPE_CHECKING:
    from pilothouse.engine.attempt.context import Context, Turn

TEXT_LIMIT = 10_000
"""Of one argument of a tool; a whole file need not be kept to ask whether it may be written."""
DEPTH = 6


def wanted(ended: Ended) -> AskedPermission:
    asked = ended.permission
    if asked is None:
        return AskedPermission("a tool", ended.message or ended.text)
    arguments = {storable(str(name)): _kept(value) for name, value in asked.arguments.items()}
    tool, detail, grant = storable(asked.tool), storable(asked.detail), storable(asked.grant)
    return AskedPermission(tool, detail, arguments, grant, asked.call)


def _kept(value: object, depth: int = DEPTH) -> object:
    """Plain JSON of a bearable size, whatever the agent handed over."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping) and depth:
        return {storable(str(name)): _kept(item, depth - 1) for name, item in value.items()}
    if isinstance(value, list | tuple) and depth:
        return [_kept(item, depth - 1) for item in value]
    text = storable(str(value))
    return text if len(text) <= TEXT_LIMIT else f"{text[:TEXT_LIMIT]}… ({len(text):,} characters in all)"


def told_of(decided: Decided) -> PermissionDecided:
    return PermissionDecided(
        attempt=decided.attempt,
        tool=decided.tool,
        detail=decided.detail,
        choice=decided.choice,
        reason=decided.reason,
        replayed=decided.replayed,
    )


def answering(turn: Turn, task: Task) -> Turn:
    """The first turn after a wait, with what the person decided or filled in."""
    decided = task.pending_decision
    if turn.resume is None or turn.reply is None:
        return turn
    if decided is None:
        return replace(turn, answers=task.pending_answers)
    # A decision needs no words, where the agent can take it as one; what was added to it later does.
    plan = not decided.tool
    reply = None if turn.reply == decided.words and not plan else turn.reply
    return replace(turn, decision=decision(decided), reply=reply)


def decision(decided: Decided) -> Decision:
    return Decision(decided.choice, decided.reason, decided.tool, decided.detail, decided.call)


async def complete(
    cx: Context, task: Task, turn: Turn, request: SpawnRequest, granted: tuple[str, ...]
) -> SpawnRequest:
    """Called right before the agent is started, with no wait in between: what is revoked later reaches the run."""
    decided = await _decision(cx, task, turn, request.spawn_id)
    return replace(request, granted=await _granted(cx) if granted else (), decision=decided)


async def _granted(cx: Context) -> tuple[str, ...]:
    """Read again when something was revoked while they were on their way here."""
    runtime, session = cx.runtime, cx.session.id
    while True:
        seen = runtime.revocations
        found = await runtime.store.read(lambda c: grants.names(c, session))
        if runtime.revocations == seen:
            return found


async def _decision(cx: Context, task: Task, turn: Turn, spawn_id: str) -> Decision | None:
    """As the agent is to take it: what it was told before it was cut off is not allowed a second time."""
    decided = task.pending_decision
    if turn.decision is None or decided is None or turn.decision != decision(decided):
        return turn.decision

    def told(c: Connection) -> bool:
        since = [step for step in step_rows.of_task(c, task.id) if step.attempt > decided.attempt]
        others = [step for step in since if step.kind is turn.kind and step.id != spawn_id]
        return any(usage.get(c, step.id) for step in others)

    return replace(turn.decision, told=await cx.runtime.store.read(told))


async def tell_denied(runtime: Runtime, task: Task, step: Step, ended: Ended) -> None:
    if not ended.denied:
        return
    refused = [storable(words) for words in ended.denied]

    def write(tx: Tx) -> None:
        for words in refused:
            tool, _, detail = words.partition(": ")
            told = AgentDenied(step_id=step.id, attempt=step.attempt, tool=tool, detail=detail)
            tx.emit(told, session_id=task.session_id, task_id=task.id)
        _note(tx, task, [AgentNote("denied", words, step.attempt, step.id) for words in refused])

    await runtime.store.write(write)


async def tell_fresh(runtime: Runtime, task: Task, step: Step, reason: str, digest: str) -> None:
    """The agent did not know its conversation any more, and was told `digest` before the step's own prompt."""

    def write(tx: Tx) -> None:
        note_fresh(tx, task, step, reason)
        step_rows.amend(tx, step.id, prompt=prompts.behind(digest, step.prompt))

    await runtime.store.write(write)


def note_fresh(tx: Tx, task: Task, step: Step, reason: str) -> None:
    reason = storable(reason)
    told = AgentFresh(step_id=step.id, attempt=step.attempt, reason=reason)
    tx.emit(told, session_id=task.session_id, task_id=task.id)
    _note(tx, task, [AgentNote("fresh", reason, step.attempt, step.id)])


def _note(tx: Tx, task: Task, more: list[AgentNote]) -> None:
    present = tasks.require(tx.conn, task.id)
    tasks.update(tx, task.id, notes=(*present.notes, *more))
