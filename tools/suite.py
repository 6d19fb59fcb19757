"""Runs every test: the front end's, then the server's, then those that start or kill it and those with a browser.

All parts run even when an early one fails. The last line sums them up the way pytest does.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tools import chromium, coverage_gate, debian, node, postgres, scratch

RESULTS = Path(".make/results")
COVERAGE = Path(".make/coverage.json")
WORKERS = "2"


@dataclass(frozen=True)
class Part:
    name: str
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    measured: bool = False
    """Whether coverage watches, which makes tests a third slower."""
    workers: str = WORKERS

    @property
    def command(self) -> list[str]:
        coverage = ["-m", "coverage", "run"] if self.measured else []
        # Whoever is through with a share takes from the other's; tests stay with those that share their fixtures.
        spread = ["-n", self.workers, "--dist=worksteal"] if self.workers != "1" else []
        ignored = [f"--ignore={path}" for path in self.without]
        return [sys.executable, *coverage, "-m", "pytest", *spread, *self.tests, *ignored]


# Those of the code that pyproject.toml asks coverage of; the others reach little of it.
MEASURED = tuple(f"tests/{name}" for name in ("domain", "engine", "server", "store", "workflows"))
# These ask programs of their own, which coverage does not watch: it would only make them slower.
PROGRAMS = tuple(f"tests/server/test_{name}.py" for name in ("cli", "contract", "restart"))
CRASH, BROWSER = "tests/crash", "tests/e2e"
# What measures the time between two frames gets the machine for itself.
FRAMES = "tests/e2e/test_long_log.py"
PARTS = (
    Part("server", MEASURED, without=PROGRAMS, measured=True),
    Part("other", ("tests",), without=(*MEASURED, CRASH, BROWSER)),
    Part("crash", (*PROGRAMS, CRASH)),
    Part("browser", (BROWSER,), without=(FRAMES,)),
    Part("frame", (FRAMES,), workers="1"),
)


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    errors: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, report: Path) -> None:
        """Counts the cases of a JUnit report, which pytest writes even when tests fail."""
        for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - our own pytest wrote it
            kinds = {child.tag for child in case}
            self.skipped += "skipped" in kinds
            self.failed += "failure" in kinds
            self.errors += "error" in kinds
            self.passed += not kinds & {"skipped", "failure", "error"}
            if kinds & {"failure", "error"}:
                self.broken.append(f"FAILED {case.get('classname', '')}::{case.get('name', '')}")

    def line(self, seconds: float) -> str:
        counts = {"failed": self.failed, "passed": self.passed, "skipped": self.skipped, "errors": self.errors}
        said = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "no tests ran"
        return f" {said} in {seconds:.2f}s ".center(80, "=")


def run_part(part: Part, environment: dict[str, str], tally: Tally) -> bool:
    report = RESULTS / f"{part.name}.xml"
    print(f"\n--- {part.name} tests", flush=True)
    with scratch.environment() as more:
        command = [*part.command, f"--junitxml={report}"]
        code = subprocess.run(command, env={**environment, **more}, check=False).returncode
    if report.is_file():
        tally.add(report)
    else:
        tally.errors += 1
        tally.broken.append(f"FAILED {part.name} tests ended with code {code} before reporting")
    return code == 0


def coverage_holds() -> bool:
    coverage = [sys.executable, "-m", "coverage"]
    for step in (["combine", "--quiet"], ["json", "--quiet", "-o", str(COVERAGE)]):
        if subprocess.run([*coverage, *step], check=False).returncode != 0:
            return False
    return coverage_gate.main([str(COVERAGE)]) == 0


def report(tally: Tally, complaints: Iterable[str], seconds: float) -> None:
    print()
    for line in (*tally.broken, *complaints):
        print(line)
    print(tally.line(seconds), flush=True)


def prepare() -> dict[str, str]:
    """What the tests find in their environment; a missing browser stops here, before minutes are spent."""
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    for stale in Path(".make").glob("coverage*"):
        stale.unlink()
    environment = {**os.environ, chromium.VARIABLE: chromium.ensure()}
    if shutil.which("bwrap") is None:
        # Where it cannot be had, what is said of confined agents is not tried, and the skipped tests say so.
        debian.install("bubblewrap")
    database = postgres.ensure()
    if database:
        environment[postgres.VARIABLE] = str(database)
        environment["PATH"] = f"{database}{os.pathsep}{environment['PATH']}"
    return environment


def main() -> int:
    os.chdir(node.ROOT)
    started = time.monotonic()
    try:
        environment = prepare()
    except chromium.ChromiumMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    complaints = [] if postgres.VARIABLE in environment else [f"\n*** {postgres.WHAT_TO_DO}"]
    tally = Tally()
    print("\n--- front end tests", flush=True)
    if node.install_modules() or node.npm(["run", "test"]):
        complaints.append("FAILED front end tests, or their coverage: see above")
        tally.failed += 1
    results = [run_part(part, environment, tally) for part in PARTS]
    # Low coverage is what failing tests look like, too: say it once the tests pass.
    if all(results) and not coverage_holds():
        complaints.append("FAILED coverage is below what pyproject.toml asks for: see above")
        results.append(False)
    report(tally, complaints, time.monotonic() - started)
    return 0 if all(results) and not tally.failed and not tally.errors else 1


if __name__ == "__main__":
    sys.exit(main())
