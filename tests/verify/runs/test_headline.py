"""What is read first of a failing check, for the tools projects are checked with."""

from __future__ import annotations

import pytest

from pilothouse.verify.runs.headline import LIMIT, headline
from pilothouse.verify.runs.logs import plain

PYTEST = """\
F                                                                        [100%]
=================================== FAILURES ===================================
_________________________________ F.test_night _________________________________

>   def test_night(self): self.assertEqual(3, 4)
\x1b[1m\x1b[31mE   AssertionError: 3 != 4\x1b[0m

test_f.py:3: AssertionError
=========================== short test summary info ============================
\x1b[31mFAILED\x1b[0m test_f.py::\x1b[1mF::test_night\x1b[0m - AssertionError: 3 != 4
1 failed in 0.12s
"""
PYTEST_COLLECTING = """\
==================================== ERRORS ====================================
__________________________ ERROR collecting test_g.py __________________________
ImportError while importing test module '/home/ada/harbour/test_g.py'.
test_g.py:1: in <module>
    import nosuch
E   ModuleNotFoundError: No module named 'nosuch'
=========================== short test summary info ============================
ERROR test_g.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
"""
PYTEST_USAGE = """\
ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]
pytest: error: unrecognized arguments: --nope=x
  inifile: None
"""
UNITTEST = """\
F
======================================================================
FAIL: test_night (test_f.F.test_night)
----------------------------------------------------------------------
Traceback (most recent call last):
AssertionError: 3 != 4

FAILED (failures=1)
"""
TSC = "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
TSC_PRETTY = """\
\x1b[96ma.ts\x1b[0m:\x1b[93m1\x1b[0m:\x1b[93m7\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mWrong type.

\x1b[7m1\x1b[0m const a: number = "x"

Found 1 error in a.ts:1
"""
JEST = """\
PASS src/prices.test.js
FAIL src/fees.test.js
  fees
    ✓ by day (2 ms)
    ✕ by night (3 ms)

  ● fees › by night

    expect(received).toBe(expected) // Object.is equality

Tests:       1 failed, 1 passed, 2 total
"""
JEST_SUITE = """\
FAIL src/fees.test.js
  ● Test suite failed to run

    Cannot find module './fees' from 'src/fees.test.js'
"""
VITEST = """\
 RUN  v3.2.4 /home/ada/harbour

 ❯ src/fees.test.ts (2 tests | 1 failed) 5ms
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/fees.test.ts > fees > by night
AssertionError: expected 3 to be 4 // Object.is equality
"""
TAP = "TAP version 13\n# Subtest: night fee\nnot ok 1 - night fee\n  ---\n  error: '3 == 4'\n"
NODE_SPEC = "✔ day fee (0.4ms)\n✖ night fee (3.4ms)\nℹ tests 2\nℹ fail 1\n"
MOCHA = """\
  fees
    ✔ by day
    1) by night

  1 passing (4ms)
  1 failing

  1) fees
       by night:
"""
GO = """\
=== RUN   TestNight
    fees_test.go:8: got 3, want 4
--- FAIL: TestNight (0.00s)
FAIL
FAIL	harbour/fees	0.002s
"""
GO_BUILD = "# harbour/fees\n./fees.go:5:9: undefined: rate\nFAIL\tharbour/fees [build failed]\n"
CARGO = """\
running 1 test
test tests::night_is_dearer ... FAILED

failures:

---- tests::night_is_dearer stdout ----

thread 'tests::night_is_dearer' (31360) panicked at src/lib.rs:2:57:
assertion `left == right` failed
  left: 6
 right: 8

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.14s

error: test failed, to rerun pass `--lib`
"""
RUSTC = """\
   Compiling fees v0.1.0 (/home/ada/fees)
error[E0308]: mismatched types
 --> src/lib.rs:1:31
  |
error: could not compile `fees` (lib) due to 1 previous error
"""
ESLINT = """\

/home/ada/harbour/a.js
  1:1  warning  Unexpected var  no-var
  1:7  error    'x' is assigned a value but never used  no-unused-vars

✖ 2 problems (1 error, 1 warning)
"""
MAVEN = """\
[INFO] Running FeesTest
[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.03 s <<< FAILURE! - in FeesTest
[ERROR] FeesTest.night  Time elapsed: 0.01 s  <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
[ERROR] Failures:
[ERROR]   FeesTest.night:12 expected: <4> but was: <3>
"""
JAVAC = "[ERROR] COMPILATION ERROR : \n[ERROR] /home/ada/Fees.java:[5,9] cannot find symbol\n"
GRADLE = """\
> Task :test FAILED

FeesTest > night() FAILED
    org.opentest4j.AssertionFailedError at FeesTest.java:12
"""
MYPY = "b.py:2: error: Incompatible types in assignment  [assignment]\nFound 1 error in 1 file \n"
RUFF = "F401 [*] `os` imported but unused\n --> b.py:1:8\n  |\n1 | import os\n\nFound 1 error.\n"
RUFF_CONCISE = "b.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n"
GCC = "c.c: In function ‘main’:\nc.c:1:20: error: ‘y’ undeclared (first use in this function)\n"
RSPEC = "Failures:\n\nFailed examples:\n\nrspec ./spec/fees_spec.rb:3 # Fees by night is dearer\n"
PHPUNIT = "There was 1 failure:\n\n1) FeesTest::testNight\nFailed asserting that 3 matches expected 4.\n"
TRACEBACK = 'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: no such berth\n'
MAKE = "cc -o fees fees.c\nlinker: failed to find crt1.o\nmake: *** [Makefile:2: fees] Error 1\n"
GOOD_NEWS = "0 errors, 0 warnings\nNo failures so far\nsomething broke here\n"
PROGRESS = "downloading 10%\rdownloading 90%\rdone\r\nbuild failed: no berth\r\n"


@pytest.mark.parametrize(
    ("output", "line"),
    [
        pytest.param(PYTEST, "FAILED test_f.py::F::test_night - AssertionError: 3 != 4", id="pytest"),
        pytest.param(PYTEST_COLLECTING, "E ModuleNotFoundError: No module named 'nosuch'", id="pytest collecting"),
        pytest.param(PYTEST_USAGE, "pytest: error: unrecognized arguments: --nope=x", id="pytest usage"),
        pytest.param(UNITTEST, "FAIL: test_night (test_f.F.test_night)", id="unittest"),
        pytest.param(TSC, TSC.strip(), id="tsc"),
        pytest.param(TSC_PRETTY, "a.ts:1:7 - error TS2322: Wrong type.", id="tsc pretty"),
        pytest.param(JEST, "● fees › by night", id="jest"),
        pytest.param(JEST_SUITE, "● Test suite failed to run Cannot find module './fees' from 'src/fees.test.js'",
                     id="jest suite"),
        pytest.param(VITEST, "FAIL src/fees.test.ts > fees > by night", id="vitest"),
        pytest.param(TAP, "not ok 1 - night fee", id="tap"),
        pytest.param(NODE_SPEC, "✖ night fee (3.4ms)", id="node spec"),
        pytest.param(MOCHA, "1) by night", id="mocha"),
        pytest.param(GO, "--- FAIL: TestNight (0.00s)", id="go"),
        pytest.param(GO_BUILD, "./fees.go:5:9: undefined: rate", id="go build"),
        pytest.param(CARGO, "thread 'tests::night_is_dearer' (31360) panicked at src/lib.rs:2:57: "
                     "assertion `left == right` failed", id="cargo"),
        pytest.param(RUSTC, "src/lib.rs:1:31: error[E0308]: mismatched types", id="rustc"),
        pytest.param(ESLINT, "/home/ada/harbour/a.js: 1:7 error 'x' is assigned a value but never used no-unused-vars",
                     id="eslint"),
        pytest.param(MAVEN, "[ERROR] FeesTest.night Time elapsed: 0.01 s <<< FAILURE!", id="maven"),
        pytest.param(JAVAC, "[ERROR] /home/ada/Fees.java:[5,9] cannot find symbol", id="javac"),
        pytest.param(GRADLE, "FeesTest > night() FAILED", id="gradle"),
        pytest.param(MYPY, "b.py:2: error: Incompatible types in assignment [assignment]", id="mypy"),
        pytest.param(RUFF, "b.py:1:8: F401 [*] `os` imported but unused", id="ruff"),
        pytest.param(RUFF_CONCISE, "b.py:1:8: F401 [*] `os` imported but unused", id="ruff concise"),
        pytest.param(GCC, "c.c:1:20: error: ‘y’ undeclared (first use in this function)", id="gcc"),
        pytest.param(RSPEC, "rspec ./spec/fees_spec.rb:3 # Fees by night is dearer", id="rspec"),
        pytest.param(PHPUNIT, "1) FeesTest::testNight", id="phpunit"),
        pytest.param(TRACEBACK, "ValueError: no such berth", id="traceback"),
        pytest.param(MAKE, "linker: failed to find crt1.o", id="make"),
        pytest.param(GOOD_NEWS, "something broke here", id="good news"),
        pytest.param(PROGRESS, "build failed: no berth", id="progress"),
        pytest.param("\n \n", "", id="nothing"),
    ],
)  # fmt: skip
def test_the_line_a_person_wants_comes_first(output: str, line: str) -> None:
    """TSK-10"""
    assert headline(plain(output)) == line


def test_of_a_flood_it_is_one_short_line() -> None:
    flood = "x" * 500_000 + "\n" + "(" * 500_000 + "\n" + "word " * 100_000
    found = headline(plain(flood + "\nerror: " + "long " * 200))
    assert len(found) == LIMIT
    assert found.startswith("error: long")
    assert found.endswith("…")


def test_links_titles_and_colours_are_not_read() -> None:
    text = "\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b[38;5;9mred\x1b[0m\x1b(B \x08"
    assert plain(text).strip() == "link red"
