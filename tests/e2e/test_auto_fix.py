"""Work that fails is taken back by itself where that was asked for; what cannot run is refused at the composer."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.person import Person
from tests.workbench import git

CHECKS = "verification:\n  - {name: level, command: test -f never.txt}\n"
NEVER = """
scenarios:
  never:
    steps: [write: {path: calc.py, text: "def add(a, b):\\n    return 0\\n"}, say: Done.]
    fix: [say: Another try.]
    replan: [say: Another way.]
    stuck: [say: "Hypotheses:\\n- The check is wrong"]
"""
WRONG = "def add(a, b):\n    return a - b\n"


def test_a_task_that_gets_stuck_is_rolled_back_by_itself_and_that_can_be_undone(person: Person, repo: Path) -> None:
    """WEB-7"""
    (repo / ".pilothouse/rehearsal.yaml").write_text(NEVER)
    (repo / "agent.yaml").write_text(CHECKS)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    page = person.page
    person.server.add(repo)
    person.log_in("/new")
    page.get_by_role("button", name="Options").click()
    page.get_by_role("switch", name="Auto-fix").click()
    person.reload()
    expect(page.get_by_role("button", name="Auto-fix: on. Turn it off")).to_be_visible()
    card = person.begin(repo, "Reach the level [[never]]")
    expect(card.get_by_role("button", name="Undo the rollback")).to_be_visible(timeout=120_000)
    expect(page.locator("article[data-status=STUCK]")).to_be_visible()
    # It can be undone from the moment it is a row, before the first file is back.
    person.server.until_restored(repo / "calc.py", WRONG)

    card.get_by_role("button", name="Undo the rollback").click()
    expect(person.messages).to_contain_text("The changes are back.")
    assert (repo / "calc.py").read_text() == "def add(a, b):\n    return 0\n"


def test_a_message_without_credentials_is_refused_with_what_to_do(person: Person, repo: Path) -> None:
    """WEB-7"""
    page = person.page
    person.server.add(repo)
    person.log_in("/new")
    page.get_by_label("Project", exact=True).select_option(label=repo.name)
    page.get_by_label("Agent", exact=True).select_option(value="rehearsal")
    page.get_by_label("Your request").fill("Fix it [[no-key]]")
    page.get_by_role("button", name="Start").click()
    refused = page.get_by_role("alert").filter(has_text="Not sent")
    expect(refused).to_contain_text("REHEARSAL_KEY")
    expect(refused).to_contain_text("Give the agent its credentials, then send the message again.")
    expect(page.get_by_label("Your request")).to_have_value("Fix it [[no-key]]")
    assert person.server.sessions(repo) == []
