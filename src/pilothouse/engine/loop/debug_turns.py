"""What the agent is asked for after a verification, and what it is told of all that was tried."""

from __future__ import annotations

from pilothouse.domain.agent import prompts
from pilothouse.domain.task.checks import VerificationRun
from pilothouse.domain.task.contexts import ContextKind
from pilothouse.domain.task.loop import Tried
from pilothouse.domain.task.task import StepKind, Task
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.transition import write_context
from pilothouse.store.task import runs, steps
from pilothouse.verify.runs.logs import plain

_ANSWERS = (StepKind.FIX, StepKind.REPLAN)


async def fix(cx: Context, task: Task, run: VerificationRun) -> Turn:
    loop = task.loop
    prompt = prompts.fix(task, run, plain(run.tail), await _diff(cx))
    return Turn(StepKind.FIX, prompt, "fix", loop.total - loop.replans, task.agent_session, milestone="debugging")


async def account(cx: Context, run: VerificationRun, tried: list[Tried]) -> list[str]:
    """What is known before another approach is chosen."""
    return prompts.account(run, plain(run.tail), await _diff(cx), tried)


async def replan(cx: Context, task: Task, run: VerificationRun, known: list[str], scouts: Scouts) -> Turn:
    """Another approach; what the agent is told of it is kept with the task."""
    prompt = prompts.replan(task, known, await scouts.sections(task))
    text = f"Verification {run.loop} failed: {run.first_failing_line}\n\n## What the agent was told\n\n{prompt}"
    await cx.runtime.store.write(lambda tx: write_context(tx, task, ContextKind.REPLAN, text))
    number = task.loop.replans
    return Turn(StepKind.REPLAN, prompt, "replan", number, task.agent_session, milestone="replanning")


def summary(finished: Finished, run: VerificationRun) -> Turn:
    return _last_words("summarise", prompts.summary(finished.task, run, _files(finished)), finished.task)


async def stuck(cx: Context, finished: Finished) -> Turn:
    prompt = prompts.stuck(finished.task, await tried(cx, finished.task), _files(finished))
    return _last_words("stuck", prompt, finished.task)


async def tried(cx: Context, task: Task) -> list[Tried]:
    """Every failed verification with what the agent then did about it."""
    known = await cx.runtime.store.read(lambda c: runs.failed(c, task.id))
    every = await cx.runtime.store.read(lambda c: steps.of_task(c, task.id))
    answers = [step for step in every if step.kind in _ANSWERS]
    found = []
    for run in known:
        answer = next((step.answer for step in answers if step.started_at >= run.finished_at), "")
        name = run.failing.name if run.failing else ""
        found.append(Tried(run.loop, name, run.first_failing_line, answer))
    return found


def _last_words(role: str, prompt: str, task: Task) -> Turn:
    return Turn(StepKind.SUMMARISE, prompt, role, resume=task.agent_session, read_only=True, milestone=role)


def _files(finished: Finished) -> list[str]:
    return [change.path for change in finished.total.files]


async def _diff(cx: Context) -> str:
    limit = prompts.DIFF_LIMIT
    async with cx.runtime.lock(cx.workspace.id):
        found = await cx.runtime.on_tree(cx.workspace, lambda tree: tree.diff(cx.base, limit=limit))
    return found.text
