"""A person accepts a doubt, with a reason. Nothing else takes one off a verdict."""

from __future__ import annotations

from dataclasses import replace

from pilothouse.domain.event.task import TaskDoubtAccepted
from pilothouse.domain.task.doubts import Accepted, Doubt, standing
from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.engine.transition import emit
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.database import Store, Tx
from pilothouse.store.task import tasks
from pilothouse.words import say

_AT_WORK = (TaskStatus.QUEUED, TaskStatus.RUNNING)


async def accept(store: Store, task_id: str, doubt_id: str, reason: str, seen: int | None = None) -> Task:
    """`seen` is the attempt the person looked at. What is accepted already stays as it was."""

    def write(tx: Tx) -> Task:
        task = tasks.require(tx.conn, task_id, seen)
        if task.status in _AT_WORK:
            raise Conflict(say("doubt.at_work"))
        doubt = next((doubt for doubt in task.doubts if doubt.id == doubt_id), None)
        if doubt is None:
            raise NotFound(say("doubt.unknown"))
        return task if doubt.accepted else _accepted(tx, task, doubt, reason)

    return await store.write(write)


def _accepted(tx: Tx, task: Task, doubt: Doubt, reason: str) -> Task:
    accepted = replace(doubt, accepted=Accepted(reason, tx.now))
    doubts = tuple(accepted if one == doubt else one for one in task.doubts)
    told = TaskDoubtAccepted(
        attempt=task.attempt,
        doubt=doubt.id,
        kind=doubt.kind,
        path=doubt.path,
        reason=reason,
        left=len(standing(doubts)),
    )
    emit(tx, task, told)
    return tasks.update(tx, task.id, doubts=doubts)
