"""What a person does on the pages, by the names that the pages give to things."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.served import Served, place_of

AGENT = "rehearsal"
WINDOW = {"width": 1280, "height": 800}


class Person:
    def __init__(self, page: Page, server: Served) -> None:
        self.page = page
        self.server = server

    def log_in(self, path: str = "/") -> None:
        """With the token of the link that the server prints, as the page does that the link leads to."""
        page, server = self.page, self.server
        answer = page.context.request.post(f"{server.address}/api/login", data={"token": server.token})
        assert answer.ok
        page.goto(server.address + path)
        expect(page.get_by_text("Connected", exact=True)).to_be_attached()

    def open(self, session: dict[str, Any], task: str = "", view: str = "") -> None:
        self.log_in(place_of(session, task, view))

    def reload(self) -> None:
        self.page.reload()
        expect(self.page.get_by_text("Connected", exact=True)).to_be_attached()

    def begin(self, repository: Path, text: str) -> Locator:
        """A new chat on this project; the card of its task."""
        page = self.page
        page.get_by_role("link", name="New chat").first.click()
        page.get_by_label("Project", exact=True).select_option(label=repository.name)
        page.get_by_label("Agent", exact=True).select_option(value=AGENT)
        page.get_by_label("Your request").fill(text)
        page.get_by_role("button", name="Start").click()
        return self.card(text)

    def send(self, text: str) -> Locator:
        """A message in the thread that is open, as a task of its own; the card of that."""
        own = self.page.get_by_role("button", name="Queue as its own task")
        if own.is_visible():
            own.click()
        box = self.page.get_by_label("Your request")
        box.fill(text)
        box.press("Enter")
        return self.card(text)

    def card(self, text: str) -> Locator:
        heading = self.page.get_by_role("heading", name=f"Task: {text.splitlines()[0][:80]}", exact=True)
        return self.page.get_by_role("article").filter(has=heading)

    def cancel(self, card: Locator, *, hold: bool = False) -> None:
        card.get_by_role("button", name="Cancel", exact=True).click()
        dialog = self.page.get_by_role("dialog", name="Cancel this task?")
        if hold:
            dialog.get_by_role("switch", name="And hold the queue").click()
        dialog.get_by_role("button", name="Cancel the task").click()
        expect(dialog).to_be_hidden()

    @property
    def composer(self) -> Locator:
        return self.page.get_by_label("Your request")

    @property
    def messages(self) -> Locator:
        """What the page tells in passing."""
        return self.page.get_by_role("region", name="Messages")


def ended(card: Locator, word: str = "Not verified") -> None:
    """Wait until the card says how it ended."""
    expect(card.locator("header").get_by_text(word, exact=True)).to_be_visible()
