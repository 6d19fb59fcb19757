"""Questions that agents asked, and what was answered."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, insert, select, update

from pilothouse.domain.talk.questions import Question
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.talk import questions
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(questions, Question)


def ask(tx: Tx, question: Question) -> Question:
    tx.conn.execute(insert(questions).values(values(question)))
    return question


def answer(tx: Tx, id: str, answer: str, replayed: bool = False) -> Question:
    query = update(questions).where(questions.c.id == id, questions.c.answered_at.is_(None))
    query = query.values(answer=answer, answered_at=tx.now, replayed=replayed)
    answered = build_first(Question, tx.conn.execute(query.returning(*_COLUMNS)))
    if answered:
        return answered
    if _select(tx.conn, questions.c.id == id):
        raise Conflict(say("question.answered"))
    raise NotFound(say("question.unknown"))


def open_of_task(c: Connection, task_id: str) -> list[Question]:
    """The questions a task asks now: one, or all of the form that its agent showed last."""
    found = _select(c, (questions.c.task_id == task_id) & questions.c.answered_at.is_(None))
    return [question for question in found if question.attempt == found[-1].attempt]


def of_task(c: Connection, task_id: str) -> list[Question]:
    return _select(c, questions.c.task_id == task_id)


def of_session(c: Connection, session_id: str) -> list[Question]:
    return _select(c, questions.c.session_id == session_id)


def _select(c: Connection, condition: ColumnElement[bool]) -> list[Question]:
    t = questions.c
    query = select(*_COLUMNS).where(condition).order_by(t.asked_at, t.attempt, t.number, t.id)
    return build_all(Question, c.execute(query))
