"""What the agent is told first."""

from __future__ import annotations

from pilothouse.domain.agent import digest, prompts
from pilothouse.domain.task.task import AttemptMode, StepKind, Task
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.talk import permissions
from pilothouse.git.model import Checkpoint
from pilothouse.store.task import runs, steps, stuck_reports


async def first_turn(cx: Context, task: Task, taken: Checkpoint, scouts: Scouts) -> Turn:
    """With what the person decided or filled in, where it follows a wait."""
    reply, scouted = task.pending_reply, await scouts.sections(task)
    if cx.mode is AttemptMode.SOFT:
        prompt = await _soft_resume(cx, task, taken, scouted)
    elif cx.mode is AttemptMode.REPLY and reply is not None:
        prompt = prompts.continuation(task, task.output, reply, scouted)
    else:
        records = cx.runtime.settings.data_dir / task.project_id / cx.session.slug
        prompt, reply = prompts.first(task, str(records), scouted) + await _report(cx, task), None
    thread = cx.thread
    prompt = "\n".join(filter(None, [thread.digest, prompt, digest.since_section(thread.since)]))
    turn = Turn(StepKind.EDIT, prompt, resume=cx.resume, reply=reply, since=thread.since, fresh=thread.left)
    return permissions.answering(turn, task)


async def _soft_resume(cx: Context, task: Task, taken: Checkpoint, scouted: list[str]) -> str:
    before = await cx.runtime.store.read(lambda c: steps.of_task(c, task.id))
    stat = await cx.runtime.on_tree(cx.workspace, lambda tree: tree.stat(cx.base, taken.commit))
    failed = await cx.runtime.store.read(lambda c: runs.failed(c, task.id))
    failures = [f"Verification {run.loop}: {run.first_failing_line} (run {run.id})" for run in failed]
    prompt = prompts.soft_resume(task, before, [change.path for change in stat.files], failures, scouted)
    told = prompts.section("The person's answer", task.pending_reply) if task.pending_reply else ""
    return prompt + (f"\n{told}" if told else "")


async def _report(cx: Context, task: Task) -> str:
    """Of the stuck task this one starts from: only the report, which names the logs."""
    stuck = task.options.from_stuck
    report = await cx.runtime.store.read(lambda c: stuck_reports.get(c, stuck)) if stuck else None
    return f"\n{prompts.from_report(report.markdown())}" if report else ""
