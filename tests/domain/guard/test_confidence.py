from __future__ import annotations

import pytest

from pilothouse.domain.guard.confidence import Confidence, Level, confidence

MARKED = "[STEP_COMPLETE id=1]\nAdded a retry to src/net/client.py and removed the old loop.\n[/STEP_COMPLETE]"


@pytest.mark.parametrize(
    ("text", "changed", "score"),
    [
        (MARKED, 0, 100),
        ("I looked at the whole project and read all of it.", 0, 50),
        ("I looked at src/net/client.py and read all of it.", 0, 65),
        ("Added a retry to src/net/client.py, as you wanted.", 0, 80),
        ("It is all there now, as you wanted it to be.", 2, 65),
        ("It might be there now, as you wanted it to be.", 0, 30),
        ("I am not sure what you want there. Should I use the first file, or the second one?", 0, 0),
        ("Should I use the first file, or the second one?", 0, 20),
        ("Done.", 0, 10),
        ("", 0, 10),
        ("", 3, 25),
        ("I read it all and will go on from there.\n```\nit might be added\n```", 0, 50),
    ],
)
def test_the_score_is_made_of_the_listed_factors(text: str, changed: int, score: int) -> None:
    """GRD-3"""
    assert confidence(text, changed).score == score


def test_a_question_in_a_marker_is_no_sign_of_doubt() -> None:
    """GRD-3: asking is not idling."""
    text = (
        "Two ways are open.\n[DECISION_NEEDED]\nShould I use the first or the second?\n- One\n- Two\n[/DECISION_NEEDED]"
    )
    assert ("question", -30) not in confidence(text).factors


@pytest.mark.parametrize(("score", "level"), [(100, "high"), (80, "high"), (79, "medium"), (50, "medium"), (49, "low")])
def test_levels(score: int, level: str) -> None:
    """GRD-3"""
    assert Confidence(score, ()).level is Level(level)
