"""What the agent is told first, and in which conversation."""

from __future__ import annotations

from sqlalchemy import Connection

from pilothouse.domain.agent import prompts
from pilothouse.domain.task.task import AttemptMode, Purpose, StepKind, Task, TaskStatus
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.talk import permissions
from pilothouse.engine.workspace import ways
from pilothouse.git.model import Checkpoint
from pilothouse.store.task import runs, steps, stuck_reports, tasks


def conversation(c: Connection, runtime: Runtime, task: Task, mode: AttemptMode) -> str | None:
    """The agent's own session that the first turn goes on with."""
    if task.agent_session is None and mode is not AttemptMode.ROLLBACK:
        # Its first turn, also where a guard held it or a crash came before that.
        return _thread(c, runtime, task)
    return task.agent_session if mode in (AttemptMode.REPLY, AttemptMode.SOFT) else None


def _thread(c: Connection, runtime: Runtime, task: Task) -> str | None:
    """The conversation that a new message of a thread goes on in.

    Only where the message before it was done there and is still as it was left: an agent that remembers work which
    was rolled back, or only proposed, believes in files that are not there. Asks and proposals speak elsewhere.
    """
    agent = runtime.agents.get(task.agent)
    if agent is None or not agent.remembers or not _speaks_there(task):
        return None
    last = tasks.before_in_session(c, task)
    if last is None or last.agent != task.agent or last.status is not TaskStatus.COMPLETE:
        return None
    return None if ways.is_gone(c, last) or not _speaks_there(last) else last.agent_session


def _speaks_there(task: Task) -> bool:
    return task.purpose is Purpose.CHANGE and task.proposal is None


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
    return permissions.answering(Turn(StepKind.EDIT, prompt, resume=cx.resume, reply=reply), task)


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
