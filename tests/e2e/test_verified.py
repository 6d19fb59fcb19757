"""From the agent's last word to a verdict that a person can trust, as they see it on the card."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.person import Person, ended
from tests.e2e.served import let
from tests.workbench import git, make_repository

SCENARIOS = """
scenarios:
  right:
    steps: [write: {path: level.txt, text: "9"}, say: Done.]
    summarise: [say: "I raised the level to 9, since 5 was asked for."]
  second:
    steps: [write: {path: level.txt, text: "1"}, say: Done.]
    fix: [say: "The level was too low, so the check failed.", write: {path: level.txt, text: "9"}]
    summarise: [say: "The level is high enough now."]
  never:
    steps: [write: {path: level.txt, text: "0"}, say: Done.]
    stuck: [say: "Hypotheses:\\n- The level cannot be reached\\n- The check is wrong"]
  skips:
    - edit: {path: test_calc.py, find: "    def test_add", replace: "    @unittest.skip('later')\\n    def test_add"}
    - edit: {path: calc.py, find: "a - b", replace: "a * b"}
"""
LEVEL = """\
verification:
  - name: shape
    command: [test, -f, level.txt]
  - name: level
    command: |
      printf '\\033[32mlevel is %s\\033[0m\\n' "$(cat level.txt)"
      {wait}
      test "$(cat level.txt)" -ge 5 || {{ printf '\\033[31mError: the level is too low\\033[0m\\n'; exit 1; }}
"""
# Goes on when the test says so: a word for each level.
WAITS = 'until [ -e "ignored/level-$(cat level.txt)" ]; do sleep 0.05; done'
UNITTEST = "verification:\n  - {name: tests, command: [python3, -m, unittest, -q]}\n"
TEST = """\
import unittest

from calc import add


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
"""


@pytest.fixture
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = make_repository(tmp_path / re.sub(r"\W+", "-", request.node.name.removeprefix("test_"))[:60], SCENARIOS)
    (path / "ignored").mkdir()
    return path


def checked(repo: Path, agent_yaml: str) -> None:
    (repo / "agent.yaml").write_text(agent_yaml)
    (repo / ".gitignore").write_text("ignored/\n.pilothouse/\n__pycache__/\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")


def test_a_verified_task_shows_its_run_its_summary_and_the_coloured_log(person: Person, repo: Path) -> None:
    """TSK-8, TSK-13"""
    checked(repo, LEVEL.format(wait="true"))
    session = person.server.submit(repo, "Raise the level [[right]]")
    person.open(session)
    card = person.card("Raise the level [[right]]")
    ended(card, "Verified")
    expect(card.get_by_text("I raised the level to 9, since 5 was asked for.")).to_be_visible()
    (task,) = person.server.tasks(repo)
    expect(card.get_by_text("2 checks passed in")).to_be_visible()
    card.get_by_role("link", name=task["run_id"][:8]).click()

    details = person.page.get_by_role("complementary", name="Details")
    expect(details.get_by_role("list", name="Checks").last.get_by_role("listitem")).to_have_count(2)
    expect(details.get_by_text(task["run_id"])).to_be_visible()
    expect(details.get_by_text("exit 0").first).to_be_visible()
    expect(details.get_by_text("level is 9")).to_have_class(re.compile("ansi-2"))
    details.get_by_role("button", name="Full log").click()
    details.get_by_label("Log of", exact=True).select_option(label="level")
    log = details.get_by_role("log", name="Log of the run")
    expect(log.get_by_text("level is 9")).to_have_class(re.compile("ansi-2"))

    person.reload()
    expect(details.get_by_text(task["run_id"])).to_be_visible()


def test_a_failure_is_fixed_at_the_second_verification_and_counted_live(person: Person, repo: Path) -> None:
    """TSK-5, TSK-9"""
    checked(repo, LEVEL.format(wait=WAITS))
    session = person.server.submit(repo, "Raise it [[second]]")
    person.open(session)
    card = person.card("Raise it [[second]]")
    expect(card.get_by_text("Running verification: level (2 of 2)")).to_be_visible()
    expect(card.get_by_text("Verification 1 of 12", exact=True)).to_be_visible()
    card.get_by_role("button", name="Output").click()
    details = person.page.get_by_role("complementary", name="Details")
    log = details.get_by_role("log", name="Output of the task")
    expect(log.get_by_text("level is 1")).to_have_class(re.compile("ansi-2"))

    let(repo, "level-1")
    expect(card.get_by_text("Verification 2 of 12: level (2 of 2)")).to_be_visible()
    expect(card.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "2")
    expect(log.get_by_text("level is 9")).to_be_visible()
    let(repo, "level-9")
    ended(card, "Verified")
    expect(card.get_by_text("at verification 2")).to_be_visible()

    card.get_by_role("button", name="Steps").click()
    details.get_by_role("button", name="2 Verify failed: level").click()
    expect(details.get_by_text("Error: the level is too low").first).to_be_visible()
    details.get_by_role("button", name="2 Verify failed: level").click()
    details.get_by_role("button", name="3 Fix done").click()
    expect(details.get_by_role("heading", name="Diagnosis")).to_be_visible()
    expect(details.get_by_text("The level was too low, so the check failed.").first).to_be_visible()
    expect(details.get_by_label("Prompt")).to_contain_text("Raise it")
    expect(details.get_by_role("button", name="level.txt")).to_be_visible()


def test_a_stuck_task_leaves_a_report_that_a_new_task_starts_from(person: Person, repo: Path) -> None:
    """TSK-10"""
    checked(repo, LEVEL.format(wait="true"))
    session = person.server.submit(repo, "Reach the level [[never]]")
    person.open(session)
    card = person.card("Reach the level [[never]]")
    ended(card, "Stuck")
    expect(card.get_by_text("The checks did not pass within 12 verifications")).to_be_visible()
    card.get_by_role("link", name="Read the report").click()
    report = person.page.get_by_role("article", name="Stuck report")
    expect(report.get_by_text("The level cannot be reached").first).to_be_visible()
    expect(report.get_by_text("Error: the level is too low")).to_have_count(12)
    with person.page.expect_download() as saved:
        report.get_by_role("button", name="Download").click()
    assert "## Verifications" in saved.value.path().read_text()

    report.get_by_role("button", name="Start a new task from this report").click()
    expect(person.composer).to_be_focused()
    expect(person.composer).to_have_value("Reach the level [[never]]")
    expect(person.page.get_by_text("Starts from the report of a stuck task")).to_be_visible()
    again = person.send("Reach it another way [[right]]")
    ended(again, "Verified")
    expect(person.page.get_by_text("Starts from the report of a stuck task")).to_have_count(0)
    stuck, done = person.server.tasks(repo)
    assert done["from_stuck"] == stuck["task_id"]
    again.get_by_role("link", name="From a stuck report").click()
    report.get_by_role("link").first.click()
    details = person.page.get_by_role("complementary", name="Details")
    expect(details.get_by_role("button", name="Verification 1 failed: level")).to_have_attribute(
        "aria-expanded", "true"
    )


def test_weakened_tests_are_on_the_card_before_anyone_calls_it_done(person: Person, repo: Path) -> None:
    """BYD-4"""
    (repo / "test_calc.py").write_text(TEST)
    checked(repo, UNITTEST)
    session = person.server.submit(repo, "Make it green [[skips]]")
    person.open(session)
    card = person.card("Make it green [[skips]]")
    found = card.get_by_role("region", name="Before you call it done")
    expect(found.get_by_text("Tests or checks were made weaker")).to_be_visible()
    expect(found.get_by_text("Test skipped")).to_be_visible()
    expect(found.get_by_role("listitem").filter(has_text="Tests as they were before, on the new code")).to_contain_text(
        "failed"
    )
    ended(card, "Passed, doubtful")
    expect(found.get_by_role("listitem").filter(has_text="Checks as they are now")).to_contain_text("passed")

    found.get_by_role("link", name=re.compile("Show the changes of test_calc.py")).click()
    details = person.page.get_by_role("complementary", name="Details")
    expect(details.get_by_role("button", name="test_calc.py")).to_have_attribute("aria-expanded", "true")
    expect(details.get_by_text("@unittest.skip('later')").first).to_be_visible()
