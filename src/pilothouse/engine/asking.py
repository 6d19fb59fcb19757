"""Questions of an agent, and the answers to them, as rows and events."""

from __future__ import annotations

from uuid import uuid4

from pilothouse.domain.events import Option, QuestionAnswered, QuestionAsked
from pilothouse.domain.question_records import Question
from pilothouse.domain.questions import Detection
from pilothouse.domain.tasks import Task
from pilothouse.store import questions
from pilothouse.store.database import Tx


def record_question(tx: Tx, task: Task, found: Detection) -> str:
    kind = "single_choice" if found.options else "text"
    options = tuple(Option(value=o.value, label=o.label, recommended=o.recommended) for o in found.options)
    question = Question(
        id=uuid4().hex,
        session_id=task.session_id,
        task_id=task.id,
        attempt=task.attempt,
        kind=kind,
        text=found.question,
        options=options,
        asked_at=tx.now,
    )
    questions.ask(tx, question)
    asked = QuestionAsked(
        sessionId=task.session_id, questionId=question.id, kind=kind, text=found.question, options=list(options)
    )
    tx.emit(asked, session_id=task.session_id, task_id=task.id)
    return question.id


def answer_question(tx: Tx, task: Task, question_id: str, answer: str, replayed: bool = False) -> None:
    questions.answer(tx, question_id, answer, replayed)
    answered = QuestionAnswered(sessionId=task.session_id, questionId=question_id, answer=answer, replayed=replayed)
    tx.emit(answered, session_id=task.session_id, task_id=task.id)
