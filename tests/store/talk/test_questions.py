from __future__ import annotations

from dataclasses import replace

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.event.talk import Option
from pilothouse.domain.talk.questions import Question
from pilothouse.errors import Conflict
from pilothouse.store.database import Store
from pilothouse.store.talk import questions
from tests.store.samples import NOW

pytestmark = pytest.mark.usefixtures("furnished")


async def test_a_question_is_answered_once(store: Store, clock: ManualClock) -> None:
    """WEB-5"""
    options = (Option(value="A", label="Flat", recommended=True), Option(value="B", label="Nested"))
    asked = Question("q", "s", "t", 1, "single_choice", "Which structure?", NOW, options)
    await store.write(lambda tx: questions.ask(tx, asked))
    assert await store.read(lambda c: questions.open_of_task(c, "t")) == [asked]
    answered = await store.write(lambda tx: questions.answer(tx, "q", "A", replayed=True))
    assert answered == replace(asked, answer="A", answered_at=clock.now(), replayed=True)
    assert await store.read(lambda c: questions.open_of_task(c, "t")) == []
    assert await store.read(lambda c: questions.of_session(c, "s")) == [answered]
    assert await store.read(lambda c: questions.of_task(c, "t")) == [answered]
    with pytest.raises(Conflict):
        await store.write(lambda tx: questions.answer(tx, "q", "B"))
