"""The server is killed in the middle of a task; the page finds it again and offers how to go on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.person import Person, ended
from tests.e2e.served import Served, let

TEXT = "Do the whole [[interrupted]]"


@pytest.fixture
def person(page: Page, own_server: Served) -> Person:
    return Person(page, own_server)


@pytest.fixture
def card(person: Person, repo: Path) -> Locator:
    """Of a task that is under way and has changed something."""
    person.server.add(repo)
    person.log_in()
    running = person.begin(repo, TEXT)
    expect(running).to_contain_text("Half of it is there.")
    return running


def pull_the_plug(person: Person) -> None:
    person.server.kill()
    expect(person.page.get_by_role("status").get_by_text("Reconnecting")).to_be_visible()


def back_again(person: Person, card: Locator) -> Locator:
    """Start the server; the page is not touched. The panel that asks how to go on."""
    page = person.page
    person.server.start()
    expect(page.get_by_text("Connected", exact=True)).to_be_attached()
    expect(page.get_by_role("status").get_by_text("Reconnecting")).to_have_count(0)
    ended(card, "Interrupted")
    return card.get_by_role("region", name="How should it continue?")


def test_resume_replay_keeps_the_changes_and_goes_on_after_the_last_step(
    person: Person, card: Locator, repo: Path
) -> None:
    """WEB-1, WEB-2, WEB-3, PLT-2"""
    pull_the_plug(person)
    (repo / "mine.txt").write_text("written meanwhile\n")
    panel = back_again(person, card)
    expect(panel.get_by_text("The step log: Saved")).to_be_visible()
    let(repo, "go")
    panel.get_by_role("button", name="Resume (replay)").click()
    ended(card)
    expect(card.get_by_text("Attempt 2", exact=True)).to_be_visible()
    assert (repo / "mine.txt").read_text() == "written meanwhile\n"
    assert (repo / "whole.txt").read_text() == "whole\n"
    (task,) = person.server.tasks(repo)
    assert (task["attempt"], task["status"]) == (2, "COMPLETE")


def test_rollback_and_replay_is_the_default_and_begins_from_the_checkpoint(
    person: Person, card: Locator, repo: Path
) -> None:
    """WEB-1, WEB-2, WEB-3, WEB-6, PLT-2"""
    pull_the_plug(person)
    (repo / "partial.txt").write_text("scribbled over\n")
    panel = back_again(person, card)
    button = panel.get_by_role("button", name="Rollback & replay")
    expect(button).to_have_accessible_description(re.compile("^Default. Restores the files"))
    expect(panel.get_by_text("A rollback removes changes in 1 file: 1 added and 0 removed lines.")).to_be_visible()
    panel.get_by_text("What a rollback removes").click()
    expect(panel.get_by_role("listitem").filter(has_text="partial.txt")).to_be_visible()
    button.click()
    expect(card).to_contain_text("Attempt 2")
    let(repo, "go")
    ended(card)
    assert (repo / "partial.txt").read_text() == "half\n"
    assert (repo / "whole.txt").read_text() == "whole\n"


def test_soft_resume_is_disabled_with_the_reason_when_a_saved_part_is_missing(
    person: Person, card: Locator, repo: Path
) -> None:
    """WEB-3"""
    (task,) = person.server.tasks(repo)
    pull_the_plug(person)
    panel = back_again(person, card)
    person.server.until_recovered()
    expect(panel.get_by_text("The step log: Saved")).to_be_visible()
    (person.server.data_dir / "artifacts" / task["task_id"] / "1" / "step-log.json").unlink()
    person.reload()
    expect(panel.get_by_text("The step log: Missing")).to_be_visible()
    soft = panel.get_by_role("button", name="Resume (replay)")
    expect(soft).to_be_disabled()
    expect(panel.get_by_text("Not possible:")).to_contain_text("step")
    expect(panel.get_by_role("button", name="Rollback & replay")).to_be_enabled()


def test_an_answer_given_before_is_given_again_after_a_replay(person: Person, repo: Path) -> None:
    """WEB-5"""
    text = "Greet [[asks-then-works]]"
    person.server.add(repo)
    person.log_in()
    card = person.begin(repo, text)
    card.get_by_role("textbox", name="Your reply").fill("Ahoy")
    card.get_by_role("button", name="Send Reply").click()
    expect(card.get_by_text("still running:")).to_be_visible()
    pull_the_plug(person)
    panel = back_again(person, card)
    expect(panel).to_contain_text("1 reply of yours is repeated, so you are not asked twice.")
    let(repo, "go")
    panel.get_by_role("button", name="Rollback & replay").click()
    ended(card, "No changes")
    expect(card).to_contain_text("It says: Ahoy")
    expect(card.get_by_role("list", name="Your replies")).to_contain_text("repeated from your earlier reply")
