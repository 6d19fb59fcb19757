from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pilothouse.domain.task.stuck import StuckReport, StuckRun, hypotheses_in

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hypotheses:\n- A stale cache\n- The clock\n\nNext steps:\n- Look", ("A stale cache", "The clock")),
        ("## Likely causes\n1. A race\n2) A typo\n\n## Files\n- a.py", ("A race", "A typo")),
        ("**Hypotheses**\n* One thing", ("One thing",)),
        ("I think:\n- it is the parser", ("it is the parser",)),
        ("No idea at all.", ()),
        ("", ()),
    ],
)  # fmt: skip
def test_hypotheses_are_read_from_the_agents_words(text: str, found: tuple[str, ...]) -> None:
    """TSK-10"""
    assert hypotheses_in(text) == found


def test_the_report_names_every_run_and_file_and_keeps_its_table_whole() -> None:
    """TSK-10"""
    runs = (StuckRun("r1", 1, "tests", "E | assert 1 == 2", "one.log"), StuckRun("r2", 2, "lint", "a.py:1", "two.log"))
    report = StuckReport("t", 1, NOW, "Fix add\nplease", ("A race",), "I tried two things.", runs, ("calc.py",))
    text = report.markdown()
    assert "> Fix add\n> please" in text
    assert "| 1 | `r1` | tests | E \\| assert 1 == 2 |" in text
    assert "- A race" in text
    assert "I tried two things." in text
    assert "- `calc.py`" in text
    assert "- `r2`: `two.log`" in text
