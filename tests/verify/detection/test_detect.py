from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pilothouse import sample
from pilothouse.verify.agent_yaml.config import Config, dump, parse
from pilothouse.verify.detection.detect import Detected, detect
from tests.verify.detection.layouts import LAYOUTS, NPM_INIT, PYTEST, Files, js, laid_out
from tests.verify.detection.monorepos import PACKAGES


def everything(program: str) -> str:
    """A machine where every program is installed."""
    return f"/usr/bin/{program}"


def commands(found: Detected) -> dict[str, str]:
    return {check.name: check.shown for check in found.checks}


@pytest.mark.parametrize(("files", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_layout_is_verified_with_its_own_commands(tmp_path: Path, files: Files, expected: dict[str, str]) -> None:
    """TSK-12"""
    found = detect(laid_out(tmp_path, files), which=everything)
    assert commands(found) == expected, found.notes
    assert list(commands(found)) == list(expected), "in the order they run"
    assert all(check.source for check in found.checks)
    assert parse(dump(Config(checks=found.checks))).checks is not None


def test_there_are_enough_layouts() -> None:
    """TSK-12"""
    assert len(LAYOUTS) >= 40


@pytest.mark.parametrize(("files", "package", "expected"), PACKAGES.values(), ids=PACKAGES)
def test_a_package_is_verified_by_itself(
    tmp_path: Path, files: Files, package: str, expected: dict[str, tuple[str, str]]
) -> None:
    """TSK-11 TSK-12"""
    found = detect(laid_out(tmp_path, files), package, which=everything)
    assert {check.name: (check.shown, check.folder) for check in found.checks} == expected, found.notes


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"package.json": js({"test": NPM_INIT})}, "placeholder"),
        (
            {"package.json": js({"test": "vitest"})},
            "`vitest`) watches for changes and would not end; run as `vitest run`",
        ),
        ({"package.json": js({"lint": "eslint --fix ."})}, "changes files; run as `eslint .`"),
        ({"package.json": js({"build": "nodemon x.js"})}, "`nodemon` in it never ends"),
        ({"package.json": "{"}, "package.json could not be read"),
        ({"Makefile": "test:\n\tpodman run x\n"}, "it needs podman"),
        ({"Makefile": "test:\n\tpytest\n", "pytest.ini": "", "test_a.py": PYTEST}, "Makefile, target `test` does it"),
        (
            {"Makefile": "test:\n\tcargo test\n", "pytest.ini": "", "test_a.py": PYTEST},
            "`make test` and `python3 -m pytest` may run the same tests",
        ),
        ({"A.sln": "", "B.sln": ""}, "A.sln is used"),
        ({"CMakeLists.txt": "project(x)\n"}, "add it to .gitignore"),
    ],
)
def test_what_was_avoided_is_told(tmp_path: Path, files: Files, words: str) -> None:
    """TSK-12"""
    assert any(words in note for note in detect(laid_out(tmp_path, files), which=everything).notes)


def test_a_program_that_is_missing_is_told_and_its_check_still_proposed(tmp_path: Path) -> None:
    """TSK-12"""
    laid_out(tmp_path, {"Cargo.toml": "[package]\n", "composer.json": "{}", "phpunit.xml": ""})
    found = detect(tmp_path, which=lambda _: None)
    assert [check.name for check in found.checks] == ["build", "tests (cargo)", "tests (phpunit)"]
    assert found.notes == (
        "`cargo` is not installed here, so “build” and “tests (cargo)” cannot run yet.",
        "`vendor/bin/phpunit` is not installed here, so “tests (phpunit)” cannot run yet.",
    )


def test_a_ready_venv_is_used_when_its_manager_is_missing(tmp_path: Path) -> None:
    """TSK-12"""
    laid_out(tmp_path, {"uv.lock": "", ".venv/bin/python": "", "pytest.ini": "", "test_a.py": PYTEST})
    assert commands(detect(tmp_path, which=everything)) == {"tests": "uv run pytest"}
    assert commands(detect(tmp_path, which=lambda _: None)) == {"tests": ".venv/bin/python -m pytest"}


def test_a_huge_tree_and_links_in_a_circle_do_not_hold_it_up(tmp_path: Path) -> None:
    """TSK-12"""
    laid_out(tmp_path, {"pytest.ini": "", "test_a.py": PYTEST, "a/b/c.py": ""})
    (tmp_path / "a" / "b" / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "Makefile")
    assert commands(detect(tmp_path, which=everything)) == {"tests": "python3 -m pytest"}


def test_what_is_found_in_the_sample_project_really_runs_its_tests(tmp_path: Path) -> None:
    """TSK-12"""
    sample.create(tmp_path / "sample")
    found = detect(tmp_path / "sample", which=everything)
    check = next(check for check in found.checks if check.name == "tests")
    done = subprocess.run(check.argv, cwd=tmp_path / "sample", capture_output=True, text=True, check=False)
    assert "Ran " in done.stderr, done.stderr
    assert "FAILED" in done.stderr, "the sample's bug is there to be found"
