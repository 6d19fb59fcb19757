"""How long a person waits for Claude's first words: from sending a message to its text on a socket client.

The real program, a loopback stand-in of its provider, a real server on a repository of 1,000 files. In turns:

- by hand: `claude -p`, started anew, to the first piece of text on its standard output;
- prepared: the first message of a new chat, whose process was asked for when the chat was opened, two seconds before;
- kept: the next message of that chat.

Usage: python -m bench.first_text [--rounds 11]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.agent import by_hand
from bench.figures import median, report
from bench.served import Listener, Server, completed, make_repository, serving
from tests.real_agent.messages_api import MessagesApi

FILES = 1_000
PROMPT = "Hi. [[hello]]"
PREPARED = "claude_prepared_*.log"
READY_SECONDS = 60.0
PAUSE_SECONDS = 0.5
"""Between two messages: a person takes longer to write one."""
WRITING_SECONDS = 2.0
"""From a process that answers to the first message: whoever opened the chat has to write that first."""


class Bench:
    def __init__(self, server: Server, repository: Path) -> None:
        self.server = server
        self.repository = repository
        self.listener = Listener(server)
        self.project = str(server.post("/api/projects", {"path": str(repository)})["id"])

    def prepare(self) -> None:
        def ask() -> None:
            if not self.server.post(f"/api/projects/{self.project}/prepare", {})["prepared"]:
                raise SystemExit("no agent was made ready")

        until_ready(self.server, ask)
        time.sleep(WRITING_SECONDS)

    def first(self) -> tuple[float, str]:
        """A new chat; seconds to its first text, and where its next messages go."""
        body = {"project_path": str(self.repository), "agent": "claude", "title": "Bench", "message": {"text": PROMPT}}
        began = time.perf_counter()
        session = self.server.post("/api/sessions", body)
        took = self._until_text(session["current_task_id"]) - began
        return took, f"/api/sessions/{session['project_id']}/{session['slug']}/messages"

    def next(self, messages: str) -> float:
        time.sleep(PAUSE_SECONDS)
        began = time.perf_counter()
        return self._until_text(self.server.post(messages, {"text": PROMPT})["task_id"]) - began

    def _until_text(self, task_id: str) -> float:
        self.listener.follow(task_id)
        at = self.listener.until(lambda item: item["type"] == "output" and item["task_id"] == task_id)
        self.listener.until(lambda item: completed(item, task_id))
        return at


def until_ready(server: Server, ask: Callable[[], object]) -> None:
    """Until the program that is asked for has answered that it is ready; what it says is in its log."""
    logs = server.data_dir / "logs"
    known = set(logs.glob(PREPARED))
    ask()
    until = time.perf_counter() + READY_SECONDS
    while not any(b'"control_response"' in log.read_bytes() for log in set(logs.glob(PREPARED)) - known):
        if time.perf_counter() > until:
            raise SystemExit("the agent did not become ready")
        time.sleep(0.02)


@dataclass(frozen=True, slots=True)
class Scene:
    """A repository, a server that knows the real program, and a stand-in of that program's provider."""

    repository: Path
    server: Server
    api: MessagesApi
    env: dict[str, str]

    def by_hand(self) -> float:
        return by_hand(self.repository, {"PATH": os.environ["PATH"], **self.env})


@contextmanager
def scene(folder: Path) -> Iterator[Scene]:
    repository = make_repository(folder / "repository", FILES, "scenarios: {}\n")
    home = folder / "home"
    home.mkdir()
    settings = {"MAX_CALLS_PER_HOUR": "100000", "GLOBAL_INSTRUCTIONS": "none"}
    with MessagesApi() as api, serving(folder / "data", **api.env(home), **settings) as server:
        yield Scene(repository, server, api, api.env(home))


def measure(folder: Path, rounds: int) -> dict[str, float]:
    alone, prepared, kept = [], [], []
    with scene(folder) as found:
        bench = Bench(found.server, found.repository)
        # The first task of a workspace makes its private git directory, and the SDK is imported.
        bench.prepare()
        bench.first()
        for _ in range(rounds):
            alone.append(found.by_hand())
            bench.prepare()
            took, messages = bench.first()
            prepared.append(took)
            kept.append(bench.next(messages))
        bench.listener.close()
    return compared(alone, prepared, kept)


def compared(alone: list[float], prepared: list[float], kept: list[float]) -> dict[str, float]:
    return {
        "by_hand_ms": round(median(alone) * 1000, 1),
        "prepared_ms": round(median(prepared) * 1000, 1),
        "kept_ms": round(median(kept) * 1000, 1),
        "prepared_ratio": round(median(prepared) / median(alone), 3),
        "kept_ratio": round(median(kept) / median(alone), 3),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=11)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as folder:
        figures = measure(Path(folder), given.rounds)
    report("first_text", figures)


if __name__ == "__main__":
    main()
