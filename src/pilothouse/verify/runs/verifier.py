"""Runs the project's checks, one after another, up to the first that does not pass.

Every check runs under a keeper, so that everything it started ends with it, however it ends.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from pilothouse.domain.clock import Clock
from pilothouse.domain.ports import ProcessMark
from pilothouse.domain.task.checks import Check, CheckOutcome, CheckResult, RunResult
from pilothouse.process import room
from pilothouse.process.confine import Cage, Confinement
from pilothouse.process.environment import Environment, instance_of
from pilothouse.process.spawn import Spawned, spawn
from pilothouse.settings import Settings
from pilothouse.verify.runs import programs
from pilothouse.verify.runs.causes import NOT_EXECUTABLE, NOT_FOUND, Failure, cause
from pilothouse.verify.runs.environment import surroundings
from pilothouse.verify.runs.headline import headline
from pilothouse.verify.runs.live import LiveText
from pilothouse.verify.runs.logs import CheckLog, LogWriter, RunFolder, end_of, plain, start_of
from pilothouse.verify.runs.slots import Slots, half_the_cores
from pilothouse.words import say, sentences

_READ = 512 * 1024
"""How much of a log's beginning and end is searched for what went wrong."""
_WORDS = 16 * 1024
_RUN_ID = re.compile(r"[\w-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class RunRequest:
    run_id: str
    workspace: Path
    checks: tuple[Check, ...]
    extra_env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WaitingForSlot:
    """All slots are taken; the run waits for one."""


@dataclass(frozen=True, slots=True)
class CheckStarted:
    number: int
    """Counted from 1."""
    of: int
    name: str
    command: str
    process: ProcessMark


@dataclass(frozen=True, slots=True)
class OutputText:
    text: str
    """Colours included."""


@dataclass(frozen=True, slots=True)
class CheckEnded:
    outcome: CheckOutcome


Progress = WaitingForSlot | CheckStarted | OutputText | CheckEnded
Tell = Callable[[Progress], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class RunReport:
    result: RunResult
    checks: tuple[CheckOutcome, ...]
    first_failing_line: str
    tail: str
    log_path: str
    started_at: datetime
    finished_at: datetime


class _Unstarted(Exception):
    def __init__(self, check: Check, error: OSError) -> None:
        self.why = _unstarted(check, error)
        super().__init__(self.why)
        codes = {FileNotFoundError: NOT_FOUND, PermissionError: NOT_EXECUTABLE}
        self.exit_code = codes.get(type(error))
        """What a shell would have ended with."""


class Verifier:
    """Starts runs. There is one for the whole server, so that its runs share the machine."""

    def __init__(self, settings: Settings, clock: Clock, confinement: Confinement | None = None) -> None:
        self.settings = settings
        self.clock = clock
        self.slots = Slots(settings.max_verifications or half_the_cores())
        self.environment = Environment(os.environ, instance_of(settings.data_dir), settings.pilothouse_agent_env)
        self._confinement = confinement

    def begin(self, request: RunRequest) -> Verification:
        if not request.checks:
            raise ValueError("there is nothing to run")
        if not _RUN_ID.fullmatch(request.run_id):
            raise ValueError(f"not the name of a folder: {request.run_id!r}")
        return Verification(self, request)

    def cage(self, workspace: Path) -> Cage | None:
        return self._confinement.around_checks(workspace) if self._confinement else None

    def missing(self, root: Path, checks: tuple[Check, ...]) -> programs.Missing | None:
        """The first check that is known to be impossible here."""
        return programs.missing(root, checks, surroundings(self.environment, {}).get("PATH"))


class Verification:
    def __init__(self, verifier: Verifier, request: RunRequest) -> None:
        self._verifier = verifier
        self._request = request
        self._clock = verifier.clock
        self._grace = verifier.settings.stop_grace_seconds
        self._env = surroundings(verifier.environment, request.extra_env)
        self._folder = RunFolder(
            verifier.settings.logs / "runs" / request.run_id, verifier.settings.verification_log_max_mb
        )
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        self._stopped.set()

    async def run(self, tell: Tell) -> RunReport | None:
        """None when it was stopped; nothing of it runs any more then."""
        slots = self._verifier.slots
        if not await slots.take(self._stopped, lambda: tell(WaitingForSlot())):
            return None
        try:
            started_at = self._clock.now()
            outcomes = await self._outcomes(tell)
            return None if self._stopped.is_set() else await self._report(outcomes, started_at)
        finally:
            slots.release()

    async def _outcomes(self, tell: Tell) -> list[CheckOutcome]:
        outcomes: list[CheckOutcome] = []
        for number, check in enumerate(self._request.checks, 1):
            if self._stopped.is_set():
                break
            if outcomes and outcomes[-1].result is not CheckResult.PASSED:
                outcomes.append(CheckOutcome(check.name, check.shown, CheckResult.SKIPPED))
                continue
            outcome = await self._outcome(number, check, tell)
            problem = await asyncio.to_thread(self._folder.collect, number, len(self._request.checks), outcome)
            if problem and outcome.result is not CheckResult.UNRUNNABLE:
                # Without its log a run proves nothing.
                outcome = replace(outcome, result=CheckResult.UNRUNNABLE, detail=problem)
            outcomes.append(outcome)
            if not self._stopped.is_set():
                await tell(CheckEnded(outcome))
        return outcomes

    async def _report(self, outcomes: list[CheckOutcome], started_at: datetime) -> RunReport:
        results = {outcome.result for outcome in outcomes}
        failing = next((o for o in outcomes if o.result not in (CheckResult.PASSED, CheckResult.SKIPPED)), None)
        return RunReport(
            result=RunResult.INFRASTRUCTURE
            if CheckResult.UNRUNNABLE in results
            else RunResult.FAIL
            if failing
            else RunResult.PASS,
            checks=tuple(outcomes),
            first_failing_line=await asyncio.to_thread(_first_failing_line, failing) if failing else "",
            tail=await asyncio.to_thread(self._folder.tail),
            log_path=str(self._folder.combined),
            started_at=started_at,
            finished_at=self._clock.now(),
        )

    async def _outcome(self, number: int, check: Check, tell: Tell) -> CheckOutcome:
        outcome = CheckOutcome(check.name, check.shown, CheckResult.UNRUNNABLE)
        folder = self._request.workspace / check.folder
        if not folder.is_dir():
            return replace(
                outcome,
                exit_code=NOT_FOUND,
                detail=say("run.no_folder", folder=check.folder or str(folder)),
                lacks_program=True,
            )
        try:
            log = await asyncio.to_thread(self._folder.open, number, check)
        except OSError as error:
            return replace(outcome, detail=say("run.log_not_written", problem=error.strerror or str(error)))
        outcome = replace(outcome, log_path=str(log.path))
        began = self._clock.monotonic()
        writer = LogWriter(log)
        try:
            spawned = await self._spawn(number, check, folder)
            try:
                await tell(CheckStarted(number, len(self._request.checks), check.name, check.shown, spawned.process))
                code = await self._attend(spawned, writer, check, tell)
            finally:
                await self._end(spawned)
        except _Unstarted as unstarted:
            lacks = unstarted.exit_code is not None
            return replace(outcome, exit_code=unstarted.exit_code, detail=unstarted.why, lacks_program=lacks)
        finally:
            await writer.close()
        outcome = replace(outcome, duration_ms=round((self._clock.monotonic() - began) * 1000), exit_code=code)
        return await asyncio.to_thread(self._judge, outcome, check, log, spawned.lost)

    async def _spawn(self, number: int, check: Check, folder: Path) -> Spawned:
        try:
            return await spawn(
                check.argv,
                cwd=folder,
                env=self._env,
                spawn_id=f"{self._request.run_id}-{number}",
                # A spawn's own log has no limit; the one here has.
                log_path=Path(os.devnull),
                merge_stderr=True,
                grace=self._grace,
                confine=self._verifier.cage(self._request.workspace),
            )
        except OSError as error:
            raise _Unstarted(check, error) from error

    async def _attend(self, spawned: Spawned, writer: LogWriter, check: Check, tell: Tell) -> int | None:
        """The exit code. None when its time ran out or the run was stopped."""
        following = asyncio.create_task(_follow(spawned, writer, LiveText(lambda text: tell(OutputText(text)))))
        limit = asyncio.ensure_future(self._clock.sleep(check.timeout_seconds))
        stopping = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({following, limit, stopping}, return_when=asyncio.FIRST_COMPLETED)
            in_time = following.done()
            if not in_time:
                await spawned.stop(self._grace)
            code = await following
            return code if in_time else None
        finally:
            for task in (following, limit, stopping):
                task.cancel()
            await asyncio.gather(following, limit, stopping, return_exceptions=True)

    async def _end(self, spawned: Spawned) -> None:
        """Ends the check if it still runs, because `tell` failed or the run was cancelled."""
        if spawned.alive():
            await spawned.stop(self._grace)
            async for _ in spawned.output():
                pass

    def _judge(self, outcome: CheckOutcome, check: Check, log: CheckLog, keeper_lost: bool) -> CheckOutcome:
        if log.problem:
            return replace(outcome, detail=log.problem)
        if outcome.exit_code is None:
            detail = say("run.too_slow", span=span(check.timeout_seconds))
            return replace(outcome, result=CheckResult.TIMEOUT, detail=detail)
        if keeper_lost:
            return replace(outcome, detail=say("run.keeper_killed"))
        if outcome.exit_code == 0:
            return replace(outcome, result=CheckResult.PASSED)
        words = plain(end_of(log.path, _WORDS))
        places = (self._request.workspace, Path(tempfile.gettempdir()))
        why = cause(Failure(check.shown, outcome.exit_code, words, not room.is_left(*places)))
        result = CheckResult.UNRUNNABLE if why.unrunnable else CheckResult.FAILED
        return replace(outcome, result=result, detail=why.detail, lacks_program=why.lacks_program)


async def _follow(spawned: Spawned, writer: LogWriter, live: LiveText) -> int:
    async for data in spawned.output():
        await writer.write(data)
        await live.write(data)
    await live.close()
    return await spawned.wait()


def _first_failing_line(outcome: CheckOutcome) -> str:
    if outcome.result is not CheckResult.FAILED and outcome.detail:
        return say("run.check_detail", check=outcome.name, detail=outcome.detail)
    log = Path(outcome.log_path)
    start, end = start_of(log, _READ), end_of(log, _READ)
    return headline(plain(start if start.endswith(end) else f"{start}\n{end}")) or outcome.detail


def _unstarted(check: Check, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return sentences(say("check_cause.found.no_program", what=check.argv[0]), say("check_cause.install"))
    return say("run.not_started", problem=error.strerror or str(error))


def span(seconds: float) -> str:
    if seconds >= 120 and seconds % 60 == 0:
        return say("span.minutes", count=f"{seconds / 60:g}")
    return say("span.seconds", count=f"{seconds:g}")
