"""What an ended task changed can be taken back, brought back, and committed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.person import Person, ended
from tests.workbench import git

TEXT = "Add up and note it [[two-files]]"
WRONG, RIGHT = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"


@pytest.fixture
def card(person: Person, repo: Path) -> Locator:
    """Of a task that has changed one file and added another."""
    session = person.server.submit(repo, TEXT)
    person.open(session)
    found = person.card(TEXT)
    ended(found)
    return found


def test_a_rollback_shows_what_it_takes_away_and_can_be_undone(card: Locator, person: Person, repo: Path) -> None:
    """WEB-13, WEB-6, BYD-3"""
    dialog = person.page.get_by_role("dialog", name="Roll back these changes?")
    card.get_by_role("button", name="Roll back").click()
    preview = dialog.get_by_role("listitem")
    expect(preview).to_have_count(2)
    expect(preview.filter(has_text="notes.md")).to_contain_text("added")
    expect(preview.filter(has_text="calc.py").get_by_label("1 line added, 1 line removed")).to_be_visible()
    dialog.get_by_role("button", name="Keep as it is").click()
    expect(dialog).to_be_hidden()
    assert (repo / "calc.py").read_text() == RIGHT

    card.get_by_role("button", name="Roll back").click()
    dialog.get_by_role("button", name="Roll back", exact=True).click()
    expect(card.get_by_text("The changes of this task were rolled back.")).to_be_visible()
    assert (repo / "calc.py").read_text() == WRONG
    assert not (repo / "notes.md").exists()

    person.reload()
    card.get_by_role("button", name="Undo the rollback").click()
    expect(person.messages).to_contain_text("The changes are back.")
    expect(card.get_by_role("button", name="Undo the rollback")).to_have_count(0)
    assert (repo / "calc.py").read_text() == RIGHT
    assert (repo / "notes.md").read_text() == "# Notes\n"
    expect(card.get_by_role("button", name="Roll back")).to_be_visible()


def test_chosen_files_are_committed_with_a_message_of_ones_own(card: Locator, person: Person, repo: Path) -> None:
    """WEB-13"""
    card.get_by_role("button", name="Commit").click()
    dialog = person.page.get_by_role("dialog", name="Commit changes")
    message = dialog.get_by_label("Message")
    message.fill("")
    expect(dialog.get_by_text("Say in a few words what changed.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Commit 2 files")).to_be_disabled()
    message.fill("Add instead of subtracting")
    dialog.get_by_role("checkbox", name="notes.md").uncheck()
    dialog.get_by_role("button", name="Commit 1 file").click()
    expect(dialog).to_be_hidden()
    expect(person.messages).to_contain_text("Committed 1 file as")
    assert git(repo, "log", "-1", "--format=%s").strip() == "Add instead of subtracting"
    assert git(repo, "show", "--name-only", "--format=").split() == ["calc.py"]
    assert git(repo, "status", "--porcelain").split() == ["??", "notes.md"]
