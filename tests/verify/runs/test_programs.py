"""Programs that checks need and that are not there, told without running anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pilothouse.domain.task.checks import Check
from pilothouse.verify.runs.programs import missing

MAKEFILE = "test: build\n\t@gone-tool run\n\nbuild:\n\tsh -c true\n\nfine:\n\tsh -c true\n\t-gone-tool run\n"
INSTALLS = "test:\n\tpip install gone-tool\n\tgone-tool run\n"
SCRIPTS = '{"scripts": {"test": "gone-tool run", "lint": "there-tool .", "cd": "cd src && gone-tool"}}'


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH with these programs alone."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "make", "npm", "pip"):
        (folder / name).write_text("")
        (folder / name).chmod(0o755)
    return str(folder)


def lacking(root: Path, path: str, command: str | tuple[str, ...]) -> str | None:
    found = missing(root, (Check("it", command),), path)
    return found.program if found else None


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("gone-tool --all", "gone-tool"),
        (("gone-tool", "--all"), "gone-tool"),
        ("CI=1 gone-tool", "gone-tool"),
        ("sh check.sh", None),
        (". ./env && gone-tool", None),
        ("./gone-tool", None),
        ("[ -f x ]", None),
        ("make test", "gone-tool"),
        ("make fine", None),
        ("make -C part test", None),
        ("make", None),
        ("pip install gone-tool", None),
        ("npm test", "gone-tool"),
        ("npm run lint", None),
        ("npm run cd", None),
    ],
)
def test_only_what_is_certain_is_told(tmp_path: Path, path: str, command: str, program: str | None) -> None:
    """TSK-9"""
    root = tmp_path / "root"
    bins = root / "node_modules" / ".bin"
    bins.mkdir(parents=True)
    (bins / "there-tool").write_text("")
    (root / "Makefile").write_text(MAKEFILE)
    (root / "package.json").write_text(SCRIPTS)
    assert lacking(root, path, command) == program


def test_what_an_installation_may_bring_is_left_to_the_first_run(tmp_path: Path, path: str) -> None:
    """TSK-9"""
    (tmp_path / "Makefile").write_text(INSTALLS)
    assert lacking(tmp_path, path, "make test") is None
    (tmp_path / "package.json").write_text(SCRIPTS)
    assert lacking(tmp_path, path, "npm test") is None
    checks = (Check("setup", "pip install gone-tool"), Check("tests", "gone-tool"))
    assert missing(tmp_path, checks, path) is None


def test_the_checks_of_this_machine_are_found(tmp_path: Path) -> None:
    """TSK-9"""
    assert missing(tmp_path, (Check("a", "sh -c true"), Check("b", "echo a; git b")), os.environ["PATH"]) is None
