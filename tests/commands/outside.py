"""The commands that speak to a running server, as a script or a person in a terminal runs them."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.server.processes import environment, pilothouse

PATIENCE = 120.0

SCENARIOS = r"""
scenarios:
  fix-add:
    - say: Looking at calc.py
    - write: {path: calc.py, text: "def add(a, b):\n    return a + b\n"}
    - say: The sum is right now.
  asks:
    - ask: "Which structure do you prefer?\nA) Flat\nB) Nested"
    - say: "You chose {reply}."
  permits:
    - permission: {tool: Bash, detail: "make clean\nmake all", grant: "Bash(make:*)"}
    - say: "It was {reply}."
  limit-twice:
    - write: {path: first.txt, text: "first\n"}
    - limit: {text: Come back later., minutes: 60}
    - write: {path: second.txt, text: "second\n"}
    - limit: {text: Come back later still., minutes: 60}
    - say: All of it is written.
  fails:
    - fail: The thing this needs does not exist.
  crashes:
    - crash: 137
  escapes:
    - say: "\e[31mred\e[0m and a bell\a"
  waits:
    - say: Waiting.
    - write: {path: ignored/waits, text: "now\n"}
    - stall: true
"""


@dataclass(frozen=True)
class Outside:
    data_dir: Path
    http: httpx.Client

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return pilothouse(*arguments, data_dir=self.data_dir, **more)

    def task(self, text: str, repo: Path, *options: str) -> subprocess.CompletedProcess[str]:
        return self.run("task", text, "--project", str(repo), "--agent", "rehearsal", *options)

    def submit(self, text: str, repo: Path, *options: str) -> dict[str, Any]:
        """The task, without following it."""
        done = self.task(text, repo, "--json", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        found: dict[str, Any] = json.loads(done.stdout)["task"]
        return found

    @contextmanager
    def in_terminal(self, *arguments: str) -> Iterator[Person]:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "pilothouse.cli", *arguments],
            env=environment(self.data_dir, TERM="dumb"),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            # What a shell has started in the background ignores Ctrl-C, and so would all that is started from there.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(theirs)
        try:
            yield Person(ours, process)
        finally:
            process.kill()
            process.wait()
            os.close(ours)


class Person:
    """Sits before a terminal."""

    def __init__(self, terminal: int, process: subprocess.Popen[bytes]) -> None:
        self._terminal, self.process = terminal, process
        self.seen = ""

    def until(self, words: str) -> None:
        """Read until these words were printed; what comes after them is read later."""
        end = time.monotonic() + PATIENCE
        while words not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self._terminal], [], [], 1)[0]:
                text = self._read()
                assert text, self.seen
                self.seen += text
        self.seen = self.seen.split(words, 1)[1]

    def types(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def interrupts(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def exit_code(self) -> int:
        """A terminal is read to its end, or the program would wait to write."""
        while text := self._read():
            self.seen += text
        return self.process.wait(timeout=PATIENCE)

    def _read(self) -> str:
        """Empty when nobody is left to print."""
        try:
            return os.read(self._terminal, 65536).decode(errors="replace")
        except OSError:
            return ""
