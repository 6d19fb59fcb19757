"""A task that a guard holds: the person sees why, for how long, and goes on from there."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.person import Person
from tests.e2e.served import let


def test_a_usage_limit_counts_down_can_be_paused_and_retried(person: Person, repo: Path) -> None:
    """GRD-6"""
    page = person.page
    person.server.add(repo)
    person.log_in("/new")
    card = person.begin(repo, "Write both halves [[limited]]")
    held = card.get_by_role("region", name="Usage limit")
    expect(held).to_contain_text("The rehearsal has reached its usage limit.")
    left = held.get_by_role("timer")
    expect(left).to_contain_text("in 9m")
    first = left.inner_text()
    expect(left).not_to_have_text(first)
    held.get_by_role("button", name="Pause").click()
    expect(held).to_contain_text("Paused. It continues when you say so.")
    person.reload()
    expect(held.get_by_role("button", name="Wait and continue automatically")).to_be_visible()
    held.get_by_role("button", name="Retry now").click()
    expect(page.locator("article[data-status=COMPLETE]")).to_be_visible()
    assert (repo / "halves.txt").read_text() == "first half\nsecond half\n"


def test_a_budget_pauses_the_run_and_more_lets_it_go_on(person: Person, repo: Path) -> None:
    """GRD-8"""
    page = person.page
    person.server.add(repo)
    person.log_in("/new")
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Dollars").fill("0.5")
    card = person.begin(repo, "Write every part [[costly]]")
    held = card.get_by_role("region", name="Budget used up")
    expect(held).to_contain_text("The budget of $0.50 is used up for this task.")
    expect(held).to_contain_text("$0.80 of $0.50 spent for this task")
    (repo / "ignored").mkdir(exist_ok=True)
    (repo / "ignored" / "go").touch()
    held.get_by_label("How many dollars more").fill("2")
    held.get_by_role("button", name="Give more").click()
    expect(page.locator("article[data-status=COMPLETE]")).to_be_visible()
    assert (repo / "parts.txt").read_text() == "one\n"


def test_a_session_has_a_budget_that_can_be_seen_and_set(person: Person, repo: Path) -> None:
    """GRD-8: set while an agent runs, it holds for that run too; a command that is open comes to its end first."""
    page = person.page
    session = person.server.submit(repo, "Count it [[overspends]]")
    person.server.until_doing(repo, "Running a command")
    person.open(session)
    header = page.locator("header").filter(has=page.get_by_role("heading", level=1))
    header.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Budget").click()
    dialog = page.get_by_role("dialog", name="Budget of this session")
    expect(dialog.get_by_label("Spent so far")).to_be_visible()
    dialog.get_by_label("Tokens", exact=True).fill("1.5")
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()
    dialog.get_by_label("Tokens", exact=True).fill("")
    dialog.get_by_label("Dollars", exact=True).fill("1")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(header).to_contain_text("of $1.00")
    let(repo, "go")
    held = person.card("Count it [[overspends]]").get_by_role("region", name="Budget used up")
    expect(held).to_contain_text("The budget of $1.00 is used up for the whole session.")
    expect(header).to_contain_text("$1.25 of $1.00")
    header.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Budget").click()
    expect(dialog.get_by_label("Spent so far")).to_contain_text("$1.25 of $1.00")
    expect(dialog.get_by_label("Dollars", exact=True)).to_have_value("1")


def test_a_half_open_breaker_says_so_and_is_reset(person: Person, repo: Path) -> None:
    """GRD-4"""
    session = person.server.submit(repo, "Do it [[circles]]")
    for _ in range(3):
        (task,) = person.server.until(repo, "AWAITING_RESPONSE")
        person.server.post(f"/api/tasks/{task['task_id']}/resume", {"mode": "soft"})
    person.server.until(repo, "AWAITING_RESPONSE")
    person.open(session)
    held = person.card("Do it [[circles]]").get_by_role("region", name="Paused for safety")
    expect(held).to_contain_text("3 runs in a row changed no file.")
    expect(held).to_contain_text("Circuit breaker: Half open")
    held.get_by_role("button", name="Reset and go on").click()
    expect(person.page.locator("article[data-status=COMPLETE]")).to_be_visible()
