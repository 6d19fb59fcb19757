"""Packages that others published, broken and repaired: what they are verified with is found, not configured."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pilothouse.domain.task.checks import RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.doubts import DoubtKind
from pilothouse.domain.task.task import Task, TaskStatus, Verdict
from pilothouse.store.task import runs
from pilothouse.verify.detection.detect import detect
from tests.real_projects import sdists
from tests.workbench import Workbench, git

XMLTODICT = """
scenarios:
  shorten:
    steps:
      - edit: {path: xmltodict.py, find: '"true" if value else "false"', replace: str(value)}
    fix:
      - say: XML writes its truth values in small letters.
      - edit: {path: xmltodict.py, find: "return str(value)\\n    if", replace: "return str(value).lower()\\n    if"}
    summarise: [say: Truth values are written by one expression.]
"""
COLORAMA = """
scenarios:
  shorten:
    steps:
      - edit: {path: colorama/ansi.py, find: "CSI + str(code) + 'm'", replace: "f'{CSI}{code}'"}
    fix:
      - edit: {path: colorama/ansi.py, find: "{code}'", replace: "{code}M'"}
    fix 2:
      - edit: {path: colorama/ansi.py, find: "{code}M'", replace: "{code}m'"}
    summarise: [say: The sequence is one formatted string.]
  skip:
    steps:
      - edit: {path: colorama/ansi.py, find: "BRIGHT    = 1", replace: "BRIGHT    = 5"}
    fix:
      - edit: {path: colorama/tests/ansi_test.py, find: "import TestCase, main", replace: "import TestCase, main, skip"}
      - edit:
          path: colorama/tests/ansi_test.py
          find: "    def testStyleAttributes"
          replace: "    @skip('flaky')\\n    def testStyleAttributes"
    summarise: [say: All tests pass now.]
"""
TOPOSORT = """
scenarios:
  shorten:
    steps:
      - edit: {path: src/toposort.py, find: "set(e for e in dep if e != item)", replace: set(dep)}
    fix:
      - say: An item may depend on itself.
      - edit: {path: src/toposort.py, find: "set(dep) for", replace: "set(dep) - {item} for"}
    summarise: [say: Self-dependencies are taken away by a set difference.]
"""


@dataclass(frozen=True)
class Project:
    name: str
    scenarios: str
    check: str
    source: str
    """Where the check was found."""
    loops: int
    failing: str
    """The line that names the test, up to where versions of Python and pytest differ."""
    logged: tuple[str, str]
    """What the tool itself said in the first and in the last run."""
    path: str
    diff: tuple[str, str]


PROJECTS = (
    Project(
        "xmltodict",
        XMLTODICT,
        "python3 -m pytest",
        "the dependencies",
        2,
        "FAILED tests/test_dicttoxml.py::test_xmlns_values_use_consistent_boolean_coercion",
        ("3 failed", "119 passed"),
        "xmltodict.py",
        ('-        return "true" if value else "false"', "+        return str(value).lower()"),
    ),
    Project(
        "colorama",
        COLORAMA,
        "python3 -m unittest discover -s colorama -t . -p '*_test.py'",
        "colorama/tests/ansi_test.py",
        3,
        "FAIL: testBackAttributes (colorama.tests.ansi_test.AnsiTest",
        ("FAILED (failures=3", "Ran 52 tests"),
        "colorama/ansi.py",
        ("-    return CSI + str(code) + 'm'", "+    return f'{CSI}{code}m'"),
    ),
    Project(
        "toposort",
        TOPOSORT,
        "make test",
        "Makefile, target `test`",
        2,
        "ERROR: test_input_not_modified ",
        ("CircularDependencyError", "python3 -m doctest README.md"),
        "src/toposort.py",
        (
            "-    data = {item: set(e for e in dep if e != item) for item, dep in data.items()}",
            "+    data = {item: set(dep) - {item} for item, dep in data.items()}",
        ),
    ),
)
BY_NAME = {project.name: project for project in PROJECTS}


@pytest.fixture(scope="session")
def archives() -> dict[str, Path]:
    try:
        return sdists.archives()
    except sdists.Unreachable as why:
        pytest.skip(f"{sdists.MISSING}{why}")


@pytest.fixture(autouse=True)
def our_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks find the Python that has pytest, as they do for a person with an active environment."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


async def opened(tmp_path: Path, archive: Path, project: Project) -> Workbench:
    repo = sdists.unpack(archive, tmp_path / "unpacked")
    git(repo, "init", "-q", "-b", "main")
    # The archive stays as it was published: what must not be seen is named outside the tree.
    (repo / ".git" / "info" / "exclude").write_text(".pilothouse/\n__pycache__/\n.pytest_cache/\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "as published")
    (repo / ".pilothouse").mkdir()
    (repo / ".pilothouse" / "rehearsal.yaml").write_text(project.scenarios)
    return await Workbench.open(tmp_path / "data", repo)


def verified(task: Task, times: int) -> Callable[[Connection], bool]:
    return lambda c: len(runs.of_task(c, task.id)) >= times


async def played(bench: Workbench, scenario: str, verifications: int) -> tuple[Task, list[VerificationRun]]:
    """Waits run by run: each of them is a whole test suite."""
    _, begun = await bench.begin(f"[[{scenario}]]")
    for count in range(1, verifications + 1):
        await bench.until(verified(begun, count))
    task = await bench.rest(begun, TaskStatus.COMPLETE)
    return task, await bench.store.read(lambda c: runs.of_task(c, task.id))


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
async def test_a_published_package_is_broken_and_repaired(
    tmp_path: Path, archives: dict[str, Path], project: Project
) -> None:
    """TSK-8, TSK-9, TSK-12"""
    async with await opened(tmp_path, archives[project.name], project) as bench:
        found = detect(bench.repo)
        assert [(check.command, check.source) for check in found.checks] == [(project.check, project.source)]
        task, known = await played(bench, "shorten", project.loops)
        assert task.verdict is Verdict.PASS
        failures = [RunResult.FAIL] * (project.loops - 1)
        assert [run.result for run in known] == [*failures, RunResult.PASS]
        assert [run.loop for run in known] == list(range(1, project.loops + 1))
        assert all(run.first_failing_line.startswith(project.failing) for run in known[:-1])
        for run, said in zip((known[0], known[-1]), project.logged, strict=True):
            assert said in Path(run.log_path).read_text()
        diff = await bench.controls.diff(task.id)
        assert [change.path for change in diff.stat.files] == [project.path]
        changed = [line for line in diff.patch.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        assert tuple(changed) == project.diff
        assert git(bench.repo, "status", "--porcelain").split() == ["M", project.path]


async def test_a_test_that_is_skipped_instead_of_repaired_does_not_hide_what_broke(
    tmp_path: Path, archives: dict[str, Path]
) -> None:
    """BYD-4"""
    project = BY_NAME["colorama"]
    async with await opened(tmp_path, archives[project.name], project) as bench:
        task, known = await played(bench, "skip", 2)
        assert task.verdict is Verdict.PASS
        found = {doubt.kind: doubt for doubt in task.doubts}
        assert set(found) == {DoubtKind.TEST_SKIPPED, DoubtKind.BASE_TESTS_FAIL}
        skipped = found[DoubtKind.TEST_SKIPPED]
        assert (skipped.path, skipped.name) == ("colorama/tests/ansi_test.py", "testStyleAttributes")
        assert [(run.purpose, run.result) for run in known] == [
            (RunPurpose.VERIFY, RunResult.FAIL),
            (RunPurpose.VERIFY, RunResult.PASS),
            (RunPurpose.BASE_TESTS, RunResult.FAIL),
        ]
        assert known[-1].first_failing_line.startswith("FAIL: testStyleAttributes")
