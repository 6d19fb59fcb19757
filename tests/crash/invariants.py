"""What must hold in the store and on disk after any kill."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, select

from pilothouse.domain.event.log import Event
from pilothouse.domain.task.task import AttemptMode, Task, TaskStatus, Verdict
from pilothouse.process import tree
from pilothouse.store import events
from pilothouse.store.mirror.mirror import PER_SESSION
from pilothouse.store.session import sessions
from pilothouse.store.tables.session import sessions as sessions_table
from pilothouse.store.tables.task import tasks as tasks_table
from pilothouse.store.talk import questions
from pilothouse.store.task import attempts, output, steps, tasks
from tests.crash.journal import Journal
from tests.crash.scripts import ANSWER

S = TaskStatus
ONCE: dict[str, tuple[str, ...]] = {
    "project.added": ("project_id",),
    "session.created": (),
    "task.started": (),
    "task.awaiting": ("attempt",),
    "task.completed": ("attempt",),
    "task.failed": ("attempt",),
    "task.cancelled": (),
    "task.replied": ("attempt", "replayed", "question"),
    "task.resumed": ("attempt",),
    "task.applied": ("attempt",),
    "task.discarded": (),
    "task.committed": ("commit",),
    "task.rolled_back": ("rollback_id",),
    "task.rollback_undone": ("rollback_id",),
    "attempt.started": ("attempt",),
    "attempt.finished": ("attempt",),
    "step.started": ("step_id",),
    "step.finished": ("step_id",),
    "step.tool_started": ("step_id", "tool_id"),
    "step.tool_finished": ("step_id", "tool_id"),
    "question.asked": ("questionId",),
    "question.answered": ("questionId",),
    "runner.started": ("boot_id",),
}
"""What makes an event of this type the only one of its kind within its session and task."""
STATUS_TOLD = {
    S.AWAITING_RESPONSE: "task.awaiting",
    S.COMPLETE: "task.completed",
    S.CANCELLED: "task.cancelled",
    S.ERROR: "task.failed",
}
TELLS = {
    "hold": "workspace.held",
    "release": "workspace.released",
    "reply": "task.replied",
    "resume": "task.resumed",
    "apply": "task.resumed to apply",
    "discard": "task.discarded",
    "rollback": "task.rolled_back",
    "undo": "task.rollback_undone",
    "commit": "task.committed",
}
"""The event that tells of a person's action, one each."""


def all_tasks(c: Connection) -> list[Task]:
    ids = c.execute(select(tasks_table.c.id).order_by(tasks_table.c.place)).scalars()
    return [task for id in ids if (task := tasks.get(c, id))]


def check_log(c: Connection) -> None:
    """The chain holds, nothing is missing, and nothing is told twice."""
    report = events.verify(c)
    assert report.ok, report.why
    told = events.after(c, 0, 100_000)
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    twice = [key for key, count in Counter(filter(None, map(_key, told))).items() if count > 1]
    assert not twice


def _key(event: Event) -> tuple[Any, ...] | None:
    names = ONCE.get(event.type)
    if names is None:
        return None
    data = event.data.model_dump()
    return (event.type, event.session_id, event.task_id, *(data[name] for name in names))


def check_rows(c: Connection) -> None:
    """Every task, attempt, step and question says what its events say."""
    for task in all_tasks(c):
        told = events.of_task(c, task.id, limit=10_000)
        assert task.status is not S.RUNNING, "a ghost: nothing runs"
        assert task.runner is None
        if task.never_started:
            assert not told, "a task that never started left a trace"
        if task.status in STATUS_TOLD:
            _told_last(task, told)
        _check_attempts(c, task, told)
        _check_questions(c, task, told)


def _told_last(task: Task, told: list[Event]) -> None:
    last = [event for event in told if event.type in STATUS_TOLD.values()][-1]
    assert last.type == STATUS_TOLD[task.status]
    assert last.data.attempt == task.attempt


def _check_attempts(c: Connection, task: Task, told: list[Event]) -> None:
    made = attempts.of_task(c, task.id)
    assert [attempt.number for attempt in made] == list(range(1, task.attempt + 1))
    finished = [event.data.attempt for event in told if event.type == "attempt.finished"]
    assert finished == [attempt.number for attempt in made if attempt.finished_at]
    assert all(attempt.finished_at and attempt.outcome for attempt in made), "an attempt that nobody ended"
    started = {event.data.attempt: event.data.checkpoint for event in told if event.type == "attempt.started"}
    known = {attempt.number: attempt.checkpoint for attempt in made}
    assert started.items() <= known.items()
    taken = steps.of_task(c, task.id)
    assert all(step.finished_at and step.outcome for step in taken), "a step that nobody ended"
    # What a dry run had done stays in its scratch.
    worked = {attempt.number for attempt in attempts.in_workspace(c, task)}
    assert all(step.checkpoint for step in taken if step.attempt in worked), "a step whose state is not kept"
    for which in ("step.started", "step.finished"):
        assert [e.data.step_id for e in told if e.type == which] == [step.id for step in taken]
    for attempt in made:
        text, _, total = output.page(c, task.id, attempt.number, 0, 1_000_000)
        assert len(text.encode()) == total, "output with a gap"


def _check_questions(c: Connection, task: Task, told: list[Event]) -> None:
    asked = questions.of_task(c, task.id)
    assert {q.id for q in asked} == {e.data.questionId for e in told if e.type == "question.asked"}
    answered = {q.id for q in asked if q.answered_at}
    assert answered == {e.data.questionId for e in told if e.type == "question.answered"}
    replied = [(e.data.reply, e.data.replayed) for e in told if e.type == "task.replied"]
    assert replied == [(reply.content, reply.replayed) for reply in task.replies]


def check_promises(c: Connection, journal: Journal) -> None:
    """What returned to the person is there once; what did not return is there once or not at all."""
    found = all_tasks(c)
    texts = Counter(task.prompt for task in found)
    begun = {row["task"] for row in journal.tried("cancel")}
    for row in journal.promised("submit"):
        assert texts[row["text"]] == 1 or row["task"] in begun, "a lost task"
    assert set(texts) <= {row["text"] for row in journal.tried("submit")}
    assert max(texts.values(), default=1) == 1, "a doubled task"
    made = c.execute(select(sessions_table.c.id)).scalars().all()
    assert {task.session_id for task in found} == set(made) or not found
    assert len(made) <= 1
    by_id = {task.id: task for task in found}
    _check_replies(by_id, journal)
    for row in journal.promised("cancel"):
        assert row["task"] not in by_id or by_id[row["task"]].status is S.CANCELLED
        assert row["attempt"] == 0 or row["task"] in by_id
    for row in journal.promised("resume"):
        task = by_id[row["task"]]
        assert task.attempt > row["attempt"] or (task.status, task.resume_mode is not None) == (S.QUEUED, True)
    for row in journal.promised("apply"):
        assert by_id[row["task"]].attempt > row["attempt"] or by_id[row["task"]].status is S.QUEUED
    for row in journal.promised("discard"):
        assert by_id[row["task"]].verdict is Verdict.PROPOSED
    told = Counter(_tells(event) for event in events.after(c, 0, 100_000) if not _of_replay(event))
    for action, type_ in TELLS.items():
        assert len(journal.promised(action)) <= told[type_] <= len(journal.tried(action)), f"{action} lost or doubled"


def _tells(event: Event) -> str:
    applies = event.type == "task.resumed" and event.data.mode == AttemptMode.APPLY
    return f"{event.type} to apply" if applies else event.type


def _of_replay(event: Event) -> bool:
    """What the engine did by itself while it ran a task again."""
    return event.type in ("task.rolled_back", "task.replied") and (
        event.data.model_dump().get("replay") or event.data.model_dump().get("replayed")
    )


def _check_replies(by_id: dict[str, Task], journal: Journal) -> None:
    for id, task in by_id.items():
        given = [reply for reply in task.replies if not reply.replayed]
        promised, tried = journal.promised("reply", task=id), journal.tried("reply", task=id)
        assert len(promised) <= len(given) <= len(tried), "a lost or doubled reply"
        assert all(reply.content == ANSWER for reply in given)


def check_hold(held: bool, journal: Journal) -> None:
    """The person's hold and release, the last of which may not have returned."""
    deeds = [row["action"] for row in journal.lines("did") if row["action"] in ("hold", "release")]
    tries = [row["action"] for row in journal.lines("try") if row["action"] in ("hold", "release")]
    assert held in {_held(deeds), _held(tries)}


def _held(deeds: list[str]) -> bool:
    return bool(deeds) and deeds[-1] == "hold"


def check_order(c: Connection) -> None:
    """Tasks of a workspace start in the order they were submitted in."""
    started = [event.task_id for event in events.after(c, 0, 100_000) if event.type == "task.started"]
    assert started == [task.id for task in all_tasks(c) if task.id in started]


def check_workspace_is_clean(repo: Path) -> None:
    """No lock and no temporary file of ours is left where the person works."""
    left = [*(repo / ".git").rglob("*.lock"), *(repo / ".git").glob("pilothouse*")]
    left += [path for path in repo.rglob("?*.pilothouse*") if path.relative_to(repo).parts[0] != ".git"]
    assert not left


def check_no_stray(seconds: int) -> None:
    """Children that forked twice or cleared their environment; `seconds` is what tells them from others' children."""
    found = [tree.command(entry.pid) for entry in tree.table().values() if not entry.zombie]
    assert not [command for command in found if command == f"sleep {seconds}"]


def check_mirror(c: Connection, data_dir: Path) -> None:
    """Every file of the mirror is JSON and agrees with the database."""
    everything = [path for path in data_dir.glob("*/**/*.json") if path.parts[-3:-2] != ("agents",)]
    assert all(orjson.loads(path.read_bytes()) is not None for path in everything)
    for id in c.execute(select(sessions_table.c.id)).scalars():
        session = sessions.get(c, id)
        assert session is not None
        folder = data_dir / session.project_id / session.slug
        read = {name: orjson.loads((folder / name).read_bytes()) for name in PER_SESSION}
        assert read["session.json"]["id"] == id
        shown = [event["eventType"] for event in read["events.json"]["events"]]
        assert shown == [event.type for event in events.after(c, 0, 100_000, id)]
        asked = [question["id"] for question in read["questions.json"]["questions"]]
        assert asked == [question.id for question in questions.of_session(c, id)]
        assert not read["progress.json"]["isExecuting"]
        index = orjson.loads((folder.parent / "index.json").read_bytes())
        assert [row["id"] for row in index["sessions"]] == [id]
