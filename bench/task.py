"""What going through Pilothouse adds to an agent's own time, on a repository of 1,000 files.

Two measurements, each with the same agent run by hand in turns with it:

- submit: from sending the message to the start of the agent's process, and to its first text on a socket client;
- whole task: a rehearsal of some five seconds (words, waits, edits, a command) until it is COMPLETE, as a ratio.

Usage: python -m bench.task [--rounds 9] [--submits 20]
"""

from __future__ import annotations

import argparse
import itertools
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
from bench.served import Listener, Server, completed, make_repository, serving
from pilothouse.agents.rehearsal import files
from pilothouse.agents.rehearsal.adapter import PROGRAM

FILES = 1_000
TICKS = 100
"""Per second, the unit of process start times in /proc wherever Linux runs."""
# The shell's parent is the agent, whose start time is the 22nd field of its line.
SCENARIOS = """
scenarios:
  start:
    - say: Here I am.
    - run: cut -d' ' -f22 /proc/$PPID/stat
"""
WORK = """
  {name}:
    - say: Looking at package3.
    - wait: 1.5
    - stream: {{text: "The value is wrong in three modules; changing them one by one.", chunk: 4, delay_ms: 20}}
    - edit: {{path: package3/module150.py, find: "{old}", replace: "{new}"}}
    - edit: {{path: package3/module151.py, find: "{old}", replace: "{new}"}}
    - write: {{path: package3/added.py, text: "ADDED = '{new}'\\n"}}
    - wait: 1.5
    - run: python3 -m compileall -q package3 && echo compiled
    - edit: {{path: package3/module152.py, find: "{old}", replace: "{new}"}}
    - run: git status --short
    - wait: 1.5
    - say: Three modules changed, one written.
"""
# One undoes what the other does, so that every run finds work and the tree as the run before left it.
TURNS = {
    "there": WORK.format(name="there", old="VALUE", new="NUMBER"),
    "back": WORK.format(name="back", old="NUMBER", new="VALUE"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="whole tasks, each way")
    parser.add_argument("--submits", type=int, default=20, help="short tasks, each way")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as directory:
        place = Path(directory)
        scenarios = SCENARIOS + "".join(TURNS.values())
        alone, served = (make_repository(place / name, FILES, scenarios) for name in ("alone", "served"))
        with serving(place / "data") as server:
            bench = Bench(server, alone, served)
            figures = {**bench.submits(options.submits), **bench.tasks(options.rounds)}
    report("task", figures)


class Submitted(NamedTuple):
    """Seconds since the message was sent."""

    answered: float
    spawned: float
    first_text: float


class Bench:
    def __init__(self, server: Server, alone: Path, served: Path) -> None:
        self.server = server
        self.alone = alone
        self.state = alone.parent / "by-hand"
        self.listener = Listener(server)
        about = {"project_path": str(served), "agent": "rehearsal", "title": "Bench"}
        opened = server.post("/api/sessions", about)
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
        turns = itertools.cycle(TURNS)
        by_hand, through = [], []
        for _, turn in zip(range(rounds + 1), turns, strict=False):
            by_hand.append(self._run_by_hand(turn))
            through.append(self._run_through(turn))
        # The first of each warms the caches.
        by_hand, through = by_hand[1:], through[1:]
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
        self.listener.until(lambda item: completed(item, task_id))
        said: str = self.server.get(f"/api/tasks/{task_id}/output")["text"]
        # Start times are cut off to the tick they fall in; half a tick is what that takes on average.
        started = (int(next(line for line in said.splitlines() if line.isdigit())) + 0.5) / TICKS
        return Submitted(answered - sent, started - booted, first - sent)

    def _first_words_by_hand(self) -> float:
        with self._by_hand("[[start]]") as (began, lines):
            arrived = [at for at, line in lines if b'"text"' in line]
            return arrived[0] - began

    def _run_by_hand(self, turn: str) -> float:
        with self._by_hand(f"[[{turn}]]") as (began, lines):
            *_, last = lines
        assert b'"done"' in last[1], last
        return time.perf_counter() - began

    def _run_through(self, turn: str) -> float:
        began = time.perf_counter()
        task_id = self.server.post(self.messages, {"text": f"[[{turn}]]"})["task_id"]
        return self.listener.until(lambda item: completed(item, task_id)) - began

    @contextmanager
    def _by_hand(self, prompt: str) -> Iterator[tuple[float, Iterator[tuple[float, bytes]]]]:
        """The agent's program alone, told exactly what Pilothouse tells it: when it began, and its timed lines."""
        known = files.load(files.paths(self.alone, None))
        request = {
            "prompt": prompt,
            "workspace": str(self.alone),
            "state_dir": str(self.state),
            "scenarios": [scenario._asdict() for scenario in known.values()],
        }
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-P", str(PROGRAM)], cwd=self.alone, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            program.stdin.write(json.dumps(request).encode())
            program.stdin.close()
            lines = program.stdout
            yield began, ((time.perf_counter(), line) for line in lines)


def _of(item: dict[str, Any], task_id: str, kind: str) -> bool:
    return bool(item["type"] == kind and item["task_id"] == task_id)


if __name__ == "__main__":
    main()
