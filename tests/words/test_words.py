from __future__ import annotations

import copy
import pickle

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pilothouse.domain.event.talk import Option
from pilothouse.errors import Conflict, message_of
from pilothouse.server.schemas.talk import OptionOut
from pilothouse.store.tables.columns import Document
from pilothouse.words import (
    Said,
    chained,
    first_sentence,
    noted,
    of_this_machine,
    preferred,
    recalled,
    say,
    sentences,
)
from pilothouse.words.fields import STORED, Saying, Words

PROBLEM = say("input.wrong", field=say("field.text"), problem="is long")


def test_a_sentence_is_text_that_knows_how_it_was_made() -> None:
    """PLT-11"""
    assert PROBLEM == "The message is long."
    assert (PROBLEM.code, PROBLEM.params["field"]) == ("input.wrong", "The message")


def test_a_number_decides_the_form_and_is_written_as_an_amount() -> None:
    """PLT-11"""
    assert say("agent_yaml.problems", count=1) == "There is one problem in all."
    assert say("agent_yaml.problems", count=10_000) == "There are 10,000 problems in all."


def test_a_copy_knows_it_too() -> None:
    for twin in (copy.deepcopy(PROBLEM), pickle.loads(pickle.dumps(PROBLEM))):  # noqa: S301 - our own
        assert isinstance(twin, Said)
        assert (twin, twin.code, twin.params) == (PROBLEM, PROBLEM.code, PROBLEM.params)


def test_sentences_are_joined_and_nothing_is_left_out_but_what_is_empty() -> None:
    assert sentences("", "One.", "", "Two.") == "One. Two."
    assert sentences("", "") == ""


def test_what_was_joined_still_knows_its_parts() -> None:
    """PLT-11"""
    joined = sentences(PROBLEM, say("task.unknown"), "Plain.")
    assert first_sentence(joined) is PROBLEM
    assert first_sentence("Plain.") == "Plain."
    assert chained([PROBLEM, "plain"]) == f"{PROBLEM}; plain"


def test_an_error_gives_its_sentence_back_whatever_kind_it_is() -> None:
    """PLT-11"""
    assert message_of(Conflict(PROBLEM)) is PROBLEM
    assert message_of(FileNotFoundError(PROBLEM)) is PROBLEM
    assert message_of(OSError(2, "No such file")) == "[Errno 2] No such file"
    assert message_of(OSError()) == ""


@given(st.text())
def test_what_is_noted_comes_back_as_it_was(text: str) -> None:
    """PLT-11"""
    for given_text in (text, f"{text}\x1f", f'{text}\x1f{{"code":"both"}}', say("both", first=text, second=PROBLEM)):
        again = recalled(noted(given_text))
        assert again == given_text
        assert type(again) is type(given_text)


def test_what_an_older_version_stored_is_read_as_text() -> None:
    """BYD-6"""
    for text in ("plain", "with \x1f in it", 'and {"code": 1}', "\x1f[]", '\x1f{"code":"a","params":{"b":{}}}'):
        assert recalled(text) == text


class Answer(BaseModel):
    text: Words


class Fact(Saying):
    text: str


def test_a_table_keeps_the_code_and_an_answer_shows_the_words() -> None:
    """PLT-11"""
    answer = Answer(text=PROBLEM)
    assert answer.model_dump(mode="json") == {"text": "The message is long."}
    kept = Answer.model_validate_json(answer.model_dump_json(context=STORED)).text
    assert isinstance(kept, Said)
    assert kept == PROBLEM


def test_an_event_keeps_english_and_how_it_was_made_beside_it() -> None:
    """BYD-6"""
    told = Fact(text=PROBLEM).model_dump(mode="json")
    assert told["text"] == "The message is long."
    assert told["said"]["text"]["code"] == "input.wrong"
    assert Fact(text="plain").model_dump() == {"text": "plain"}


def test_an_option_of_ours_keeps_its_code() -> None:
    """PLT-11 BYD-6"""
    shape = Document(tuple[Option, ...]).adapter
    written = shape.dump_json((Option(value="approve", label=say("question.approve")), Option(value="a", label="A")))
    ours, theirs = shape.validate_json(written)
    assert (ours.label, ours.said["label"].code, theirs.said) == ("Approve", "question.approve", {})
    assert b'"said":{}' not in written
    shown = OptionOut.of(ours).label
    assert isinstance(shown, Said)
    assert (shown.code, OptionOut.of(theirs).label) == ("question.approve", "A")


def test_without_another_language_english_is_preferred() -> None:
    assert preferred("de-AT,de;q=0.9,en;q=0.1") == "en"
    assert of_this_machine() == "en"
