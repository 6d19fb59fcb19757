"""What a check says about the tests it ran, from what real runners print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pilothouse.verify.runs.executed import LONGEST, Executed, executed, executed_in, names
from pilothouse.verify.runs.logs import CheckLog, plain

CARGO = """\
     Running unittests src/lib.rs (target/debug/deps/a-1)

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
NO_GO = "?   \texample.org/a\t[no test files]\n?   \texample.org/b\t[no test files]\n"


@pytest.mark.parametrize(
    ("log", "tests"),
    [
        ("\nRan 0 tests in 0.000s\n\nOK\n", 0),
        ("\nRan 1 test in 0.000s\n\nOK\n", 1),
        ("============================ no tests ran in 0.01s ============================", 0),
        ("3 deselected in 0.01s", 0),
        ("==== 2 failed, 10 passed, 1 skipped, 4 warnings in 61.20s (0:01:01) ====", 13),
        ("No tests found, exiting with code 0", 0),
        ("Tests:       1 skipped, 4 passed, 5 total", 5),
        ("No test files found, exiting with code 0", 0),
        (" Test Files  2 passed (2)\n      Tests  7 passed (7)\n", 7),
        ("\n  0 passing (1ms)\n", 0),
        ("\n  2 passing (5ms)\n  1 pending\n", 3),
        ("# tests 0\n# suites 0\n# pass 0", 0),
        ("ℹ tests 4\nℹ suites 0", 4),
        (CARGO, 0),
        (CARGO + "   Doc-tests a\n\nrunning 2 tests\n", 2),
        (NO_GO, 0),
        (NO_GO + "ok  \texample.org/c\t0.004s\n", None),
        (NO_GO + "ok  \texample.org/c\t(cached)\n", None),
        ("ok  \texample.org/c\t0.004s [no tests to run]\n", 0),
        ("[INFO] No tests to run.", 0),
        ("[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in ATest\n"
         "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n", 3),
        ("> Task :test NO-SOURCE", 0),
        ("> Task :a:test NO-SOURCE\n> Task :b:test\n", None),
        ("0 examples, 0 failures", 0),
        ("No tests executed!", 0),
        ("everything is fine", None),
        ("", None),
        # What the tests themselves print about no tests does not take the others away.
        ("Ran 0 tests in 0.1s\n==== 5 passed in 1.00s ====", 5),
        ("[… 3.1 MB are left out here: a log has at most 1 MB …]\nRan 0 tests in 0.1s", None),
    ],
)  # fmt: skip
def test_how_many_tests_ran_is_read_from_what_the_runner_says(log: str, tests: int | None) -> None:
    """TSK-7"""
    assert executed(log.splitlines()).tests == tests


def test_files_are_read_where_a_runner_names_them() -> None:
    """TSK-7"""
    log = "tests/test_a.py ..s     [ 75%]\ntests/b/test_b.py::test_x[a b] PASSED [100%]\ntests/test_c.py::test_warns\n"
    log += "PASS src/a.test.ts\nPASS web src/b.test.js (5.1 s)\n"
    log += " ✓ src/c.test.tsx (3 tests) 4ms\n ✓ |web| d.spec.ts (1 test)\n"
    assert executed(log.splitlines()).files == {
        "tests/test_a.py", "tests/b/test_b.py", "src/a.test.ts", "src/b.test.js", "src/c.test.tsx", "d.spec.ts",
    }  # fmt: skip
    assert names(["../tests/test_a.py"], "pkg/tests/test_a.py")
    assert not names(["tests/test_a.py"], "tests/other_test_a.py")


def test_a_log_that_was_cut_tells_nothing(tmp_path: Path) -> None:
    """TSK-7"""
    log = CheckLog(tmp_path / "cut.log", 1_000_000)
    for _ in range(30):
        log.write(b"x" * 99_999 + b"\n")
    log.write(b"Ran 0 tests in 0.1s\n")
    log.close()
    assert "Ran 0 tests" in (tmp_path / "cut.log").read_text()
    assert executed_in(tmp_path / "cut.log") == Executed()
    assert executed_in(tmp_path / "missing.log") == Executed()
    assert LONGEST > 1_000_000


@pytest.mark.parametrize(
    ("argv", "tests", "files"),
    [
        ([*PYTEST, "--color=yes", "."], 3, {"test_one.py", "sub/test_two.py"}),
        ([*PYTEST, "-v", "."], 3, {"test_one.py", "sub/test_two.py"}),
        ([*PYTEST, "-q", "."], 3, set()),
        ([*PYTEST, "-k", "nothing", "."], 0, set()),
        ([sys.executable, "-m", "unittest"], 2, set()),
        (["node", "--test", "one.test.js"], 1, set()),
    ],
)  # fmt: skip
def test_real_runners_are_understood(tmp_path: Path, argv: list[str], tests: int, files: set[str]) -> None:
    """TSK-7"""
    case = "import unittest\n\nclass T(unittest.TestCase):\n"
    case += "    def test_a(self) -> None: ...\n    def test_b(self) -> None: ...\n"
    (tmp_path / "test_one.py").write_text(case)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "test_two.py").write_text("def test_c() -> None: ...\n")
    (tmp_path / "one.test.js").write_text('require("node:test")("adds", () => {});\n')
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = executed(plain(done.stdout + done.stderr).splitlines())
    assert (found.tests, set(found.files)) == (tests, files)
