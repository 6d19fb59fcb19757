"""The real Claude Code against a loopback stand-in of its provider: what a kept process saves, what the adapter adds.

- first text: `claude -p` started by hand, and a turn through the adapter on a process prepared for a new session, on
  one kept from the turn before, and on a fresh one, in turns;
- relay: from the provider's sending a piece of text to its event, through the program, the keeper and the adapter;
- memory of a kept process.

Usage: python -m bench.agent [--rounds 11] [--pieces 200]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

import psutil
import uvloop

from bench.figures import median, percentile, report
from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.agents.claude.conversation import Conversation
from pilothouse.agents.claude.program import bundled_program
from pilothouse.agents.pool import Pool
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import AgentRun, AgentSession, SpawnRequest, TextOut
from pilothouse.process.environment import Environment, instance_of
from tests.real_agent.messages_api import MessagesApi, say

BY_HAND = ("-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages")


class Bench:
    def __init__(self, folder: Path, api: MessagesApi) -> None:
        self.api = api
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        self.home = folder / "home"
        self.home.mkdir()
        self.logs = folder / "logs"
        self.env = {"PATH": os.environ["PATH"], **api.env(self.home)}
        self.pool: Pool[Conversation] = Pool(SystemClock(), most=4, idle_seconds=600, memory_floor_mb=0)
        environment = Environment(self.env, instance_of(folder))
        self.agent = ClaudeAgent(folder / "state", environment, self.pool)

    def request(self, session: str, resume: str | None = None, prompt: str = "Hi. [[hello]]") -> SpawnRequest:
        name = uuid4().hex
        return SpawnRequest(name, self.workspace, prompt, self.logs / f"{name}.log", resume=resume, session=session)

    async def turn(self, request: SpawnRequest) -> tuple[float, str]:
        """Seconds to the first text, and the conversation."""
        began = time.monotonic()
        run = await self.agent.start(request)
        return await first_text(run, began)


def by_hand(workspace: Path, env: Mapping[str, str]) -> float:
    """Seconds to the first text of `claude -p`."""
    program = bundled_program()
    began = time.monotonic()
    with subprocess.Popen(
        [str(program), *BY_HAND, "Hi. [[hello]]"],
        cwd=workspace, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            if b"text_delta" in line:
                took = time.monotonic() - began
                break
        process.stdout.read()
    return took


async def first_text(run: AgentRun, began: float) -> tuple[float, str]:
    took, conversation = 0.0, ""
    async for event in run.events():
        if isinstance(event, TextOut) and not took:
            took = time.monotonic() - began
        elif isinstance(event, AgentSession):
            conversation = event.id
    return took, conversation


async def relay(bench: Bench, pieces: int) -> list[float]:
    bench.api.next(say("x" * pieces, chunk=1, pause=0.02, times=True))
    run = await bench.agent.start(bench.request("relay", prompt="Tick."))
    delays: list[float] = []
    async for event in run.events():
        if isinstance(event, TextOut):
            now = time.monotonic()
            delays += [now - float(moment) for moment in re.findall(r"<([\d.]+)>", event.text)]
    return delays


async def measure(folder: Path, rounds: int, pieces: int) -> dict[str, float]:
    alone, fresh, prepared, kept = [], [], [], []
    with MessagesApi() as api:
        bench = Bench(folder, api)
        await bench.turn(bench.request(""))
        for number in range(rounds):
            alone.append(await asyncio.to_thread(by_hand, bench.workspace, bench.env))
            fresh.append((await bench.turn(bench.request("")))[0])
            await bench.agent.prepare(bench.request(""))
            (ready,) = bench.pool.prepared
            await ready.connect()
            first, conversation = await bench.turn(bench.request(f"s{number}"))
            prepared.append(first)
            kept.append((await bench.turn(bench.request(f"s{number}", conversation)))[0])
        delays = await relay(bench, pieces)
        resting = bench.pool.kept("relay")
        memory = sum(psutil.Process(pid).memory_info().rss for pid, _ in resting.spawned.living()) if resting else 0
        await bench.agent.forget()
    return {
        "by_hand_ms": round(median(alone) * 1000, 1),
        "fresh_ms": round(median(fresh) * 1000, 1),
        "prepared_ms": round(median(prepared) * 1000, 1),
        "kept_ms": round(median(kept) * 1000, 1),
        "prepared_ratio": round(median(prepared) / median(alone), 3),
        "kept_ratio": round(median(kept) / median(alone), 3),
        "relay_p50_ms": round(percentile(delays, 50) * 1000, 2),
        "relay_p99_ms": round(percentile(delays, 99) * 1000, 2),
        "kept_memory_mb": round(memory / 1e6, 1),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=11)
    options.add_argument("--pieces", type=int, default=200)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as folder:
        figures = uvloop.run(measure(Path(folder), given.rounds, given.pieces))
    report("agent", figures)


if __name__ == "__main__":
    main()
