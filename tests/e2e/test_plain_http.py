"""As a phone on the network sees it: by a name, over plain http, which no browser calls a secure context."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.person import Person, ended
from tests.e2e.served import Served

TEXT = "Add up [[fix-add]]"


class Named(Served):
    """The shared server under another name."""

    def __init__(self, server: Served, name: str) -> None:
        self.data_dir, self.port, self._name = server.data_dir, server.port, name
        self.link = server.link.replace("127.0.0.1", name)

    @property
    def address(self) -> str:
        return f"http://{self._name}:{self.port}"


def test_the_main_job_needs_no_secure_context(page: Page, server: Served, repo: Path) -> None:
    """BYD-12, FTR-17"""
    server.add(repo)
    person = Person(page, Named(server, "pilothouse.test"))
    # By the link: Playwright's own requests do not know the names that this browser knows.
    page.goto(person.server.link)
    expect(page.get_by_text("Connected", exact=True)).to_be_attached()
    lacks = page.evaluate("[isSecureContext, typeof navigator.clipboard, typeof crypto.randomUUID]")
    assert lacks == [False, "undefined", "undefined"]
    card = person.begin(repo, TEXT)
    ended(card)
    card.get_by_role("button", name="Output").click()
    page.get_by_role("button", name="Raw").click()
    expect(page.get_by_role("log")).to_contain_text("The sum is right now.")
    page.get_by_role("button", name="Copy what is loaded").click()
    expect(person.messages).to_contain_text("Copied 3 lines.")
    person.composer.focus()
    page.keyboard.press("Control+V")
    expect(person.composer).to_have_value("Looking at calc.py\nwrite calc.py\nThe sum is right now.")
    assert len(server.tasks(repo)) == 1


def test_a_name_that_was_not_allowed_is_turned_away(page: Page, server: Served) -> None:
    """BYD-12"""
    answer = page.goto(f"http://stranger.test:{server.port}/")
    assert answer
    assert answer.status == 403
    assert "text/html" not in answer.headers["content-type"]
