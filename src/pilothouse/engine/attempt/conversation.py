"""Which conversation of the agent an attempt goes on in."""

from __future__ import annotations

from sqlalchemy import Connection

from pilothouse.domain.task.task import AttemptMode, Purpose, Task, TaskStatus
from pilothouse.engine.runtime import Runtime
from pilothouse.store.task import attempts, rollbacks, tasks


def of(c: Connection, runtime: Runtime, task: Task, mode: AttemptMode) -> str | None:
    """The agent's own session that the first turn goes on with."""
    if task.agent_session is None and mode is not AttemptMode.ROLLBACK:
        # Its first turn, also where a guard held it or a crash came before that.
        return _thread(c, runtime, task)
    return task.agent_session if mode in (AttemptMode.REPLY, AttemptMode.SOFT) else None


def _thread(c: Connection, runtime: Runtime, task: Task) -> str | None:
    """The conversation that a new message of a thread goes on in.

    Only where the message before it was done there and is still as it was left: an agent that remembers work which
    was rolled back, or only proposed, believes in files that are not there. An ask has a conversation of its own.
    """
    agent = runtime.agents.get(task.agent)
    if agent is None or not agent.remembers or task.purpose is not Purpose.CHANGE:
        return None
    last = tasks.before_in_session(c, task)
    if last is None or last.agent != task.agent or last.status is not TaskStatus.COMPLETE:
        return None
    taken_back, newest = rollbacks.newest_undoable(c, last.id), attempts.get(c, last.id, last.attempt)
    gone = taken_back and not taken_back.replay and newest and taken_back.at > newest.started_at
    return None if gone or last.options.dry_run else last.agent_session
