"""Checkpoint against `git status` on a repository of 50,000 files, as ratios of medians taken in turns.

Usage: python bench/checkpoint.py [--files 50000] [--rounds 11]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pilothouse.git.checkpoints import Checkpoints

PROMISES = {"unchanged_ratio": 1.5, "changed_ratio": 2.0}
CHANGED = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as directory:
        figures = measure(Path(directory), options.files, options.rounds)
    print(json.dumps(figures))
    missed = [name for name, limit in PROMISES.items() if figures[name] > limit]
    if missed:
        raise SystemExit(f"over the promise: {', '.join(missed)}")


def measure(place: Path, files: int, rounds: int) -> dict[str, float]:
    repository = place / "repository"
    paths = make_repository(repository, files)
    checkpoints = Checkpoints(repository, place / "state")
    numbers = iter(range(1, 1_000_000))

    def take() -> None:
        checkpoints.take(f"refs/pilothouse/bench/1/1/{next(numbers)}")

    def status() -> None:
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
        subprocess.run(
            ["git", "status", "--porcelain"], cwd=repository, env=environment, check=True, capture_output=True
        )

    first = timed(take)
    status()
    take()
    unchanged: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        unchanged[0].append(timed(status))
        unchanged[1].append(timed(take))
    changed: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        edit(repository, paths, number)
        changed[0].append(timed(status))
        changed[1].append(timed(take))
        subprocess.run(["git", "checkout", "-q", "--", "."], cwd=repository, check=True)
        subprocess.run(["git", "status"], cwd=repository, check=True, capture_output=True)
        take()
    start = checkpoints.refs()[0].commit
    edit(repository, paths, 1)
    restore = timed(lambda: checkpoints.restore(start, "refs/pilothouse/bench/undo"))
    medians = [statistics.median(times) for times in (*unchanged, *changed)]
    return {
        "files": files,
        "first_checkpoint_ms": round(first, 1),
        "status_unchanged_ms": round(medians[0], 1),
        "checkpoint_unchanged_ms": round(medians[1], 1),
        "unchanged_ratio": round(medians[1] / medians[0], 2),
        "status_changed_ms": round(medians[2], 1),
        "checkpoint_changed_ms": round(medians[3], 1),
        "changed_ratio": round(medians[3] / medians[2], 2),
        "restore_changed_ms": round(restore, 1),
    }


def make_repository(repository: Path, files: int) -> list[Path]:
    paths = [repository / f"p{i % 50}" / f"q{i % 500}" / f"file{i}.py" for i in range(files)]
    for number, path in enumerate(paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"value = {number}\n" * 20)
    for args in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "base"], ["status"]):
        identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
        subprocess.run(["git", *identity, *args], cwd=repository, check=True, capture_output=True)
    return paths


def edit(repository: Path, paths: list[Path], number: int) -> None:
    for path in paths[number :: len(paths) // CHANGED][:CHANGED]:
        path.write_text(path.read_text() + f"changed = {number}\n")


def timed(action: Callable[[], None] | Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
