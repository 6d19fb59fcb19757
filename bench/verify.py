"""What verifying adds to a project's own checks: the pipeline of the verifier ÷ the same commands run by hand.

The checks are those of a small project, some seconds in all: every module compiled, a talkative test suite, a linter's
worth of reading. Both ways run in turns in the same repository of 1,000 files, with the same environment.

Usage: python -m bench.verify [--rounds 9]
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import median, report
from bench.served import make_repository
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.task.checks import Check, RunResult
from pilothouse.settings import Settings
from pilothouse.verify.runs.environment import surroundings
from pilothouse.verify.runs.verifier import OutputText, Progress, RunRequest, Verifier

FILES = 1_000
TESTS = """
import unittest

class Case(unittest.TestCase):
    pass

def make(number):
    def test(self):
        print("reckoning", number, "\\033[32mok\\033[0m" * 5)
        self.assertEqual(sum(range(40_000)) % 7, 799980000 % 7)
    return test

for number in range(1_500):
    setattr(Case, f"test_{number:04}", make(number))
"""
CHECKS = (
    Check("compile", f"{sys.executable} -m compileall -q -f ."),
    Check("tests", f"{sys.executable} -m unittest -v test_all"),
    Check("lint", (sys.executable, "-m", "tabnanny", ".")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="whole pipelines, each way")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as directory:
        place = Path(directory)
        repository = make_repository(place / "repository", FILES, "scenarios: {}\n")
        (repository / "test_all.py").write_text(TESTS)
        (place / "data").mkdir()
        figures = asyncio.run(measured(Settings(data_dir=place / "data"), repository, options.rounds))
    report("verify", figures)


async def measured(settings: Settings, repository: Path, rounds: int) -> dict[str, float]:
    verifier = Verifier(settings, SystemClock())
    env = surroundings(verifier.environment, {})
    by_hand, through = [], []
    for number in range(rounds + 1):
        by_hand.append(await asyncio.to_thread(run_by_hand, repository, env, settings.data_dir / "by-hand.log"))
        through.append(await run_through(verifier, RunRequest(f"run-{number}", repository, CHECKS)))
    # The first of each warms the caches.
    own, whole = median(by_hand[1:]), median(through[1:])
    return {
        "by_hand_s": round(own, 3),
        "through_s": round(whole, 3),
        "added_ms_per_check": round((whole - own) * 1000 / len(CHECKS), 1),
        "verify_ratio": round(whole / own, 4),
    }


def run_by_hand(repository: Path, env: dict[str, str], log: Path) -> float:
    began = time.perf_counter()
    with log.open("wb") as output:
        for check in CHECKS:
            subprocess.run(check.argv, cwd=repository, env=env, stdout=output, stderr=output, check=True)
    return time.perf_counter() - began


async def run_through(verifier: Verifier, request: RunRequest) -> float:
    told = 0

    async def tell(item: Progress) -> None:
        nonlocal told
        told += len(item.text) if isinstance(item, OutputText) else 0

    began = time.perf_counter()
    found = await verifier.begin(request).run(tell)
    took = time.perf_counter() - began
    assert found is not None
    assert found.result is RunResult.PASS, found.tail
    assert told > 100_000
    return took


if __name__ == "__main__":
    main()
