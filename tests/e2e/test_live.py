"""What a running task shows without a reload."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.person import Person, ended
from tests.e2e.served import let

TEXT = "Take notes [[stages]]"


def test_milestones_come_by_themselves_and_the_details_are_one_click_away(person: Person, repo: Path) -> None:
    """TSK-5, FTR-17"""
    page, server = person.page, person.server
    server.add(repo)
    person.log_in()
    loads: list[str] = []
    card = person.begin(repo, TEXT)
    page.on("load", lambda loaded: loads.append(loaded.url))
    milestone = card.locator("[aria-live=polite]")
    expect(milestone).to_have_text("Running a command")
    expect(card.get_by_text("still running: until [ -e ignored/first ]")).to_be_visible()
    expect(card).to_contain_text("Looking around first.")
    card.get_by_role("button", name="Output").click()
    details = page.get_by_role("complementary", name="Details")
    filtered = details.get_by_role("list", name="Filtered")
    expect(filtered).to_contain_text("Analysing the codebase")
    expect(filtered).not_to_contain_text("write: notes.md")
    let(repo, "first")
    expect(filtered).to_contain_text("Making changes")
    expect(filtered).to_contain_text("write: notes.md")
    expect(filtered).not_to_contain_text("Looking around first.")
    details.get_by_role("button", name="Raw").click()
    log = details.get_by_role("log", name="Output of the task")
    expect(log).to_contain_text("The notes are begun.")
    expect(log).not_to_contain_text("All stages are done.")
    expect(details.get_by_role("checkbox", name="Follow the end")).to_be_checked()
    let(repo, "second")
    expect(log).to_contain_text("All stages are done.")
    ended(card)
    assert loads == []


def test_steps_and_changes_of_an_ended_task_can_be_seen(person: Person, repo: Path) -> None:
    """TSK-5, FTR-17"""
    page = person.page
    session = person.server.submit(repo, "Add up [[fix-add]]")
    person.open(session)
    card = person.card("Add up [[fix-add]]")
    ended(card)
    card.get_by_role("button", name="Steps").click()
    details = page.get_by_role("complementary", name="Details")
    details.get_by_role("button", name="1 Edit done").click()
    expect(details.get_by_label("Prompt")).to_contain_text("Add up")
    expect(details.get_by_label("Log")).to_contain_text("The sum is right now.")
    expect(details.get_by_text("return a - b")).to_be_visible()
    details.get_by_role("tab", name="Changes").click()
    expect(details.get_by_role("button", name="calc.py")).to_be_visible()
    expect(details.get_by_text("return a + b")).to_be_visible()
    details.get_by_role("button", name="Unified").click()
    expect(details.get_by_text("return a + b")).to_be_visible()
    person.reload()
    expect(details.get_by_role("tab", name="Changes")).to_have_attribute("aria-selected", "true")
    details.get_by_role("button", name="Close details").click()
    expect(details).to_have_count(0)


def test_a_session_moves_through_the_list_while_one_looks_at_it(person: Person, repo: Path) -> None:
    """TSK-5"""
    page, server = person.page, person.server
    project = server.add(repo)
    person.log_in(f"/?project={project}")
    server.submit(repo, TEXT)
    running = page.get_by_role("region", name="Running")
    expect(running.get_by_role("link", name="Take notes")).to_contain_text("Running a command")
    let(repo, "first")
    let(repo, "second")
    recent = page.get_by_role("region", name="Recent")
    expect(recent.get_by_role("link", name="Take notes")).to_contain_text("Not verified")
    expect(running).to_have_count(0)
