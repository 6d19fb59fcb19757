"""Everything by keyboard: palette, shortcuts, dialogs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.person import WINDOW, Person, ended


@pytest.fixture
def profile() -> dict[str, Any]:
    """Where things move."""
    return {"viewport": WINDOW}


def test_the_palette_finds_sessions_and_places(person: Person, repo: Path) -> None:
    """BYD-7"""
    page = person.page
    person.server.submit(repo, "Chart the reef [[quick]]")
    person.server.until(repo, "COMPLETE")
    person.log_in()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Command palette")
    expect(palette.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("reef")
    expect(palette.get_by_role("option", name="Chart the reef")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Chart the reef", exact=True)).to_be_visible()
    expect(palette).to_be_hidden()
    page.get_by_role("heading", name="Chart the reef", exact=True).click()
    page.keyboard.press("/")
    page.keyboard.type("queue")
    expect(palette.get_by_role("option", name="Queue", exact=True)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Queue", exact=True)).to_be_visible()


def test_shortcuts_are_listed_and_do_what_the_list_says(person: Person) -> None:
    """BYD-7"""
    page = person.page
    person.log_in()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys.get_by_text("Search and commands")).to_be_visible()
    page.keyboard.press("n")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    for pressed, heading in (("q", "Queue"), ("p", "Projects"), ("r", "Runner"), ("i", "Inbox"), ("s", "Sessions")):
        page.keyboard.type(f"g{pressed}")
        expect(page.get_by_role("heading", name=heading, exact=True, level=1)).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="New chat", exact=True)).to_be_visible()
    page.keyboard.press("c")
    expect(person.composer).to_be_focused()
    page.keyboard.type("n?/")
    expect(person.composer).to_have_value("n?/")


def test_a_task_is_sent_and_cancelled_without_a_mouse(person: Person, repo: Path) -> None:
    """TSK-6"""
    page, text = person.page, "Go on and on [[endless]]"
    session = person.server.submit(repo, "Look [[quick]]")
    person.open(session)
    ended(person.card("Look [[quick]]"), "No changes")
    page.keyboard.press("c")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    card = person.card(text)
    expect(card).to_contain_text("Half of it is there.")
    card.get_by_role("button", name="Cancel", exact=True).focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Cancel this task?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel the task").focus()
    page.keyboard.press("Enter")
    ended(card, "Cancelled")


def test_a_permission_is_decided_without_a_mouse_and_the_focus_stays_with_its_task(person: Person, repo: Path) -> None:
    """BYD-7 GRD-7"""
    page = person.page
    session = person.server.submit(repo, "Tidy [[clean]]")
    person.server.until(repo, "AWAITING_RESPONSE")
    person.open(session)
    card = person.card("Tidy [[clean]]")
    card.get_by_role("button", name="Deny", exact=True).focus()
    page.keyboard.press("Enter")
    expect(card.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card.get_by_role("button", name="Deny", exact=True)).to_be_focused()
    card.get_by_role("button", name="Allow once").focus()
    page.keyboard.press("Enter")
    ended(card)
    expect(card).to_be_focused()
