"""The thread's conversation with the agent: which one a message goes on in, and what the agent is told first there.

A stop, an error, a refusal or a rollback does not end it: the next message says in a line what happened to the files.
Where it cannot be gone on with, the agent is told what was asked, answered, decided and done so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from pilothouse.domain.agent import digest
from pilothouse.domain.agent.digest import FileEvent, Happened, Past
from pilothouse.domain.event.payload import EventData
from pilothouse.domain.event.task import TaskCommitted, TaskRollbackUndone, TaskRolledBack
from pilothouse.domain.task.task import AttemptMode, Purpose, Task
from pilothouse.engine.runtime import Runtime
from pilothouse.store import events
from pilothouse.store.agent import usage
from pilothouse.store.task import tasks
from pilothouse.words import say

_FILES: dict[type[EventData], FileEvent] = {
    TaskRolledBack: "rolled_back",
    TaskRollbackUndone: "undone",
    TaskCommitted: "committed",
}
_FURTHER = (AttemptMode.REPLY, AttemptMode.SOFT)


@dataclass(frozen=True, slots=True)
class Thread:
    """Where an attempt finds the thread."""

    conversation: str | None = None
    """The agent's own session that the first turn goes on in."""
    since: str = ""
    """What happened since the agent spoke last there, in a line."""
    left: str = ""
    """Why the conversation that there was is not gone on in, in words for the person."""
    digest: str = ""
    """The earlier messages, for an agent that does not remember them."""


@dataclass(frozen=True, slots=True)
class _Around:
    """The messages of the thread before this one that were begun, the oldest first; what happened to its files."""

    task: Task
    past: Sequence[Task]
    happened: Sequence[tuple[datetime, str, Happened]]
    """When it happened and to which task."""


def found(c: Connection, runtime: Runtime, task: Task, mode: AttemptMode) -> Thread:
    if mode in _FURTHER and task.agent_session:
        return Thread(task.agent_session, since=_since(c, _around(c, task), None, (), task.agent_session))
    if task.purpose is Purpose.ASK or task.options.from_stuck:
        # Whoever starts from a report is to begin anew, with that report alone.
        return Thread()
    around = _around(c, task)
    account = _digest(around)
    if not _speaks_there(task):
        # A proposal is made apart: what it does is not done.
        return Thread(digest=account)
    spoken = [earlier for earlier in around.past if _speaks_there(earlier) and earlier.agent_session]
    if not spoken:
        return Thread(digest=account)
    last, agent = spoken[-1], runtime.agents.get(task.agent)
    if last.agent != task.agent:
        return Thread(left=say("thread.other_agent", agent=last.agent), digest=account)
    if agent is None or not agent.remembers:
        return Thread(left=say("thread.no_memory", agent=last.agent), digest=account)
    if mode is AttemptMode.ROLLBACK:
        return Thread(left=say("thread.replayed"), digest=account)
    apart = [earlier for earlier in around.past if earlier.place > last.place]
    conversation = last.agent_session or ""
    return Thread(conversation, since=_since(c, around, last, apart, conversation))


def account(c: Connection, task: Task) -> tuple[str, list[Happened]]:
    """For an agent that remembers nothing: the thread before this task, and what happened to the task's own files."""
    around = _around(c, task)
    alone = task.purpose is Purpose.ASK or task.options.from_stuck
    return "" if alone else _digest(around), [what for _, about, what in around.happened if about == task.id]


def _speaks_there(task: Task) -> bool:
    """Asks and proposals have conversations of their own."""
    return task.purpose is Purpose.CHANGE and task.proposal is None


def _around(c: Connection, task: Task) -> _Around:
    past = tasks.earlier_in_session(c, task)
    names = {one.id: digest.name_of(one) for one in (*past, task)}
    happened: list[tuple[datetime, str, Happened]] = []
    for event in events.of_session(c, task.session_id, [kind.type for kind in _FILES]):
        data, about = event.data, event.task_id or ""
        if isinstance(data, TaskRolledBack) and data.replay:
            continue  # its message was run again at once
        name = data.message if isinstance(data, TaskCommitted) else names.get(about, "")
        happened.append((event.at, about, Happened(_FILES[type(data)], name)))
    return _Around(task, past, happened)


def _since(c: Connection, around: _Around, last: Task | None, apart: Sequence[Task], conversation: str) -> str:
    spawn = usage.newest_of_conversation(c, around.task.session_id, conversation)
    spoke = spawn.started_at if spawn else around.task.submitted_at
    back = around.task if last is None and spawn and spawn.task_id != around.task.id else None
    return digest.since(last, apart, [what for at, _, what in around.happened if at > spoke], back)


def _digest(around: _Around) -> str:
    return digest.digest(
        [Past(task, tuple(what for _, about, what in around.happened if about == task.id)) for task in around.past]
    )
