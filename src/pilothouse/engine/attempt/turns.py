"""One turn of the agent that edits, and the turns that follow it by themselves."""

from __future__ import annotations

from pilothouse.domain.task.task import Task
from pilothouse.engine.attempt import compaction, continuation, measure, spawn
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.talk import markers
from pilothouse.git.model import Checkpoint


async def take(cx: Context, task: Task, turn: Turn, before: Checkpoint, scouts: Scouts) -> Finished:
    """Ask, and ask again as long as the agent is to hear what was answered before, or what was sent meanwhile."""
    while True:
        spoken = await spawn.ask(cx, task, turn)
        finished = await measure.finish(cx, await markers.understood(cx, spoken, before), before)
        following = await compaction.again(cx, finished, turn)
        following = following or await continuation.turn_after(cx, finished, turn, scouts)
        if following is None:
            return finished
        task, turn = following
        before = finished.checkpoint
