"""What agents tell through the workbench's tools, and what reaches a person who looks elsewhere."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.person import Person, ended
from tests.e2e.served import Served

SHOWN = """
window.shown = [];
window.Notification = class {
  static permission = "granted";
  static requestPermission() { return Promise.resolve("granted"); }
  constructor(title, options) {
    window.shown.push({ title, ...options });
    document.documentElement.dataset.shown = window.shown.length;
  }
  close() {}
};
"""
"""Headless browsers have no place to show one; this keeps what would be shown."""


def test_a_plan_is_on_the_card_and_its_question_is_answered_there(
    page: Page, person: Person, server: Served, repo: Path
) -> None:
    """BYD-13 RPL-5"""
    session = server.submit(repo, "Keep notes, please. [[planned]]")
    person.open(session)
    card = page.get_by_role("article")
    expect(card.get_by_text("1 of 3 done")).to_be_visible()
    expect(card).to_contain_text("Nothing is in the way.")
    expect(card.get_by_text("Where should the notes go?")).to_be_visible()
    card.get_by_role("button", name="One file, NOTES.md").click()
    ended(card, "Not verified")
    expect(card.get_by_text("3 of 3 done")).to_be_visible()


def test_a_page_in_the_background_is_told_that_a_task_asks(page: Page, own_server: Served, repo: Path) -> None:
    """PLT-7"""
    page.add_init_script(SHOWN)
    page.add_init_script("Object.defineProperty(document, 'hidden', { value: true })")
    Person(page, own_server).log_in("/settings")
    expect(page.get_by_text("This browser shows them.")).to_be_visible()
    seconds = page.get_by_label("Combine events within")
    seconds.fill("1")
    with page.expect_response("**/api/notifications"):
        seconds.press("Enter")
    own_server.submit(repo, "Keep notes, please. [[planned]]")
    own_server.until(repo, "AWAITING_RESPONSE")
    expect(page.locator("html")).to_have_attribute("data-shown", "1")
    told = page.evaluate("window.shown")
    assert [one["title"] for one in told] == ["Asks you: Keep notes, please."]
    assert told[0]["body"] == "Where should the notes go?"
