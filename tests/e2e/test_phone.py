"""The main job on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.person import AGENT, Person, ended


@pytest.fixture
def profile() -> dict[str, Any]:
    return {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}


# How much wider than their place the page itself and what may scroll in it are.
STICKS_OUT = """
() => [...document.querySelectorAll("html, main, [role=region], [role=dialog]")]
  .map((part) => [part.tagName, part.getAttribute("aria-label"), part.scrollWidth - part.clientWidth])
  .filter(([, , more]) => more > 0)
"""


def nothing_sticks_out(page: Page) -> None:
    assert page.evaluate("innerWidth") == 390
    assert page.evaluate(STICKS_OUT) == []


def test_a_task_is_given_answered_and_reviewed_with_one_thumb(person: Person, repo: Path) -> None:
    """BYD-7"""
    page, text = person.page, "Lay it out [[options]]"
    person.server.add(repo)
    person.log_in()
    nothing_sticks_out(page)
    page.get_by_role("link", name="New chat").first.tap()
    page.get_by_label("Project", exact=True).select_option(label=repo.name)
    page.get_by_label("Agent", exact=True).select_option(value=AGENT)
    person.composer.tap()
    page.keyboard.type(text)
    nothing_sticks_out(page)
    page.get_by_role("button", name="Start").tap()
    card = person.card(text)
    expect(card.get_by_text("Asks you")).to_be_visible()
    nothing_sticks_out(page)
    page.get_by_role("link", name="Inbox").tap()
    page.get_by_role("link", name="Lay it out").first.tap()
    answer = card.get_by_role("button", name="Flat")
    rectangle = answer.bounding_box()
    assert rectangle
    assert rectangle["height"] >= 44
    answer.tap()
    ended(card)
    expect(card).to_contain_text("You chose A.")
    card.get_by_role("button", name="1 file changed").tap()
    expect(page.get_by_role("button", name="layout.txt")).to_be_visible()
    nothing_sticks_out(page)
    page.get_by_role("tab", name="Output").tap()
    page.get_by_role("button", name="Raw").tap()
    expect(page.get_by_role("log")).to_contain_text("You chose A.")
    nothing_sticks_out(page)
    page.get_by_role("button", name="Close details").tap()
    card.get_by_role("button", name="Roll back").tap()
    dialog = page.get_by_role("dialog", name="Roll back these changes?")
    expect(dialog.get_by_role("listitem")).to_have_count(1)
    nothing_sticks_out(page)
    dialog.get_by_role("button", name="Keep as it is").tap()


@pytest.mark.parametrize(
    "place", ["/", "/inbox", "/queue", "/projects", "/runner", "/usage", "/settings", "/new", "/ways-back"]
)
def test_no_page_is_wider_than_the_phone(person: Person, repo: Path, place: str) -> None:
    """BYD-7"""
    person.server.add(repo)
    person.log_in(place)
    expect(person.page.get_by_role("heading", level=1)).to_be_visible()
    nothing_sticks_out(person.page)
