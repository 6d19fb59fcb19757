"""Scouts are switched on in the composer, and what each of them said is one click away."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.person import AGENT, Person, ended
from tests.workbench import git

TEXT = "Take a note [[mapped]]"
CONFIG = "package: inside\nverification:\n  - {name: there, command: 'true'}\n"


def test_scouts_look_around_first_and_what_left_the_package_is_named(person: Person, repo: Path) -> None:
    """TSK-5, TSK-11, TSK-14"""
    (repo / "agent.yaml").write_text(CONFIG)
    (repo / "inside").mkdir()
    (repo / "inside" / "kept.txt").write_text("kept\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "package")
    page = person.page
    person.server.add(repo)
    person.log_in("/new")
    page.get_by_label("Project", exact=True).select_option(label=repo.name)
    page.get_by_label("Agent", exact=True).select_option(value=AGENT)
    page.get_by_role("button", name="Options").click()
    page.get_by_role("group", name="Ask scouts first").get_by_role("button", name="On", exact=True).click()
    page.get_by_label("Your request").fill(TEXT)
    page.get_by_role("button", name="Start").click()
    card = person.card(TEXT)
    ended(card, "Passed, doubtful")
    expect(card).to_contain_text("outside.txt is outside the target package inside.")
    card.get_by_role("button", name="Steps").click()
    details = page.get_by_role("complementary", name="Details")
    expect(details).to_contain_text("Scout B")
    details.get_by_role("button", name="Scout A").click()
    expect(details).to_contain_text("adds numbers")
