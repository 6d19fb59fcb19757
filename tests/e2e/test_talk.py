"""Permissions, forms, plans, and words to a task that runs."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.e2e.person import Person, ended
from tests.e2e.served import let


def begin(person: Person, repo: Path, text: str) -> Locator:
    person.open(person.server.submit(repo, text))
    return person.card(text)


def test_a_permission_is_denied_with_a_reason_then_allowed_and_revoked(person: Person, repo: Path) -> None:
    """GRD-7"""
    card = begin(person, repo, "Tidy up [[clean]]")
    expect(card.get_by_text("Needs permission")).to_be_visible()
    expect(card.get_by_role("region", name="What it would do")).to_have_text("make clean")
    expect(person.page.get_by_label(re.compile("needs? you$"))).to_be_visible()
    card.get_by_role("button", name="Deny").press("Enter")
    card.get_by_label("Why not, or what to do instead").fill("The cache is shared")
    card.get_by_role("button", name="Deny with this reason").click()
    ended(card, "No changes")
    expect(card).to_contain_text("The answer was denied: The cache is shared.")
    expect(card.get_by_role("list", name="What to know")).to_contain_text("Was not allowed: Bash: make clean")
    expect(card.get_by_role("list", name="Your decisions")).to_contain_text("You denied: Bash: make clean")
    again = person.send("Once more [[clean]]")
    again.get_by_role("button", name="Always in this session").click()
    ended(again)
    assert (repo / "cleaned.txt").read_text() == "yes\n"
    ended(person.send("And again [[clean]]"), "No changes")
    person.page.get_by_role("button", name="More actions", exact=True).click()
    person.page.get_by_role("menuitem", name="What this session allows").click()
    dialog = person.page.get_by_role("dialog", name="Allowed in this session")
    dialog.get_by_role("button", name="Revoke Bash(make:*)").click()
    expect(dialog).to_contain_text("Nothing: the agent asks every time.")
    dialog.get_by_role("button", name="Close").click()
    last = person.send("Last [[clean]]")
    expect(last.get_by_text("Needs permission")).to_be_visible()
    person.cancel(last)
    ended(last, "Cancelled")


def test_a_form_of_several_questions_is_filled_in_and_survives_a_reload(person: Person, repo: Path) -> None:
    """RPL-1 RPL-5"""
    card = begin(person, repo, "Set it up [[form]]")
    form = card.get_by_role("form", name="Questions")
    expect(form.get_by_role("button", name="Send answers")).to_be_disabled()
    # It is longer than the page, and read from its beginning.
    expect(card.locator("header")).to_be_in_viewport()
    form.get_by_text("PostgreSQL").click()
    form.get_by_text("Tests", exact=True).click()
    expect(form.get_by_role("button", name="Send answers")).to_be_disabled()
    person.reload()
    expect(form.get_by_role("radio", name="PostgreSQL")).to_be_checked()
    form.get_by_text("Docs", exact=True).click()
    form.get_by_label("Your own answer to: What is it called?").fill("Harbour")
    form.get_by_role("button", name="Send answers").click()
    ended(card)
    assert (repo / "form.txt").read_text() == "PostgreSQL|Docs, Tests|Harbour\n"
    expect(card.get_by_role("list", name="Your replies")).to_contain_text("Harbour")


def test_a_plan_is_read_and_approved(person: Person, repo: Path) -> None:
    """RPL-1"""
    card = begin(person, repo, "Greet [[plan]]")
    plan = card.get_by_role("region", name="Plan")
    expect(plan.get_by_role("heading", name="The plan")).to_be_visible()
    expect(card.get_by_role("textbox", name="Your reply")).to_be_visible()
    plan.get_by_role("button", name="Approve the plan").click()
    ended(card)
    assert (repo / "greeting.txt").read_text() == "approved\n"


def test_words_reach_a_running_task_are_taken_back_and_interrupt_it(person: Person, repo: Path) -> None:
    """RPL-8"""
    card = begin(person, repo, "Work [[steered]]")
    expect(person.page.get_by_text("Goes to the running task")).to_be_visible()
    person.composer.fill("Never mind")
    person.composer.press("Enter")
    waiting = card.get_by_role("list", name="Messages on their way")
    expect(waiting).to_contain_text("Never mind")
    waiting.get_by_role("button", name="Take back").click()
    expect(person.composer).to_have_value("Never mind")
    expect(waiting).to_have_count(0)
    person.composer.fill("Use tabs")
    person.composer.press("Enter")
    waiting.get_by_role("button", name="Send now").click()
    expect(card.get_by_role("list", name="Your replies")).to_contain_text("Use tabs")
    person.composer.fill("And no colour")
    person.composer.press("Enter")
    expect(waiting).to_contain_text("And no colour")
    let(repo, "go")
    ended(card)
    assert (repo / "told.txt").read_text() == "And no colour\n"
    replies = card.get_by_role("list", name="Your replies").get_by_role("listitem")
    expect(replies).to_have_count(2)
    assert len(person.server.tasks(repo)) == 1


def test_after_a_stop_the_words_are_back_in_the_message_box(person: Person, repo: Path) -> None:
    """RPL-8"""
    card = begin(person, repo, "Work [[steered]]")
    expect(person.page.get_by_text("Goes to the running task")).to_be_visible()
    person.composer.fill("Use tabs")
    person.composer.press("Enter")
    expect(card.get_by_role("list", name="Messages on their way")).to_contain_text("Use tabs")
    person.cancel(card)
    ended(card, "Cancelled")
    expect(person.composer).to_have_value("Use tabs")
    person.reload()
    expect(person.composer).to_have_value("Use tabs")
