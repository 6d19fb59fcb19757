from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.talk.answers import LIMIT, asked_for, invalid, read_answer, require_answer

PIECES = st.sampled_from(
    ["[ANSWER]", "[/ANSWER]", "\n", "\r\n", "```", "```json\n", "~~~~\n", '{"a": 1}', "{", "}", "[", '"', "words",
     "\x00", "\ud800", '"\\ud800"', '{"a": "\\u0000"}', "NaN", "1e999", "9" * 400, "[" * 2000, '{"a": ' * 2000]
)  # fmt: skip
LEAVES = st.none() | st.booleans() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@pytest.mark.parametrize(
    "text",
    [
        '[ANSWER]\n{"a": 1}\n[/ANSWER]',
        'I looked.\r\n  [ANSWER]  \r\n{\r\n"a": 1\r\n}\r\n[/ANSWER]\r\nThat is all.',
        '[ANSWER]\n```json\n{"a": 1}\n```\n[/ANSWER]',
        '[ANSWER]\n\n~~~~\n{"a": 1}\n~~~~\n\n[/ANSWER]',
        '[ANSWER]\n{"a": 2}\n[/ANSWER]\nNo:\n[ANSWER]\n{"a": 1}\n[/ANSWER]',
        '[ANSWER]\nnothing yet\n[ANSWER]\n{"a": 1}\n[/ANSWER]',
        '```\n[ANSWER]\n{"a": 2}\n[/ANSWER]\n```\n[ANSWER]\n{"a": 1}\n[/ANSWER]',
        '[ANSWER]\n{"a": 1}\n[/ANSWER]\n```\n[ANSWER]\n{"a": 2}\n[/ANSWER]\n```',
        '[ANSWER]\n{"a": 1}',
        '[ANSWER]\n{"a": 1}\nAnd that is it.',
        '[ANSWER]\n```json\n{"a": 1}\n```\nAnd that is it.',
        '[ANSWER]\n```json\n{"a": 1}\n[/ANSWER]\n',
    ],
)
def test_the_last_answer_between_markers_is_read(text: str) -> None:
    """BYD-13"""
    assert read_answer(text) == {"a": 1}


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"a": 1}',
        'Write [ANSWER] {"a": 1} [/ANSWER].',
        '[answer]\n{"a": 1}\n[/answer]',
        '```\n[ANSWER]\n{"a": 1}\n[/ANSWER]\n```',
        '````\n```\n[ANSWER]\n{"a": 1}\n[/ANSWER]\n```\n````',
        "[ANSWER]\n[1]\n[/ANSWER]",
        "[ANSWER]\n[/ANSWER]",
        '[ANSWER]\n{"a": 1} {"b": 2}\n[/ANSWER]',
        '[ANSWER]\n{"a": 1\n[/ANSWER]',
        '[ANSWER]\n{"a": 1}\n[/ANSWER]\n[ANSWER]\nnever mind\n[/ANSWER]',
        '[ANSWER]\n{"a": NaN}\n[/ANSWER]',
        '[ANSWER]\n{"a": "\\u0000"}\n[/ANSWER]',
        '[ANSWER]\n{"a": "\\ud800"}\n[/ANSWER]',
    ],
)
def test_what_is_no_answer_is_none(text: str) -> None:
    """BYD-13"""
    assert read_answer(text) is None


def test_what_only_looks_like_a_nul_is_no_reason_to_refuse() -> None:
    """BYD-13"""
    value = {"a": "\\u0000", "b": "\\\\u0000"}
    assert read_answer(f"[ANSWER]\n{json.dumps(value)}\n[/ANSWER]") == value


@given(st.lists(PIECES | st.text()).map("".join))
def test_no_text_raises_and_what_is_read_can_be_kept(text: str) -> None:
    """BYD-13"""
    found = read_answer(text)
    if found is not None:
        assert orjson.loads(orjson.dumps(found)) == found


@given(st.dictionaries(st.text(), VALUES), st.sampled_from(["", "```json\n"]))
def test_every_object_that_can_be_kept_comes_back_as_it_was_written(value: dict[str, object], fence: str) -> None:
    """BYD-13"""
    try:
        require_answer(value)
    except ValueError:
        return
    written = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    assert read_answer(f"Here:\n[ANSWER]\n{fence}{written}\n{fence[:3]}\n[/ANSWER]\n") == orjson.loads(written)


@pytest.mark.parametrize("value", [[1], "a", None, {"a": "x" * LIMIT}, {"a": "\x00"}, {"a": 10**30}, {"a": "\ud800"}])
def test_what_cannot_be_kept_is_refused_with_a_reason(value: object) -> None:
    """BYD-13"""
    with pytest.raises(ValueError, match=r"^It .*\.$"):
        require_answer(value)


def test_an_agent_is_told_the_schema_and_both_ways_and_reads_no_answer_into_it() -> None:
    """BYD-13"""
    told = asked_for({"type": "object", "required": ["größe"]})
    assert '"größe"' in told
    assert "`answer`" in told
    assert "\n[ANSWER]\n{…}\n[/ANSWER]\n" in told
    assert read_answer(told) is None


def test_an_agent_that_is_asked_again_is_told_every_fault() -> None:
    """BYD-13"""
    assert invalid(["size: missing", "name: not a string"]).endswith("\n\n- size: missing\n- name: not a string\n")
