"""Runs the benchmarks one after another and says which promises they keep.

    python -m bench [--quick] [--only task,idle] [--times 3] [--write .make/bench.jsonl]

Each runs in a process of its own, so that none finds the machine as another left it. The figures of every run are
added to a file as lines of JSON; the table shows medians over `--times` runs. The exit code is 1 when a promise is
broken or a benchmark failed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.promises import PROMISES, Promise

# Fewer rounds and smaller inputs: enough to see that everything runs, not what docs/performance.md claims.
QUICK: dict[str, tuple[str, ...]] = {
    "idle": ("--seconds", "10"),
    "restart": ("--rounds", "3"),
    "task": ("--rounds", "2", "--submits", "5"),
    "verify": ("--rounds", "2"),
    "relay": ("--pieces", "50"),
    "agent": ("--rounds", "3", "--pieces", "50"),
    "first_text": ("--rounds", "3"),
    "browser_text": ("--rounds", "3"),
    "fanout": ("--seconds", "3"),
    "checkpoint": ("--files", "5000", "--rounds", "3"),
    "store": ("--sessions", "1000", "--events", "50000"),
    "text": ("--rounds", "2"),
    "web": ("--frames", "200"),
}
LIMIT_SECONDS = 1_800
Runs = dict[str, list[dict[str, Any]]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller, in a few minutes")
    parser.add_argument("--only", default="", help=f"some of {', '.join(QUICK)}, separated by commas")
    parser.add_argument("--times", type=int, default=1, help="how often each is run")
    parser.add_argument("--write", type=Path, default=Path(".make/bench.jsonl"), help="where the figures go")
    options = parser.parse_args()
    chosen = [name for name in options.only.split(",") if name] or list(QUICK)
    if unknown := set(chosen) - set(QUICK):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    options.write.parent.mkdir(parents=True, exist_ok=True)
    print(
        f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, load {_load()}", flush=True
    )
    runs: Runs = {name: [] for name in chosen}
    for name in chosen:
        for _ in range(options.times):
            runs[name].append(run(name, QUICK[name] if options.quick else (), options.write))
    return 0 if table([promise for promise in PROMISES if promise.bench in runs], runs) else 1


def run(name: str, arguments: Sequence[str], write: Path) -> dict[str, Any]:
    """One benchmark's figures; empty when it ended without any."""
    print(f"--- {name} (load {_load()})", flush=True)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{name}", *arguments],
        stdout=subprocess.PIPE, text=True, check=False, timeout=LIMIT_SECONDS,
    )  # fmt: skip
    last = done.stdout.strip().rpartition("\n")[2]
    figures: dict[str, Any] = json.loads(last) if last.startswith("{") else {}
    for key, value in figures.items():
        print(f"    {key}: {round(value, 3) if isinstance(value, float) else value}")
    line = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "took_s": round(time.monotonic() - began, 1),
        "load": _load(),
        "exit_code": done.returncode,
        **figures,
        "bench": name,
        "arguments": list(arguments),
    }
    with write.open("a") as file:
        file.write(json.dumps(line) + "\n")
    return figures


def table(promises: list[Promise], runs: Runs) -> bool:
    """Print every promise with its figure; whether all were kept."""
    print()
    kept = True
    for promise in promises:
        found = [value for figures in runs[promise.bench] if (value := promise.measured(figures)) is not None]
        value = statistics.median(found) if found else None
        good = value is not None and value <= promise.limit
        kept = kept and good
        measured = "not measured" if value is None else f"{value:.4g} {promise.unit}".strip()
        limit = f"≤ {promise.limit:g} {promise.unit}".strip()
        print(f"{'kept  ' if good else 'BROKEN'}  {promise.words:<58} {measured:>12}  {limit}")
    return kept


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
