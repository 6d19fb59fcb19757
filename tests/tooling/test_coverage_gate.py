import json
from pathlib import Path
from typing import Any

import pytest

from tools import coverage_gate
from tools.coverage_gate import Group
from tools.node import ROOT

LOGIC = Group("logic", ("src/pilothouse/domain", "src/pilothouse/store"), at_least=90)


def measured(**files: tuple[int, int]) -> dict[str, Any]:
    return {
        f"src/pilothouse/{name.replace('__', '/')}.py": {
            "summary": {"covered_lines": covered, "num_statements": total, "missing_lines": total - covered}
        }
        for name, (covered, total) in files.items()
    }


def test_a_group_is_judged_as_a_whole_and_by_its_own_files_only() -> None:
    result = coverage_gate.measure(LOGIC, measured(domain__tasks=(100, 100), store__rows=(81, 100), cli=(0, 500)))
    assert (result.covered, result.statements, result.passed) == (181, 200, True)


def test_too_little_fails_and_names_where_most_is_missing() -> None:
    result = coverage_gate.measure(LOGIC, measured(domain__tasks=(80, 100), store__rows=(50, 100)))
    assert not result.passed
    assert result.worst[0] == "src/pilothouse/store/rows.py: 50 lines not run"


def test_a_folder_whose_name_begins_alike_is_another_folder() -> None:
    assert not LOGIC.holds("src/pilothouse/storefront/page.py")


def test_every_path_that_pyproject_gates_exists() -> None:
    groups = coverage_gate.read_groups(ROOT / "pyproject.toml")
    assert {group.at_least for group in groups} == {95, 90, 80}
    assert [path for group in groups for path in group.paths if not (ROOT / path).exists()] == []


def test_the_exit_code_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "coverage.json"
    report.write_text(json.dumps({"files": measured(engine__attempt=(1, 10))}))
    assert coverage_gate.main([str(report)]) == 1
    assert "10.0 %, TOO LOW, 90 % is asked for" in capsys.readouterr().out
    report.write_text(json.dumps({"files": measured(engine__attempt=(9, 10))}))
    assert coverage_gate.main([str(report)]) == 0
