"""Verifies a change by the checks that a person accepted last, where the present ones are no longer those.

It does not matter whether this task changed them or one before it: until a person accepts them, what they say is half
the word.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pilothouse.domain.task.checks import Check, RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.domain.task.task import Task
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop import aside
from pilothouse.store.session import pins as pin_rows
from pilothouse.verify import pins
from pilothouse.verify.agent_yaml.file import FILE
from pilothouse.words import first_few, say

_NAMED = 5


async def inspect(
    cx: Context, finished: Finished, checks: Sequence[Check], known: Sequence[Doubt]
) -> tuple[VerificationRun | None, list[Doubt], Task]:
    """The run of the accepted checks, what it leaves in doubt, and the task; no run where nothing differs."""
    pin = await cx.runtime.store.read(lambda c: pin_rows.get(c, cx.project.id))
    if pin is None or not pin.checks:
        return None, [], finished.task
    found = await asyncio.to_thread(pins.differences, pin, cx.place, checks)
    gone = pins.gone(pin, checks)
    # The commands of agent.yaml are in the pin; the file by itself runs nothing.
    if not ({one.path for one in found} - {FILE} or gone):
        return None, [], finished.task
    executable = frozenset(one.path for one in found if one.executable)
    run, task = await aside.run(
        cx, finished, pins.overlay(found), pin.checks, RunPurpose.PINNED, say("verification.pinned"), executable
    )
    what = [one.path for one in found] or [check.name for check in gone]
    mine = {file.path for file in finished.total.files}
    scripts = [one.path for one in found if one.path in mine and one.is_script]
    doubts = [Doubt(DoubtKind.CHECKS_CHANGED, path, None, path, say("doubt.pinned.script")) for path in scripts]
    doubts += [_about(run, what)] if run else []
    if any(doubt.kind is DoubtKind.CHECKS_CHANGED for doubt in (*known, *doubts)):
        # It says so itself, and more sharply.
        doubts = [doubt for doubt in doubts if doubt.kind is not DoubtKind.CHECKS_UNACCEPTED]
    return run, doubts, task


def _about(run: VerificationRun, what: Sequence[str]) -> Doubt:
    name = run.failing.name if run.failing else ""
    line = run.first_failing_line or name
    match run.result:
        case RunResult.PASS:
            words = say("doubt.pinned.differ", what=first_few(what, _NAMED))
            return Doubt(DoubtKind.CHECKS_UNACCEPTED, "", None, "", words)
        case RunResult.FAIL:
            words = say("doubt.pinned.fail", line=line)
            return Doubt(DoubtKind.PINNED_CHECKS_FAIL, "", None, name, words)
        case RunResult.INFRASTRUCTURE:
            words = say("doubt.pinned.unrunnable", line=line)
            return Doubt(DoubtKind.NOT_INSPECTED, "", None, name, words)
