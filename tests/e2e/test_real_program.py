"""The real Claude program, driven by a person in a browser; only its provider is a stand-in on this machine."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from pilothouse.process import strays, tree
from pilothouse.process.environment import INSTANCE_VARIABLE, SPAWN_VARIABLE, instance_of
from tests.e2e.nursery import Nursery
from tests.e2e.person import Person, ended
from tests.e2e.served import Served
from tests.real_agent.messages_api import Answer, MessagesApi, fail, say, use
from tests.workbench import git

TEST = """\
import unittest

from calc import add


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
"""
LEVEL = 'verification:\n  - {name: level, command: [sh, -c, "test $(cat level.txt) -ge 5"]}\n'
UNITTEST = "verification:\n  - {name: tests, command: [python3, -m, unittest, -q]}\n"
DEAR = {"input_tokens": 2_000_000}


@pytest.fixture(scope="module")
def api() -> Iterator[MessagesApi]:
    with MessagesApi() as running:
        yield running


@pytest.fixture(scope="module")
def real(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory, api: MessagesApi) -> Iterator[Served]:
    """Logged in as with a subscription, whose limits name the time they end at."""
    env = api.env(tmp_path_factory.mktemp("home")) | {"ANTHROPIC_API_KEY": "", "CLAUDE_CODE_OAUTH_TOKEN": "a-token"}
    # However little memory is left, the process that asked is there when it is answered.
    started = Served(nursery, tmp_path_factory.mktemp("real"), CLAUDE_MEMORY_FLOOR_MB="0", **env)
    yield started
    started.stop()


@pytest.fixture
def person(page: Page, real: Served) -> Person:
    return Person(page, real)


def new_chat(person: Person, repo: Path) -> None:
    person.log_in(f"/new?project={person.server.add(repo)}")


def begin(person: Person, text: str) -> Locator:
    """In the new chat that is open; the card of its task."""
    person.page.get_by_label("Agent", exact=True).select_option(value="claude")
    person.composer.fill(text)
    person.page.get_by_role("button", name="Start").click()
    return person.card(text)


def heard(api: MessagesApi, mark: str) -> str:
    """All that the model was told last in the conversation with this mark."""
    return str([request["messages"] for request in api.requests if f"[[{mark}]]" in str(request["messages"])][-1])


def checked(repo: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (repo / name).write_text(text)
    (repo / ".gitignore").write_text("ignored/\n.pilothouse/\n__pycache__/\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")


def test_the_first_message_of_a_new_chat_is_answered_word_by_word(person: Person, repo: Path, api: MessagesApi) -> None:
    """BYD-1, BYD-14"""
    rest = threading.Event()
    api.scenarios["greet"] = [say("Aye aye. The rest comes later.", held=rest)]
    new_chat(person, repo)
    card = begin(person, "Greet me [[greet]]")
    try:
        expect(card).to_contain_text("Aye aye.")
        expect(card.locator("header").get_by_text("Running", exact=True)).to_be_visible()
        expect(card).not_to_contain_text("The rest comes later.")
    finally:
        rest.set()
    ended(card, "No changes")
    expect(card).to_contain_text("Aye aye. The rest comes later.")


def test_its_question_is_a_form_and_the_answer_goes_to_its_open_call(
    person: Person, repo: Path, api: MessagesApi
) -> None:
    """BYD-1, RPL-1"""
    options = [{"label": label, "description": f"the {label.lower()} one"} for label in ("Flat", "Nested")]
    parts = [{"label": label, "description": f"with {label.lower()}"} for label in ("Tests", "Docs")]
    asked = [
        {"question": "Which structure?", "header": "Structure", "multiSelect": False, "options": options},
        {"question": "What comes along?", "header": "Parts", "multiSelect": True, "options": parts},
    ]
    api.scenarios["form"] = [use("AskUserQuestion", "I need to know.", questions=asked), say("Thanks, going on.")]
    new_chat(person, repo)
    card = begin(person, "Build it [[form]]")
    form = card.get_by_role("form", name="Questions")
    form.get_by_text("Nested: the nested one").click()
    form.get_by_text("Docs: with docs").click()
    form.get_by_role("button", name="Send answers").click()
    ended(card, "No changes")
    expect(card).to_contain_text("Thanks, going on.")
    assert '"Which structure?"="Nested"' in heard(api, "form")
    assert '"What comes along?"="Docs"' in heard(api, "form")


def test_a_command_is_asked_for_allowed_once_then_denied_with_a_reason(
    person: Person, repo: Path, api: MessagesApi
) -> None:
    """GRD-7"""
    command = "echo ran >> ignored/runs.txt"
    api.scenarios["twice"] = [use("Bash", command=command), use("Bash", command=command), say("Then I leave it.")]
    new_chat(person, repo)
    card = begin(person, "Run it [[twice]]")
    expect(card.get_by_text("The agent wants to use Bash")).to_be_visible()
    expect(card.get_by_role("region", name="What it would do")).to_have_text(command)
    assert not (repo / "ignored" / "runs.txt").exists()
    card.get_by_role("button", name="Allow once").click()
    decisions = card.get_by_role("list", name="Your decisions")
    expect(decisions).to_contain_text("You allowed once")
    # Once is once: the same command is asked for again.
    card.get_by_role("button", name="Deny").click()
    card.get_by_label("Why not, or what to do instead").fill("One run is enough")
    card.get_by_role("button", name="Deny with this reason").click()
    ended(card, "No changes")
    expect(card).to_contain_text("Then I leave it.")
    expect(decisions).to_contain_text("You denied")
    assert "One run is enough" in heard(api, "twice")
    assert (repo / "ignored" / "runs.txt").read_text() == "ran\n"


def test_what_it_edits_is_checked_and_called_verified(person: Person, repo: Path, api: MessagesApi) -> None:
    """BYD-1, TSK-8, TSK-13"""
    checked(repo, {"agent.yaml": UNITTEST, "test_calc.py": TEST})
    api.scenarios["mend"] = [
        use("Read", "Let me see.", file_path="{cwd}/calc.py"),
        use("Edit", file_path="{cwd}/calc.py", old_string="a - b", new_string="a + b"),
        say("Mended."),
    ]
    api.scenarios["mend.summary"] = [say("It subtracted where it should have added.")]
    new_chat(person, repo)
    card = begin(person, "Mend add [[mend]]")
    ended(card, "Verified")
    expect(card).to_contain_text("It subtracted where it should have added.")
    expect(card.get_by_text("1 check passed in")).to_be_visible()
    assert (repo / "calc.py").read_text() == "def add(a, b):\n    return a + b\n"


def test_a_usage_limit_counts_down_to_the_time_the_provider_named(person: Person, repo: Path, api: MessagesApi) -> None:
    """GRD-6"""
    api.scenarios["limited"] = [limit_reached(int(time.time()) + 590)]
    new_chat(person, repo)
    card = begin(person, "Go on [[limited]]")
    held = card.get_by_role("region", name="Usage limit")
    left = held.get_by_role("timer")
    expect(left).to_contain_text(re.compile(r"in \dm \d+s"))
    shown = left.inner_text()
    expect(left).not_to_have_text(shown)
    person.reload()
    expect(left).to_contain_text(re.compile(r"in \dm \d+s"))
    api.scenarios["limited"] = [say("On we go.")]
    held.get_by_role("button", name="Retry now").click()
    ended(card, "No changes")
    expect(card).to_contain_text("On we go.")


def over_budget(person: Person, repo: Path, api: MessagesApi, mark: str) -> tuple[Locator, Locator]:
    """A task whose first turn costs more than it may, and leaves something to fix; its card, and what holds it."""
    checked(repo, {"agent.yaml": LEVEL, "level.txt": "0\n"})
    read = use("Read", file_path="{cwd}/level.txt")
    api.scenarios[mark] = [
        read,
        use("Write", file_path="{cwd}/level.txt", content="1\n"),
        say("Raised.", usage=DEAR),
    ]
    api.scenarios[f"{mark}.fix"] = [read, use("Write", file_path="{cwd}/level.txt", content="9\n"), say("Raised more.")]
    api.scenarios[f"{mark}.summary"] = [say("The level is 9.")]
    new_chat(person, repo)
    person.page.get_by_role("button", name="Options").click()
    person.page.get_by_label("Dollars").fill("0.5")
    card = begin(person, f"Raise the level [[{mark}]]")
    held = card.get_by_role("region", name="Budget used up")
    expect(held).to_contain_text("The budget of $0.50 is used up for this task.")
    assert (repo / "level.txt").read_text() == "1\n"
    return card, held


def test_a_budget_that_is_used_up_pauses_and_more_of_it_goes_on(person: Person, repo: Path, api: MessagesApi) -> None:
    """GRD-8"""
    card, held = over_budget(person, repo, api, "dear")
    person.reload()
    held.get_by_label("How many dollars more").fill("1000")
    held.get_by_role("button", name="Give more").click()
    ended(card, "Verified")
    expect(card).to_contain_text("The level is 9.")
    assert (repo / "level.txt").read_text() == "9\n"


def test_at_a_budget_that_is_used_up_a_person_can_stop(person: Person, repo: Path, api: MessagesApi) -> None:
    """GRD-8"""
    card, held = over_budget(person, repo, api, "too-dear")
    asked = len(api.requests)
    held.get_by_role("button", name="Stop here").click()
    ended(card, "Cancelled")
    expect(held).to_have_count(0)
    assert (repo / "level.txt").read_text() == "1\n"
    assert len(api.requests) == asked


def test_stopped_in_the_middle_of_a_tool_it_leaves_no_process(person: Person, repo: Path, api: MessagesApi) -> None:
    """BYD-8, TSK-6"""
    pipe = repo / "ignored" / "pid"
    os.mkfifo(pipe)
    # A child that has left the group, and a tool that waits for it.
    command = "setsid sh -c 'echo $$ > ignored/pid; sleep 301' & wait"
    api.scenarios["sleep"] = [use("Bash", command=command), say("Never said.")]
    new_chat(person, repo)
    card = begin(person, "Wait for it [[sleep]]")
    card.get_by_role("button", name="Always in this session").click()
    assert pipe.read_text()
    # The number it gives itself means nothing outside its process table.
    instance = instance_of(person.server.data_dir)
    child = next(pid for pid in tree.table() if tree.command(pid).startswith("sh -c echo $$ > ignored/pid"))
    assert tree.environment(child)[INSTANCE_VARIABLE] == instance
    spawn = tree.environment(child)[SPAWN_VARIABLE]
    seen = strays.of_spawn(spawn, instance)
    assert any("claude" in stray.command for stray in seen)
    assert child in [stray.process.pid for stray in seen]
    person.cancel(card)
    ended(card, "Cancelled")
    assert strays.of_spawn(spawn, instance) == []
    assert [stray for stray in seen if tree.alive(stray.process)] == []
    # Nothing of it holds up the next message.
    ended(person.send("Hello again"), "No changes")


def limit_reached(resets: int) -> Answer:
    return fail(
        429,
        "rate_limit_error",
        "This request would exceed your account's rate limit.",
        anthropic_ratelimit_unified_status="rejected",
        anthropic_ratelimit_unified_reset=str(resets),
        anthropic_ratelimit_unified_representative_claim="five_hour",
        anthropic_ratelimit_unified_overage_status="rejected",
        x_should_retry="false",
    )
