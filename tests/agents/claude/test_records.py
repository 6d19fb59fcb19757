"""The notes beside a conversation, and what is read from the program's own record of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pilothouse.agents.claude import transcript
from pilothouse.agents.claude.figures import Figures
from pilothouse.agents.claude.forms import answered_in_words, approval, questions
from pilothouse.agents.claude.notes import Note, Notes
from pilothouse.domain.ports import Decision, SpawnRequest


def test_a_note_is_kept_for_the_owner_and_read_again(tmp_path: Path) -> None:
    """BYD-1"""
    notes = Notes(tmp_path / "deep")
    assert notes.of("unknown") == Note()
    note = Note(1.5, 3, "Bash", {"command": "make"})
    notes.keep("a-1", note)
    assert Notes(tmp_path / "deep").of("a-1") == note
    (file,) = (tmp_path / "deep").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("{broken")
    assert notes.of("a-1") == Note()
    notes.keep("../../escape", note)
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"a-1.json", "escape.json"}


def _record(tmp_path: Path, *lines: dict[str, object]) -> Path:
    path = tmp_path / "projects" / "-here" / "c.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path


def test_the_total_is_the_last_that_was_written(tmp_path: Path) -> None:
    """GRD-8"""
    assert transcript.total(tmp_path, "c") is None
    _record(tmp_path, {"type": "user"})
    assert transcript.total(tmp_path, "c") == Figures(0.0)
    first: dict[str, object] = {"type": "cost-state", "totalCostUSD": 0.5}
    padding: dict[str, object] = {"type": "user", "text": "x" * (1 << 20)}
    _record(tmp_path, first, padding)
    assert transcript.total(tmp_path, "c") == Figures(0.5)
    _record(tmp_path, first, padding, {"type": "cost-state", "totalCostUSD": 0.75})
    assert transcript.total(tmp_path, "c") == Figures(0.75)
    _record(tmp_path, {"type": "cost-state", "totalCostUSD": None})
    assert transcript.total(tmp_path, "c") == Figures(0.0)


def test_a_conversation_moved_on_when_something_was_said_or_taken_back(tmp_path: Path) -> None:
    """BYD-14"""
    known = {"mine"}
    assert not transcript.moved_on(transcript.here(tmp_path, "c"), known)
    path = _record(tmp_path, {"type": "user"}, {"type": "assistant"})
    place = transcript.here(tmp_path, "c")
    assert not transcript.moved_on(place, known)
    with path.open("a") as file:
        file.write('{"type":"last-prompt"}\n{"type":"assistant","uuid":"mine"}\n{"type":"user","uui')
    assert not transcript.moved_on(place, known), "it may write down late what it told us"
    with path.open("a") as file:
        file.write('d":"other"}\n')
    assert transcript.moved_on(place, known)
    _record(tmp_path, {"type": "user"})
    assert transcript.moved_on(place, known)
    path.unlink()
    assert transcript.moved_on(place, known)


@pytest.mark.parametrize(
    ("decision", "reply", "approved"),
    [
        (Decision("once"), None, True),
        (Decision("deny", "Smaller"), None, False),
        (None, "Approved.", True),
        (None, "yes, but smaller", False),
        (None, None, False),
    ],
)
def test_a_plan_is_approved_by_a_decision_or_a_plain_yes(
    tmp_path: Path, decision: Decision | None, reply: str | None, approved: bool
) -> None:
    """BYD-1"""
    request = SpawnRequest("s", tmp_path, "Go.", tmp_path, decision=decision, reply=reply)
    assert approval(request)[0] is approved


def test_answers_are_said_in_words_also_where_the_form_is_lost(tmp_path: Path) -> None:
    """BYD-1"""
    request = SpawnRequest("s", tmp_path, "Go.", tmp_path, answers={"Which?": "This"}, reply="r")
    assert "“Which?” This" in answered_in_words((), request)
    assert answered_in_words((), SpawnRequest("s", tmp_path, "Go.", tmp_path, reply="r")) == "r"
    assert questions({"questions": "odd"}) == ()
    (text,) = questions({"questions": [{"question": "Name?"}]})
    assert text.options == ()
