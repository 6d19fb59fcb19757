"""Ends that spare a person an agent's work: a fix in vain, a check that cannot be run, an offer that asks nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.task import ErrorKind, ResumeMode, TaskStatus, Verdict
from pilothouse.engine.workspace import pins
from pilothouse.store.task import steps, stuck_reports
from tests.workbench import Workbench, git, make_repository

SCENARIOS = """
scenarios:
  right: [write: {path: level.txt, text: "9"}, say: Done.]
  nothing: [say: All is well.]
  in-vain:
    steps: [write: {path: level.txt, text: "0"}, say: Done.]
    fix: [say: It should be right now.]
    replan: [say: It should be right in another way now.]
    stuck: [say: "Hypotheses:\\n- The check is wrong"]
  offers:
    steps: [write: {path: level.txt, text: "9"}, say: "I raised the level. Shall I also document it?"]
    summarise: [say: I raised the level to 9.]
"""
LEVEL = "verification:\n  - {name: level, command: 'test \"$(cat level.txt)\" -ge 5'}\n"


async def opened(tmp_path: Path, checks: str = LEVEL, **files: str) -> Workbench:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    for name, text in {"agent.yaml": checks, **files}.items():
        (repo / name).write_text(text)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    return await Workbench.open(tmp_path / "data", repo)


async def test_fixes_that_change_nothing_are_a_replan_then_the_end(tmp_path: Path) -> None:
    """TSK-9, TSK-10, TSK-1"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[in-vain]]\n\nConstraints:\n- Keep calc.py")
        task = await bench.rest(begun, TaskStatus.STUCK)
        assert task.loop == LoopState(4, 1, 1, 3)
        assert [step.kind.value for step in await bench.store.read(lambda c: steps.of_task(c, task.id))] == [
            "edit", "verify", "fix", "verify", "fix", "verify", "replan", "verify", "summarise",
        ]  # fmt: skip
        report = await bench.store.read(lambda c: stuck_reports.get(c, task.id))
        assert report is not None
        assert report.reason in report.markdown()
        assert report.reason.startswith("3 fixes in a row left the files exactly as they were")
        assert "## Constraints\n\n- Keep calc.py" in report.markdown()
        _, again = await bench.begin("Once more [[right]]\n\nConstraints:\n- Be quick", from_stuck=task.id)
        assert (await bench.rest(again, TaskStatus.COMPLETE)).scope.constraints == ("Keep calc.py", "Be quick")


async def test_a_failure_that_moves_is_none_in_vain(tmp_path: Path) -> None:
    """TSK-9: a flaky check fails elsewhere each time."""
    moves = "verification:\n  - {name: flaky, command: 'date +%N; exit 1'}\n"
    async with await opened(tmp_path, moves) as bench:
        _, begun = await bench.begin("[[in-vain]]")
        task = await bench.rest(begun, TaskStatus.STUCK)
        assert (task.loop.total, task.loop.vain) == (12, 0)


@pytest.mark.parametrize("command", ["no-such-program-here --all", "make there"])
async def test_a_check_known_to_be_impossible_is_said_before_an_agent_is_asked(tmp_path: Path, command: str) -> None:
    """TSK-9"""
    make, checks = "there:\n\tno-such-program-here --all\n", f"verification:\n  - {{name: gone, command: {command}}}\n"
    async with await opened(tmp_path, checks, Makefile=make) as bench:
        _, begun = await bench.begin("[[right]]")
        task = await bench.rest(begun, TaskStatus.ERROR)
        assert (task.error_kind, await bench.store.read(lambda c: steps.of_task(c, task.id))) == (
            ErrorKind.INFRASTRUCTURE,
            [],
        )
        assert task.error_message == (
            "The check “gone” cannot be run, so no agent was asked: There is no program “no-such-program-here” here. "
            "Install it, or correct the check on the project's Checks page, then resume the task."
        )
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: there, command: 'true'}\n")
        await pins.edited(bench.store, task.project_id, bench.repo)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        assert (await bench.rest(task)).status is TaskStatus.COMPLETE


async def test_a_program_missing_behind_make_costs_no_loop(tmp_path: Path) -> None:
    """TSK-9"""
    make, checks = (
        "TOOL = no-such-program-here\nthere:\n\t$(TOOL) --all\n",
        "verification:\n  - {name: gone, command: make there}\n",
    )
    async with await opened(tmp_path, checks, Makefile=make) as bench:
        _, begun = await bench.begin("[[right]]")
        task = await bench.rest(begun, TaskStatus.ERROR)
        assert (task.error_kind, task.loop) == (ErrorKind.INFRASTRUCTURE, LoopState())
        assert "There is no program “no-such-program-here” here." in (task.error_message or "")


async def test_an_offer_holds_nothing_and_is_kept_with_the_verified_task(tmp_path: Path) -> None:
    """WEB-10"""
    async with await opened(tmp_path) as bench:
        session, begun = await bench.begin("[[offers]]")
        after = await bench.send(session, "[[nothing]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, task.offer) == (Verdict.PASS, "Shall I also document it?")
        assert (await bench.rest(after, TaskStatus.COMPLETE)).offer == ""
