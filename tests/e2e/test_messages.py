"""What the page tells in passing does not lie over what the person is about to press."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.person import AGENT, Person

STAY = """
const wait = window.setTimeout;
window.setTimeout = (run, ms, ...more) => wait(run, ms >= 5000 ? 600_000 : ms, ...more);
"""
"""A message goes after seconds; on a slow machine the first would be gone before the last has come."""


@pytest.fixture
def profile() -> dict[str, Any]:
    return {"viewport": {"width": 1440, "height": 900}}


def test_messages_leave_the_start_button_of_a_new_chat_free(person: Person, repo: Path) -> None:
    """WEB-9"""
    page = person.page
    page.add_init_script(STAY)
    person.server.add(repo)
    person.log_in("/new")
    page.get_by_label("Project", exact=True).select_option(label=repo.name)
    page.get_by_label("Agent", exact=True).select_option(value=AGENT)
    page.route("**/api/sessions", lambda route: route.abort())
    for number in range(4):
        person.composer.fill(f"{number}: a request long enough for its message to need a second line [[quick]]")
        person.composer.press("Enter")
        expect(person.composer).to_have_value("")
    told = person.messages.get_by_role("status")
    expect(told).to_have_count(4)
    start = page.get_by_role("button", name="Start").bounding_box()
    messages = person.messages.bounding_box()
    assert start
    assert messages
    assert messages["y"] + messages["height"] <= start["y"]
    expect(told.first).to_contain_text("3: a request")
