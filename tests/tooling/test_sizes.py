import subprocess
from pathlib import Path

import pytest

from tools import sizes


@pytest.fixture
def root(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


def function(lines: int) -> str:
    return "def work():\n" + "    pass\n" * (lines - 1)


def test_files_and_functions_at_the_limit_pass(root: Path) -> None:
    (root / "a.py").write_text(function(60))
    (root / "b.ts").write_text("x;\n" * 400)
    assert sizes.violations(root, {}) == []


@pytest.mark.parametrize("name", ["a.py", "b.ts", "c.tsx"])
def test_a_file_of_401_lines_is_named(root: Path, name: str) -> None:
    (root / name).write_text("x\n" * 401)
    assert sizes.violations(root, {}) == [f"{name}: 401 lines, 400 at most"]


def test_a_function_of_61_lines_is_named_also_inside_a_class(root: Path) -> None:
    body = "".join(f"    {line}\n" for line in function(61).splitlines())
    (root / "a.py").write_text("class Box:\n" + body)
    assert sizes.violations(root, {}) == ["a.py: work() has 61 lines, 60 at most"]


def test_generated_files_migrations_and_ignored_files_are_not_measured(root: Path) -> None:
    (root / ".gitignore").write_text("built/\n")
    for name in ("web/src/api/schema.ts", "src/pilothouse/store/migrations/versions/0001.py", "built/out.js"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n" * 500)
    assert sizes.violations(root, {}) == []


def test_an_exception_needs_a_reason_and_a_use(root: Path) -> None:
    (root / "long.py").write_text("x\n" * 500)
    (root / "short.py").write_text("x\n")
    assert sizes.violations(root, {"long.py": "a table that is read as a whole"}) == []
    assert sizes.violations(root, {"long.py": " "}) == ["long.py: the exception gives no reason"]
    needless = sizes.violations(root, {"long.py": "a table", "short.py": "once long"})
    assert needless == ["short.py: the exception is not needed any more"]
