"""A check that could not be run: the machine's fault, or the task's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.checks import Check, RunResult
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.task import ErrorKind, TaskStatus, Verdict
from pilothouse.engine.loop.blame import runs_one_of
from pilothouse.store.task import runs
from tests.workbench import Workbench, git, make_repository

SCENARIOS = """
scenarios:
  misspells:
    steps: [write: {path: command.txt, text: "tesst -f calc.py"}]
    fix: [write: {path: command.txt, text: "test -f calc.py"}]
  writes-script:
    steps: [write: {path: check.sh, text: "#!/bin/sh\\nexit 0\\n"}]
    fix: [run: "chmod +x check.sh"]
  breaks-later:
    steps: [write: {path: command.txt, text: "false"}]
    fix 1: [write: {path: command.txt, text: "tesst -f calc.py"}]
    fix 2: [write: {path: command.txt, text: "test -f calc.py"}]
  moves-folder:
    steps: [run: "git mv part whole"]
    fix: [run: "git mv whole part"]
  writes: [write: {path: notes.txt, text: "some"}]
"""
INDIRECT = "verification:\n  - {name: indirect, command: 'sh ./run.sh'}\n"
SCRIPT = "verification:\n  - {name: script, command: [./check.sh]}\n"
FOLDER = "package: part\nverification:\n  - {name: part, command: [test, -f, kept.txt]}\n"
GONE = "verification:\n  - {name: gone, command: 'true; no-such-program-here notes.txt'}\n"


async def opened(tmp_path: Path, checks: str) -> Workbench:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / "agent.yaml").write_text(checks)
    (repo / "command.txt").write_text("test -f calc.py")
    (repo / "run.sh").write_text('eval "$(cat command.txt)"\n')
    (repo / "part").mkdir()
    (repo / "part" / "kept.txt").write_text("kept\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    return await Workbench.open(tmp_path / "data", repo)


@pytest.mark.parametrize(
    ("scenario", "checks", "loops"),
    [
        ("misspells", INDIRECT, 2),
        ("writes-script", SCRIPT, 2),
        ("breaks-later", INDIRECT, 3),
    ],
)
async def test_what_the_task_itself_broke_is_a_failure_the_agent_fixes(
    tmp_path: Path, scenario: str, checks: str, loops: int
) -> None:
    """TSK-9"""
    async with await opened(tmp_path, checks) as bench:
        _, begun = await bench.begin(f"[[{scenario}]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, task.loop) == (Verdict.PASS, LoopState(loops, 0, 0))
        known = await bench.store.read(lambda c: runs.of_task(c, task.id))
        results = [run.result for run in known if run.loop]
        assert results == [*[RunResult.FAIL] * (loops - 1), RunResult.PASS]
        assert "own changes" in known[loops - 2].first_failing_line
        assert list((bench.data_dir / "scratch").glob("*")) == []
        assert {folder.name for folder in (bench.runtime.settings.logs / "runs").iterdir()} == {run.id for run in known}


async def test_a_folder_the_task_took_away_is_its_own_doing(tmp_path: Path) -> None:
    """TSK-9"""
    async with await opened(tmp_path, FOLDER) as bench:
        _, begun = await bench.begin("[[moves-folder]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        known = await bench.store.read(lambda c: runs.of_task(c, task.id))
        assert [run.result for run in known if run.loop] == [RunResult.FAIL, RunResult.PASS]


async def test_a_program_that_was_missing_at_the_base_stays_the_machines_fault(tmp_path: Path) -> None:
    """TSK-9: also where the command names a file that the task changed."""
    async with await opened(tmp_path, GONE) as bench:
        _, begun = await bench.begin("[[writes]]")
        task = await bench.rest(begun, TaskStatus.ERROR)
        assert (task.error_kind, task.loop) == (ErrorKind.INFRASTRUCTURE, LoopState())
        assert "Install what the project needs" in (task.error_message or "")


@pytest.mark.parametrize(
    ("command", "folder", "runs"),
    [
        ("./check.sh", "", True),
        ("sh -e check.sh --all", "", True),
        ("CI=1 ./check.sh", "", True),
        ("true && ./check.sh | cat", "", True),
        (("bash", "check.sh"), "", True),
        ("../check.sh", "part", True),
        ("pytest check.sh", "", False),
        ("./check.sh", "part", False),
        ("echo 'unclosed", "", False),
    ],
)
def test_the_file_a_check_runs_is_told_from_one_it_is_given(
    command: str | tuple[str, ...], folder: str, runs: bool
) -> None:
    """TSK-9"""
    assert runs_one_of(Check("it", command, folder=folder), {"check.sh"}) is runs
