"""A working tree that does not answer takes nothing from another."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import httpx

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import TaskStatus
from pilothouse.workflows.chat import Message, Opening
from tests.server.conftest import SCENARIOS
from tests.workbench import Workbench, make_repository

MORE_THAN_THREADS = min(33, (os.cpu_count() or 1) + 5)
"""One more than the event loop lends to everybody."""


async def test_task_of_another_workspace_completes_while_one_is_stuck(
    bench: Workbench, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    """BYD-3"""
    stuck_root = make_repository(tmp_path / "stuck", SCENARIOS)
    stuck = await bench.projects.add(str(stuck_root), agent="rehearsal")
    (stuck_root / ".gitignore").unlink()
    os.mkfifo(stuck_root / ".gitignore")
    waiting = [asyncio.create_task(client.get(f"/api/projects/{stuck.id}/status")) for _ in range(MORE_THAN_THREADS)]
    message = Message("Fix it. [[fix-add]]", agent="rehearsal")
    _, held_up = await bench.chat.open(Opening(str(stuck_root), SessionKind.CHAT, None, None, message))
    assert held_up
    _, task = await bench.begin("Fix it. [[fix-add]]")
    assert (await bench.rest(task)).status is TaskStatus.COMPLETE
    assert not any(request.done() for request in waiting[4:]), "the other task waited for the stuck tree"
    failed = await bench.rest(held_up, TaskStatus.ERROR)
    assert ".gitignore, which is no file" in (failed.error_message or "")
    answers = [(await request).json() for request in waiting]
    assert {answer["details"]["path"] for answer in answers} == {".gitignore"}
