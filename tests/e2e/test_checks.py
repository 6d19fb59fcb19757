"""A person sees what their project is verified with, changes it, and is told what is wrong with agent.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.person import Person
from tests.workbench import git

TESTS = "def test_add():\n    pass\n"
BROKEN = "verification:\n  - name: tests\n    comand: pytest -q\n"
SOUND = "verification:\n  - name: tests\n    command: pytest -q\n"


@pytest.fixture
def tested(repo: Path) -> Path:
    """With something to detect."""
    (repo / "pytest.ini").write_text("[pytest]\n")
    (repo / "test_calc.py").write_text(TESTS)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "tests")
    return repo


def open_checks(person: Person, repo: Path) -> None:
    """From the list of projects, as a person gets there."""
    person.server.add(repo)
    person.log_in("/projects")
    row = person.page.get_by_role("listitem").filter(has_text=repo.name)
    row.get_by_role("link", name="Checks").click()
    expect(person.page.get_by_role("heading", name=f"Checks of {repo.name}")).to_be_visible()


def checks(page: Page) -> Locator:
    return page.get_by_role("list", name="Checks in order").get_by_role("listitem")


def test_detected_checks_are_seen_edited_and_saved_as_agent_yaml(person: Person, tested: Path) -> None:
    """TSK-12"""
    page = person.page
    open_checks(person, tested)
    expect(page.get_by_text("Detected", exact=True)).to_be_visible()
    expect(checks(page)).to_have_count(1)
    expect(checks(page).first).to_contain_text("found in pytest.ini")

    page.get_by_role("button", name="Add a check").click()
    added = checks(page).nth(1)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(added.get_by_text("Say what to run.")).to_be_visible()
    added.get_by_label("Name").fill("sums")
    added.get_by_label("Command").fill("grep -q 'a + b' calc.py")
    added.get_by_label("Time-out").fill("90s")
    page.get_by_role("button", name="Move sums up").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Edited in Pilothouse", exact=True)).to_be_visible()
    person.reload()
    expect(checks(page).first.get_by_label("Command")).to_have_value("grep -q 'a + b' calc.py")
    assert not (tested / "agent.yaml").exists()

    page.get_by_role("button", name="Save as agent.yaml").click()
    dialog = page.get_by_role("dialog", name="Save as agent.yaml")
    text = dialog.get_by_label("Text of agent.yaml").input_value()
    assert "a + b" in text
    dialog.get_by_role("button", name="Write agent.yaml").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("From agent.yaml", exact=True)).to_be_visible()
    assert (tested / "agent.yaml").read_text() == text


def test_edits_can_be_given_up_for_what_was_detected(person: Person, tested: Path) -> None:
    """TSK-12"""
    page = person.page
    open_checks(person, tested)
    page.get_by_role("button", name="Remove tests").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("a task would end “Not verified”")).to_be_visible()
    page.get_by_role("button", name="Go back to what was detected").click()
    expect(page.get_by_text("Detected", exact=True)).to_be_visible()
    expect(checks(page)).to_have_count(1)


def test_a_broken_agent_yaml_is_named_by_line_and_refuses_messages_until_it_is_right(
    person: Person, repo: Path
) -> None:
    """TSK-11"""
    (repo / "agent.yaml").write_text(BROKEN)
    page = person.page
    person.server.add(repo)
    person.log_in()
    person.begin(repo, "Add up [[fix-add]]")
    refused = page.get_by_role("alert").filter(has_text="Not sent")
    expect(refused).to_contain_text("Line 3, column 5")
    expect(page.get_by_label("Your request")).to_have_value("Add up [[fix-add]]")
    assert person.server.sessions(repo) == []

    refused.get_by_role("link", name="Open the project's checks").click()
    expect(page.get_by_text("agent.yaml is broken, so no task starts here.")).to_be_visible()
    problems = page.get_by_role("list", name="Problems in agent.yaml")
    expect(problems).to_contain_text("command")
    problems.get_by_role("button", name="Line 3, column 5").click()
    box = page.get_by_label("Text of agent.yaml")
    expect(box).to_be_focused()

    box.fill(BROKEN + "nonsense: 1\n")
    page.get_by_role("button", name="Write agent.yaml").click()
    expect(problems.get_by_role("button", name="Line 4, column 1")).to_be_visible()
    assert (repo / "agent.yaml").read_text() == BROKEN

    box.fill(SOUND)
    page.get_by_role("button", name="Write agent.yaml").click()
    expect(page.get_by_text("From agent.yaml", exact=True)).to_be_visible()
    expect(checks(page).first).to_contain_text("pytest -q")
    assert (repo / "agent.yaml").read_text() == SOUND
