"""Which instructions files are read, and which are not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pilothouse.engine.agents import instructions as instructing
from pilothouse.settings import Settings
from tests.engine.performing import Performer


def settings(tmp_path: Path, named: str | None = "none") -> Settings:
    return Settings.model_validate({"data_dir": tmp_path / "data", "global_instructions": named})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    return tmp_path / "repo"


def test_global_files_come_first_then_the_projects(tmp_path: Path, root: Path) -> None:
    """FTR-18"""
    mine = tmp_path / "mine.md"
    mine.write_text("Be brief.")
    (root / "CLAUDE.md").write_text("Two.")
    (root / "AGENTS.md").write_text("One.")
    found = instructing.find(settings(tmp_path, f"{mine}, {tmp_path / 'absent.md'}"), root)
    assert [(f.path, f.level, f.content) for f in found] == [
        (str(mine), "global", b"Be brief."),
        ("AGENTS.md", "project", b"One."),
        ("CLAUDE.md", "project", b"Two."),
    ]


def test_without_a_setting_the_usual_places_of_a_home_are_looked_at(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FTR-18"""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for place in ("data/AGENTS.md", "home/.config/pilothouse/AGENTS.md", "home/.claude/CLAUDE.md"):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_text(place)
    found = instructing.find(settings(tmp_path, None), root)
    assert [f.content.decode() for f in found] == [
        "data/AGENTS.md",
        "home/.config/pilothouse/AGENTS.md",
        "home/.claude/CLAUDE.md",
    ]


def test_two_names_of_one_file_are_one_file(tmp_path: Path, root: Path) -> None:
    """FTR-18"""
    (root / "docs").mkdir()
    (root / "docs" / "rules.md").write_text("One.")
    (root / "AGENTS.md").symlink_to("docs/rules.md")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    assert [(f.path, f.content) for f in instructing.find(settings(tmp_path), root)] == [("AGENTS.md", b"One.")]


def test_a_link_out_of_the_project_is_never_read(tmp_path: Path, root: Path) -> None:
    """FTR-18"""
    secret = tmp_path / "secret.txt"
    secret.write_text("a secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "CLAUDE.md").write_text("a secret")
    (root / "AGENTS.md").symlink_to(secret)
    (root / "CLAUDE.md").symlink_to("../outside/CLAUDE.md")
    found = instructing.find(settings(tmp_path), root)
    assert [(f.content, "outside the project" in f.problem) for f in found] == [(b"", True), (b"", True)]


def test_what_is_no_file_is_named_and_waited_for_by_nobody(tmp_path: Path, root: Path) -> None:
    """FTR-18"""
    os.mkfifo(root / "AGENTS.md")
    (root / "CLAUDE.md").mkdir()
    found = instructing.find(settings(tmp_path), root)
    assert [f.problem for f in found] == ["It is not a file.", "It cannot be read: Is a directory."]


def test_a_link_to_nothing_or_to_itself_is_named(tmp_path: Path, root: Path) -> None:
    """FTR-18"""
    (root / "AGENTS.md").symlink_to("gone.md")
    (root / "CLAUDE.md").symlink_to("CLAUDE.md")
    found = instructing.find(settings(tmp_path), root)
    assert ["cannot be read" in file.problem for file in found] == [True, True]


async def test_a_file_of_many_megabytes_is_not_read(tmp_path: Path, root: Path) -> None:
    """FTR-18"""
    with (root / "AGENTS.md").open("wb") as file:
        file.truncate(instructing.READ_LIMIT + 1)
    text, (file_,) = await instructing.gather(settings(tmp_path), root, Performer(), ())
    assert (text, file_.included, "over 4 MB" in file_.note) == ("", 0, True)
