"""Questions that an agent asks with a form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from acp.schema import ElicitationSchema

from pilothouse.agents.acp import forms
from pilothouse.domain.ports import AgentQuestion, QuestionOption
from tests.agents.acp.stage import staged

COLOURS = [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green, dark"}]
ONE = {"colour": {"type": "string", "oneOf": COLOURS}}
MANY = {
    "question_0": {"type": "string", "title": "Colour", "description": "Which colour?", "oneOf": COLOURS},
    "question_0_custom": {"type": "string", "title": "Other"},
    "question_1": {"type": "array", "description": "Which ones?", "items": {"anyOf": COLOURS}},
    "count": {"type": "integer", "title": "How many?"},
    "ratio": {"type": "number", "title": "How much?"},
    "sure": {"type": "boolean", "title": "Sure?"},
    "size": {"type": "string", "enum": ["S", "M"]},
    "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
    "note": {"type": "string", "description": "Which colour?"},
}


def form(properties: dict[str, Any], message: str = "Choose") -> forms.Form:
    return forms.read(message, ElicitationSchema.model_validate({"properties": properties}))


def test_each_field_becomes_a_question() -> None:
    """BYD-1"""
    colours = (QuestionOption("r", "Red"), QuestionOption("g", "Green, dark"))
    assert form(MANY).questions == (
        AgentQuestion("Which colour?", "Colour", colours),
        AgentQuestion("Which ones?", "", colours, several=True),
        AgentQuestion("How many?"),
        AgentQuestion("How much?"),
        AgentQuestion("Sure?", "", (QuestionOption("yes", "Yes"), QuestionOption("no", "No"))),
        AgentQuestion("size", "", (QuestionOption("S", "S"), QuestionOption("M", "M"))),
        AgentQuestion("tags", "", (QuestionOption("a", "a"), QuestionOption("b", "b")), several=True),
        AgentQuestion("Which colour? (note)"),
    )
    assert form(ONE, "Which colour?").questions == (AgentQuestion("Which colour?", "", colours),)


@pytest.mark.parametrize(
    ("question", "answer", "content"),
    [
        ("Which colour?", "r", {"question_0": "r"}),
        ("Which colour?", "green, DARK", {"question_0": "g"}),
        ("Which colour?", "Blue", {"question_0_custom": "Blue"}),
        ("Which ones?", "Green, dark, Red", {"question_1": ["g", "r"]}),
        ("Which ones?", "r", {"question_1": ["r"]}),
        ("How many?", "3", {"count": 3}),
        ("How much?", "0.5", {"ratio": 0.5}),
        ("Sure?", "Yes", {"sure": True}),
        ("Sure?", "no", {"sure": False}),
        ("Which colour? (note)", "free", {"note": "free"}),
        ("Never asked", "x", {}),
    ],
)
def test_answers_in_the_forms_own_terms(question: str, answer: str, content: dict[str, Any]) -> None:
    """BYD-1"""
    assert form(MANY).content({question: answer}) == content


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which ones?", "Red, Blue"),
        ("Which ones?", "Redder"),
        ("How many?", "a few"),
        ("Sure?", "maybe"),
        ("size", "L"),
    ],
)
def test_an_answer_that_fits_nowhere_is_not_bent(question: str, answer: str) -> None:
    """BYD-1"""
    with pytest.raises(forms.Misfit):
        form(MANY).content({question: answer})


async def test_a_form_ends_the_run_and_is_answered_on_the_open_request(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    first = await stage.play(["elicit", "Some questions", MANY], session="s1")
    assert first.end.outcome == "asked"
    assert first.text == "Some questions\n"
    assert [question.text for question in first.end.questions][:2] == ["Which colour?", "Which ones?"]
    answers = {"Which colour?": "Red", "Which ones?": "Red, Green, dark", "How many?": "2"}
    second = await stage.play(["x"], session="s1", resume=first.session, answers=answers)
    expected = {"question_0": "r", "question_1": ["r", "g"], "count": 2}
    assert json.loads(second.text) == {"action": "accept", "content": expected}
    await stage.agent.forget()


async def test_a_plain_reply_answers_a_form_of_one_question(tmp_path: Path) -> None:
    """BYD-1, RPL-3"""
    stage = staged(tmp_path)
    first = await stage.play(["elicit", "Which colour?", ONE], session="s1")
    second = await stage.play(["x"], session="s1", resume=first.session, reply="red")
    assert json.loads(second.text)["content"] == {"colour": "r"}
    await stage.agent.forget()


async def test_an_answer_that_fits_nowhere_is_said_in_words(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    first = await stage.play(["elicit", "Which colour?", ONE], ["say", "never"], session="s1")
    second = await stage.play(["echo"], session="s1", resume=first.session, answers={"Which colour?": "Blue"})
    assert second.text.endswith("The person answers your questions:\n- Which colour?\n  Blue")
    await stage.agent.forget()


async def test_when_the_process_is_gone_the_answers_are_said(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "resume")
    first = await stage.play(["elicit", "Which colour?", ONE])
    second = await stage.play(["echo"], resume=first.session, answers={"Which colour?": "Red"})
    assert second.session == first.session
    assert "- Which colour?\n  Red" in second.text


async def test_what_no_form_can_show_is_declined(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["browse", "https://example.org"], ["elicit", "Nothing", {}])
    assert told.text == '{"action": "decline"}' * 2
