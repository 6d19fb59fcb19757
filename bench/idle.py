"""What an idle server costs: its share of a core and its memory, with the sample project and one socket client.

Usage: python -m bench.idle [--seconds 30]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import psutil

from bench.figures import report
from bench.served import Listener, Server, serving

SETTLE_SECONDS = 5.0
MEGABYTE = 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as directory, serving(Path(directory)) as server:
        listener = Listener(server)
        figures = {**idle(server, options.seconds), **used(server, listener)}
        listener.close()
    report("idle", figures)


def idle(server: Server, seconds: float) -> dict[str, float]:
    """Of the server and whatever it started, once the work of the start is done."""
    browse(server)
    time.sleep(SETTLE_SECONDS)
    before, began = spent(server), time.perf_counter()
    time.sleep(seconds)
    share = (spent(server) - before) / (time.perf_counter() - began)
    return {
        "idle_cpu_percent": round(share * 100, 3),
        "idle_memory_mb": memory(server),
        "processes": len(all_of(server)),
    }


def used(server: Server, listener: Listener) -> dict[str, float]:
    """The memory after some work: three tasks of the sample project, and the pages that show them."""
    project = server.get("/api/projects")["items"][0]
    for number in range(3):
        body = {"project_path": project["path"], "title": f"Bench {number}", "message": {"text": "[[fix-fee]]"}}
        task_id = server.post("/api/sessions", body)["current_task_id"]
        listener.until(lambda item, task_id=task_id: _settled(item, task_id))  # type: ignore[misc]
    browse(server)
    time.sleep(SETTLE_SECONDS)
    return {"used_memory_mb": memory(server)}


def browse(server: Server) -> None:
    """What a browser asks for when it opens the sessions and one of them."""
    for path in ("/", "/api/state", "/api/sessions", "/api/projects", "/api/agents", "/api/runner"):
        server.http.get(path)
    for session in server.get("/api/sessions")["items"]:
        server.get(f"/api/sessions/{session['project_id']}/{session['slug']}/tasks")


def _settled(item: dict[str, object], task_id: str) -> bool:
    event = item.get("event")
    return isinstance(event, dict) and event["task_id"] == task_id and event["type"] in ENDS


ENDS = ("task.completed", "task.failed", "task.awaiting")


def all_of(server: Server) -> list[psutil.Process]:
    process = psutil.Process(server.pid)
    return [process, *process.children(recursive=True)]


def spent(server: Server) -> float:
    """Seconds of processor time. By the scheduler's own count: the usual one looks only once per tick."""
    threads = [thread for process in all_of(server) for thread in Path(f"/proc/{process.pid}/task").iterdir()]
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def memory(server: Server) -> float:
    """Resident, in megabytes."""
    return round(sum(process.memory_info().rss for process in all_of(server)) / MEGABYTE, 1)


if __name__ == "__main__":
    main()
