"""Files whose names are not text, over HTTP."""

from __future__ import annotations

import os
from pathlib import Path

import httpx

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import TaskStatus
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import Workbench, git, make_repository

ODD = b"src/caf\xe9.py"
SPELLED = r"src/caf\351.py"
LINES = b"two\nlines.txt"
WRITES = r"""
scenarios:
  odd:
    - run: printf 'x = 2\n' > "$(printf 'src/caf\351.py')"
    - say: Done.
"""


def written(repo: Path, name: bytes, text: str) -> None:
    place = repo / os.fsdecode(name)
    place.parent.mkdir(exist_ok=True)
    place.write_text(text)


async def test_changes_with_odd_names_are_listed_shown_rolled_back_and_committed(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """PLT-8 WEB-6 WEB-13"""
    git(repo, "config", "user.name", "t")
    git(repo, "config", "user.email", "t@example.org")
    written(repo, ODD, "x = 1\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "odd")
    _, task = await bench.begin("Wait. [[waits]]")
    await bench.until_event("step.started", task.id)
    written(repo, ODD, "x = 2\n")
    written(repo, LINES, "new\n")
    await client.post(f"/api/tasks/{task.id}/cancel")
    await bench.rest(task, TaskStatus.CANCELLED)
    listed = (await client.get(f"/api/projects/{task.project_id}/status")).json()["files"]
    assert [(file["path"], file["status"]) for file in listed] == [
        (SPELLED, "modified"),
        (r"two\012lines.txt", "untracked"),
    ]
    preview = await client.get(f"/api/tasks/{task.id}/rollback-preview")
    assert preview.status_code == 200, preview.text
    assert SPELLED in preview.text.replace("\\\\", "\\")
    rolled = await client.post(f"/api/tasks/{task.id}/rollback")
    assert rolled.status_code == 200, rolled.text
    assert (repo / os.fsdecode(ODD)).read_text() == "x = 1\n"
    assert not (repo / os.fsdecode(LINES)).exists()
    assert (await client.post(f"/api/tasks/{task.id}/undo-rollback", json={})).status_code == 200
    diff = (await client.get(f"/api/tasks/{task.id}/diff", params={"path": SPELLED})).json()
    body = {"message": "Odd", "paths": [SPELLED, r"two\012lines.txt"]}
    done = await client.post(f"/api/projects/{task.project_id}/commit", json=body)
    assert done.status_code == 200, done.text
    assert git(repo, "status", "--porcelain") == ""
    assert diff["patch"].count("+x = 2") == 1


async def test_task_that_changes_a_file_with_an_odd_name_completes(tmp_path: Path, bench: Workbench) -> None:
    """PLT-8"""
    repo = make_repository(tmp_path / "odd", WRITES)
    written(repo, ODD, "x = 1\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "odd")
    message = Message("[[odd]]", agent="rehearsal")
    _, task = await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
    assert task
    await bench.rest(task, TaskStatus.COMPLETE)
    diff = await bench.controls.diff(task.id)
    assert [file.path for file in diff.stat.files] == [SPELLED]
