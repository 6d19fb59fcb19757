"""The commands that README.md and CONTRIBUTING.md name exist and reach what they promise."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools import frontend, node
from tools.node import ROOT


def outside_make() -> dict[str, str]:
    """The suite itself runs under make, whose flags a make started here must not inherit."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}


def make(*arguments: str) -> str:
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(command, cwd=ROOT, env=outside_make(), capture_output=True, text=True, check=True).stdout


def test_every_documented_command_is_listed() -> None:
    documented = set(re.findall(r"(?:`| {4})make ([a-z]+)", (ROOT / "CONTRIBUTING.md").read_text()))
    assert {"run", "dev", "test", "check", "bench", "ledger"} <= documented
    assert documented <= set(re.findall(r"^  make (\S+)", make("help"), re.MULTILINE))


def test_arguments_reach_the_server() -> None:
    assert "pilothouse serve --port 4000" in make("--dry-run", "run", "ARGS=--port 4000")


def test_the_suite_runs_after_the_gates() -> None:
    plan = make("--dry-run", "test")
    steps = [plan.index(step) for step in ("ruff check", "mypy", "lint-imports", "tools.sizes", "tools.suite")]
    assert steps == sorted(steps)


def test_types_are_generated_without_building_what_may_need_them() -> None:
    plan = make("--dry-run", "--always-make", "generate")
    assert "tools.generated" in plan
    assert "tools.frontend" not in plan


def test_continuous_integration_runs_the_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "src" / "pilothouse").mkdir(parents=True)
    shutil.copy(ROOT / "src" / "pilothouse" / "__init__.py", tmp_path / "src" / "pilothouse")
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text("{}")
    return tmp_path


def build_requirements(project: Path, **environment: str) -> str:
    ask = "import hatchling.build as build; print(build.get_requires_for_build_wheel())"
    variables = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-c", ask], cwd=project, env=variables, capture_output=True, text=True, check=True
    ).stdout


def test_building_needs_a_packaged_node_only_where_the_machine_has_none(project: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    assert node.REQUIREMENT in build_requirements(project, PATH=str(nothing))
    assert node.REQUIREMENT not in build_requirements(project, PATH=str(nothing), **{frontend.SKIP: "1"})
    if node.machine_node():
        assert node.REQUIREMENT not in build_requirements(project)


def test_a_wheel_carries_the_last_build_alone(project: Path) -> None:
    """WEB-1: what static/ keeps for open pages is not needed by anyone who installs"""
    for folder, asset in ((frontend.BUILT, "new.js"), (frontend.STATIC, "old.js")):
        (project / folder / "assets").mkdir(parents=True)
        (project / folder / "assets" / asset).write_text("x")
    build = "import hatchling.build as build; print(build.build_wheel('.'))"
    variables = {**os.environ, frontend.SKIP: "1"}
    answer = subprocess.run(
        [sys.executable, "-c", build], cwd=project, env=variables, capture_output=True, text=True, check=True
    )
    with zipfile.ZipFile(project / answer.stdout.split()[-1]) as wheel:
        pages = [name for name in wheel.namelist() if "static/" in name]
    assert pages == ["pilothouse/static/assets/new.js"]
