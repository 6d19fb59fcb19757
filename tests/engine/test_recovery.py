"""What happens at the next start to what an earlier life of the server left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import (
    Attempt,
    AttemptMode,
    Awaiting,
    ResumeMode,
    RunnerMark,
    Step,
    StepKind,
    Task,
    TaskStatus,
)
from pilothouse.engine.workspace import artifacts
from pilothouse.errors import ResumeUnavailable
from pilothouse.store import notices
from pilothouse.store.database import Tx
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts, steps, tasks
from pilothouse.words import say
from tests.workbench import Workbench, make_repository, tree

SCENARIOS = """
scenarios:
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
  then-done:
    - write: {path: one.txt, text: "one\\n"}
    - run: until test -e ignored/go; do sleep 0.02; done
    - write: {path: two.txt, text: "two\\n"}
    - say: Both written.
"""


def let_go(repo: Path) -> None:
    """Have the scenario that waits for it go on."""
    (repo / "ignored").mkdir()
    (repo / "ignored" / "go").touch()


async def interrupted(tmp_path: Path, prompt: str = "[[slow]]") -> tuple[Workbench, Task]:
    """A task that ran when the server was told to stop at once, seen after the next start."""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo) as first:
        _, task = await first.begin(prompt)
        await first.until_event("step.tool_finished", task.id)
    return await Workbench.open(tmp_path / "data", repo), task


async def cut_off_again(bench: Workbench, task: Task) -> None:
    """As if another server had gone on with it and was killed before it had a checkpoint."""
    await bench.runner.stop("test")
    await bench.controls.resume(task.id, ResumeMode.SOFT)

    def claimed_by_an_earlier_boot(tx: Tx) -> None:
        upcoming = tasks.upcoming(tx, task.workspace_id)
        assert upcoming is not None
        claimed = tasks.move(tx, upcoming, Action.CLAIM, runner=RunnerMark("earlier"))
        attempts.start(tx, Attempt(task.id, claimed.attempt, AttemptMode.SOFT, tx.now))

    await bench.store.write(claimed_by_an_earlier_boot)


async def test_a_stop_interrupts_what_runs_and_nothing_is_run_again_by_itself(tmp_path: Path) -> None:
    """WEB-1 PLT-4"""
    bench, task = await interrupted(tmp_path)
    async with bench:
        found = await bench.task(task.id)
        assert (found.status, found.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.INTERRUPTED)
        assert found.holds_workspace
        assert found.runner is None
        types = await bench.types(task.id)
        assert types.count("attempt.started") == 1
        ended = await bench.store.read(lambda c: steps.of_task(c, task.id))
        assert [(s.outcome, s.finished_at is not None) for s in ended] == [("interrupted", True)]


async def test_rollback_and_replay_after_a_restart(tmp_path: Path) -> None:
    """WEB-2 WEB-3"""
    bench, task = await interrupted(tmp_path, "[[then-done]]")
    async with bench:
        view = await bench.controls.resume_options(task.id)
        assert view.default is ResumeMode.ROLLBACK
        assert [f.path for f in view.takes_away.files] == ["one.txt"]
        let_go(bench.repo)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert done.attempt == 2
        assert (bench.repo / "two.txt").exists()
        rolled = await bench.until_event("task.rolled_back", task.id)
        assert (rolled.data.files, rolled.data.replay) == (1, True)


async def test_soft_resume_after_a_restart_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """WEB-3"""
    bench, task = await interrupted(tmp_path, "[[then-done]]")
    async with bench:
        (bench.repo / "one.txt").write_text("kept as it is\n")
        let_go(bench.repo)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.rest(task, TaskStatus.COMPLETE)
        assert (bench.repo / "one.txt").read_text() == "kept as it is\n"
        assert (bench.repo / "two.txt").exists()
        made = await bench.store.read(lambda c: attempts.of_task(c, task.id))
        assert [a.mode for a in made] == ["first", "soft"]


@pytest.mark.parametrize(
    ("part", "file"),
    [("patch", "patch.diff"), ("step_log", "step-log.json"), ("failure_summary", "failures.json")],
)
async def test_soft_resume_without_a_saved_part_is_refused_and_names_it(tmp_path: Path, part: str, file: str) -> None:
    """WEB-3"""
    bench, task = await interrupted(tmp_path)
    async with bench:
        (bench.data_dir / "artifacts" / task.id / "1" / file).unlink()
        before = tree(bench.repo)
        with pytest.raises(ResumeUnavailable) as refused:
            await bench.controls.resume(task.id, ResumeMode.SOFT)
        assert refused.value.details == {"missing": [part]}
        assert tree(bench.repo) == before
        assert (await bench.task(task.id)).status is TaskStatus.AWAITING_RESPONSE
        view = await bench.controls.resume_options(task.id)
        assert not view.soft_available
        assert say(f"saved_part.{part}") in (view.soft_problem or "")


async def test_an_altered_part_counts_as_missing(tmp_path: Path) -> None:
    """WEB-3"""
    bench, task = await interrupted(tmp_path)
    async with bench:
        (bench.data_dir / "artifacts" / task.id / "1" / "patch.diff").write_text("something else")
        with pytest.raises(ResumeUnavailable, match="patch"):
            await bench.controls.resume(task.id, ResumeMode.SOFT)


async def test_the_runner_stops_and_starts_without_the_rest(tmp_path: Path) -> None:
    """PLT-4 TSK-2"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        let_go(repo)
        await bench.runner.stop("test")
        _, task = await bench.begin("[[then-done]]")
        assert (await bench.task(task.id)).status is TaskStatus.QUEUED
        await bench.runner.start()
        await bench.rest(task, TaskStatus.COMPLETE)
        types = [e.type for e in bench.heard if e.type.startswith("runner")]
        assert types == ["runner.started", "runner.stopped", "runner.started"]


async def test_what_was_said_to_an_interrupted_task_is_said_again_in_a_replay(tmp_path: Path) -> None:
    """WEB-5: in its order, in the prompt, since no question will ask for it."""
    bench, task = await interrupted(tmp_path)
    async with bench:
        for number, words in enumerate(("Use tabs.", "And keep the names."), start=2):
            await bench.controls.reply(task.id, words)
            await bench.until(lambda c, n=number: len(steps.of_task(c, task.id, n)) == 1)  # type: ignore[misc]
            await bench.runner.stop("test", wait_seconds=0.01)
            await bench.runner.start()
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until(lambda c: len(steps.of_task(c, task.id, 4)) == 1)
        (step,) = await bench.store.read(lambda c: steps.of_task(c, task.id, 4))
        assert step.prompt.index("[[slow]]") < step.prompt.index("Use tabs.\n\nAnd keep the names.")
        await bench.runner.stop("test", wait_seconds=0.01)
        await bench.runner.start()
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.until(lambda c: len(steps.of_task(c, task.id, 5)) == 1)
        (step,) = await bench.store.read(lambda c: steps.of_task(c, task.id, 5))
        assert "Use tabs.\n\nAnd keep the names." in step.prompt


async def test_the_end_of_an_interrupted_attempt_is_told_once_its_state_is_saved(tmp_path: Path) -> None:
    """WEB-1 WEB-2: a screen that asked too early what is saved hears when to ask again."""
    bench, task = await interrupted(tmp_path)
    async with bench:
        await cut_off_again(bench, task)
        await bench.runner.start()
        told = [event.type for event in bench.heard if event.task_id == task.id]
        assert told[-2:] == ["task.awaiting", "attempt.finished"]
        view = await bench.controls.resume_options(task.id)
        assert [part.saved for part in view.saved] == [True, True, True]
        assert (await bench.task(task.id)).files_changed == 1


@pytest.mark.parametrize("mode", list(ResumeMode))
async def test_what_was_cut_off_before_its_agent_started_begins_either_way(tmp_path: Path, mode: ResumeMode) -> None:
    """WEB-2 WEB-3"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        await bench.runner.stop("test")
        _, task = await bench.begin("[[then-done]]")

        def as_an_earlier_boot_left_it(tx: Tx) -> None:
            upcoming = tasks.upcoming(tx, task.workspace_id)
            assert upcoming is not None
            claimed = tasks.move(tx, upcoming, Action.CLAIM, runner=RunnerMark("earlier"))
            attempts.start(tx, Attempt(task.id, claimed.attempt, AttemptMode.FIRST, tx.now))

        await bench.store.write(as_an_earlier_boot_left_it)
        await bench.runner.start()
        assert (await bench.task(task.id)).awaiting is Awaiting.INTERRUPTED
        view = await bench.controls.resume_options(task.id)
        assert (view.soft_available, view.soft_problem, view.saved) == (True, None, [])
        assert "before the agent was started" in view.why
        let_go(repo)
        await bench.controls.resume(task.id, mode)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert (done.attempt, (repo / "two.txt").read_text()) == (2, "two\n")


async def test_the_lock_of_a_git_that_a_kill_left_is_moved_aside_and_the_state_saved(tmp_path: Path) -> None:
    """WEB-1 WEB-2: the state an interrupted task was found in must not be lost over it."""
    bench, task = await interrupted(tmp_path)
    async with bench:
        await cut_off_again(bench, task)
        (bench.repo / ".git" / "index.lock").touch()
        (bench.repo / "late.txt").write_text("written late\n")
        await bench.runner.start()
        found = await bench.task(task.id)
        assert (found.awaiting, found.files_changed) == (Awaiting.INTERRUPTED, 2)
        assert [notice.code for notice in await bench.store.read(notices.open)] == ["lock_set_aside"]
        await bench.controls.rollback(task.id)
        assert not (bench.repo / "late.txt").exists()


async def test_parts_that_could_not_be_saved_at_the_start_are_named(tmp_path: Path) -> None:
    """WEB-3: those of before tell of a tree that is not there any more."""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        await bench.runner.stop("test")
        _, task = await bench.begin("[[slow]]")

        space = await bench.store.read(lambda c: workspaces.get(c, task.workspace_id))
        assert space is not None
        base = bench.runtime.checkpoints(space).take("refs/pilothouse/s/t/1/0").commit

        def as_an_earlier_boot_left_it(tx: Tx) -> None:
            upcoming = tasks.upcoming(tx, task.workspace_id)
            assert upcoming is not None
            claimed = tasks.move(tx, upcoming, Action.CLAIM, runner=RunnerMark("earlier"))
            attempts.start(tx, Attempt(task.id, claimed.attempt, AttemptMode.FIRST, tx.now))
            attempts.update(tx, task.id, claimed.attempt, checkpoint=base, base=base, **artifacts.NOTHING_YET)
            steps.start(tx, Step("step", task.id, claimed.attempt, 1, StepKind.EDIT, "", tx.now))

        await bench.store.write(as_an_earlier_boot_left_it)
        (repo / "half.txt").write_text("half\n")
        (tmp_path / "data" / "artifacts").mkdir(exist_ok=True)
        (tmp_path / "data" / "artifacts" / task.id).write_text("in the way")
        await bench.runner.start()
        view = await bench.controls.resume_options(task.id)
        assert [part.saved for part in view.saved] == [False, False, False]
        assert not view.soft_available


async def test_an_obstacle_at_the_start_of_a_soft_resume_does_not_rule_out_the_next(tmp_path: Path) -> None:
    """WEB-3: nothing was done since what was saved."""
    bench, task = await interrupted(tmp_path, "[[then-done]]")
    async with bench:
        lock = bench.repo / ".git" / "index.lock"
        lock.touch()
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        failed = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert "index.lock" in (failed.error_message or "")
        lock.unlink()
        view = await bench.controls.resume_options(task.id)
        assert (view.soft_available, view.soft_problem) == (True, None)
        let_go(bench.repo)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.rest(task, TaskStatus.COMPLETE)


async def test_what_was_saved_before_does_not_stand_for_a_state_that_could_not_be_saved(tmp_path: Path) -> None:
    """WEB-3"""
    bench, task = await interrupted(tmp_path)
    async with bench:
        assert (await bench.controls.resume_options(task.id)).soft_available
        await cut_off_again(bench, task)
        (bench.data_dir / "artifacts" / task.id / "2").write_text("in the way")
        await bench.runner.start()
        view = await bench.controls.resume_options(task.id)
        assert not view.soft_available
