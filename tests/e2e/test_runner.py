"""The runner's controls: a restart brings a new process, a failed build changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.nursery import Nursery
from tests.e2e.person import Person
from tests.e2e.served import Served

TEXT = "Do the whole [[interrupted]]"


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """What Pilothouse builds itself with, in these tests."""
    script = tmp_path / "build.sh"
    script.write_text("echo everything is built")
    return script


@pytest.fixture
def own_server(nursery: Nursery, tmp_path: Path, build: Path) -> Iterator[Served]:
    command = f"sh {build}"
    started = Served(nursery, tmp_path / "data", PILOTHOUSE_BUILD_COMMAND=command, SHUTDOWN_WAIT_SECONDS="1")
    yield started
    started.kill()


@pytest.fixture
def person(page: Page, own_server: Served) -> Person:
    opened = Person(page, own_server)
    opened.log_in("/runner")
    return opened


def press(person: Person, name: str) -> None:
    person.page.get_by_role("button", name=name, exact=True).click()


def operation(person: Person, name: str) -> Locator:
    return person.page.get_by_role("region", name=name)


def pid(person: Person) -> str:
    return person.page.locator("[data-pid]").inner_text()


def test_after_a_restart_the_page_is_back_by_itself_and_another_process_answers(
    person: Person, repo: Path, build: Path
) -> None:
    """WEB-8, WEB-1"""
    page, server = person.page, person.server
    seen = build.with_name("seen")
    build.write_text(f"echo everything is built; until [ -e '{seen}' ]; do sleep 0.1; done")
    session = server.submit(repo, TEXT)
    server.until(repo, "RUNNING")
    before = pid(person)
    expect(page.get_by_role("list", name="Running now")).to_contain_text("Do the whole")
    press(person, "Restart")
    page.get_by_role("dialog", name="Restart Pilothouse?").get_by_role("button", name="Restart now").click()
    under_way = operation(person, "Restart is under way")
    expect(under_way.get_by_role("log")).to_contain_text("everything is built")
    expect(page.get_by_role("button", name="Build", exact=True)).to_be_disabled()
    expect(page.get_by_text("Restart is under way.").first).to_be_visible()
    seen.touch()
    done = operation(person, "Last operation: Restart")
    expect(done).to_contain_text("A new process runs.")
    expect(page.get_by_text("Connected", exact=True)).to_be_attached()
    expect(page.locator("[data-pid]")).not_to_have_text(before)
    assert pid(person) == str(server.get("/api/runner")["pid"])
    expect(done.get_by_role("listitem")).to_have_text([re.compile("^Build"), re.compile("^Stop"), re.compile("^Start")])
    # The log outlives the process that wrote it.
    done.get_by_role("button", name="View log").click()
    expect(done.get_by_role("log")).to_contain_text("everything is built")
    person.page.goto(f"{server.address}/sessions/{session['project_id']}/{session['slug']}")
    card = person.card(TEXT)
    expect(card.get_by_role("region", name="How should it continue?")).to_be_visible()


def test_a_failed_build_keeps_the_process_and_retry_goes_through(person: Person, build: Path) -> None:
    """WEB-8"""
    page = person.page
    build.write_text("echo compiling; echo a type does not match; exit 2")
    before = pid(person)
    press(person, "Restart")
    failed = operation(person, "Last operation: Restart")
    expect(failed).to_contain_text("The restart failed; the old process keeps running.")
    expect(failed).to_contain_text("ended with code 2: a type does not match")
    expect(failed.get_by_role("log")).to_contain_text("compiling")
    assert pid(person) == before
    build.write_text("echo mended")
    failed.get_by_role("button", name="Retry").click()
    expect(page.get_by_text("A new process runs.")).to_be_visible()
    expect(page.locator("[data-pid]")).not_to_have_text(before)
    operation(person, "Last operation: Restart").get_by_role("button", name="Back").click()
    expect(operation(person, "Last operation: Restart")).to_have_count(0)


def test_a_build_is_cancelled_and_the_runner_stopped_and_run(person: Person, build: Path) -> None:
    """WEB-8"""
    page = person.page
    build.write_text("echo begun; sleep 600")
    press(person, "Build")
    under_way = operation(person, "Build is under way")
    expect(under_way.get_by_role("log")).to_contain_text("begun")
    under_way.get_by_role("button", name="Cancel the build").click()
    expect(operation(person, "Last operation: Build")).to_contain_text("Everything keeps running unchanged.")
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_disabled()
    expect(run).to_have_accessible_description(re.compile("It is already running.$"))
    press(person, "Stop")
    page.get_by_role("button", name="Stop the runner").click()
    expect(operation(person, "Last operation: Stop")).to_contain_text("The runner is stopped.")
    run.click()
    expect(operation(person, "Last operation: Run")).to_contain_text("The runner takes work.")
    expect(run).to_be_disabled()
