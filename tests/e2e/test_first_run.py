"""The first minutes of somebody who has just installed it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.person import ended
from tests.e2e.served import Served


def test_a_new_person_follows_the_link_and_has_the_first_bug_fixed(page: Page, own_server: Served) -> None:
    """PLT-3, BYD-12, FTR-17"""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(own_server.link)
    tries = page.get_by_role("region", name="Hand over your first task")
    expect(tries.get_by_role("heading", name="Three things to try")).to_be_visible()
    expect(tries.get_by_role("listitem")).to_have_count(3)
    assert page.url == f"{own_server.address}/"
    token = own_server.token
    assert not [url for url in asked if token in url.partition("#")[0]]
    assert token not in page.evaluate("JSON.stringify([history.state, { ...localStorage }, document.cookie])")

    tries.get_by_role("button", name="Fix a failing test").click()
    expect(page.get_by_label("Your request")).to_have_value(re.compile("six nights"))
    page.get_by_role("button", name="Start").click()

    card = page.get_by_role("article")
    ended(card, "Verified")
    expect(card).to_contain_text("The tests that failed pass again.")
    card.get_by_role("button", name="1 file changed").click()
    details = page.get_by_role("complementary", name="Details")
    expect(details.get_by_role("button", name="harbour/fees.py")).to_be_visible()
    expect(details.get_by_text("(nights + 1) // 7")).to_be_visible()
    expect(details.get_by_text("return nights // 7")).to_be_visible()


def test_a_wrong_token_is_refused_and_the_right_one_typed_in_lets_in(page: Page, server: Served) -> None:
    """BYD-12"""
    page.goto(server.address)
    page.get_by_label("Token").fill("not-the-token")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Token").fill(server.token)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
