"""The front end in a real Chromium: what the first page loads, and how 100,000 lines of output scroll.

Frames are the times between two animation frames while the log is scrolled, first steadily, then by jumps to places
that are not loaded yet. Rows are counted in every frame. Memory is that of the tab's own process.

Usage: python -m bench.web [--lines 100000] [--frames 600]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.figures import median, percentile, report
from bench.served import TOKEN, Listener, Server, make_repository, serving
from pilothouse.server.routes.pages import STATIC
from tools import chromium

KILOBYTE, MEGABYTE = 1_000, 1_000_000
WAIT_MS = 60_000
STEP_PX = 240
JUMPS = 40
SETTLED_MS = 2_000

# A frame is what passes between two callbacks; the callback itself moves the scroller and counts.
SCROLL = """
async ({ frames, step, jumps }) => {
  const box = document.querySelector("[data-log]");
  const times = [];
  let most = 0, empty = 0;
  box.scrollTop = 0;
  let last = await new Promise(requestAnimationFrame);
  const perJump = Math.max(1, Math.round(frames / 4 / jumps));
  for (let frame = 0; frame < frames; frame++) {
    const left = frames - frame;
    if (left > frames / 4) box.scrollTop += step;
    else if (left % perJump === 0) box.scrollTop = ((frame * 7919) % 1000) / 1000 * box.scrollHeight;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
    const rows = box.querySelectorAll("[data-row]");
    most = Math.max(most, rows.length);
    empty += !rows.length || [...rows].every((row) => !/line \\d+ of/.test(row.textContent));
  }
  return { times, most, empty };
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--frames", type=int, default=600)
    options = parser.parse_args()
    if not (STATIC / "index.html").is_file():
        raise SystemExit("the front end is not built: make web")
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as directory, serving(Path(directory)) as server:
        scenarios = f"scenarios:\n  flood:\n    - flood: {{lines: {options.lines}}}\n    - say: Done.\n"
        repository = make_repository(Path(directory) / "repository", 50, scenarios)
        place = flooded(server, repository)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.ensure(), args=["--no-sandbox"])
            figures = {**first_load(server, browser), **scrolling(server, browser, place, options.frames)}
            browser.close()
    report("web", {"lines": options.lines, **figures})


def flooded(server: Server, repository: Path) -> str:
    """Where the page of a task that printed all those lines is."""
    listener = Listener(server)
    body = {"project_path": str(repository), "agent": "rehearsal", "message": {"text": "Print a lot. [[flood]]"}}
    session = server.post("/api/sessions", body)
    task_id = session["current_task_id"]
    listener.until(lambda item: item["type"] == "event" and item["event"]["type"] == "task.completed")
    listener.close()
    return f"/sessions/{session['project_id']}/{session['slug']}?task={task_id}&view=output"


def opened(server: Server, browser: Browser) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(WAIT_MS)
    answer = page.request.post(f"{server.address}/api/login", data={"token": TOKEN})
    assert answer.ok, answer.text()
    return page


def first_load(server: Server, browser: Browser) -> dict[str, float]:
    """Bytes of script, as they came over the wire, until the list of sessions stands."""
    page = opened(server, browser)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    scripts: set[str] = set()
    sizes: dict[str, float] = {}

    def seen(answer: dict[str, Any]) -> None:
        if answer["type"] == "Script":
            scripts.add(answer["requestId"])

    def loaded(answer: dict[str, Any]) -> None:
        sizes[answer["requestId"]] = answer["encodedDataLength"]

    network.on("Network.responseReceived", seen)
    network.on("Network.loadingFinished", loaded)
    page.goto(server.address)
    page.get_by_text("Print a lot").first.wait_for()
    page.wait_for_timeout(SETTLED_MS)
    page.context.close()
    total = sum(sizes.get(request, 0.0) for request in scripts)
    return {"first_load_scripts": len(scripts), "first_load_script_kb": round(total / KILOBYTE, 1)}


def scrolling(server: Server, browser: Browser, place: str, frames: int) -> dict[str, float]:
    page = opened(server, browser)
    page.goto(server.address + place)
    page.get_by_text("Raw", exact=True).click()
    page.locator("[data-row]").first.wait_for()
    page.wait_for_timeout(SETTLED_MS)
    found = page.evaluate(SCROLL, {"frames": frames, "step": STEP_PX, "jumps": JUMPS})
    page.wait_for_timeout(SETTLED_MS)
    times: list[float] = found["times"]
    session = page.context.new_cdp_session(page)
    figures = {
        "scroll_frame_ms_p50": round(median(times), 1),
        "scroll_frame_ms_p95": round(percentile(times, 95), 1),
        "scroll_frame_ms_worst": round(max(times), 1),
        "frames_without_text_percent": round(100 * found["empty"] / frames, 1),
        "rows_in_page_most": found["most"],
        "script_heap_mb": round(_metric(session, "JSHeapUsedSize") / MEGABYTE, 1),
        "tab_memory_mb": round(_tab_memory(browser) / MEGABYTE, 1),
    }
    page.context.close()
    return figures


def _metric(session: CDPSession, name: str) -> float:
    session.send("Performance.enable")
    found = session.send("Performance.getMetrics")["metrics"]
    return next(float(metric["value"]) for metric in found if metric["name"] == name)


def _tab_memory(browser: Browser) -> int:
    """What the tab's process has for itself alone, as the browser's own task manager counts it."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    tabs = [process["id"] for process in found if process["type"] == "renderer"]
    # A spare process for the next tab may stand by; the one that shows something is the largest.
    return max(psutil.Process(pid).memory_full_info().uss for pid in tabs)


if __name__ == "__main__":
    main()
