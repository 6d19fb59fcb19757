"""What is on the card before anyone calls a task done."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pilothouse.domain.task.checks import RunPurpose, RunResult
from pilothouse.domain.task.doubts import DoubtKind
from pilothouse.domain.task.task import TaskStatus, Verdict
from pilothouse.engine.loop import doubts
from pilothouse.store.task import runs, steps
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
        found = {doubt.kind: doubt for doubt in task.doubts}
        assert set(found) == {DoubtKind.TEST_SKIPPED, DoubtKind.BASE_TESTS_FAIL}
        assert (found[DoubtKind.TEST_SKIPPED].path, found[DoubtKind.TEST_SKIPPED].name) == (
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
        assert [(doubt.kind, doubt.path) for doubt in task.doubts] == [(DoubtKind.UNTESTED, "calc.py")]


def test_all_of_a_few_files_without_a_test_are_named() -> None:
    """TSK-8"""
    code = {f"src/{name}.py": b"x = 1\n" for name in "abcdefg"}
    few = dict(list(code.items())[:2])
    (one,) = doubts._about_tests(doubts.Change(dict.fromkeys(few), few, {}))
    assert "(src/a.py, src/b.py)" in one.message
    (many,) = doubts._about_tests(doubts.Change(dict.fromkeys(code), code, {}))
    assert "src/e.py and 2 more" in many.message


async def test_an_honest_change_has_nothing_to_look_at_and_passes_the_base_tests(tmp_path: Path) -> None:
    """BYD-4"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[fixes-with-test]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, task.doubts) == (Verdict.PASS, ())
        known = await bench.store.read(lambda c: runs.of_task(c, task.id))
        assert [run.result for run in known if run.purpose is RunPurpose.BASE_TESTS] == [RunResult.PASS]


async def test_a_file_outside_the_package_or_inside_a_boundary_is_named(tmp_path: Path) -> None:
    """TSK-1, TSK-11"""
    config = "package: inside\nverification:\n  - {name: there, command: 'true'}\n"
    async with await opened(tmp_path, config) as bench:
        _, begun = await bench.begin("[[strays-out]]\n\nBoundaries:\n- inside/good.txt")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.package == "inside"
        first = (await bench.store.read(lambda c: steps.of_task(c, task.id, 1)))[0]
        assert "Change files inside inside/ only." in first.prompt
        assert [(doubt.kind, doubt.path) for doubt in task.doubts] == [
            (DoubtKind.OUTSIDE_BOUNDARY, "inside/good.txt"),
            (DoubtKind.OUTSIDE_PACKAGE, "outside.txt"),
        ]


BRINGS_TEST = """
scenarios:
  brings:
    - write: {path: elsewhere/test_new.py, text: "import unittest\\n\\n\\nclass New(unittest.TestCase):\\n    def test_new(self) -> None:\\n        self.assertEqual(1, 1)\\n"}
  brings-beside:
    - write: {path: test_beside.py, text: "import unittest\\n\\n\\nclass Beside(unittest.TestCase):\\n    def test_beside(self) -> None:\\n        self.assertEqual(1, 1)\\n"}
  brings-script:
    - write: {path: lib/new.test.js, text: "const test = require('node:test');\\ntest('is new', () => { require('node:assert').equal(1, 1); });\\n"}
"""  # noqa: E501 - a file in one line
NODE = "verification:\n  - {name: tests, command: [node, --test, old.test.js]}\n"


async def inspected(tmp_path: Path, agent_yaml: str, request: str) -> list[tuple[DoubtKind, str, str]]:
    repo = make_repository(tmp_path / "repo", BRINGS_TEST)
    (repo / ".gitignore").write_text(".pilothouse/\n__pycache__/\n")
    (repo / "agent.yaml").write_text(agent_yaml)
    (repo / "calc.py").write_text("def add(a: int, b: int) -> int:\n    return a + b\n")
    (repo / "test_calc.py").write_text(TEST)
    (repo / "old.test.js").write_text("require('node:test')('is old', () => {});\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "tests")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        _, begun = await bench.begin(request)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        return [(doubt.kind, doubt.path, doubt.name) for doubt in task.doubts]


@pytest.mark.parametrize(
    "command",
    [
        "[python3, -m, unittest]",
        f"[{sys.executable}, -m, pytest, -q, -p, 'no:cacheprovider', test_calc.py]",
        f"[{sys.executable}, -m, pytest, -p, 'no:cacheprovider', test_calc.py]",
    ],
)
async def test_a_new_test_that_no_check_runs_is_said(tmp_path: Path, command: str) -> None:
    """TSK-7, BYD-4: unittest does not look into folders that are no packages."""
    config = f"verification:\n  - {{name: tests, command: {command}}}\n"
    found = await inspected(tmp_path, config, "[[brings]]")
    assert found == [(DoubtKind.TEST_NOT_RUN, "elsewhere/test_new.py", "test_new")]


@pytest.mark.parametrize(
    "command", ["[python3, -m, unittest]", f"[{sys.executable}, -m, pytest, -p, 'no:cacheprovider', .]"]
)
async def test_nothing_is_said_of_a_new_test_that_a_check_runs(tmp_path: Path, command: str) -> None:
    """TSK-7, BYD-4"""
    config = f"verification:\n  - {{name: tests, command: {command}}}\n"
    assert await inspected(tmp_path, config, "[[brings-beside]]") == []


async def test_a_new_script_test_that_no_check_runs_is_said(tmp_path: Path) -> None:
    """TSK-7, BYD-4"""
    found = await inspected(tmp_path, NODE, "[[brings-script]]")
    assert found == [(DoubtKind.TEST_NOT_RUN, "lib/new.test.js", "is new")]


async def test_a_check_that_finds_no_test_and_passes_is_said(tmp_path: Path) -> None:
    """TSK-7, BYD-4"""
    finds_none = "python3 -m unittest discover -s elsewhere -p 'no*.py' || test $? = 5"
    config = f"verification:\n  - name: tests\n    command: mkdir -p elsewhere; {finds_none}\n"
    found = await inspected(tmp_path, config, "[[brings]]")
    assert found == [(DoubtKind.NO_TESTS_RAN, "", "tests")]
