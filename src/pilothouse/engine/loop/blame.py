"""A check that could not be run: what the machine lacks, or what the task itself broke.

A program that is missing says the same either way. It is the task's own doing where the check could be run before, or
where what it runs is a file that the task wrote; then it is a failure like any other, and the agent gets to fix it.
"""

from __future__ import annotations

import asyncio
import posixpath
import re
import shlex
import shutil
from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import uuid4

from pilothouse.domain.task.checks import Check, CheckOutcome, CheckResult, RunResult
from pilothouse.domain.task.task import Task
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.attempt.step import mark
from pilothouse.git.model import Checkpoint
from pilothouse.git.scratch import Scratch
from pilothouse.store.task import runs
from pilothouse.verify.runs.verifier import CheckStarted, Progress, RunReport, RunRequest
from pilothouse.words import first_sentence, say, sentences

RAN = (CheckResult.PASSED, CheckResult.FAILED, CheckResult.TIMEOUT)
_OPERATORS = frozenset("&&|;()")
_BEFORE = re.compile(r"(?:\w+=.*|env|exec|time|nice|sh|bash|dash|zsh|-\w+)")
"""What may stand before the file that a command runs."""


async def blamed(cx: Context, task: Task, report: RunReport, checks: Sequence[Check], now: Checkpoint) -> RunReport:
    """The report, with a failure in the place of what only looks like a fault of the machine."""
    place = next((n for n, one in enumerate(report.checks) if one.result is CheckResult.UNRUNNABLE), None)
    if place is None or not report.checks[place].lacks_program:
        return report
    if not await _is_own_doing(cx, task, report.checks[place], checks[: place + 1], now):
        return report
    failed = _failed(report.checks[place])
    outcomes = (*report.checks[:place], failed, *report.checks[place + 1 :])
    words = say("run.check_detail", check=failed.name, detail=failed.detail)
    return replace(report, result=RunResult.FAIL, checks=outcomes, first_failing_line=words)


async def _is_own_doing(
    cx: Context, task: Task, outcome: CheckOutcome, checks: Sequence[Check], now: Checkpoint
) -> bool:
    known = await cx.runtime.store.read(lambda c: runs.of_task(c, task.id))
    earlier = [one for run in known for one in run.checks if (one.name, one.command) == (outcome.name, outcome.command)]
    if any(one.result in RAN for one in earlier):
        return True
    async with cx.runtime.lock(cx.workspace.id):
        stat = await cx.runtime.on_tree(cx.workspace, lambda tree: tree.stat(cx.base, now.commit))
    if runs_one_of(checks[-1], {file.path for file in stat.files}):
        return True
    return bool(stat.files) and await _ran_at_base(cx, task, checks)


def runs_one_of(check: Check, paths: Collection[str]) -> bool:
    """Whether a command of the check is one of these files, or a shell that is given one."""
    try:
        lexer = shlex.shlex(check.shown, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return False
    begins = True
    for word in words:
        if set(word) <= _OPERATORS:
            begins = True
        elif begins and not _BEFORE.fullmatch(word):
            begins = False
            if posixpath.normpath(posixpath.join(check.folder, word)) in paths:
                return True
    return False


async def _ran_at_base(cx: Context, task: Task, checks: Sequence[Check]) -> bool:
    """Whether the check could be run on the state the task began with, behind the checks that come before it."""
    runtime = cx.runtime
    folder = runtime.settings.data_dir / "scratch" / f"{task.id}-before"
    async with runtime.lock(cx.workspace.id):
        scratch = await runtime.on_tree(
            cx.workspace, lambda tree: Scratch.make(tree, cx.base, folder, link_ignored=True)
        )
    run_id = uuid4().hex
    verification = runtime.verifier.begin(RunRequest(run_id, scratch.root, tuple(checks)))

    async def tell(progress: Progress) -> None:
        if isinstance(progress, CheckStarted):
            await mark(cx, task, progress.process, "verifying", say("verification.before"))

    try:
        async with cx.control.ended_by(lambda _: verification.stop()):
            report = await verification.run(tell)
    finally:
        await asyncio.to_thread(scratch.remove)
        await asyncio.to_thread(shutil.rmtree, runtime.settings.logs / "runs" / run_id, ignore_errors=True)
    return report is not None and report.checks[-1].result in RAN


def _failed(outcome: CheckOutcome) -> CheckOutcome:
    detail = sentences(first_sentence(outcome.detail), say("check_cause.own_doing"))
    return replace(outcome, result=CheckResult.FAILED, detail=detail)
