"""Says what became of a workspace's repository while a task worked there. A rollback makes it again."""

from __future__ import annotations

from collections.abc import Iterable

from pilothouse.domain.session.session import Workspace
from pilothouse.engine.runtime import Runtime
from pilothouse.git.model import Loss
from pilothouse.words import say, sentences


async def look(runtime: Runtime, workspace: Workspace, base: str) -> str | None:
    """In a sentence; None if it is the one of the checkpoint. The caller holds the workspace's lock."""
    lost = await runtime.on_tree(workspace, lambda tree: tree.lost(base))
    return sentences(*told(lost)) if lost else None


def told(lost: Iterable[Loss]) -> list[str]:
    return [say(f"repository.{'nested' if loss.path else 'lost'}.{loss.what}", path=loss.path) for loss in lost]
