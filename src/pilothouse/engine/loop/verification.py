"""The verification step of an attempt: the project's checks are run, told about live, and recorded with their run."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from pilothouse.domain.event.task import TaskVerified
from pilothouse.domain.ports import Ended
from pilothouse.domain.task.checks import Check, RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.loop import LOOPS, LoopState
from pilothouse.domain.task.task import Step, StepKind, Task
from pilothouse.engine.attempt import measure, outcome
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.attempt.finished import Finished, Spoken
from pilothouse.engine.attempt.step import begin_step, mark, printing
from pilothouse.engine.loop import blame
from pilothouse.engine.transition import emit
from pilothouse.engine.workspace.artifacts import Failure
from pilothouse.git.model import Checkpoint
from pilothouse.store.database import Tx
from pilothouse.store.task import runs
from pilothouse.verify.runs.verifier import CheckStarted, OutputText, Progress, RunReport, RunRequest, WaitingForSlot
from pilothouse.words import say

OUTCOMES = {RunResult.PASS: "passed", RunResult.FAIL: "failed", RunResult.INFRASTRUCTURE: "infrastructure"}


async def verify(
    cx: Context, task: Task, checks: tuple[Check, ...], before: Checkpoint
) -> tuple[Finished, VerificationRun | None]:
    """Run the checks on the workspace as it stands. Without a run it was stopped, and the step is not closed yet."""
    number = task.loop.upcoming
    words = say("milestone.verifying") if number == 1 else say("verification.number", number=number, of=LOOPS)
    step = await begin_step(cx, task, StepKind.VERIFY)
    run_id = uuid4().hex
    step, report = await follow(cx, task, step, RunRequest(run_id, cx.place, checks), words)
    if report and report.result is RunResult.INFRASTRUCTURE:
        report = await blame.blamed(cx, task, report, checks, before)
    if report is None or cx.control.stopped:
        stopped = Ended("crashed", message=say("verification.stopped"))
        return await measure.finish(cx, Spoken(task, step, stopped, cx.control.stopped, cx.control.hold), before), None
    run = told_by(report, run_id, step, RunPurpose.VERIFY, before)
    earlier = await cx.runtime.store.read(lambda c: runs.failed(c, task.id))
    loop = _counted(task.loop, report.result, in_vain=bool(earlier) and run.repeats(earlier[-1]))
    if report.result is not RunResult.INFRASTRUCTURE:
        run = replace(run, loop=loop.total)
    failing = run.failing
    step = replace(step, outcome=OUTCOMES[report.result], name=failing.name if failing else "")
    spoken = Spoken(task, step, Ended("done", message=run.first_failing_line), None)
    failure = Failure(run.id, failing.name, run.first_failing_line) if failing else None
    finished = await measure.finish(cx, spoken, before, failure)
    recorded = await outcome.record(cx.runtime, finished, lambda tx: record(tx, task, run), loop=loop, run_id=run.id)
    return recorded, run


async def follow(
    cx: Context, task: Task, step: Step, request: RunRequest, words: str, code: str = "verifying"
) -> tuple[Step, RunReport | None]:
    """Run the checks of one step, telling what happens as it happens."""
    verification = cx.runtime.verifier.begin(request)
    printer = printing(cx, task)

    async def tell(progress: Progress) -> None:
        match progress:
            case WaitingForSlot():
                await cx.runtime.milestone(task, "waiting_for_slot")
            case CheckStarted(number, of, name, _, process):
                one = say("verification.check", what=words, check=name, number=number, of=of) if of > 1 else words
                await mark(cx, task, process, code, one)
            case OutputText(text):
                await printer.write(text)

    try:
        async with cx.control.ended_by(lambda _: verification.stop()):
            report = await verification.run(tell)
    finally:
        await printer.close()
    done = replace(step, output_to=cx.control.printed, run_id=request.run_id)
    return replace(done, log_path=report.log_path) if report else done, report


def told_by(report: RunReport, run_id: str, step: Step, purpose: RunPurpose, on: Checkpoint) -> VerificationRun:
    return VerificationRun(
        id=run_id,
        task_id=step.task_id,
        attempt=step.attempt,
        step_id=step.id,
        purpose=purpose,
        loop=0,
        started_at=report.started_at,
        finished_at=report.finished_at,
        result=report.result,
        commit=on.head,
        tree=on.tree,
        checks=report.checks,
        first_failing_line=report.first_failing_line,
        tail=report.tail,
        log_path=report.log_path,
    )


def record(tx: Tx, task: Task, run: VerificationRun) -> None:
    runs.add(tx, run)
    told = TaskVerified(
        attempt=run.attempt,
        run_id=run.id,
        purpose=run.purpose.value,
        result=run.result.value,
        loop=run.loop,
        of=LOOPS,
        failing=run.failing.name if run.failing else "",
        first_failing_line=run.first_failing_line,
        duration_ms=round((run.finished_at - run.started_at).total_seconds() * 1000),
    )
    emit(tx, task, told)


def _counted(loop: LoopState, result: RunResult, *, in_vain: bool) -> LoopState:
    match result:
        case RunResult.PASS:
            return loop.passed()
        case RunResult.FAIL:
            return loop.failed(in_vain=in_vain)
        case RunResult.INFRASTRUCTURE:
            return loop
