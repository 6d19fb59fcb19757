"""A dry run proposes; the person looks, then applies or discards."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.person import AGENT, Person
from tests.workbench import git, tree

TEXT = "Add up [[fix-add]]"
RIGHT = "def add(a, b):\n    return a + b\n"
CHECKS = "verification:\n  - {name: sums, command: \"grep -q 'a + b' calc.py\"}\n"
# Far enough below what the proposal changes that the two merge.
PADDED = "def add(a, b):\n    return a - b\n" + "\n" * 8 + "# the end\n"
MERGED = PADDED.replace("a - b", "a + b").replace("# the end", "# our end")
EDITS = r"""
scenarios:
  edit-add:
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
    - say: The sum is right now.
"""


@pytest.fixture
def checked(repo: Path) -> Path:
    (repo / "agent.yaml").write_text(CHECKS)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    return repo


def propose(person: Person, repo: Path, text: str = TEXT) -> Locator:
    """Ask for a dry run, and wait for its proposal; the card."""
    page = person.page
    person.server.add(repo)
    person.log_in("/new")
    page.get_by_label("Project", exact=True).select_option(label=repo.name)
    page.get_by_label("Agent", exact=True).select_option(value=AGENT)
    page.get_by_role("button", name="Options").click()
    page.get_by_role("switch", name="Dry run").click()
    page.get_by_label("Your request").fill(text)
    page.get_by_role("button", name="Start").click()
    card = person.card(text)
    expect(card.get_by_role("button", name="Apply", exact=True)).to_be_visible()
    return card


def test_a_proposal_is_read_applied_and_verified(person: Person, checked: Path) -> None:
    """TSK-7"""
    before = tree(checked)
    card = propose(person, checked)
    diff = card.get_by_role("region", name="Proposed changes")
    expect(diff).to_contain_text("return a + b")
    expect(diff).to_contain_text("return a - b")
    assert tree(checked) == before
    card.get_by_role("button", name="Apply", exact=True).click()
    expect(person.page.locator("article[data-status=COMPLETE]")).to_be_visible()
    assert (checked / "calc.py").read_text() == RIGHT
    [task] = person.server.until(checked, "COMPLETE")
    assert task["verdict"] == "PASS"


def test_a_discarded_proposal_leaves_the_files_alone_and_can_still_be_read(person: Person, checked: Path) -> None:
    """TSK-7"""
    before = tree(checked)
    card = propose(person, checked)
    card.get_by_role("button", name="Discard").click()
    expect(card.locator("header").get_by_text("Proposed", exact=True)).to_be_visible()
    assert tree(checked) == before
    person.reload()
    card.get_by_role("button", name="1 file changed").click()
    expect(person.page.get_by_role("tabpanel", name="Changes")).to_contain_text("return a + b")
    expect(card.get_by_role("button", name="Roll back")).to_have_count(0)


def test_a_proposal_on_files_that_changed_since_is_merged_only_when_confirmed(person: Person, repo: Path) -> None:
    """TSK-7"""
    (repo / "calc.py").write_text(PADDED)
    (repo / "agent.yaml").write_text(CHECKS)
    (repo / ".pilothouse/rehearsal.yaml").write_text(EDITS)
    git(repo, "add", "-f", ".")
    git(repo, "commit", "-qm", "checks")
    card = propose(person, repo, "Add up [[edit-add]]")
    (repo / "calc.py").write_text(PADDED.replace("# the end", "# our end"))
    card.get_by_role("button", name="Apply", exact=True).click()
    merged = card.get_by_role("region", name="Merged changes")
    expect(merged).to_contain_text("return a + b")
    assert "a - b" in (repo / "calc.py").read_text()

    (repo / "calc.py").write_text("def add(a, b):\n    return sum([a, b])\n")
    card.get_by_role("button", name="Apply the merge").click()
    refused = card.get_by_role("alert").filter(has_text="It cannot be applied")
    expect(refused).to_contain_text("calc.py")
    assert "sum([a, b])" in (repo / "calc.py").read_text()

    (repo / "calc.py").write_text(PADDED.replace("# the end", "# our end"))
    card.get_by_role("button", name="Apply", exact=True).click()
    card.get_by_role("button", name="Apply the merge").click()
    expect(person.page.locator("article[data-status=COMPLETE]")).to_be_visible()
    assert (repo / "calc.py").read_text() == MERGED
