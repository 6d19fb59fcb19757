"""Cancelling what runs and what only waits, and holding a queue."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.person import Person, ended

RUNS, NEXT = "Go on and on [[endless]]", "Add up [[fix-add]]"


@pytest.fixture
def running(person: Person, repo: Path) -> Locator:
    """The card of a task that has changed something and would go on for minutes."""
    person.server.add(repo)
    person.log_in()
    card = person.begin(repo, RUNS)
    expect(card).to_contain_text("Half of it is there.")
    return card


def test_a_cancelled_task_leaves_the_tree_as_it_is_and_the_next_one_starts(
    running: Locator, person: Person, repo: Path
) -> None:
    """TSK-6"""
    queued = person.send(NEXT)
    expect(queued).to_contain_text("Next in the queue.")
    person.cancel(running)
    ended(running, "Cancelled")
    ended(queued)
    assert (repo / "partial.txt").read_text() == "half\n"
    assert [task["status"] for task in person.server.tasks(repo)] == ["CANCELLED", "COMPLETE"]


def test_a_queued_task_taken_back_leaves_no_trace_and_its_words_return(
    running: Locator, person: Person, repo: Path
) -> None:
    """TSK-3"""
    server = person.server
    queued = person.send("Never mind this one [[fix-add]]")
    last = person.send(NEXT)
    expect(last).to_contain_text("Number 2 in the queue.")
    expect(person.composer).to_have_value("")
    person.cancel(queued)
    expect(queued).to_have_count(0)
    expect(person.composer).to_have_value("Never mind this one [[fix-add]]")
    expect(last).to_contain_text("Next in the queue.")
    assert [task["prompt"] for task in server.tasks(repo)] == [RUNS, NEXT]
    (session,) = server.sessions(repo)
    events = server.get(f"/api/sessions/{session['project_id']}/{session['slug']}/events")["items"]
    assert "Never mind" not in str(events)
    person.cancel(running)


def test_cancel_and_hold_keeps_the_next_task_waiting_until_it_is_released(
    running: Locator, person: Person, repo: Path
) -> None:
    """TSK-6, TSK-17"""
    page = person.page
    queued = person.send(NEXT)
    expect(queued).to_contain_text("Next in the queue.")
    person.cancel(running, hold=True)
    ended(running, "Cancelled")
    expect(queued).to_contain_text("The queue is held")
    page.get_by_role("link", name="Queue", exact=True).click()
    queue = page.get_by_role("region", name=str(repo))
    expect(queue.get_by_text("Held: Held when a task was cancelled.", exact=True)).to_be_visible()
    assert [task["status"] for task in person.server.tasks(repo)] == ["CANCELLED", "QUEUED"]
    queue.get_by_role("button", name="Release").click()
    person.server.until(repo, "CANCELLED", "COMPLETE")


def test_the_queue_screen_shows_what_runs_holds_and_takes_back(running: Locator, person: Person, repo: Path) -> None:
    """TSK-3, TSK-17"""
    page, server = person.page, person.server
    person.send("Second [[quick]]")
    expect(person.send("Third [[quick]]")).to_contain_text("Number 2 in the queue.")
    page.get_by_role("link", name="Queue", exact=True).click()
    queue = page.get_by_role("region", name=str(repo))
    expect(queue.get_by_role("list", name="Runs now")).to_contain_text("Go on and on")
    waiting = queue.get_by_role("list", name="2 tasks wait")
    expect(waiting.get_by_role("listitem")).to_contain_text(["Second", "Third"])
    waiting.get_by_role("listitem").filter(has_text="Second").get_by_role("button", name="Take back").click()
    page.get_by_role("dialog", name="Take this task back?").get_by_role("button", name="Take back").click()
    waiting = queue.get_by_role("list", name="1 task waits")
    expect(waiting.get_by_role("listitem")).to_contain_text(["Third"])
    queue.get_by_role("button", name="Hold", exact=True).click()
    expect(queue.get_by_text("Held by you")).to_be_visible()
    (task, _) = server.tasks(repo)
    server.post(f"/api/tasks/{task['task_id']}/cancel")
    expect(queue.get_by_text("Nothing runs here.")).to_be_visible()
    expect(waiting).to_contain_text("The queue is held")
    queue.get_by_role("button", name="Release", exact=True).click()
    expect(queue).to_have_count(0)
    server.until(repo, "CANCELLED", "COMPLETE")
