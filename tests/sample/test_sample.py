"""The sample project is real: its bug, its failing test, and what the agent does about it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pilothouse import sample
from pilothouse.agents.rehearsal import files
from pilothouse.agents.rehearsal.scenarios import chosen
from pilothouse.domain.ports import ToolFinished
from tests.agents.playing import Theatre


@pytest.fixture
def theatre(tmp_path: Path) -> Theatre:
    sample.create(tmp_path / "workspace")
    return Theatre(tmp_path)


def git(path: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=path, check=True, capture_output=True, text=True).stdout.strip()


def test_it_is_a_clean_repository_with_one_commit_on_main(theatre: Theatre) -> None:
    assert git(theatre.workspace, "status", "--porcelain") == ""
    assert git(theatre.workspace, "log", "--format=%an %ae") == "Pilothouse sample@pilothouse.invalid"
    assert git(theatre.workspace, "branch", "--show-current") == "main"
    assert [path.name for path in theatre.root.iterdir()] == ["workspace"]


def test_every_suggestion_names_a_scenario_of_the_sample(theatre: Theatre) -> None:
    own = files.load([theatre.workspace / files.WORKSPACE_FILE])
    assert [chosen(suggestion.prompt) for suggestion in sample.TRY] == list(own)
    assert len(sample.TRY) == 3


async def test_the_bug_is_found_fixed_and_proved_by_its_own_tests(theatre: Theatre) -> None:
    told = await theatre.play(sample.TRY[0].prompt)
    codes = [tool.exit_code for tool in told.of(ToolFinished) if tool.exit_code is not None]
    assert codes == [1, 0]
    assert "FAIL: test_six_nights_are_all_paid" in told.text
    assert git(theatre.workspace, "status", "--porcelain") == "M harbour/fees.py"
    assert told.end.outcome == "done"


@pytest.mark.parametrize(("reply", "line"), [("A", "Albatross: 60.00 EUR\n"), ("B", "Albatross: 60.00\n")])
async def test_the_question_decides_what_is_written(theatre: Theatre, reply: str, line: str) -> None:
    """RPL-3"""
    asked = await theatre.play(sample.TRY[1].prompt)
    assert asked.end.outcome == "asked"
    assert [option.value for option in asked.end.options] == ["A", "B"]
    told = await theatre.play(sample.TRY[1].prompt, asked.session, reply)
    assert line in told.text
    assert told.end.outcome == "done"


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    occupied, empty, file = tmp_path / "occupied", tmp_path / "empty", tmp_path / "file"
    occupied.mkdir()
    (occupied / "mine.txt").write_text("mine")
    empty.mkdir()
    file.write_text("mine")
    for path in (occupied, empty, file):
        sample.create(path)
        sample.create(path)
    assert [path.name for path in occupied.iterdir()] == ["mine.txt"]
    assert (empty / "README.md").exists()
    assert file.read_text() == "mine"


def test_the_persons_git_settings_do_not_interfere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "gitconfig"
    config.write_text("[commit]\n\tgpgsign = true\n[user]\n\tname = Own\n\temail = own@example.invalid\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    sample.create(tmp_path / "made")
    monkeypatch.delenv("GIT_DIR")
    assert git(tmp_path / "made", "log", "--format=%an") == "Pilothouse"
