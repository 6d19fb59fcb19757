"""What a person should see before they call a change done, found without a model.

Tests that were taken away or weakened, files outside the package or inside a boundary, code without a test; and the
tests as they were before the task, run against the new code; tests that no check ran; programs planted for git.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pilothouse.domain.event.task import FindingOut, TaskFindings
from pilothouse.domain.task.checks import Check, RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.domain.task.scope import outside
from pilothouse.domain.task.task import Task
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop import aside, pinned, verification
from pilothouse.engine.transition import emit
from pilothouse.errors import message_of
from pilothouse.git.model import FileChange
from pilothouse.git.programs import Program
from pilothouse.store.database import Tx
from pilothouse.store.task import tasks
from pilothouse.verify import tamper
from pilothouse.verify.agent_yaml.file import FILE
from pilothouse.verify.runs import executed
from pilothouse.words import first_few, say

log = logging.getLogger(__name__)
FILES = 2_000
"""How many files of one change are read."""
_NAMED = 5
"""How many files one sentence names."""
_SHOWN = 200
"""How many characters of a setting are shown."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change:
    """Every file the task changed, as it was and as it is; None where there is none."""

    before: Mapping[str, bytes | None]
    after: Mapping[str, bytes | None]
    renames: Mapping[str, str]

    @property
    def paths(self) -> list[str]:
        return sorted({*self.before, *self.after})


async def inspect(
    cx: Context, finished: Finished, checks: Sequence[Check], passed: VerificationRun | None = None
) -> Task:
    """Find it, and put it on the task. Without checks nothing is run; `passed` is the run that verified it."""
    runtime, task = cx.runtime, finished.task
    if checks:
        # Without checks it is over before anyone could read that it began.
        await runtime.milestone(task, "inspecting")
    found = outside([change.path for change in finished.total.files], task.package, task.scope.boundaries)
    base: VerificationRun | None = None
    others: list[VerificationRun] = []
    try:
        change, left_out = await _read(cx, finished)
        found += left_out + await asyncio.to_thread(_about_tests, change)
        if checks:
            base, task = await _base_tests(cx, finished, change, checks)
            seen, told, task = await pinned.inspect(cx, replace(finished, task=task), checks, found)
            others, found = [run for run in (base, seen) if run], found + told
        found += await asyncio.to_thread(_unrun, change, checks, passed, base)
    except Exception as error:  # what is verified stays so; that nobody looked must be seen
        log.exception("the changes of task %s cannot be looked at", task.id)
        words = say("doubt.not_looked_at", problem=message_of(error))
        found.append(Doubt(DoubtKind.NOT_INSPECTED, "", None, "", words))
    if base and base.result is not RunResult.PASS:
        found.append(_told(base))
    if not (others or found or task.doubts):
        return task

    def write(tx: Tx) -> None:
        for run in others:
            verification.record(tx, task, run)
        if found or task.doubts:
            told = [FindingOut.model_validate(doubt) for doubt in found]
            emit(tx, task, TaskFindings(attempt=task.attempt, findings=told))
            tasks.update(tx, task.id, doubts=tuple(found))

    await runtime.store.write(write)
    return replace(task, doubts=tuple(found))


async def with_planted(cx: Context, finished: Finished) -> Task:
    """The task with what its last step left planted for git, also where no file differs: hooks are in no diff."""
    task, base, end = finished.task, cx.base, finished.checkpoint.commit
    try:
        planted = await cx.runtime.on_tree(cx.workspace, lambda tree: tree.planted(base, end))
        found = [_of_program(program) for program in planted]
    except Exception as error:  # what is verified stays so; that nobody looked must be seen
        log.exception("what task %s planted cannot be looked at", task.id)
        words = say("doubt.planted.not_looked_at", problem=message_of(error))
        found = [Doubt(DoubtKind.NOT_INSPECTED, "", None, "", words)]
    known = {doubt.id: doubt for doubt in task.doubts if doubt.kind is not DoubtKind.PLANTED}
    accepted = {doubt.id: doubt for doubt in task.doubts}
    doubts = tuple((known | {doubt.id: accepted.get(doubt.id, doubt) for doubt in found}).values())
    if doubts == task.doubts:
        return task

    def write(tx: Tx) -> None:
        told = [FindingOut.model_validate(doubt) for doubt in doubts]
        emit(tx, task, TaskFindings(attempt=task.attempt, findings=told))
        tasks.update(tx, task.id, doubts=doubts)

    await cx.runtime.store.write(write)
    return replace(task, doubts=doubts)


def _of_program(program: Program) -> Doubt:
    if program.kind == "hook":
        words = say("doubt.planted.hook", name=program.name)
    else:
        words = say("doubt.planted.setting", name=program.name, text=program.text[:_SHOWN])
    return Doubt(DoubtKind.PLANTED, "", None, program.name, words)


def _told(run: VerificationRun) -> Doubt:
    name = run.failing.name if run.failing else ""
    if run.result is RunResult.FAIL:
        words = say("doubt.base_tests_fail", line=run.first_failing_line or name)
        return Doubt(DoubtKind.BASE_TESTS_FAIL, "", None, name, words)
    words = say("doubt.base_tests_unrunnable", line=run.first_failing_line)
    return Doubt(DoubtKind.NOT_INSPECTED, "", None, name, words)


async def _read(cx: Context, finished: Finished) -> tuple[Change, list[Doubt]]:
    """What the guard reads of the change, tests first; what is too large or too much is named."""
    files = await asyncio.to_thread(_concerned, finished.total.files)
    files, rest = files[:FILES], files[FILES:]
    renames = {file.path: file.old_path for file in files if file.old_path}
    old = [file.old_path or file.path for file in files]
    new = [file.path for file in files]
    before, after = await cx.runtime.on_tree(
        cx.workspace, lambda tree: tree.contents(cx.base, finished.checkpoint.commit, {*old, *new})
    )
    before = {path: before[path] for path in old if path in before}
    large = {path for path in old if path not in before} | {path for path in new if path not in after}
    unread = sorted({file.path for file in rest} | large)
    missed = [
        Doubt(DoubtKind.NOT_INSPECTED, path, None, "", say("doubt.too_large")) for path in tamper.test_paths(unread)
    ]
    known = Change(_without(before, large), _without(after, large), _without(renames, large))
    return known, missed


def _concerned(files: Sequence[FileChange]) -> list[FileChange]:
    found = [file for file in files if tamper.concerns(file.path) or tamper.concerns(file.old_path or "")]
    return sorted(found, key=lambda file: not tamper.test_paths([file.path, file.old_path or ""]))


def _without(found: Mapping[str, T], paths: set[str]) -> dict[str, T]:
    return {path: content for path, content in found.items() if path not in paths}


def _about_tests(change: Change) -> list[Doubt]:
    found = tamper.inspect(change.before, change.after, change.renames)
    code = [path for path in change.paths if tamper.is_code(path) and not tamper.test_paths([path])]
    if code and not tamper.test_paths(change.paths):
        which = say("doubt.untested", files=first_few(code, _NAMED))
        found.append(Doubt(DoubtKind.UNTESTED, code[0], None, "", which))
    return found


def _unrun(
    change: Change, checks: Sequence[Check], passed: VerificationRun | None, base: VerificationRun | None
) -> list[Doubt]:
    """Checks that passed without a test, and new tests that none of them ran."""
    if passed is None:
        return []
    now = executed.passed_checks(passed.checks)
    found = executed.without_tests(now)
    if any(check.tests.tests for check in now) and tamper.test_paths(change.paths):
        added = tamper.added(change.before, change.after, change.renames)
        before = executed.passed_checks(base.checks) if base and base.result is RunResult.PASS else []
        found += executed.not_run(now, before, added, frozenset(check.name for check in tests_of(checks)))
    return found


async def _base_tests(
    cx: Context, finished: Finished, change: Change, checks: Sequence[Check]
) -> tuple[VerificationRun | None, Task]:
    """Run the tests of the base in a scratch of the new code; no run where no test changed."""
    overlay = await asyncio.to_thread(tamper.base_tests_overlay, change.before, change.after, change.renames)
    # What a run is made of comes from the plan, not from the file: by itself it changes nothing.
    if not overlay.keys() - {FILE}:
        return None, finished.task
    words = say("verification.base_tests")
    return await aside.run(cx, finished, overlay, tests_of(checks), RunPurpose.BASE_TESTS, words)


def tests_of(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Those that run tests, as far as their names tell; else all."""
    named = tuple(check for check in checks if "test" in check.name.lower() or "test" in check.shown.lower())
    return named or tuple(checks)
