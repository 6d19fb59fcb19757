"""What is on the card before anyone calls a task done."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.checks import RunPurpose, RunResult
from pilothouse.domain.findings import FindingKind
from pilothouse.domain.tasks import TaskStatus, Verdict
from pilothouse.store import runs
from tests.workbench import Workbench, git, make_repository

TEST = """\
import unittest
from calc import add


class Adding(unittest.TestCase):
    def test_add(self) -> None:
        self.assertEqual(add(2, 3), 5)
"""
SCENARIOS = """
scenarios:
  skips:
    - edit: {path: test_calc.py, find: "    def test_add", replace: "    @unittest.skip('later')\\n    def test_add"}
    - edit: {path: calc.py, find: "a - b", replace: "a * b"}
  fixes:
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
  fixes-with-test:
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
    - edit: {path: test_calc.py, find: "5)", replace: "5)\\n        self.assertEqual(add(0, 0), 0)"}
  strays-out:
    - write: {path: inside/good.txt, text: fine}
    - write: {path: outside.txt, text: not fine}
"""
CHECKS = "verification:\n  - {name: tests, command: [python3, -m, unittest, -q]}\n"


async def opened(tmp_path: Path, agent_yaml: str = CHECKS) -> Workbench:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / ".gitignore").write_text(".pilothouse/\n__pycache__/\n")
    (repo / "agent.yaml").write_text(agent_yaml)
    (repo / "test_calc.py").write_text(TEST)
    (repo / "inside").mkdir()
    (repo / "inside" / "kept.txt").write_text("kept\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "tests")
    return await Workbench.open(tmp_path / "data", repo)


async def test_a_skipped_test_is_found_and_the_base_tests_tell_what_it_hid(tmp_path: Path) -> None:
    """BYD-4"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[skips]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        found = {finding.kind: finding for finding in task.findings}
        assert set(found) == {FindingKind.TEST_SKIPPED, FindingKind.BASE_TESTS_FAIL}
        assert (found[FindingKind.TEST_SKIPPED].path, found[FindingKind.TEST_SKIPPED].name) == (
            "test_calc.py",
            "test_add",
        )
        known = await bench.store.read(lambda c: runs.of_task(c, task.id))
        assert [(run.purpose, run.result, run.loop) for run in known] == [
            (RunPurpose.VERIFY, RunResult.PASS, 1),
            (RunPurpose.BASE_TESTS, RunResult.FAIL, 0),
        ]
        told = next(event for event in bench.heard if event.type == "task.findings")
        done = next(event for event in bench.heard if event.type == "task.completed")
        assert told.seq < done.seq
        assert "skip" in (bench.repo / "test_calc.py").read_text()
        assert list((bench.data_dir / "scratch").iterdir()) == []


async def test_changed_code_without_a_changed_test_is_said(tmp_path: Path) -> None:
    """TSK-8"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[fixes]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert [(finding.kind, finding.path) for finding in task.findings] == [(FindingKind.UNTESTED, "calc.py")]


async def test_an_honest_change_has_nothing_to_look_at_and_passes_the_base_tests(tmp_path: Path) -> None:
    """BYD-4"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[fixes-with-test]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, task.findings) == (Verdict.PASS, ())
        known = await bench.store.read(lambda c: runs.of_task(c, task.id))
        assert [run.result for run in known if run.purpose is RunPurpose.BASE_TESTS] == [RunResult.PASS]


async def test_a_file_outside_the_package_or_inside_a_boundary_is_named(tmp_path: Path) -> None:
    """TSK-1, TSK-11"""
    config = "package: inside\nverification:\n  - {name: there, command: 'true'}\n"
    async with await opened(tmp_path, config) as bench:
        _, begun = await bench.begin("[[strays-out]]\n\nBoundaries:\n- inside/good.txt")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.package == "inside"
        assert [(finding.kind, finding.path) for finding in task.findings] == [
            (FindingKind.OUTSIDE_BOUNDARY, "inside/good.txt"),
            (FindingKind.OUTSIDE_PACKAGE, "outside.txt"),
        ]
