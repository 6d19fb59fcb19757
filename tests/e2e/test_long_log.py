"""A hundred thousand lines of output stay as smooth as a few."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.person import WINDOW, Person
from tests.e2e.served import Served

LINES = 100_000
FEW = 2_000
FRAME_MS = 33
MOST_ROWS = 200
TURNS = 80
TRIES = 3

# Times between two frames while somebody turns the wheel, and the rows that were in the page meanwhile.
WATCH = """
() => {
  const box = document.querySelector("[data-log]");
  const seen = { times: [], rows: 0, on: true };
  let last = performance.now();
  const frame = (now) => {
    seen.times.push(now - last);
    last = now;
    seen.rows = Math.max(seen.rows, box.querySelectorAll("[data-row]").length);
    if (seen.on) requestAnimationFrame(frame);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });
  window.seen = seen;
}
"""


@pytest.fixture
def profile() -> dict[str, Any]:
    """Where things move."""
    return {"viewport": WINDOW}


@pytest.fixture
def flooded(page: Page, server: Served, repo: Path) -> Person:
    return printed(Person(page, server), repo, LINES)


def printed(person: Person, repo: Path, lines: int) -> Person:
    """On the raw output of a task that printed so many lines."""
    server, page = person.server, person.page
    done = len(server.tasks(repo))
    session = server.submit(repo, f"Print a lot [[flood-{lines}]]")
    server.until(repo, *["COMPLETE"] * (done + 1))
    person.open(session, session["current_task_id"], "output")
    page.get_by_role("button", name="Raw").click()
    expect(page.get_by_role("log")).to_contain_text(f"line 1 of {lines}")
    return person


def test_a_hundred_thousand_lines_scroll_smoothly(person: Person, repo: Path) -> None:
    """FTR-17"""
    few = smoothest(printed(person, repo, FEW).page)
    # A machine that is slow or busy is slow with a few lines, too.
    assert smoothest(printed(person, repo, LINES).page) <= max(FRAME_MS, 2 * few)


def smoothest(page: Page) -> float:
    """The best of several tries, in milliseconds for a frame."""
    best = float("inf")
    for _ in range(TRIES):
        page.get_by_role("log").hover()
        seen = wheel(page)
        assert 0 < seen["rows"] <= MOST_ROWS
        best = min(best, p95(seen["times"]))
        if best <= FRAME_MS:
            break
    return best


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def wheel(page: Page) -> dict[str, Any]:
    page.evaluate(WATCH)
    for _ in range(TURNS):
        page.mouse.wheel(0, 900)
    seen: dict[str, Any] = page.evaluate("() => { window.seen.on = false; return window.seen; }")
    return seen


def test_the_end_of_a_long_log_is_one_click_away_and_a_person_can_copy_what_is_loaded(flooded: Person) -> None:
    """FTR-17"""
    page = flooded.page
    log = page.get_by_role("log")
    page.get_by_role("button", name="Jump to the end").click()
    expect(log).to_contain_text(f"line {LINES} of {LINES}")
    expect(log).to_contain_text("That was all.")
    page.get_by_role("button", name="Copy what is loaded").click()
    expect(flooded.messages).to_contain_text("Copied")
    log.press("Control+Home")
    expect(log).to_contain_text(f"line 1 of {LINES}")
    assert log.locator("[data-row]").count() <= MOST_ROWS
