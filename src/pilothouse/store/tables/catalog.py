"""The whole schema. A table is known once its module was imported, so all of them are imported here."""

from __future__ import annotations

from pilothouse.store.tables import agent, event, guard, notice, run, runner, session, talk, task
from pilothouse.store.tables.columns import metadata

__all__ = ["agent", "event", "guard", "metadata", "notice", "run", "runner", "session", "talk", "task"]
