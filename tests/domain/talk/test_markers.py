from __future__ import annotations

import codecs
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilothouse.domain.talk.marker_contents import contents
from pilothouse.domain.talk.markers import ALONE, BODY_LIMIT, LINE_LIMIT, Marker, MarkerName, MarkerParser, parse

N = MarkerName
PIECES = st.sampled_from(
    [
        *(f"[{name}]\n" for name in N),
        *(f"[/{name}]\n" for name in N),
        '[DECISION_NEEDED priority="1" category="scope"]\n',
        '[PLAN_STEP id="1" status="pending"]',
        "[STEP_COMPLETE id='a'",
        '[PLAN_FILE path="a]b"]\r\n',
        *(
            "```\n",
            "~~~~\n",
            "````\n",
            "```python\n",
            "`",
            "\n",
            "\r",
            "[",
            "]",
            "[/",
            '"',
            "=",
            "\\",
            "\x00",
            "\ud800",
        ),
        *("- Option A: one (recommended)\n", "- Option B: two\n", "Which?\n", "status: BLOCKED\n", "progress: 999\n"),
    ]
)


def chopped(text: str, cuts: list[int]) -> list[Marker]:
    parser, found, last = MarkerParser(), [], 0
    for cut in sorted({min(cut, len(text)) for cut in cuts}):
        found += parser.feed(text[last:cut])
        last = cut
    return [*found, *parser.feed(text[last:]), *parser.close()]


@given(st.lists(PIECES | st.text(max_size=8), max_size=40).map("".join), st.lists(st.integers(0, 400), max_size=30))
@settings(max_examples=400)
def test_any_text_in_any_pieces_reads_the_same_and_raises_nothing(text: str, cuts: list[int]) -> None:
    """GRD-1"""
    whole = parse(text)
    assert chopped(text, cuts) == whole == chopped(text, list(range(len(text))))
    assert len(contents(text)) == len(whole)


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=20))
def test_any_bytes_in_any_pieces_read_the_same(data: bytes, cuts: list[int]) -> None:
    """GRD-1: cut in the middle of a character, too."""
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    edges = [0, *sorted({min(cut, len(data)) for cut in cuts}), len(data)]
    parser, found = MarkerParser(), []
    for start, end in pairwise(edges):
        found += parser.feed(decode(data[start:end]))
    found += parser.feed(decode(b"", final=True))
    assert [*found, *parser.close()] == parse(data.decode("utf-8", "replace"))


def seconds(text: str) -> float:
    parser, began = MarkerParser(), time.process_time()
    for start in range(0, len(text), 65_536):
        parser.feed(text[start : start + 65_536])
    parser.close()
    return time.process_time() - began


@pytest.mark.parametrize(
    "unit",
    [
        "a line of prose that says nothing, and takes its time to say that it says nothing at all\n",
        "x",
        '[DECISION_NEEDED priority="1"]\n' + "words of a question that is never closed\n" * 20,
        '[PLAN_FILE path="' + "a=" * 2000 + "\n",
    ],
    ids=["prose", "one line", "unclosed", "garbled"],
)
def test_ten_times_the_text_takes_about_ten_times_as_long(unit: str) -> None:
    """GRD-1: 1 MB against 10 MB; whoever reads again what was read takes a hundred times as long."""
    text = unit * (1_000_000 // len(unit))
    assert any(seconds(text * 10) < 40 * max(seconds(text), 0.001) for _ in range(3))


def test_what_is_kept_of_endless_text_is_bounded() -> None:
    """GRD-1"""
    parser = MarkerParser()
    parser.feed("[STEP_COMPLETE id=1]\n")
    for _ in range(200):
        parser.feed("y" * 10_000)
        parser.feed("z" * 10_000 + "\n")
    (found,) = parser.close()
    assert found.damaged
    assert not found.closed
    assert len(found.body) <= BODY_LIMIT
    assert max(len(line) for line in found.body.split("\n")) <= LINE_LIMIT


@pytest.mark.parametrize("name", list(N))
def test_every_marker_is_known_alone_on_its_line(name: MarkerName) -> None:
    """GRD-1"""
    text = f"before\n  [{name}]  \nbody\n[/{name}]\nafter\n"
    assert parse(text) == [Marker(name, {}, "" if name in ALONE else "body", 2)]


@pytest.mark.parametrize(
    "line",
    [
        "[decision_needed]",
        "[Decision_Needed]",
        "Use [DECISION_NEEDED] when you must ask.",
        "[DECISION_NEEDED] and more",
        "`[DECISION_NEEDED]`",
        "> [DECISION_NEEDED]",
        "- [DECISION_NEEDED]",
        "[DECISION_NEEDED](link)",
        "[DECISION_NEEDED_NOW]",
        "[DECISION_NEEDED: which?]",
        "[DECISION_NEEDED is what you write",
        "[UNKNOWN]",
        "[]",
        "[",
        "DECISION_NEEDED",
    ],
)
def test_a_marker_in_other_letters_or_company_is_none(line: str) -> None:
    """GRD-1: own line, case-sensitive."""
    assert parse(f"{line}\nWhich?\n[/OTHER]\n") == []


@pytest.mark.parametrize(
    ("opens", "closes"),
    [("```", "```"), ("```text", "```"), ("````", "````"), ("~~~", "~~~"), ("   ```", "   ```"), ("```", "`````")],
)
def test_nothing_inside_a_code_fence_is_a_marker(opens: str, closes: str) -> None:
    """GRD-1"""
    text = f"{opens}\n[PLAN_APPROVED]\n{closes}\n[PLAN_APPROVED]\n"
    assert [marker.line for marker in parse(text)] == [4]


@pytest.mark.parametrize("inner", ["```", "~~~", "````text", "    ```` x"])
def test_a_fence_is_closed_by_its_own_kind_alone(inner: str) -> None:
    """GRD-1"""
    assert parse(f"````\n{inner}\n[PLAN_APPROVED]\n````\n") == []


def test_code_within_a_line_opens_no_fence() -> None:
    """GRD-1"""
    assert len(parse("``` is how a fence begins: ```x```\n[PLAN_APPROVED]\n```inline``` \n[PLAN_APPROVED]\n")) == 2
    assert len(parse("```inline``` words\n[PLAN_APPROVED]\n")) == 1


def test_a_closing_line_inside_a_fence_closes_nothing() -> None:
    """GRD-1"""
    (found,) = parse("[STEP_COMPLETE id=1]\n```\n[/STEP_COMPLETE]\n```\nrest\n[/STEP_COMPLETE]\n")
    assert found.body == "```\n[/STEP_COMPLETE]\n```\nrest"
    assert found.sound


@pytest.mark.parametrize(
    ("line", "attributes", "damaged"),
    [
        ('[PLAN_STEP status="pending" id="1"]', {"status": "pending", "id": "1"}, False),
        ("[PLAN_STEP id='1'  parent=step-2]", {"id": "1", "parent": "step-2"}, False),
        ("[PLAN_STEP id=“1”, status=“done”]", {"id": "1", "status": "done"}, False),
        ('[PLAN_STEP id="a ] b" x="c \\" d"]', {"id": "a ] b", "x": 'c " d'}, False),
        ('[PLAN_STEP id="1" id="2"]', {"id": "1"}, False),
        ('[PLAN_STEP id="1" pending]', {"id": "1"}, True),
        ('[PLAN_STEP ="x" id="1"]', {"id": "1"}, True),
        ('[PLAN_STEP id= status="x"]', {"id": "", "status": "x"}, True),
        ('[PLAN_STEP id="1]', {"id": "1"}, True),
        ('[PLAN_STEP id="1"', {"id": "1"}, True),
        ("[PLAN_STEP", {}, True),
        ('[PLAN_STEP id="', {"id": ""}, True),
    ],
)
def test_attributes_in_any_order_and_as_far_as_they_can_be_read(
    line: str, attributes: dict[str, str], damaged: bool
) -> None:
    """GRD-1"""
    (found,) = parse(f"{line}\nTitle\n[/PLAN_STEP]")
    assert (found.attributes, found.damaged, found.closed) == (attributes, damaged, True)


def test_an_unclosed_marker_ends_where_the_next_begins() -> None:
    """GRD-1"""
    first, second, third = parse(
        "[PLAN_STEP id=1]\nOne\n\n[PLAN_STEP id=2]\nTwo\n[/STEP_COMPLETE]\n[PLAN_STEP id=3]\nThree"
    )
    assert [first.body, second.body, third.body] == ["One", "Two", "Three"]
    assert not any((first.closed, second.closed, third.closed))


def test_a_review_holds_its_decisions() -> None:
    """GRD-1"""
    text = (
        "[REVIEW_CHECKPOINT]\n## Findings\n[DECISION_NEEDED]\nOne?\n[/DECISION_NEEDED]\nbetween\n"
        "[DECISION_NEEDED]\nTwo?\n[/REVIEW_CHECKPOINT]\n[PLAN_APPROVED]\n"
    )
    one, two, frame, approved = parse(text)
    assert [(one.body, one.closed), (two.body, two.closed)] == [("One?", True), ("Two?", False)]
    assert one.within is two.within is N.REVIEW_CHECKPOINT
    assert (frame.body, frame.closed) == ("## Findings\nbetween", True)
    assert approved.within is None


def test_a_second_review_ends_an_unclosed_first() -> None:
    """GRD-1"""
    first, second = parse("[REVIEW_CHECKPOINT]\none\n[REVIEW_CHECKPOINT]\ntwo\n[/REVIEW_CHECKPOINT]\n")
    assert [(first.body, first.closed), (second.body, second.closed)] == [("one", False), ("two", True)]


def test_a_marker_without_a_body_leaves_the_open_one_open() -> None:
    """GRD-1"""
    alone, around = parse("[STEP_COMPLETE id=1]\na\n[PLAN_MODE_EXITED]\n[/PLAN_MODE_EXITED]\nb\n[/STEP_COMPLETE]")
    assert (alone.name, alone.within) == (N.PLAN_MODE_EXITED, N.STEP_COMPLETE)
    assert (around.body, around.closed) == ("a\nb", True)


def test_markers_come_as_soon_as_they_are_complete() -> None:
    """GRD-1"""
    parser = MarkerParser()
    assert parser.feed("[STEP_COMPLETE id=1]\nDone.\n[/STEP_COMPLETE]") == []
    assert [marker.name for marker in parser.feed("\n[PLAN_APPROVED]\n")] == [N.STEP_COMPLETE, N.PLAN_APPROVED]
    assert parser.close() == []
