"""Draws a session's files from the database, in the layout that people and agents read.

Fields that belong to feature sessions are null, 0 or empty in a chat.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import Connection, func, select

from pilothouse.domain.guard.breaker import BreakerChange
from pilothouse.domain.session.session import Session
from pilothouse.domain.task.task import Attempt, Step, Task, TaskStatus
from pilothouse.store.agent import usage
from pilothouse.store.guard import holds
from pilothouse.store.session import projects, workspaces
from pilothouse.store.tables.event import events as events_table
from pilothouse.store.tables.session import sessions as sessions_table
from pilothouse.store.tables.task import steps as steps_table
from pilothouse.store.tables.task import tasks as tasks_table
from pilothouse.store.talk import questions
from pilothouse.store.task import attempts, contexts, output, steps, stuck_reports, tasks

VERSION = "1.0"
EVENTS_SHOWN = 5000
TAIL_BYTES = 4096

Documents = dict[str, dict[str, Any]]


def of_session(c: Connection, session: Session, max_calls: int, now: datetime) -> Documents:
    newest, attempt, taken = _current(c, session.id)
    history = holds.of_session(c, session.id).breaker.history
    return {
        "session.json": _session(c, session, newest),
        "questions.json": _questions(c, session),
        "events.json": _events(c, session),
        "status.json": _status(c, session, newest, taken, max_calls, now),
        "progress.json": _progress(c, session, newest, attempt, taken, now),
        **({".circuit_breaker_history": _breaker_history(history)} if history else {}),
    }


def _breaker_history(history: tuple[BreakerChange, ...]) -> dict[str, Any]:
    return {
        "transitions": [
            {
                "timestamp": change.at,
                "from": change.source,
                "to": change.target,
                "trigger": change.trigger,
                "spawnCount": change.spawn_count,
                "context": change.context,
            }
            for change in history
        ]
    }


def texts(c: Connection, session_id: str) -> dict[str, str]:
    """The session's contexts and stuck reports, by file name: people and later tasks read them."""
    kept = {context.file_name: context.text for context in contexts.of_session(c, session_id)}
    reports = {f"stuck_{report.task_id}.md": report.markdown() for report in stuck_reports.of_session(c, session_id)}
    return kept | reports


def progress(c: Connection, session: Session, now: datetime) -> dict[str, Any]:
    newest, attempt, taken = _current(c, session.id)
    return _progress(c, session, newest, attempt, taken, now)


def index(c: Connection, project_id: str) -> dict[str, Any]:
    """The project's list of sessions. It has no times of activity, so that it does not change with every event."""
    t = sessions_table.c
    query = select(t.id, t.slug, t.title, t.kind, t.status, t.archived, t.deleted, t.created_at)
    listed = [
        {
            "id": row.id,
            "featureId": row.slug,
            "title": row.title,
            "kind": row.kind,
            "status": row.status,
            "archived": row.archived,
            "deleted": row.deleted,
            "createdAt": row.created_at,
        }
        for row in c.execute(query.where(t.project_id == project_id).order_by(t.created_at, t.id))
    ]
    return {"version": VERSION, "projectId": project_id, "sessions": listed}


def all_projects(c: Connection) -> dict[str, Any]:
    return {"version": VERSION, "projects": {project.id: project.path for project in projects.all(c)}}


def encode(document: dict[str, Any]) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def _current(c: Connection, session_id: str) -> tuple[Task | None, Attempt | None, list[Step]]:
    """The task that the list shows for the session, with its newest attempt and that attempt's steps."""
    query = select(sessions_table.c.current_task_id).where(sessions_table.c.id == session_id)
    found = c.execute(query).scalar()
    task = tasks.get(c, found) if found else None
    if task is None:
        return None, None, []
    return task, attempts.get(c, task.id, task.attempt), steps.of_task(c, task.id, task.attempt)


def _session(c: Connection, session: Session, newest: Task | None) -> dict[str, Any]:
    project, workspace = projects.get(c, session.project_id), workspaces.get(c, session.workspace_id)
    first = tasks.of_session(c, session.id, 0, 1)
    return {
        "version": VERSION,
        "id": session.id,
        "projectId": session.project_id,
        "featureId": session.slug,
        "kind": session.kind,
        "title": session.title,
        "featureDescription": first[0].prompt if first else "",
        "projectPath": project.path if project else "",
        "workspacePath": workspace.path if workspace else "",
        "acceptanceCriteria": [],
        "affectedFiles": [],
        "technicalNotes": "",
        "baseBranch": session.base_branch,
        "featureBranch": workspace.branch if workspace else None,
        "baseCommitSha": session.base_commit,
        "status": session.status,
        "archived": session.archived,
        "deleted": session.deleted,
        "agent": session.agent,
        "currentStage": 0,
        "replanningCount": 0,
        "claudeSessionId": newest.agent_session if newest else None,
        "claudePlanFilePath": None,
        "currentPlanVersion": 0,
        "sessionExpiresAt": None,
        "createdAt": session.created_at,
        "updatedAt": session.updated_at,
    }


def _questions(c: Connection, session: Session) -> dict[str, Any]:
    asked = [
        {
            "id": question.id,
            "taskId": question.task_id,
            "stage": None,
            "questionType": question.kind,
            "questionText": question.text,
            "options": [option.model_dump() for option in question.options],
            "answer": None if question.answer is None else {"value": question.answer},
            "isRequired": True,
            "priority": 1,
            "askedAt": question.asked_at,
            "answeredAt": question.answered_at,
        }
        for question in questions.of_session(c, session.id)
    ]
    return {"version": VERSION, "sessionId": session.id, "questions": asked}


def _events(c: Connection, session: Session) -> dict[str, Any]:
    """The newest events and the number of all, so that the file stays small however long the session is."""
    t = events_table.c
    mine = t.session_id == session.id
    total = c.execute(select(func.count()).where(mine)).scalar_one()
    query = select(t.seq, t.at, t.task_id, t.type, t.data).where(mine).order_by(t.seq.desc()).limit(EVENTS_SHOWN)
    shown = [
        {
            "id": str(row.seq),
            "seq": row.seq,
            "eventType": row.type,
            "stage": None,
            "taskId": row.task_id,
            "payload": orjson.Fragment(row.data),
            "createdAt": row.at,
        }
        for row in reversed(c.execute(query).all())
    ]
    return {"version": VERSION, "sessionId": session.id, "totalEvents": total, "events": shown}


_STATES = {
    TaskStatus.RUNNING: "executing",
    TaskStatus.AWAITING_RESPONSE: "waiting",
    TaskStatus.QUEUED: "queued",
    TaskStatus.ERROR: "error",
}


def _status(
    c: Connection, session: Session, newest: Task | None, taken: list[Step], max_calls: int, now: datetime
) -> dict[str, Any]:
    hour = now.replace(minute=0, second=0, microsecond=0)
    guards = holds.of_session(c, session.id)
    mine = select(tasks_table.c.id).where(tasks_table.c.session_id == session.id)
    spawned = select(func.count()).where(steps_table.c.task_id.in_(mine))
    return {
        "version": VERSION,
        "sessionId": session.id,
        "timestamp": session.updated_at,
        "currentStage": 0,
        "currentStepId": taken[-1].id if taken and taken[-1].finished_at is None else None,
        "status": _STATES.get(newest.status, "idle") if newest else "idle",
        "claudeSpawnCount": c.execute(spawned).scalar_one(),
        "callsThisHour": usage.begun_since(c, hour),
        "maxCallsPerHour": max_calls,
        "nextHourReset": hour + timedelta(hours=1),
        "circuitBreakerState": guards.breaker.state,
        "lastOutputLength": output.total(c, newest.id, newest.attempt) if newest else 0,
        "exitSignals": {
            "testOnlySpawns": guards.signals.test_only,
            "completionSignals": guards.signals.completion,
            "noProgressSpawns": guards.signals.no_progress,
        },
        "lastAction": newest.milestone if newest else "",
        "lastActionAt": session.updated_at,
    }


def _progress(
    c: Connection, session: Session, newest: Task | None, attempt: Attempt | None, taken: list[Step], now: datetime
) -> dict[str, Any]:
    executing = newest is not None and newest.status is TaskStatus.RUNNING
    started = attempt.started_at if attempt else None
    until = now if executing else (attempt.finished_at or session.updated_at) if attempt else None
    return {
        "version": VERSION,
        "sessionId": session.id,
        "isExecuting": executing,
        "startedAt": started,
        "elapsedSeconds": max(0, int((until - started).total_seconds())) if started and until else 0,
        "lastOutputLine": _last_line(c, newest) if newest else "",
        "filesModifiedThisStep": taken[-1].files_changed if taken else 0,
        "testsStatus": "NOT_RUN",
        "estimatedProgress": 100 if newest is not None and newest.status is TaskStatus.COMPLETE else 0,
    }


def _last_line(c: Connection, task: Task) -> str:
    total = output.total(c, task.id, task.attempt)
    text, _, _ = output.page(c, task.id, task.attempt, max(0, total - TAIL_BYTES), TAIL_BYTES)
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:500] if lines else ""
