"""What a person does while the server cannot be reached."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.person import AGENT, Person, ended
from tests.e2e.served import Served

TEXT = "Written in a tunnel [[quick]]"


@pytest.fixture
def person(page: Page, own_server: Served, repo: Path) -> Person:
    """In a thread with one message."""
    someone = Person(page, own_server)
    someone.open(own_server.submit(repo, "Look [[quick]]"))
    ended(someone.card("Look [[quick]]"), "No changes")
    return someone


def offline(person: Person) -> None:
    expect(person.page.get_by_role("status").get_by_text("Reconnecting")).to_be_visible()
    person.composer.fill(TEXT)
    person.composer.press("Enter")
    expect(person.page.get_by_role("status").get_by_text("1 action waits to be sent")).to_be_visible()
    expect(person.composer).to_have_value("")


def sent_once(person: Person, repo: Path) -> None:
    # Shown for seconds, while the task may take its time.
    expect(person.messages).to_contain_text(f"Back online: “{TEXT}” was sent.")
    ended(person.card(TEXT), "No changes")
    expect(person.card(TEXT)).to_have_count(1)
    person.reload()
    expect(person.card(TEXT)).to_have_count(1)
    assert [task["prompt"] for task in person.server.tasks(repo)] == ["Look [[quick]]", TEXT]


def test_a_message_written_while_the_server_is_down_is_sent_once_when_it_is_back(person: Person, repo: Path) -> None:
    """PLT-2"""
    person.server.kill()
    offline(person)
    person.server.start()
    sent_once(person, repo)


def test_it_waits_through_a_reload_of_the_page_too(person: Person, repo: Path) -> None:
    """PLT-2"""
    page = person.page
    person.server.kill()
    offline(person)
    address = page.url
    page.goto("about:blank")
    person.server.start()
    page.goto(address)
    sent_once(person, repo)


def test_the_network_of_the_browser_may_go_and_come_back(person: Person, repo: Path) -> None:
    """PLT-2"""
    context = person.page.context
    context.set_offline(True)
    person.composer.fill(TEXT)
    person.composer.press("Enter")
    expect(person.messages).to_contain_text("is kept and will be sent once the server is back.")
    assert len(person.server.tasks(repo)) == 1
    context.set_offline(False)
    sent_once(person, repo)


def test_a_message_whose_answer_was_lost_on_the_way_is_not_done_twice(person: Person, repo: Path) -> None:
    """PLT-2"""
    page = person.page
    answers: list[int] = []

    def lose_the_answer(route: Route) -> None:
        answers.append(route.fetch().status)
        route.abort("connectionreset")

    page.route("**/messages", lose_the_answer, times=1)
    person.composer.fill(TEXT)
    person.composer.press("Enter")
    sent_once(person, repo)
    assert answers == [201]


def test_a_page_never_opened_before_opens_without_the_server_and_fills_itself_later(person: Person) -> None:
    """PLT-2"""
    page = person.page
    with (
        page.expect_event("requestfinished", lambda request: "/assets/runner-page" in request.url),
        page.expect_event("requestfinished", lambda request: "/assets/keys-dialog" in request.url),
    ):
        person.reload()
    person.server.kill()
    expect(page.get_by_role("status").get_by_text("Reconnecting")).to_be_visible()
    page.get_by_role("link", name="Runner", exact=True).click()
    expect(page.get_by_role("heading", name="Runner", exact=True)).to_be_visible()
    expect(page.get_by_role("alert").first).to_contain_text("The server cannot be reached.")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    person.server.start()
    expect(page.get_by_text("0 running, 0 queued")).to_be_visible()


def test_connection_lost_is_said_after_five_failures_with_a_way_to_reload(person: Person) -> None:
    """PLT-2"""
    page = person.page
    page.clock.install()
    person.server.kill()
    banner = page.get_by_role("status")
    expect(banner.get_by_text("Reconnecting")).to_be_visible()
    for seconds in (1, 2, 4, 8, 16):
        with page.expect_event("websocket"):
            page.clock.run_for(seconds * 1000)
    expect(banner.get_by_text("Connection lost")).to_be_visible()
    expect(banner.get_by_role("button", name="Reload")).to_be_visible()
    person.server.start()
    with page.expect_event("websocket"):
        page.clock.run_for(30_000)
    expect(banner.get_by_text("Connection lost")).to_have_count(0)


def test_a_new_chat_begun_offline_becomes_one_session(person: Person, repo: Path) -> None:
    """PLT-2, WEB-9"""
    page = person.page
    page.get_by_role("link", name="New chat").first.click()
    page.get_by_label("Project", exact=True).select_option(label=repo.name)
    page.get_by_label("Agent", exact=True).select_option(value=AGENT)
    person.composer.fill(TEXT)
    person.server.kill()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("status").get_by_text("1 action waits to be sent")).to_be_visible()
    person.server.start()
    expect(person.messages).to_contain_text("Back online:")
    assert [session["title"] for session in person.server.sessions(repo)] == ["Written in a tunnel", "Look"]
