"""Runs checks on the new code with other files laid over it, in a scratch that is thrown away.

Not one of the counted verifications: what comes of it is a doubt, and no loop.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from pilothouse.domain.task.checks import Check, RunPurpose, VerificationRun
from pilothouse.domain.task.task import StepKind, Task
from pilothouse.engine.attempt import measure
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.step import begin_step
from pilothouse.engine.loop import verification
from pilothouse.git.names import raw
from pilothouse.git.scratch import Scratch
from pilothouse.verify.runs.verifier import RunRequest

NAMES = {RunPurpose.BASE_TESTS: "base tests", RunPurpose.PINNED: "accepted checks"}
"""By the names of their steps they are told from verifications."""


async def run(
    cx: Context,
    finished: Finished,
    overlay: Mapping[str, bytes | None],
    checks: tuple[Check, ...],
    purpose: RunPurpose,
    words: str,
    executable: frozenset[str] = frozenset(),
) -> tuple[VerificationRun | None, Task]:
    """None where it was stopped."""
    if cx.control.stopped:
        return None, finished.task
    folder = cx.runtime.settings.data_dir / "scratch" / f"{finished.task.id}-{purpose}"
    async with cx.runtime.lock(cx.workspace.id):
        scratch = await cx.runtime.on_tree(
            cx.workspace, lambda tree: Scratch.make(tree, finished.checkpoint.commit, folder, link_ignored=True)
        )
    try:
        await asyncio.to_thread(_lay_over, scratch.root, overlay, executable)
        return await _run(cx, finished, scratch.root, checks, purpose, words)
    finally:
        await asyncio.to_thread(scratch.remove)


async def _run(
    cx: Context, finished: Finished, root: Path, checks: tuple[Check, ...], purpose: RunPurpose, words: str
) -> tuple[VerificationRun | None, Task]:
    task = finished.task
    step = await begin_step(cx, task, StepKind.VERIFY, name=NAMES[purpose])
    request = RunRequest(uuid4().hex, root, checks)
    step, report = await verification.follow(cx, task, step, request, words, "inspecting")
    if report is None:
        outcome = cx.control.stopped or "interrupted"
        ended = replace(step, outcome=outcome, finished_at=cx.runtime.clock.now())
        return None, await measure.close(cx, task, [ended])
    told = verification.told_by(report, request.run_id, step, purpose, finished.checkpoint)
    done = replace(
        step,
        outcome=verification.OUTCOMES[report.result],
        detail=report.first_failing_line,
        finished_at=cx.runtime.clock.now(),
        checkpoint=finished.checkpoint.commit,
    )
    return told, await measure.close(cx, task, [done])


def _lay_over(root: Path, overlay: Mapping[str, bytes | None], executable: frozenset[str]) -> None:
    for path, content in overlay.items():
        place = root / os.fsdecode(raw(path))
        if not place.parent.resolve().is_relative_to(root.resolve()):
            continue  # a link leads out of the scratch
        if content is None:
            if not place.is_dir():
                place.unlink(missing_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
        place.write_bytes(content)
        if path in executable:
            place.chmod(0o755)
