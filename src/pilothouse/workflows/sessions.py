"""What sessions of every kind have in common: how one is made, and what a person changes about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pilothouse.domain.event.session import SessionChanged, SessionCreated
from pilothouse.domain.session.session import (
    Session,
    free_slug,
    plain_title,
    wanted_slug,
)
from pilothouse.engine.runner import Runner
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import Conflict
from pilothouse.store.database import Tx
from pilothouse.store.guard import holds
from pilothouse.store.session import sessions
from pilothouse.store.task import tasks
from pilothouse.words import say


class Sessions:
    def __init__(self, runtime: Runtime, runner: Runner) -> None:
        self._runtime = runtime
        self._runner = runner

    async def change(
        self,
        session_id: str,
        *,
        title: str | None = None,
        archived: bool | None = None,
        deleted: bool | None = None,
        budget: Mapping[str, float | None] | None = None,
    ) -> Session:
        """`budget` has the parts that change (`usd`, `tokens`, `minutes`); None leaves one to the settings."""
        given = {"title": plain_title(title) if title is not None else None, "archived": archived, "deleted": deleted}
        changes = {name: value for name, value in given.items() if value is not None}

        def write(tx: Tx) -> Session:
            session = sessions.require(tx.conn, session_id)
            if deleted and tasks.any_open(tx.conn, session_id):
                raise Conflict(say("session.task_open"))
            if budget:
                guards = holds.of_session(tx.conn, session_id)
                holds.save(tx, replace(guards, budget=guards.budget.changed(budget)))
            if changes or budget:
                told = {**changes, "budget": dict(budget) if budget else None}
                tx.emit(SessionChanged.model_validate(told), session_id=session_id)
            return sessions.update(tx, session_id, **changes) if changes else session

        changed = await self._runtime.store.write(write)
        if archived or deleted:
            await self._runtime.forget(session_id)
        for run in self._runner.dispatcher.runs_of(session_id) if budget else ():
            await run.budget_changed()
        return changed


def begin(tx: Tx, session: Session) -> Session:
    """Store a new session under a free slug, and tell of it."""

    def number() -> int:
        return sessions.count(tx.conn, session.project_id, session.kind) + 1

    wanted = wanted_slug(session.title, session.kind, number)
    taken = sessions.taken_slugs(tx.conn, session.project_id, wanted)
    made = replace(session, slug=free_slug(wanted, taken))
    sessions.add(tx, made)
    told = SessionCreated(
        project_id=made.project_id,
        workspace_id=made.workspace_id,
        slug=made.slug,
        kind=made.kind,
        title=made.title,
        agent=made.agent,
    )
    tx.emit(told, session_id=made.id)
    return made
