"""From the agent's last word to a verdict: checks, fixes, replans, the stop, and what interrupts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.checks import RunResult, VerificationRun
from pilothouse.domain.task.contexts import ContextKind
from pilothouse.domain.task.doubts import DoubtKind
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.task import (
    Awaiting,
    ErrorKind,
    ResumeMode,
    Step,
    StepKind,
    Task,
    TaskOptions,
    TaskStatus,
    Verdict,
)
from pilothouse.engine.workspace import pins
from pilothouse.errors import BadAgentYaml, InvalidInput
from pilothouse.store.task import contexts, runs, steps, stuck_reports, tasks
from tests.workbench import Workbench, git, make_repository, tree

SCENARIOS = """
scenarios:
  right: [write: {path: level.txt, text: "9"}, say: Done.]
  second:
    steps: [write: {path: level.txt, text: "1"}]
    fix: [say: The level was too low., write: {path: level.txt, text: "9"}]
    summarise: [say: "I raised the level, since it was too low."]
  climbs:
    steps: [write: {path: level.txt, text: "0"}]
    fix: [run: "echo $(( $(cat level.txt) + 1 )) > new && mv new level.txt", say: One more.]
    replan: [run: "echo $(( $(cat level.txt) + 1 )) > new && mv new level.txt", say: Another way.]
  never:
    steps: [write: {path: level.txt, text: "0"}, say: Done.]
    fix: [run: "echo tried >> tries.txt"]
    replan: [run: "echo tried >> tries.txt"]
    stuck: [say: "Hypotheses:\\n- The level cannot be reached\\n- The check is wrong"]
  asks-in-fix:
    steps: [write: {path: level.txt, text: "1"}]
    fix: [ask: "How high should it be?", write: {path: level.txt, text: "{reply}"}]
  slow-check:
    - write: {path: level.txt, text: "9"}
    - run: "test -e ignored/once || { mkdir -p ignored; touch ignored/once slow.txt; }"
  loosens:
    steps:
      - write: {path: agent.yaml, text: "verification:\\n  - {name: easy, command: 'true'}\\n"}
      - write: {path: level.txt, text: "1"}
      - ask: "Is that all right?"
      - say: Good.
    fix: [write: {path: level.txt, text: "9"}]
  tidies-up:
    steps: [write: {path: level.txt, text: "9"}]
    summarise: [write: {path: more.txt, text: more}, say: Done.]
  breaks: [write: {path: level.txt, text: "1"}, fail: It cannot be done.]
  nothing: [say: All is well.]
  brings-checks:
    - write: {path: agent.yaml, text: "verification:\\n  - {name: mine, command: 'true'}\\n"}
"""
CHECK = """\
verification:
  - name: shape
    command: [test, -f, level.txt]
  - name: level
    command: 'cat level.txt; if [ -f slow.txt ]; then touch begun; sleep 600; fi; test "$(cat level.txt)" -ge {enough}'
    timeout: {timeout}
"""


async def opened(tmp_path: Path, enough: int = 5, limit: str = "60s", checks: str | None = None) -> Workbench:
    repo = tmp_path / "repo"
    if not repo.exists():
        make_repository(repo, SCENARIOS)
        (repo / "agent.yaml").write_text(checks or CHECK.format(enough=enough, timeout=limit))
        git(repo, "add", "-A")
        git(repo, "commit", "-qm", "checks")
    return await Workbench.open(tmp_path / "data", repo)


async def runs_of(bench: Workbench, task: Task) -> list[VerificationRun]:
    return await bench.store.read(lambda c: runs.of_task(c, task.id))


async def steps_of(bench: Workbench, task: Task) -> list[Step]:
    return await bench.store.read(lambda c: steps.of_task(c, task.id))


async def kinds_of(bench: Workbench, task: Task) -> list[str]:
    return [step.kind.value for step in await steps_of(bench, task)]


def milestones(bench: Workbench) -> list[str]:
    return [event.data.text for event in bench.heard if event.type == "task.milestone"]


async def test_green_at_first_is_summed_up_with_its_run(tmp_path: Path) -> None:
    """TSK-8, TSK-13, TSK-5"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[right]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        (run,) = await runs_of(bench, task)
        assert (task.verdict, task.run_id, task.loop) == (Verdict.PASS, run.id, LoopState(1, 0, 0))
        assert f"Verified by run {run.id}: shape, level passed." in task.summary
        assert (run.result, run.loop) == (RunResult.PASS, 1)
        assert run.commit == git(bench.repo, "rev-parse", "HEAD").strip()
        assert await kinds_of(bench, task) == ["edit", "verify", "summarise"]
        assert "Running verification: level (2 of 2)" in milestones(bench)
        assert "9" in Path(run.log_path).read_text()
        assert git(bench.repo, "status", "--porcelain").strip() == "?? level.txt"


async def test_green_at_the_second_loop_builds_on_what_is_there(tmp_path: Path) -> None:
    """TSK-9"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("Raise it [[second]]\n\nConstraints:\n- Keep calc.py")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        assert [run.result for run in await runs_of(bench, task)] == [RunResult.FAIL, RunResult.PASS]
        assert [run.loop for run in await runs_of(bench, task)] == [1, 2]
        assert await kinds_of(bench, task) == ["edit", "verify", "fix", "verify", "summarise"]
        fix = next(step for step in await steps_of(bench, task) if step.kind is StepKind.FIX)
        for told in ("Raise it", "Keep calc.py", "level", "+1", "exit code 1"):
            assert told in fix.prompt
        assert fix.answer.startswith("The level was too low.")
        assert task.summary.startswith("I raised the level, since it was too low.")
        assert "Verification failed, debugging" in milestones(bench)
        assert "Verification 2 of 12: level (2 of 2)" in milestones(bench)


async def test_replans_come_at_3_6_and_9_and_know_what_was_tried(tmp_path: Path) -> None:
    """TSK-9, TSK-15"""
    async with await opened(tmp_path, enough=10) as bench:
        session, begun = await bench.begin("[[climbs]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, task.loop) == (Verdict.PASS, LoopState(11, 0, 3))
        turns = [s.kind.value for s in await steps_of(bench, task) if s.kind in (StepKind.FIX, StepKind.REPLAN)]
        assert turns == ["fix", "fix", "replan"] * 3 + ["fix"]
        replans = [step for step in await steps_of(bench, task) if step.kind is StepKind.REPLAN]
        assert "Verification 2: level failed: 1" in replans[0].prompt
        assert "Done about it: One more." in replans[0].prompt
        kept = await bench.store.read(lambda c: contexts.of_session(c, session.id))
        assert [context.kind for context in kept] == [
            ContextKind.START, *[ContextKind.REPLAN] * 3, ContextKind.SUCCESS,
        ]  # fmt: skip


async def test_twelve_failures_end_in_a_report_and_the_next_task_starts(tmp_path: Path) -> None:
    """TSK-9, TSK-10"""
    async with await opened(tmp_path) as bench:
        session, begun = await bench.begin("[[never]]")
        after = await bench.send(session, "[[nothing]]")
        task = await bench.rest(begun, TaskStatus.STUCK)
        assert task.loop == LoopState(12, 3, 3)
        found = await runs_of(bench, task)
        assert [run.loop for run in found] == list(range(1, 13))
        assert all(run.kept for run in found)
        report = await bench.store.read(lambda c: stuck_reports.get(c, task.id))
        assert report is not None
        assert report.hypotheses == ("The level cannot be reached", "The check is wrong")
        assert [entry.run_id for entry in report.runs] == [run.id for run in found]
        assert report.files == ("level.txt", "tries.txt")
        assert "scout" not in await kinds_of(bench, task)
        assert (bench.repo / "level.txt").read_text() == "0"
        await bench.rest(after, TaskStatus.COMPLETE)


async def test_no_change_needs_no_check(tmp_path: Path) -> None:
    """TSK-8"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[nothing]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, await runs_of(bench, task)) == (Verdict.NO_CHANGES, [])


async def test_checks_that_come_with_the_task_are_run(tmp_path: Path) -> None:
    """TSK-12"""
    make_repository(tmp_path / "repo", SCENARIOS)
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[brings-checks]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, [run.result for run in await runs_of(bench, task)]) == (Verdict.PASS, [RunResult.PASS])


async def test_a_check_that_cannot_be_run_ends_the_task_and_consumes_no_loop(tmp_path: Path) -> None:
    """TSK-9: an infrastructure failure is no test failure."""
    missing = "verification:\n  - {name: gone, command: 'true; no-such-program-here'}\n"
    async with await opened(tmp_path, checks=missing) as bench:
        _, begun = await bench.begin("[[right]]")
        task = await bench.rest(begun, TaskStatus.ERROR)
        assert (task.error_kind, task.loop) == (ErrorKind.INFRASTRUCTURE, LoopState())
        assert "no-such-program-here" in (task.error_message or "")
        assert (bench.repo / "level.txt").exists()
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: there, command: 'true'}\n")
        await pins.edited(bench.store, task.project_id, bench.repo)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert done.verdict is Verdict.PASS
        second = [step.kind.value for step in await steps_of(bench, task) if step.attempt == 2]
        assert second == ["verify", "summarise"]


async def test_a_check_out_of_time_is_a_failure_that_counts(tmp_path: Path) -> None:
    """TSK-9, TSK-16"""
    async with await opened(tmp_path, limit="0.3") as bench:
        _, begun = await bench.begin("[[slow-check]]")
        task = await bench.rest(begun, TaskStatus.STUCK)
        assert task.loop.total == 12
        report = await bench.store.read(lambda c: stuck_reports.get(c, task.id))
        assert report is not None
        assert "did not finish within" in report.runs[0].first_failing_line


async def test_a_broken_file_refuses_the_task_at_once_or_before_anything_runs(tmp_path: Path) -> None:
    """TSK-11"""
    async with await opened(tmp_path) as bench:
        project = await bench.projects.add(str(bench.repo))
        workspace = await bench.directory(project.id)
        await bench.controls.hold(workspace.id, "Not yet.")
        session, begun = await bench.begin("[[right]]")
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: x}\n")
        with pytest.raises(BadAgentYaml) as refused:
            await bench.send(session, "[[right]]")
        assert (refused.value.problems[0].line, refused.value.problems[0].column) == (2, 5)
        await bench.controls.release(workspace.id)
        task = await bench.rest(begun, TaskStatus.ERROR)
        assert task.error_kind is ErrorKind.CONFIGURATION
        assert "line 2" in (task.error_message or "")
        assert not (bench.repo / "level.txt").exists()


async def test_a_task_may_start_from_a_stuck_report_and_gets_nothing_else_of_it(tmp_path: Path) -> None:
    """TSK-10"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("Reach the level [[never]]")
        stuck = await bench.rest(begun, TaskStatus.STUCK)
        with pytest.raises(InvalidInput):
            await bench.begin("[[right]]", from_stuck="unknown")
        _, again = await bench.begin("Once more [[right]]", from_stuck=stuck.id)
        task = await bench.rest(again, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        prompt = (await steps_of(bench, task))[0].prompt
        assert "- The level cannot be reached" in prompt
        for run in await runs_of(bench, stuck):
            assert run.log_path in prompt
        assert "End of its output" not in prompt
        assert (await steps_of(bench, task))[0].prompt.count("Reach the level") == 1


async def test_limits_of_agent_yaml_hold_for_the_agent(tmp_path: Path) -> None:
    """TSK-11"""
    limits = "timeouts: {hard: 1}\nverification:\n  - {name: there, command: 'true'}\n"
    async with await opened(tmp_path, checks=limits) as bench:
        _, begun = await bench.begin("[[long]]")
        task = await bench.rest(begun, TaskStatus.AWAITING_RESPONSE)
        assert task.awaiting is Awaiting.TIMEOUT


async def test_cancel_inside_a_check_ends_it_and_documents_nothing(tmp_path: Path) -> None:
    """TSK-6, TSK-9, TSK-15"""
    async with await opened(tmp_path) as bench:
        session, begun = await bench.begin("[[slow-check]]")
        await bench.until_event("task.milestone", begun.id, count=5)
        _, task = await bench.controls.cancel(begun.id)
        assert task is not None
        assert task.status is TaskStatus.CANCELLED
        assert (bench.repo / "slow.txt").exists()
        assert await bench.store.read(lambda c: contexts.of_session(c, session.id)) == []
        assert await runs_of(bench, task) == []


async def test_a_question_inside_a_fix_is_answered_and_the_count_goes_on(tmp_path: Path) -> None:
    """TSK-9, WEB-9"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[asks-in-fix]]")
        asked = await bench.rest(begun, TaskStatus.AWAITING_RESPONSE)
        assert (asked.awaiting, asked.loop) == (Awaiting.QUESTION, LoopState(1, 1, 0))
        await bench.controls.reply(asked.id, "7")
        task = await bench.rest(asked, TaskStatus.COMPLETE)
        assert (task.verdict, task.loop) == (Verdict.PASS, LoopState(2, 0, 0))


async def test_an_agent_cannot_loosen_the_checks_it_is_verified_with(tmp_path: Path) -> None:
    """TSK-9, BYD-4"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[loosens]]")
        asked = await bench.rest(begun, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.reply(asked.id, "Yes")
        task = await bench.rest(asked, TaskStatus.COMPLETE)
        assert [run.result for run in await runs_of(bench, task)] == [RunResult.FAIL, RunResult.PASS]
        assert {doubt.kind for doubt in task.doubts} == {DoubtKind.CHECKS_CHANGED}


async def test_what_changes_during_the_summary_is_verified_too(tmp_path: Path) -> None:
    """TSK-8"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[tidies-up]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert [run.loop for run in await runs_of(bench, task)] == [1, 2]
        assert task.run_id == (await runs_of(bench, task))[-1].id


async def test_a_resumed_task_that_cannot_begin_keeps_its_half_done_work_from_the_next(tmp_path: Path) -> None:
    """TSK-11, BYD-3"""
    async with await opened(
        tmp_path, checks="verification:\n  - {name: gone, command: 'true; no-such-program'}\n"
    ) as bench:
        _, begun = await bench.begin("[[right]]")
        task = await bench.rest(begun, TaskStatus.ERROR)
        (bench.repo / "agent.yaml").write_text("verification: 7\n")
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        waiting = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert waiting.holds_workspace
        assert "agent.yaml" in (waiting.error_message or "")


@pytest.mark.parametrize("mode", [ResumeMode.SOFT, ResumeMode.ROLLBACK])
async def test_a_stop_inside_a_check_can_be_resumed(tmp_path: Path, mode: ResumeMode) -> None:
    """TSK-9, WEB-2, WEB-3"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[slow-check]]")
        await bench.until_event("task.milestone", begun.id, count=5)
    (bench.repo / "slow.txt").unlink()
    async with await opened(tmp_path) as bench:
        task = await bench.task(begun.id)
        assert task.awaiting is Awaiting.INTERRUPTED
        await bench.controls.resume(task.id, mode)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert done.verdict is Verdict.PASS
        second = [step.kind.value for step in await steps_of(bench, task) if step.attempt == 2]
        assert second == (["verify", "summarise"] if mode is ResumeMode.SOFT else ["edit", "verify", "summarise"])


async def test_auto_fix_in_vain_rolls_back_by_itself_and_that_can_be_undone(tmp_path: Path) -> None:
    """WEB-7, BYD-3"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        _, begun = await bench.begin("[[never]]", auto_fix=True)
        task = await bench.rest(begun, TaskStatus.STUCK)
        await bench.until_event("task.rolled_back", task.id)
        assert tree(bench.repo) == before
        await bench.controls.undo_rollback(task.id, None)
        assert (bench.repo / "level.txt").read_text() == "0"
        _, failing = await bench.begin("[[breaks]]", auto_fix=True)
        failed = await bench.rest(failing, TaskStatus.ERROR)
        await bench.until_event("task.rolled_back", failed.id)
        assert failed.error_kind is ErrorKind.AGENT
        assert (bench.repo / "level.txt").read_text() == "0"


async def test_a_rollback_that_a_kill_prevented_is_made_up_for_and_done_once(tmp_path: Path) -> None:
    """WEB-7, BYD-8"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        _, begun = await bench.begin("[[breaks]]")
        task = await bench.rest(begun, TaskStatus.ERROR)
        # As a kill leaves it that comes right behind the task's end.
        await bench.store.write(lambda tx: tasks.update(tx, task.id, options=TaskOptions(auto_fix=True)))
    async with await opened(tmp_path) as bench:
        assert tree(bench.repo) == before
        await bench.controls.undo_rollback(task.id, None)
    async with await opened(tmp_path) as bench:
        assert (bench.repo / "level.txt").read_text() == "1"
