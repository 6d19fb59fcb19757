"""Branches, tags and stashes that were moved or dropped since a task began.

No rollback touches them. Each comes back by itself.
"""

from __future__ import annotations

from pilothouse.domain.event.task import TaskRefRestored
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.task import Task
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import emit
from pilothouse.engine.workspace import ways
from pilothouse.engine.workspace.occupancy import require_idle
from pilothouse.errors import Conflict, NotFound
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import BranchMove
from pilothouse.words import say


async def bring_back(
    runtime: Runtime, task: Task, workspace: Workspace, kind: str, name: str, then: str | None
) -> BranchMove:
    """Set it to what it was. `then` tells stashes of one message apart. The caller holds the workspace's lock."""
    await runtime.store.read(lambda c: require_idle(c, workspace.id))
    began = await runtime.store.read(lambda c: ways.base(c, task))
    if began is None:
        raise Conflict(say("rollback.nothing"))

    def act(tree: Checkpoints) -> BranchMove:
        for move in reversed(tree.moved(began)):
            # What came since is somebody's work: it is not taken away here.
            if move.then and (move.kind, move.branch) == (kind, name) and then in (None, move.then):
                tree.bring_back(began, move)
                return move
        raise NotFound(say("checkpoint.not_moved", name=name))

    move = await runtime.on_tree(workspace, act)
    told = TaskRefRestored(kind=move.kind, name=move.branch, commit=move.then or "", was=move.now)
    await runtime.store.write(lambda tx: emit(tx, task, told))
    return move
