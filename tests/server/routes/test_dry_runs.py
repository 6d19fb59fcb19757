"""Dry runs over HTTP: propose, look, apply or discard."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from tests.workbench import Workbench, git, make_repository

SCENARIOS = r"""
scenarios:
  fix-add:
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
    - say: The sum is right now.
"""
PADDED = "def add(a, b):\n    return a - b\n" + "\n" * 8 + "# the end\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / "calc.py").write_text(PADDED)
    git(repo, "add", "-f", ".pilothouse", "calc.py")
    git(repo, "commit", "-qm", "scenarios")
    return repo


async def proposed(bench: Workbench, client: httpx.AsyncClient) -> Task:
    body = {"project_path": str(bench.repo), "title": "Dry", "agent": "rehearsal"}
    session = (await client.post("/api/sessions", json=body)).json()
    place = f"/api/sessions/{session['project_id']}/{session['slug']}/messages"
    sent = await client.post(place, json={"text": "Fix it. [[fix-add]]", "dry_run": True})
    assert sent.status_code == 201
    assert sent.json()["dry_run"] is True
    task = await bench.rest(await bench.task(sent.json()["task_id"]))
    assert task.awaiting is Awaiting.DRY_RUN
    return task


async def test_a_proposal_is_shown_applied_and_then_the_change(bench: Workbench, client: httpx.AsyncClient) -> None:
    """TSK-7"""
    task = await proposed(bench, client)
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert (shown["status"], shown["awaiting"], shown["holds_workspace"]) == ("AWAITING_RESPONSE", "dry_run", False)
    assert shown["actions"] == ["cancel", "apply", "discard"]
    diff = (await client.get(f"/api/tasks/{task.id}/diff")).json()
    assert "+    return a + b" in diff["patch"]
    assert (bench.repo / "calc.py").read_text() == PADDED
    answer = await client.post(f"/api/tasks/{task.id}/apply")
    assert answer.status_code == 202
    assert answer.json() == {
        "success": True,
        "task_id": task.id,
        "old_status": "AWAITING_RESPONSE",
        "new_status": "QUEUED",
        "attempt": 2,
        "merged": False,
    }
    await bench.rest(task, TaskStatus.COMPLETE)
    assert (bench.repo / "calc.py").read_text() == PADDED.replace("a - b", "a + b")
    assert (await client.get(f"/api/tasks/{task.id}/diff")).json()["patch"] == diff["patch"]
    late = await client.post(f"/api/tasks/{task.id}/apply", json={})
    assert (late.status_code, late.json()["error"]) == (409, "illegal_transition")


async def test_a_merge_is_answered_with_409_and_confirmed_by_its_name(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """TSK-7"""
    task = await proposed(bench, client)
    (bench.repo / "calc.py").write_text(PADDED.replace("the end", "my end"))
    asked = await client.post(f"/api/tasks/{task.id}/apply", json={"merge": None})
    assert (asked.status_code, asked.json()["error"]) == (409, "merge_needed")
    details = asked.json()["details"]
    assert details["files"] == ["calc.py"]
    assert "+    return a + b" in details["patch"]
    answer = await client.post(f"/api/tasks/{task.id}/apply", json={"merge": details["merge"]})
    assert answer.json()["merged"] is True
    await bench.rest(task, TaskStatus.COMPLETE)
    assert (bench.repo / "calc.py").read_text() == PADDED.replace("a - b", "a + b").replace("the end", "my end")


@pytest.mark.parametrize("verb", ["apply", "discard"])
async def test_a_proposal_is_decided_by_who_saw_it_alone(
    bench: Workbench, client: httpx.AsyncClient, verb: str
) -> None:
    """TSK-7: what waits anew because the tree moved is not what an older window shows."""
    task = await proposed(bench, client)
    await bench.controls.hold(task.workspace_id, "wait")
    assert (await client.post(f"/api/tasks/{task.id}/apply", json={"attempt": task.attempt})).status_code == 202
    (bench.repo / "calc.py").write_text(PADDED.replace("the end", "my end"))
    await bench.controls.release(task.workspace_id)
    await bench.until_event("attempt.finished", task.id, count=2)
    again = (await client.get(f"/api/tasks/{task.id}")).json()
    assert (again["awaiting"], again["attempt"]) == ("dry_run", task.attempt + 1)
    late = await client.post(f"/api/tasks/{task.id}/{verb}", json={"attempt": task.attempt})
    assert (late.status_code, late.json()["details"]) == (409, {"attempt": again["attempt"]})
    assert (await client.get(f"/api/tasks/{task.id}")).json() == again
    end = await client.post(f"/api/tasks/{task.id}/discard", json={"attempt": again["attempt"]})
    assert (end.status_code, end.json()["new_status"]) == (200, "COMPLETE")


async def test_what_cannot_be_applied_names_file_and_reason_and_can_be_discarded(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """TSK-7"""
    task = await proposed(bench, client)
    (bench.repo / "calc.py").write_text(PADDED.replace("a - b", "a * b"))
    refused = await client.post(f"/api/tasks/{task.id}/apply", json={})
    assert (refused.status_code, refused.json()["error"]) == (409, "proposal_refused")
    assert refused.json()["details"]["clashes"][0]["path"] == "calc.py"
    before = (await client.get(f"/api/tasks/{task.id}/diff")).json()
    answer = await client.post(f"/api/tasks/{task.id}/discard")
    assert (answer.status_code, answer.json()["new_status"]) == (200, "COMPLETE")
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert (shown["verdict"], shown["actions"]) == ("PROPOSED", [])
    assert (await client.get(f"/api/tasks/{task.id}/diff")).json() == before
    again = await client.post(f"/api/tasks/{task.id}/discard")
    assert again.status_code == 409
    assert (await client.post("/api/tasks/none/apply")).status_code == 404
