"""Running the checks of a project."""

from __future__ import annotations

import asyncio
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.task.checks import Check, CheckResult, RunResult
from pilothouse.process import tree
from pilothouse.verify.runs.verifier import CheckEnded, CheckStarted, OutputText, Progress, RunRequest, WaitingForSlot
from tests.process.watching import descriptors, gone, runs
from tests.verify.runs.conftest import Workplace


def results(report_checks: object) -> list[str]:
    return [check.result.value for check in report_checks]  # type: ignore[attr-defined]


async def test_checks_run_in_order_and_all_passing_is_a_pass(place: Workplace) -> None:
    """TSK-13"""
    running = place.start(Check("one", "echo first >> trace"), Check("two", ("sh", "-c", "echo second >> trace")))
    report = await running.report()
    assert report.result is RunResult.PASS
    assert [(check.name, check.result, check.exit_code) for check in report.checks] == [
        ("one", CheckResult.PASSED, 0),
        ("two", CheckResult.PASSED, 0),
    ]
    assert (place.workspace / "trace").read_text() == "first\nsecond\n"
    assert report.first_failing_line == ""
    assert [type(item) for item in running.told.items] == [CheckStarted, CheckEnded] * 2
    started = running.told.of(CheckStarted)
    assert [(item.number, item.of, item.name) for item in started] == [(1, 2, "one"), (2, 2, "two")]


async def test_the_first_failure_ends_the_run_and_the_rest_is_skipped(place: Workplace) -> None:
    """TSK-13"""
    report = await place.run("true", "echo FAILED test_a.py::test_fee; exit 3", "touch reached")
    assert report.result is RunResult.FAIL
    assert results(report.checks) == ["passed", "failed", "skipped"]
    assert report.checks[1].exit_code == 3
    assert report.first_failing_line == "FAILED test_a.py::test_fee"
    assert not (place.workspace / "reached").exists()


async def test_logs_are_kept_for_each_check_and_for_all_and_only_the_owner_reads_them(place: Workplace) -> None:
    """TSK-13"""
    report = await place.run(
        Check("Unit tests!", "echo out; echo err >&2"), Check("färbig", "printf '\\033[31mred'; false")
    )
    folder = place.folder()
    assert sorted(file.name for file in folder.iterdir()) == ["1-unit-tests.log", "2-farbig.log", "combined.log"]
    assert Path(report.checks[0].log_path).read_text() == "out\nerr\n"
    combined = Path(report.log_path).read_text()
    assert combined.index("1/2 Unit tests!: echo out") < combined.index("out\nerr\n") < combined.index("\033[31mred\n")
    assert report.tail == combined.rstrip("\n")
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_output_comes_while_the_check_runs(place: Workplace) -> None:
    """TSK-13"""
    running = place.start(Check("slow", "printf 'h\\303'; printf '\\251llo'; read x < gate"))
    os.mkfifo(place.workspace / "gate")
    await running.told.until(lambda told: told.text == "héllo")
    assert not running.told.of(CheckEnded)
    (place.workspace / "gate").write_text("go\n")
    assert (await running.report()).result is RunResult.PASS


async def test_a_check_out_of_time_is_a_failure_that_leaves_no_process(place: Workplace) -> None:
    """TSK-13"""
    clock = place.clock = ManualClock()
    place.options["stop_grace_seconds"] = 0.1
    running = place.start(Check("hang", "trap '' TERM; setsid sleep 600 & echo $!; wait", 60.0), Check("next", "true"))
    await running.told.until(lambda told: "\n" in told.text)
    pid = int(running.told.text)
    await clock.advance(59)
    assert runs(pid)
    await clock.advance(2)
    report = await running.report()
    assert report.result is RunResult.FAIL
    assert results(report.checks) == ["timeout", "skipped"]
    assert report.checks[0].detail == "It did not finish within 60 seconds and was ended."
    assert report.checks[0].duration_ms == 61_000
    assert "60 seconds" in report.first_failing_line
    assert "60 seconds" in report.tail
    assert not runs(pid)


async def test_what_a_check_leaves_running_is_ended_with_it(place: Workplace) -> None:
    """TSK-13"""
    report = await place.run("setsid sh -c 'sleep 600' & echo $!")
    assert report.result is RunResult.PASS
    await gone(int(Path(report.checks[0].log_path).read_text()))


async def test_a_check_that_closes_its_output_is_still_waited_for(place: Workplace) -> None:
    os.mkfifo(place.workspace / "gate")
    running = place.start(Check("quiet", "exec >&- 2>&-; read x < gate; exit 4"))
    await running.told.until(lambda told: told.of(CheckStarted))
    (place.workspace / "gate").write_text("go\n")
    assert (await running.report()).checks[0].exit_code == 4


async def test_stop_ends_everything_and_there_is_no_report(place: Workplace) -> None:
    """TSK-6"""
    running = place.start(Check("long", "sleep 600 & echo $!; wait"), Check("next", "touch reached"))
    await running.told.until(lambda told: "\n" in told.text)
    [started] = running.told.of(CheckStarted)
    assert tree.alive(started.process)
    running.verification.stop()
    assert await running.ended() is None
    assert not runs(int(running.told.text))
    assert not tree.alive(started.process)
    assert not running.told.of(CheckEnded)
    assert not (place.workspace / "reached").exists()
    # The slot is free again.
    assert [(await place.run("true")).result for _ in range(3)] == [RunResult.PASS] * 3


async def test_a_stop_before_the_start_runs_nothing(place: Workplace) -> None:
    verification = place.verifier.begin(RunRequest("early", place.workspace, (Check("one", "touch reached"),)))
    verification.stop()

    async def tell(_: Progress) -> None:
        pytest.fail("nothing happened")

    assert await verification.run(tell) is None
    assert not (place.workspace / "reached").exists()


async def test_whoever_stops_waiting_leaves_no_process_and_no_descriptor(place: Workplace) -> None:
    """TSK-6"""
    await place.run("true")
    before = descriptors()
    running = place.start(Check("long", "sleep 600 & echo $!; yes"))
    await running.told.until(lambda told: told.text.count("\n") > 1)
    running.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running.task
    assert not runs(int(running.told.text.partition("\n")[0]))
    assert descriptors() == before


async def test_a_listener_that_fails_ends_the_check(place: Workplace) -> None:
    pids: list[int] = []

    async def tell(item: Progress) -> None:
        if isinstance(item, CheckStarted):
            pids.append(item.process.pid)
        if isinstance(item, OutputText):
            raise RuntimeError("the store is closed")

    verification = place.verifier.begin(RunRequest("broken", place.workspace, (Check("one", "echo a; sleep 600"),)))
    with pytest.raises(RuntimeError, match="the store is closed"):
        await verification.run(tell)
    assert not runs(pids[0])


async def test_verifications_share_the_limit_first_come_first_served(place: Workplace) -> None:
    """TSK-18"""
    place.options["max_verifications"] = 1
    os.mkfifo(place.workspace / "gate")
    first = place.start(Check("first", "read x < gate; echo first >> trace"))
    await first.told.until(lambda told: told.of(CheckStarted))
    second, third, fourth = (place.start(Check(n, f"echo {n} >> trace")) for n in ("second", "third", "fourth"))
    for waiting in (second, third, fourth):
        await waiting.told.until(lambda told: told.of(WaitingForSlot))
    third.verification.stop()
    assert await third.ended() is None
    assert third.told.items == [WaitingForSlot()]
    assert not second.told.of(CheckStarted)
    (place.workspace / "gate").write_text("go\n")
    assert [(await run.report()).result for run in (first, second, fourth)] == [RunResult.PASS] * 3
    assert (place.workspace / "trace").read_text() == "first\nsecond\nfourth\n"
    assert not first.told.of(WaitingForSlot)


async def test_checks_see_the_allow_list_colours_and_nobody_to_ask(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TSK-13"""
    monkeypatch.setenv("PILOTHOUSE_TOKEN", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("NO_COLOR", "1")
    report = await place.run("env; tty; cat", EXTRA="given", CI="")
    text = Path(report.checks[0].log_path).read_text()
    lines = text.splitlines()
    assert "secret" not in text
    assert not any(line.startswith("NO_COLOR") for line in lines)
    expected = {"FORCE_COLOR=1", "PY_COLORS=1", "TERM=xterm-256color", "GIT_TERMINAL_PROMPT=0", "PAGER=cat"}
    assert expected | {"EXTRA=given", "CI=", "PILOTHOUSE_SPAWN=run-1-1", "not a tty"} <= set(lines)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program --now", "no program “no-such-program”"),
        (("no-such-program", "--now"), "no program “no-such-program”"),
        ("true && no-such-program", "no program “no-such-program”"),
        ("./plain.txt", "is not executable"),
        (("./plain.txt",), "is not executable"),
        ("kill -9 $PPID; sleep 600", "watches over the check was killed"),
        ("python3 -m no_such_module", "no module “no_such_module”"),
    ],
)
async def test_a_check_that_cannot_be_run_is_no_failing_test(
    place: Workplace, command: str | tuple[str, ...], words: str
) -> None:
    """TSK-13"""
    (place.workspace / "plain.txt").write_text("not a program")
    report = await place.run(command, "true")
    assert report.result is RunResult.INFRASTRUCTURE
    assert results(report.checks) == ["unrunnable", "skipped"]
    assert words in report.checks[0].detail
    assert words in report.first_failing_line
    assert words in report.tail


async def test_a_check_that_was_killed_did_run_and_failed(place: Workplace) -> None:
    """TSK-13: glossary 7"""
    report = await place.run("kill -9 $$", "true")
    assert (report.result, results(report.checks)) == (RunResult.FAIL, ["failed", "skipped"])
    assert "perhaps because memory ran out" in report.first_failing_line


@pytest.mark.parametrize(
    "script",
    ["echo sh: 1: jest: not found; exit 1", "echo No space left on device; exit 1", "exit 143"],
)
async def test_a_suite_that_only_talks_of_missing_programs_fails(place: Workplace, script: str) -> None:
    """TSK-13"""
    report = await place.run(script)
    assert report.result is RunResult.FAIL


@pytest.mark.parametrize("line", ["@no-such-program", "@true; no-such-program"])
async def test_a_program_missing_behind_make_is_named(place: Workplace, line: str) -> None:
    """TSK-13 TSK-9"""
    (place.workspace / "Makefile").write_text(f"test:\n\t{line}\n")
    report = await place.run("make test")
    assert report.result is RunResult.INFRASTRUCTURE
    assert "no program “no-such-program”" in report.first_failing_line


async def test_a_missing_folder_and_a_folder_below_the_workspace(place: Workplace) -> None:
    (place.workspace / "packages").mkdir()
    report = await place.run(Check("here", "touch made", folder="packages"), Check("gone", "true", folder="nowhere"))
    assert (place.workspace / "packages" / "made").exists()
    assert report.result is RunResult.INFRASTRUCTURE
    assert report.checks[1].detail == "There is no folder “nowhere”."


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """The nearest thing to a full disk that leaves the disk alone."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_log_that_cannot_be_written_is_no_failing_test(place: Workplace) -> None:
    """TSK-13"""
    with files_up_to(4096):
        report = await place.run("seq 10000; exit 1", "touch reached")
    assert report.result is RunResult.INFRASTRUCTURE
    assert report.checks[0].detail == "The log could not be written: File too large."
    assert not (place.workspace / "reached").exists()


async def test_a_disk_that_was_full_only_while_the_check_ran_counts(place: Workplace) -> None:
    """TSK-13"""
    place.options["verification_log_max_mb"] = 1
    place.folder().mkdir(parents=True)
    (place.folder() / "1-check-1.log").symlink_to("/dev/full")
    # Read, that device never ends: nothing may grow far if the copy has no limit.
    with files_up_to(10_000_000):
        report = await place.run("echo something; exit 1")
    assert report.result is RunResult.INFRASTRUCTURE
    assert report.checks[0].detail == "The log could not be written: No space left on device."


async def test_a_combined_log_that_cannot_be_written_takes_back_a_pass(place: Workplace) -> None:
    place.folder().mkdir(parents=True)
    (place.folder() / "combined.log").mkdir()
    report = await place.run("true", "touch reached")
    assert report.result is RunResult.INFRASTRUCTURE
    assert report.checks[0].detail == "The log could not be written: Is a directory."
    assert not (place.workspace / "reached").exists()


async def test_a_place_for_logs_that_is_none(place: Workplace) -> None:
    place.settings.logs.mkdir(parents=True)
    (place.settings.logs / "runs").write_text("in the way")
    report = await place.run("touch reached")
    assert report.result is RunResult.INFRASTRUCTURE
    assert not (place.workspace / "reached").exists()
    assert "log could not be written" in report.checks[0].detail


async def test_a_flood_fills_neither_the_log_nor_the_screen(place: Workplace) -> None:
    """TSK-13"""
    place.options["verification_log_max_mb"] = 1
    running = place.start(
        Check("flood", "echo the beginning; yes 0123456789 | head -c 30000000; echo; echo the end; exit 1")
    )
    report = await running.report()
    log = Path(report.checks[0].log_path).read_text()
    assert log.startswith("the beginning\n")
    assert log.endswith("\nthe end\n")
    assert "MB are left out here" in log
    assert 700_000 < len(log) < 1_100_000
    assert len(report.tail.splitlines()) == 200
    assert running.told.text.startswith("the beginning\n")
    assert running.told.text.endswith("\nthe end\n")
    assert len(running.told.text) < 4_100_000


def test_a_run_without_checks_or_with_a_path_for_a_name_is_refused(place: Workplace) -> None:
    with pytest.raises(ValueError, match="nothing to run"):
        place.verifier.begin(RunRequest("run", place.workspace, ()))
    with pytest.raises(ValueError, match="not the name of a folder"):
        place.verifier.begin(RunRequest("../run", place.workspace, (Check("one", "true"),)))
