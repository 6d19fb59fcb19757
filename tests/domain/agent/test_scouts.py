from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pilothouse.domain.agent.scouts import (
    READ_LIMIT,
    BuildGuide,
    CodeMap,
    RelevantFile,
    Scout,
    read,
    reason_to_ask,
    section_of,
)
from pilothouse.domain.task.loop import Tried

CALC = RelevantFile(path="calc.py", purpose="adds")
PLAIN = '{"files": [{"path": "calc.py", "purpose": "adds"}]}'
MAP = CodeMap(files=(CALC,))

MESSY: dict[str, tuple[str, CodeMap]] = {
    "the object alone": (PLAIN, MAP),
    "inside a fence, with words around": (f"I looked around.\n\n```json\n{PLAIN}\n```\nThat is all.", MAP),
    "a fence without a language": (f"```\n{PLAIN}\n```", MAP),
    "a fence that is never closed": (f"```json\n{PLAIN}", MAP),
    "no fence, words on both sides": (f"Here it is: {PLAIN} (see above)", MAP),
    "the last of two counts": (f'{{"files": [{{"path": "old.py", "purpose": "x"}}]}} or rather {PLAIN}', MAP),
    "another object behind it": (f'{PLAIN}\nThe default is {{}} or {{"a": 1}}.', MAP),
    "braces of code before it": (f"def f(x): return {{x: {{1}}}}\nif (a) {{ b(); }}\n{PLAIN}", MAP),
    "wrapped in another object": (f'{{"report": {PLAIN}, "ok": true}}', MAP),
    "wrapped in a list": (f"[{PLAIN}]", MAP),
    "keys nobody asked for": ('{"files": [], "mood": "good", "confidence": 0.9}', CodeMap(files=())),
    "one entry without its list": ('{"files": [], "risks": "the cache"}', CodeMap(files=(), risks=("the cache",))),
    "null for an empty list": ('{"files": null, "risks": null}', CodeMap(files=())),
    "blank entries": ('{"files": [], "risks": ["", null, " x "]}', CodeMap(files=(), risks=("x",))),
    "files as a mapping": ('{"files": {"calc.py": "adds"}}', MAP),
    "one file without its list": ('{"files": {"path": "calc.py", "purpose": "adds"}}', MAP),
    "a line break inside a string": (
        '{"files": [], "risks": ["two\nlines"]}', CodeMap(files=(), risks=("two\nlines",)),
    ),
    "braces inside strings": ('{"files": [], "risks": ["a } and a {"]}', CodeMap(files=(), risks=("a } and a {",))),
    "a very long preface": ("{ " * 100_000 + PLAIN, MAP),
}  # fmt: skip


@pytest.mark.parametrize("name", MESSY)
def test_a_report_is_found_in_whatever_stands_around_it(name: str) -> None:
    """TSK-14"""
    text, report = MESSY[name]
    assert read(Scout.A, text).report == report


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no JSON object"),
        ("I could not find anything.", "no JSON object"),
        ('{"files": [', "no JSON object"),
        ("{'files': []}", "no JSON object"),
        ('{"risks": []}', "files: Field required"),
        ('{"files": ["calc.py"]}', "files.0: "),
        ('{"files": [{"path": "calc.py"}]}', "files.0.purpose: Field required"),
        ('{"files": [{"path": " ", "purpose": "x"}]}', "files.0.path: "),
        ('{"files": 3}', "files: "),
        ('{"files": [], "risks": [{"where": "x"}]}', "risks.0: "),
        ('{"files": 3, "risks": [{}]}\nwhere {"mood": 1}', "files: "),
        ('{"files": [1, 2, 3, 4, 5, 6, 7]}', "and 2 more"),
    ],
)
def test_what_is_wrong_is_said_so_that_the_scout_can_mend_it(text: str, problem: str) -> None:
    """TSK-14"""
    found = read(Scout.A, text)
    assert found.report is None
    assert problem in found.problem


@pytest.mark.parametrize(
    ("said", "flaky"),
    [("true", True), ("false", False), ('"yes"', True), ('"no"', False), ("null", None), ('"unknown"', None)],
)
def test_scout_b_says_whether_a_check_is_flaky_or_that_it_cannot_tell(said: str, flaky: bool | None) -> None:
    """TSK-14"""
    text = f'{{"build": [], "test": ["pytest -q"], "cause": "a race", "flaky": {said}}}'
    assert read(Scout.B, text, failing=True).report == BuildGuide(test=("pytest -q",), cause="a race", flaky=flaky)


def test_after_a_failure_scout_b_must_name_a_cause() -> None:
    """TSK-14"""
    text = '{"build": [], "test": ["pytest -q"], "cause": " ", "flaky": null}'
    assert read(Scout.B, text).report == BuildGuide(test=("pytest -q",), cause=" ")
    assert read(Scout.B, text, failing=True).problem.startswith("cause: ")
    assert read(Scout.B, '{"test": [], "cause": null}').report == BuildGuide(test=())


PIECES = st.sampled_from(
    [
        '{"files":',
        '{"test":',
        "[",
        "]",
        "{",
        "}",
        '"',
        "\\",
        ":",
        ",",
        "```json\n",
        '"path":"a"',
        "null",
        "1e999",
        "NaN",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join)), st.booleans())
@example('{"a":' * 3_000, True)
@example('{"files": [' * 2_000, False)
@example('{"files": ' + "9" * 5_000 + "}", False)
@example('{"files": [{"path": "\\ud800", "purpose": "x"}]}', False)
@example('{"test": "\\ud800", "cause": 3}', True)
def test_no_answer_makes_the_reader_stumble(text: str, failing: bool) -> None:
    """TSK-14"""
    for scout in Scout:
        found = read(scout, text, failing)
        assert (found.report is None) == bool(found.problem)
        found.problem.encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([*CodeMap.model_fields, *BuildGuide.model_fields]), JSON))
def test_no_json_makes_the_reader_stumble_and_every_report_can_be_told(value: dict[str, object]) -> None:
    """TSK-14"""
    for scout in Scout:
        found = read(scout, json.dumps(value))
        assert (found.report is None) == bool(found.problem)
        if found.report:
            assert section_of(scout, found.report).startswith("[Scout ")


def test_only_the_end_of_an_endless_answer_is_read() -> None:
    """TSK-14"""
    assert read(Scout.A, PLAIN + "." * READ_LIMIT).report is None
    assert read(Scout.A, "." * READ_LIMIT + PLAIN).report == MAP


def tried(*failures: tuple[str, str], answer: str = "I changed the level.") -> list[Tried]:
    last = len(failures)
    return [Tried(n, check, line, "" if n == last else answer) for n, (check, line) in enumerate(failures, 1)]


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (tried(("unit", "a"), ("unit", "b"), ("lint", "c")), "check changed: unit, then lint"),
        (tried(("unit", "a"), ("unit", "a"), ("unit", "a")), "same line failed 3 times: a"),
        (tried(("unit", "1 failed in 0.12s"), ("unit", "1 failed in 3s"), ("unit", "1 failed in 40 ms")), "same line"),
        (tried(("unit", "at 0x7f01"), ("unit", "at 0x7f02"), ("unit", "at 0x7f03")), "same line"),
        (tried(("unit", "a"), ("unit", "b"), ("unit", "c"), answer="I don't really understand it."), "not understand"),
        (tried(("unit", "a"), ("unit", "b"), ("unit", "c"), answer="It is unclear why it fails."), "not understand"),
        (tried(("unit", "a"), ("unit", "b"), ("unit", "c"), answer="I could not find the cause."), "not understand"),
        (tried(("unit", "a"), ("unit", "b"), ("unit", "c"), answer="原因は不明です。"), "not understand"),
    ],
)
def test_scouts_look_again_where_fixes_lead_nowhere(found: list[Tried], reason: str) -> None:
    """TSK-14"""
    assert reason in reason_to_ask(found)


@pytest.mark.parametrize(
    "found",
    [
        tried(("unit", "expected 5, got 1"), ("unit", "expected 5, got 2"), ("unit", "expected 5, got 3")),
        tried(("unit", "a"), ("unit", "b"), ("unit", "c"), answer="Now I understand the cause."),
        tried(("lint", "x"), ("unit", "a"), ("unit", "b"), ("unit", "c")),
        tried(("unit", "a"), ("unit", "a")),
        [],
    ],
)
def test_scouts_stay_away_where_fixes_get_somewhere(found: list[Tried]) -> None:
    """TSK-14"""
    assert reason_to_ask(found) == ""


def test_a_report_is_told_with_everything_in_it_and_never_without_end() -> None:
    """TSK-14"""
    code = section_of(Scout.A, MAP.model_copy(update={"risks": ("the cache",), "boundaries": ("vendor/",)}))
    for part in ("calc.py: adds", "- the cache", "- vendor/", "can be wrong"):
        assert part in code
    build = section_of(Scout.B, BuildGuide(build=("make",), test=("pytest",), cause="a race", flaky=True))
    for part in ("- make", "- pytest", "a race", "is flaky"):
        assert part in build
    assert "flaky" not in section_of(Scout.B, BuildGuide(test=()))
    assert len(section_of(Scout.A, CodeMap(files=(), risks=("long " * 9_000,)))) < 9_000
