"""A person sees that a verdict is not to be relied on, looks, and accepts: a doubt, other checks, an offer."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.person import Person, ended
from tests.workbench import git, make_repository

SCENARIOS = """
scenarios:
  loosens:
    steps:
      - write: {path: check.sh, text: "grep -q return calc.py || true\\n"}
      - write: {path: notes.txt, text: "The check is gentler now.\\n"}
    summarise: [say: "I made the check gentler. Shall I also remove it from the notes?"]
  breaks:
    steps: [write: {path: calc.py, text: "broken\\n"}, say: Done.]
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    path = make_repository(tmp_path / "doubted", SCENARIOS)
    (path / "agent.yaml").write_text("verification:\n  - {name: tests, command: sh check.sh}\n")
    (path / "check.sh").write_text("grep -q return calc.py\n")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "checks")
    return path


def test_a_doubtful_verdict_is_amber_until_its_doubts_are_accepted(person: Person, repo: Path) -> None:
    """BYD-17"""
    page = person.page
    session = person.server.submit(repo, "Soften it [[loosens]]")
    person.open(session)
    card = person.card("Soften it [[loosens]]")
    ended(card, "Passed, doubtful")
    found = card.get_by_role("region", name="Before you call it done")
    expect(found.get_by_text("Checks changed", exact=True)).to_be_visible()
    page.get_by_role("link", name="Pilothouse").first.click()
    row = page.get_by_role("listitem").filter(has_text="Soften it")
    expect(row.get_by_text("Passed, doubtful")).to_be_visible()

    row.get_by_role("link").click()
    found.get_by_role("button", name="Accept this doubt").click()
    dialog = page.get_by_role("dialog", name="Accept this doubt")
    expect(dialog.get_by_role("button", name="Accept", exact=True)).to_be_disabled()
    dialog.get_by_label("Why it is all right").fill("The check is to be rewritten anyway.")
    dialog.get_by_role("button", name="Accept", exact=True).click()
    ended(card, "Verified")
    expect(found.get_by_text("Accepted: The check is to be rewritten anyway.")).to_be_visible()
    person.reload()
    ended(card, "Verified")


def test_what_the_checks_became_is_shown_and_accepted(person: Person, repo: Path) -> None:
    """BYD-17"""
    page = person.page
    session = person.server.submit(repo, "Be gentler [[loosens]]")
    person.open(session)
    ended(person.card("Be gentler [[loosens]]"), "Passed, doubtful")
    broken = person.send("Go on [[breaks]]")
    ended(broken, "Passed, doubtful")
    expect(broken.get_by_text("Accepted checks fail", exact=True)).to_be_visible()
    broken.get_by_role("link", name="Open the project's checks").click()

    accepted = page.get_by_role("region", name="Accepted checks")
    expect(accepted.get_by_text("The checks are not those you accepted")).to_be_visible()
    accepted.get_by_text("check.sh", exact=True).click()
    expect(accepted.get_by_text("+grep -q return calc.py || true")).to_be_visible()
    accepted.get_by_role("button", name="Accept these checks…").click()
    dialog = page.get_by_role("dialog", name="Accept these checks")
    dialog.get_by_label("Why it is all right").fill("We count on reviews instead.")
    dialog.get_by_role("button", name="Accept", exact=True).click()
    expect(accepted.get_by_text("The checks are as you accepted them.")).to_be_visible()
    expect(accepted.get_by_text("We count on reviews instead.")).to_be_visible()
    person.open(session)
    ended(person.send("Once more [[breaks]]"), "No changes")


def test_an_offer_becomes_the_next_message(person: Person, repo: Path) -> None:
    """WEB-10"""
    session = person.server.submit(repo, "Be gentler [[loosens]]")
    person.open(session)
    offer = person.card("Be gentler [[loosens]]").get_by_role("region", name="The agent offers")
    expect(offer.get_by_text("Shall I also remove it from the notes?")).to_be_visible()
    offer.get_by_role("button", name="Use as next message").click()
    expect(person.composer).to_be_focused()
    expect(person.composer).to_have_value("Please do what you offered: “Shall I also remove it from the notes?”")
