"""What was taken away is listed and brought back, whoever came after, on a wide screen and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.person import WINDOW, Person, ended
from tests.workbench import git

FIRST, LATER = "Add up and note it [[two-files]]", "And one more [[later]]"
RIGHT = "def add(a, b):\n    return a + b\n"


@pytest.fixture(params=["wide", "phone"])
def profile(request: pytest.FixtureRequest) -> dict[str, Any]:
    if request.param == "wide":
        return {"viewport": WINDOW}
    return {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def card(person: Person, repo: Path) -> Locator:
    """Of a task that has changed one file and added another; a later one has added a third."""
    person.open(person.server.submit(repo, FIRST))
    found = person.card(FIRST)
    ended(found)
    ended(person.send(LATER))
    return found


def nothing_sticks_out(person: Person) -> None:
    assert person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_an_older_tasks_changes_are_undone_alone_and_brought_back_from_the_list(
    card: Locator, person: Person, repo: Path
) -> None:
    """BYD-22 BYD-3 WEB-13"""
    page = person.page
    card.get_by_role("button", name="Roll back").click()
    dialog = page.get_by_role("dialog", name="Roll back these changes?")
    expect(dialog.get_by_text("Other changes lie on top.")).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    nothing_sticks_out(person)
    dialog.get_by_role("button", name="Roll back", exact=True).click()
    expect(card.get_by_text("The changes of this task were rolled back.")).to_be_visible()
    assert not (repo / "notes.md").exists()
    assert (repo / "later.txt").read_text() == "later\n"

    (repo / "mine.txt").write_text("since\n")
    page.goto(f"{person.server.address}/ways-back")
    place = page.get_by_role("region", name=str(repo))
    row = place.get_by_role("listitem").filter(has_text="Add up and note it")
    expect(row).to_contain_text("2 files")
    nothing_sticks_out(person)
    row.get_by_role("button", name="Undo").click()
    undo = page.get_by_role("dialog", name="Bring these changes back?")
    expect(undo.get_by_text("Other changes lie on top.")).to_be_visible()
    nothing_sticks_out(person)
    undo.get_by_role("button", name="Undo the rollback").click()
    expect(person.messages).to_contain_text("The changes are back.")
    expect(row).to_contain_text("Undone")
    assert (repo / "calc.py").read_text() == RIGHT
    assert {"notes.md", "later.txt", "mine.txt"} <= {path.name for path in repo.iterdir()}


def test_a_commit_ticks_what_the_task_changed_and_names_what_else_is_there(
    card: Locator, person: Person, repo: Path
) -> None:
    """WEB-13"""
    card.get_by_role("button", name="Commit").click()
    dialog = person.page.get_by_role("dialog", name="Commit changes")
    expect(dialog.get_by_role("checkbox", name="calc.py")).to_be_checked()
    expect(dialog.get_by_role("checkbox", name="Changed by this task")).to_be_checked()
    expect(dialog.get_by_role("checkbox", name="later.txt")).not_to_be_checked()
    expect(dialog.get_by_role("checkbox", name="Also changed")).not_to_be_checked()
    nothing_sticks_out(person)
    dialog.get_by_role("button", name="Commit 2 files").click()
    expect(person.messages).to_contain_text("Committed 2 files as")
    assert git(repo, "show", "--name-only", "--format=").split() == ["calc.py", "notes.md"]


def test_a_task_that_asks_can_be_rolled_back_and_run_again(person: Person, repo: Path) -> None:
    """WEB-2"""
    text = "Lay it out [[options]]"
    person.open(person.server.submit(repo, text))
    card = person.card(text)
    expect(card.get_by_text("Asks you")).to_be_visible()
    card.get_by_text("Other ways to continue").click()
    expect(card.get_by_text("A rollback removes changes in 1 file")).to_be_visible()
    nothing_sticks_out(person)
    card.get_by_role("button", name="Rollback & replay").click()
    expect(person.messages).to_contain_text("Rolled back; it runs again from the start.")
    expect(card.get_by_text("Asks you")).to_be_visible()
    card.get_by_role("button", name="Flat").click()
    ended(card)
