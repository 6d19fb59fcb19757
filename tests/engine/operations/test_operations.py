"""Run, stop, build and restart, without the web part; the new process itself is in tests/server/test_restart.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from pilothouse.domain.operations import Operation, OperationKind, Phase
from pilothouse.domain.operations import OperationOutcome as Outcome
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.engine.broadcast import Interest
from pilothouse.engine.operations.build_run import KEPT, BuildLog
from pilothouse.engine.operations.builds import Builds, Command
from pilothouse.engine.operations.operations import Operations
from pilothouse.errors import Conflict, NotFound, NothingToBuild, RunnerBusy
from pilothouse.store import operations
from pilothouse.words import say
from tests.workbench import Workbench, make_repository

SCENARIOS = """
scenarios:
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
"""


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Workbench]:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / "ignored").mkdir()
    command = f"sh {tmp_path / 'own.sh'}"
    async with await Workbench.open(
        tmp_path / "data", repo, pilothouse_build_command=command, shutdown_wait_seconds=0.05
    ) as opened:
        yield opened


def own_build(tmp_path: Path, script: str) -> None:
    (tmp_path / "own.sh").write_text(script)


def last(bench: Workbench) -> Operation:
    assert bench.operations.last is not None
    return bench.operations.last


def state(bench: Workbench) -> str:
    return bench.runner.state


async def finished(bench: Workbench, count: int = 1) -> Operation:
    """The operation whose end has been told, as it is stored."""
    told = await bench.until_event("runner.operation_finished", count=count)
    stored = await bench.store.read(lambda c: operations.get(c, told.data.operation_id))
    assert stored is not None
    assert (told.data.kind, told.data.outcome, told.data.phase) == (stored.kind, stored.outcome, stored.phase)
    return stored


async def at_work(bench: Workbench) -> Task:
    _, task = await bench.begin("[[slow]]")
    await bench.until_event("step.tool_finished", task.id)
    return task


async def log_of(bench: Workbench, operation: Operation) -> str:
    return (await bench.operations.output(operation.id, 0, 1 << 20))[0]


async def test_a_stop_interrupts_what_runs_and_run_takes_work_again(bench: Workbench) -> None:
    """WEB-8"""
    task = await at_work(bench)
    await bench.operations.stop()
    done = await finished(bench)
    assert (done.kind, done.outcome, [run.phase for run in done.phases]) == (
        OperationKind.STOP,
        Outcome.DONE,
        [Phase.STOP],
    )
    found = await bench.task(task.id)
    assert (found.status, found.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.INTERRUPTED)
    assert state(bench) == "stopped"
    await bench.operations.run()
    assert (await finished(bench, 2)).kind is OperationKind.RUN
    assert state(bench) == "running"


async def test_what_is_so_already_is_no_operation(bench: Workbench) -> None:
    """WEB-8"""
    await bench.operations.run()
    assert bench.operations.last is None


async def test_a_build_keeps_its_log_and_tells_it_live(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8"""
    own_build(tmp_path, "printf 'caf\\303\\251 \\377'; echo oops >&2")
    await bench.operations.build()
    done = await finished(bench)
    assert (done.outcome, done.cause) == (Outcome.DONE, "")
    text = await log_of(bench, done)
    assert text.startswith(f"$ sh {tmp_path / 'own.sh'}\ncafé \ufffdoops\n[exit code 0, ")
    assert "$ pilothouse trial\n[exit code 0, " in text
    assert BuildLog(bench.settings.logs, done.id).path.stat().st_mode & 0o777 == 0o600


async def test_the_log_is_paged_in_whole_characters(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8"""
    own_build(tmp_path, "printf 'ééééé'; exit 1")
    await bench.operations.build()
    done = await finished(bench)
    whole, offset = "", 0
    while True:
        text, offset, total = await bench.operations.output(done.id, offset, 5)
        whole += text
        if offset == total:
            break
    assert whole == await log_of(bench, done)
    assert "ééééé\n[exit code 1" in whole
    with pytest.raises(NotFound):
        await bench.operations.output("none", 0, 5)


async def test_a_failed_build_keeps_what_runs_and_says_why(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8: glossary 20"""
    own_build(tmp_path, "echo building; printf '\\033[31mtypes do not match\\033[0m\\n'; exit 3")
    task = await at_work(bench)
    await bench.operations.restart()
    failed = await finished(bench)
    assert (failed.outcome, [run.phase for run in failed.phases]) == (Outcome.FAILED, [Phase.BUILD])
    assert failed.cause == f"“sh {tmp_path / 'own.sh'}” ended with code 3: types do not match"
    assert (bench.runner.state, bench.handed_over) == ("running", False)
    assert (await bench.task(task.id)).status is TaskStatus.RUNNING


async def test_a_restart_builds_then_stops_then_hands_over(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8: glossary 20"""
    own_build(tmp_path, "echo built")
    task = await at_work(bench)
    await bench.operations.restart()
    await bench.until_event("runner.stopped")
    await bench.operations.close()
    assert bench.handed_over
    assert [run.phase for run in last(bench).phases] == [Phase.BUILD, Phase.STOP, Phase.START]
    assert (await bench.task(task.id)).awaiting is Awaiting.INTERRUPTED
    assert last(bench).outcome is None


async def test_a_build_that_would_not_start_is_found_out_before_anything_stops(
    bench: Workbench, tmp_path: Path
) -> None:
    """WEB-8: Pilothouse on its own repository"""
    own_build(tmp_path, "exit 0")
    builds = BrokenTrial(bench.settings, None, bench.build_checks)
    broken = Operations(bench.runtime, bench.runner, builds, lambda: pytest.fail("handed over"))
    await broken.restart()
    failed = await finished(bench)
    assert (failed.outcome, failed.phase) == (Outcome.FAILED, Phase.BUILD)
    assert "SyntaxError" in failed.cause
    assert bench.runner.state == "running"


class BrokenTrial(Builds):
    def trial(self) -> Command:
        return replace(super().trial(), argv=("python3", "-c", "def"))


async def test_an_installed_package_has_nothing_to_build_but_can_be_restarted(tmp_path: Path) -> None:
    """WEB-8"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        assert bench.operations.build_problem == say("build.no_sources")
        with pytest.raises(NothingToBuild, match="nothing to build"):
            await bench.operations.build()
        assert bench.operations.last is None
        await bench.operations.restart()
        await bench.until_event("runner.stopped")
        assert last(bench).phases[0].note == say("build.no_sources")
        await bench.operations.close()
        assert bench.handed_over


async def test_a_second_operation_is_refused_with_what_runs(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8"""
    own_build(tmp_path, "sleep 600")
    both = await asyncio.gather(bench.operations.build(), bench.operations.restart(), return_exceptions=True)
    (refused,) = [answer for answer in both if answer is not None]
    assert isinstance(refused, RunnerBusy)
    assert refused.details is not None
    assert refused.details["operation_id"] == last(bench).id
    for other in (bench.operations.stop, bench.operations.run):
        with pytest.raises(RunnerBusy, match="Build"):
            await other()
    await bench.operations.cancel()


async def test_a_build_can_be_cancelled_and_nothing_of_it_stays(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8"""
    own_build(tmp_path, f"trap '' TERM; sleep 600 & echo $! > {tmp_path / 'pid'}; wait")
    with pytest.raises(Conflict):
        await bench.operations.cancel()
    await bench.operations.restart()
    heard = bench.broadcast.subscribe(Interest(tasks=frozenset({last(bench).id})))
    while '"type":"output"' not in "".join(frame.text for frame in (await heard.next()).frames):
        pass
    await bench.operations.cancel()
    assert (last(bench).outcome, last(bench).phase) == (Outcome.CANCELLED, Phase.BUILD)
    assert (bench.runner.state, bench.handed_over) == ("running", False)
    if (tmp_path / "pid").exists():
        assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


async def test_a_projects_own_build_runs_in_its_folder(bench: Workbench) -> None:
    """WEB-8"""
    project = await bench.projects.add(str(bench.repo))
    with pytest.raises(NothingToBuild):
        await bench.operations.build(project.id)
    with pytest.raises(NotFound):
        await bench.operations.build("none")
    (bench.repo / "ignored" / "build.sh").write_text('pwd; test -z "$PILOTHOUSE_TOKEN"')
    await bench.operations.build(project.id)
    done = await finished(bench)
    assert (done.outcome, done.project_id) == (Outcome.DONE, project.id)
    text = await log_of(bench, done)
    assert f"\n{bench.repo}\n" in text
    assert "trial" not in text


async def test_a_build_that_takes_too_long_is_ended(bench: Workbench) -> None:
    """WEB-8"""
    project = await bench.projects.add(str(bench.repo))
    (bench.repo / "ignored" / "build.sh").write_text("sleep 600")
    bench.build_seconds = 0.3
    await bench.operations.build(project.id)
    failed = await finished(bench)
    assert (failed.outcome, "took longer than 0.3 seconds" in failed.cause) == (Outcome.FAILED, True)


@pytest.mark.parametrize("successor", [False, True])
async def test_what_a_crash_cut_short_is_said_at_the_next_start(bench: Workbench, successor: bool) -> None:
    """WEB-8"""
    now = bench.clock.now()
    host, kind = bench.runtime.host_id, OperationKind.RESTART
    left = Operation("left", kind, "another boot", host, now).entered(Phase.BUILD, now)
    await bench.store.write(lambda tx: operations.add(tx, left))
    builds = Builds(bench.settings, None, bench.build_checks)
    again = Operations(bench.runtime, bench.runner, builds, lambda: False, successor=successor)
    await again.boot()
    told = await finished(bench)
    assert (told.id, told.outcome, told.phase) == ("left", Outcome.CUT_SHORT, Phase.BUILD)
    await again.stop()


@pytest.mark.parametrize(("successor", "outcome"), [(True, Outcome.DONE), (False, Outcome.CUT_SHORT)])
async def test_a_restart_is_done_when_its_successor_runs_and_not_when_another_comes(
    bench: Workbench, successor: bool, outcome: Outcome
) -> None:
    """WEB-8"""
    now = bench.clock.now()
    host, kind = bench.runtime.host_id, OperationKind.RESTART
    left = Operation("left", kind, "another boot", host, now).entered(Phase.START, now)
    await bench.store.write(lambda tx: operations.add(tx, left))
    await bench.runner.stop("test")
    again = Operations(
        bench.runtime,
        bench.runner,
        Builds(bench.settings, None, bench.build_checks),
        lambda: False,
        successor=successor,
    )
    await again.boot()
    assert (await finished(bench)).outcome is outcome
    assert bench.runner.state == "running"


async def test_going_down_in_the_middle_is_said_at_once(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8 PLT-4"""
    own_build(tmp_path, "sleep 600")
    await bench.operations.build()
    await bench.operations.close()
    assert (last(bench).outcome, last(bench).phase) == (Outcome.CUT_SHORT, Phase.BUILD)


async def test_only_the_newest_logs_are_kept(bench: Workbench, tmp_path: Path) -> None:
    """WEB-8"""
    folder = bench.settings.logs / "runner"
    folder.mkdir()
    for number in range(KEPT + 5):
        (folder / f"old{number}.log").write_text("old")
    own_build(tmp_path, "exit 1")
    await bench.operations.build()
    await finished(bench)
    assert len(list(folder.glob("*.log"))) == KEPT


async def test_a_flood_of_a_build_does_not_fill_its_log(tmp_path: Path) -> None:
    """WEB-8"""
    own_build(tmp_path, "echo the beginning; yes 0123456789 | head -c 3000000; echo; echo the end; exit 1")
    repo = make_repository(tmp_path / "repo")
    command = f"sh {tmp_path / 'own.sh'}"
    async with await Workbench.open(
        tmp_path / "data", repo, pilothouse_build_command=command, verification_log_max_mb=1
    ) as bench:
        await bench.operations.build()
        done = await finished(bench)
        assert done.cause.endswith("the end")
        text, _, total = await bench.operations.output(done.id, 0, 2_000_000)
        assert "\nthe beginning\n" in text
        assert "\nthe end\n[exit code 1, " in text
        assert "MB are left out here" in text
        assert total < 1_100_000


def test_pilothouses_own_build_has_a_time_limit(bench: Workbench) -> None:
    """WEB-8"""
    builds = Builds(bench.settings, None, bench.build_checks)
    assert builds.own().timeout_seconds == builds.trial().timeout_seconds == 1800
