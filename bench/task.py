"""What going through Pilothouse adds to an agent's own time, on a repository of 1,000 files.

Two measurements, each with the same agent run by hand in turns with it:

- submit: from sending the message to the start of the agent's process, and to its first text on a socket client;
- whole task: a rehearsal of some five seconds (words, waits, edits, a command) until it is COMPLETE, as a ratio.

Usage: python -m bench.task [--rounds 9] [--submits 20]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.figures import median, percentile, report
from bench.served import Listener, Server, git, make_repository, serving
from pilothouse.agents.rehearsal import files
from pilothouse.agents.rehearsal.adapter import PROGRAM

PROMISES = {"whole_task_ratio": 1.03}
FILES = 1_000
TICKS = 100
"""Per second, the unit of process start times in /proc wherever Linux runs."""
# The shell's parent is the agent, whose start time is the 22nd field of its line.
SCENARIOS = """
scenarios:
  start:
    - say: Here I am.
    - run: cut -d' ' -f22 /proc/$PPID/stat
  work:
    - say: Looking at package3.
    - wait: 1.5
    - stream: {text: "The value is wrong in three modules; changing them one by one.", chunk: 4, delay_ms: 20}
    - edit: {path: package3/module150.py, find: "VALUE = 150", replace: "VALUE = 151"}
    - edit: {path: package3/module151.py, find: "VALUE = 151", replace: "VALUE = 152"}
    - write: {path: package3/added.py, text: "ADDED = True\\n"}
    - wait: 1.5
    - run: python3 -m compileall -q package3 && echo compiled
    - edit: {path: package3/module152.py, find: "VALUE = 152", replace: "VALUE = 153"}
    - run: git status --short
    - wait: 1.5
    - say: Three modules changed, one added.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="whole tasks, each way")
    parser.add_argument("--submits", type=int, default=20, help="short tasks, each way")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as directory:
        place = Path(directory)
        repository = make_repository(place / "repository", FILES, SCENARIOS)
        with serving(place / "data") as server:
            bench = Bench(server, repository)
            figures = {**bench.submits(options.submits), **bench.tasks(options.rounds)}
    report(figures, PROMISES)


class Submitted(NamedTuple):
    """Seconds since the message was sent."""

    answered: float
    spawned: float
    first_text: float


class Bench:
    def __init__(self, server: Server, repository: Path) -> None:
        self.server = server
        self.repository = repository
        self.state = repository.parent / "by-hand"
        self.listener = Listener(server)
        opened = server.post("/api/sessions", {"project_path": str(repository), "agent": "rehearsal", "title": "Bench"})
        self.messages = f"/api/sessions/{opened['project_id']}/{opened['slug']}/messages"

    def submits(self, rounds: int) -> dict[str, float]:
        # The first task of a workspace makes its private git directory, and warms what every later one finds warm.
        self._submit()
        through, by_hand = [], []
        for _ in range(rounds):
            by_hand.append(self._first_words_by_hand())
            through.append(self._submit())
        spawned = [submitted.spawned * 1000 for submitted in through]
        first_text = [submitted.first_text * 1000 for submitted in through]
        own = [seconds * 1000 for seconds in by_hand]
        return {
            "answer_ms_p50": round(median([submitted.answered * 1000 for submitted in through]), 1),
            "submit_to_spawn_ms_p50": round(median(spawned), 1),
            "submit_to_spawn_ms_p95": round(percentile(spawned, 95), 1),
            "submit_to_first_text_ms_p50": round(median(first_text), 1),
            "submit_to_first_text_ms_p95": round(percentile(first_text, 95), 1),
            "first_text_by_hand_ms_p50": round(median(own), 1),
        }

    def tasks(self, rounds: int) -> dict[str, float]:
        self._run_by_hand()
        self._run_through()
        by_hand, through = [], []
        for _ in range(rounds):
            by_hand.append(self._run_by_hand())
            through.append(self._run_through())
        return {
            "whole_task_by_hand_s": round(median(by_hand), 3),
            "whole_task_through_s": round(median(through), 3),
            "whole_task_added_ms": round((median(through) - median(by_hand)) * 1000, 1),
            "whole_task_ratio": round(median(through) / median(by_hand), 4),
        }

    def _submit(self) -> Submitted:
        booted, sent = time.clock_gettime(time.CLOCK_BOOTTIME), time.perf_counter()
        task_id = self.server.post(self.messages, {"text": "[[start]]"})["task_id"]
        answered = time.perf_counter()
        self.listener.follow(task_id)
        first = self.listener.until(lambda item: _of(item, task_id, "output"))
        self.listener.until(lambda item: _completed(item, task_id))
        said: str = self.server.get(f"/api/tasks/{task_id}/output")["text"]
        # Start times are cut off to the tick they fall in; half a tick is what that takes on average.
        started = (int(next(line for line in said.splitlines() if line.isdigit())) + 0.5) / TICKS
        return Submitted(answered - sent, started - booted, first - sent)

    def _first_words_by_hand(self) -> float:
        with self._by_hand("[[start]]") as (began, lines):
            return next(at for at, line in lines if b'"text"' in line) - began

    def _run_by_hand(self) -> float:
        git(self.repository, "reset", "-q", "--hard")
        git(self.repository, "clean", "-q", "-fd")
        with self._by_hand("[[work]]") as (began, lines):
            last = b""
            for _, line in lines:
                last = line
        assert b'"done"' in last, last
        return time.perf_counter() - began

    def _run_through(self) -> float:
        git(self.repository, "reset", "-q", "--hard")
        git(self.repository, "clean", "-q", "-fd")
        began = time.perf_counter()
        task_id = self.server.post(self.messages, {"text": "[[work]]"})["task_id"]
        return self.listener.until(lambda item: _completed(item, task_id)) - began

    @contextmanager
    def _by_hand(self, prompt: str) -> Iterator[tuple[float, Iterator[tuple[float, bytes]]]]:
        """The agent's program alone, told exactly what Pilothouse tells it: when it began, and its timed lines."""
        known = files.load(files.paths(self.repository, None))
        request = {
            "prompt": prompt,
            "workspace": str(self.repository),
            "state_dir": str(self.state),
            "scenarios": [scenario._asdict() for scenario in known.values()],
        }
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-P", str(PROGRAM)], cwd=self.repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            program.stdin.write(json.dumps(request).encode())
            program.stdin.close()
            lines = program.stdout
            yield began, ((time.perf_counter(), line) for line in lines)


def _of(item: dict[str, Any], task_id: str, kind: str) -> bool:
    return item["type"] == kind and item["task_id"] == task_id


def _completed(item: dict[str, Any], task_id: str) -> bool:
    if item["type"] != "event" or item["event"]["task_id"] != task_id:
        return False
    if item["event"]["type"] in ("task.failed", "task.awaiting", "task.cancelled"):
        raise SystemExit(f"the task did not complete: {item['event']}")
    return bool(item["event"]["type"] == "task.completed")


if __name__ == "__main__":
    main()
