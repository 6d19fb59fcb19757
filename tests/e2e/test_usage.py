"""What an agent uses: on the card while it runs, then on the Usage screen, and no wider than a phone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.person import Person, ended
from tests.e2e.served import Served
from tests.e2e.test_phone import STICKS_OUT

TEXT = "Count it [[costs]]"


def test_what_a_task_costs_is_seen_while_it_runs_and_summed_up_afterwards(
    person: Person, own_server: Served, repo: Path
) -> None:
    """GRD-8, FTR-18, FTR-19"""
    person.server = own_server
    page = person.page
    (repo / "AGENTS.md").write_text("Use tabs.\n")
    own_server.add(repo)
    person.log_in("/new")
    card = person.begin(repo, TEXT)
    expect(card.locator("header")).to_contain_text("$1.25")
    meter = card.get_by_role("region", name="What the task used")
    expect(meter.get_by_role("meter", name="Agent's memory")).to_have_attribute("aria-valuenow", "82")
    expect(meter).to_contain_text("Filling up")
    (repo / "ignored").mkdir(exist_ok=True)
    (repo / "ignored" / "go").touch()
    ended(card, "No changes")
    expect(card.locator("header")).to_contain_text("$1.50")
    expect(meter).to_contain_text("claude-sonnet-4-5")
    card.get_by_role("button", name="Steps").click()
    details = page.get_by_role("complementary", name="Details")
    details.get_by_role("button", name="Edit").click()
    expect(details).to_contain_text("AGENTS.md")
    expect(details).to_contain_text("10 bytes")

    page.get_by_role("link", name="Usage").click()
    figures = page.get_by_role("main").locator("dl").first
    expect(figures).to_contain_text("$1.50")
    expect(figures).to_contain_text("90%")
    expect(page.get_by_role("region", name="By model")).to_contain_text("claude-sonnet-4-5")
    expect(page.get_by_role("region", name="Over time").get_by_role("figure")).to_contain_text("$1.50")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(STICKS_OUT) == []
    page.get_by_role("button", name="Today").click()
    expect(page.get_by_role("region", name="Over time")).to_have_count(0)
    page.get_by_role("region", name="By session").get_by_role("link", name="Count it").click()
    expect(card).to_be_visible()


def test_a_page_that_comes_late_sees_what_was_told_before(person: Person, repo: Path) -> None:
    """GRD-8: also when the agent then says nothing for long."""
    session = person.server.submit(repo, TEXT)
    person.server.until_doing(repo, "Running a command")
    person.open(session)
    card = person.card(TEXT)
    expect(card.locator("header")).to_contain_text("$1.25")
    meter = card.get_by_role("region", name="What the task used")
    expect(meter.get_by_role("meter", name="Agent's memory")).to_have_attribute("aria-valuenow", "82")
    person.reload()
    expect(card.locator("header")).to_contain_text("$1.25")
    (repo / "ignored").mkdir(exist_ok=True)
    (repo / "ignored" / "go").touch()
    ended(card, "No changes")
    expect(card.locator("header")).to_contain_text("$1.50")
