from pathlib import Path

from tools import dev, generated, suite
from tools.node import ROOT

REPORT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" tests="5">
  <testcase classname="tests.git.test_it" name="test_good"/>
  <testcase classname="tests.git.test_it" name="test_also_good"><system-out>text</system-out></testcase>
  <testcase classname="tests.git.test_it" name="test_bad"><failure message="no">…</failure></testcase>
  <testcase classname="tests.git.test_it" name="test_later"><skipped message="not now"/></testcase>
  <testcase classname="tests.git.test_it" name="test_broken"><error message="fixture">…</error></testcase>
</testsuite></testsuites>
"""


def test_the_reports_of_all_parts_add_up_to_one_line(tmp_path: Path) -> None:
    report = tmp_path / "part.xml"
    report.write_text(REPORT)
    tally = suite.Tally()
    tally.add(report)
    tally.add(report)
    assert tally.line(12.345).strip("=") == " 2 failed, 4 passed, 2 skipped, 2 errors in 12.35s "
    assert tally.broken[:2] == ["FAILED tests.git.test_it::test_bad", "FAILED tests.git.test_it::test_broken"]


def test_every_test_runs_in_exactly_one_part() -> None:
    def holds(path: str, file: Path) -> bool:
        return file == ROOT / path or ROOT / path in file.parents

    def runs(part: suite.Part, file: Path) -> bool:
        return any(holds(path, file) for path in part.tests) and not any(holds(path, file) for path in part.without)

    files = list((ROOT / "tests").rglob("test_*.py"))
    assert {sum(runs(part, file) for part in suite.PARTS) for file in files} == {1}
    assert all(any(runs(part, file) for file in files) for part in suite.PARTS)


def test_a_stale_generated_file_shows_its_difference(tmp_path: Path) -> None:
    committed, current = tmp_path / "schema.ts", tmp_path / "now.ts"
    current.write_text("a\nb\n")
    assert generated.stale_lines(committed, current)
    committed.write_text("a\nb\n")
    assert generated.stale_lines(committed, current) == []
    committed.write_text("a\nc\n")
    assert {"-c", "+b"} <= set(generated.stale_lines(committed, current))


def test_the_development_proxy_follows_the_port() -> None:
    assert dev.server_address(["--port", "4000"]) == "http://127.0.0.1:4000"
    assert dev.server_address(["--lan", "--port=4100"]) == "http://127.0.0.1:4100"
