"""The verification step of an attempt: the project's checks are run, told about live, and recorded with their run."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from pilothouse.domain.checks import Check, RunPurpose, RunResult, VerificationRun
from pilothouse.domain.events import TaskVerified
from pilothouse.domain.loop import LOOPS, LoopState
from pilothouse.domain.ports import Ended
from pilothouse.domain.tasks import Step, StepKind, Task
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.artifacts import Failure
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.steps import Steps
from pilothouse.engine.loop.blame import blamed
from pilothouse.git.model import Checkpoint
from pilothouse.store import runs
from pilothouse.store.database import Tx
from pilothouse.verify.run import CheckStarted, OutputText, Progress, RunReport, RunRequest, WaitingForSlot

OUTCOMES = {RunResult.PASS: "passed", RunResult.FAIL: "failed", RunResult.INFRASTRUCTURE: "infrastructure"}


async def verify(
    steps: Steps, checks: tuple[Check, ...], before: Checkpoint
) -> tuple[Finished, VerificationRun | None]:
    """Run the checks on the workspace as it stands. Without a run it was stopped, and the step is not closed yet."""
    number = steps.task.loop.upcoming
    words = "Running verification" if number == 1 else f"Verification {number} of {LOOPS}"
    step = await steps.begin(StepKind.VERIFY, "")
    run_id = uuid4().hex
    step, report = await follow(steps, step, RunRequest(run_id, steps.directory, checks), words)
    if report and report.result is RunResult.INFRASTRUCTURE:
        report = await blamed(steps, report, checks, before)
    if report is None or steps.stopped:
        stopped = Ended("crashed", message="The checks were stopped.")
        return await steps.finish(step, stopped, steps.stopped, before), None
    loop = _counted(steps.task.loop, report.result)
    run = told_by(report, run_id, step, RunPurpose.VERIFY, before)
    if report.result is not RunResult.INFRASTRUCTURE:
        run = replace(run, loop=loop.total)
    failing = run.failing
    if failing:
        steps.failures += (Failure(run.id, failing.name, run.first_failing_line),)
    step = replace(step, outcome=OUTCOMES[report.result], name=failing.name if failing else "")
    finished = await steps.finish(step, Ended("done", message=run.first_failing_line), None, before)
    steps.task, finished = await outcome.record(
        steps.runtime, steps.task, finished, lambda tx: record(tx, steps.task, run), loop=loop, run_id=run.id
    )
    return finished, run


async def follow(
    steps: Steps, step: Step, request: RunRequest, words: str, code: str = "verifying"
) -> tuple[Step, RunReport | None]:
    """Run the checks of one step, telling what happens as it happens."""
    verification = steps.runtime.verifier.begin(request)
    printing = steps.printing()

    async def tell(progress: Progress) -> None:
        match progress:
            case WaitingForSlot():
                await steps.runtime.milestone(steps.task, "waiting_for_slot")
            case CheckStarted(number, of, name, _, process):
                await steps.mark(process, code, f"{words}: {name} ({number} of {of})" if of > 1 else words)
            case OutputText(text):
                await printing.write(text)

    try:
        async with steps.ended_by(lambda _: verification.stop()):
            report = await verification.run(tell)
    finally:
        await printing.close()
    done = replace(step, output_to=steps.written, run_id=request.run_id)
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
    outcome.emit(tx, task, told)


def _counted(loop: LoopState, result: RunResult) -> LoopState:
    match result:
        case RunResult.PASS:
            return loop.passed()
        case RunResult.FAIL:
            return loop.failed()
        case RunResult.INFRASTRUCTURE:
            return loop
