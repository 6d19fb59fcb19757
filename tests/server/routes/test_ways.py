"""Ways back over HTTP: what is previewed is what is confirmed, and a request repeated with its key is done once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import httpx

from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.engine.workspace import refs
from pilothouse.store import idempotency
from pilothouse.store.task import rollbacks
from tests.workbench import Workbench

S = TaskStatus


async def _done(bench: Workbench, scenario: str) -> Task:
    _, task = await bench.begin(f"[[{scenario}]]")
    return await bench.rest(task)


async def test_an_older_tasks_changes_are_undone_as_the_preview_showed(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """BYD-22"""
    task = await _done(bench, "fix-add")
    later = await _done(bench, "asks")
    assert (await client.post(f"/api/tasks/{later.id}/cancel")).status_code == 200
    shown = (await client.get(f"/api/tasks/{task.id}/rollback-preview")).json()
    assert (shown["how"], shown["merged"], shown["clashes"]) == ("over", False, [])
    assert [file["path"] for file in shown["files"]] == ["calc.py"]
    refused = await client.post(f"/api/tasks/{task.id}/rollback")
    assert (refused.status_code, refused.json()["error"]) == (409, "merge_needed")
    assert refused.json()["details"]["merge"] == shown["merge"]
    done = await client.post(f"/api/tasks/{task.id}/rollback", json={"merge": shown["merge"]})
    assert done.status_code == 200
    assert "a - b" in (repo / "calc.py").read_text()
    assert (repo / "half.txt").exists()
    again = (await client.post(f"/api/tasks/{task.id}/rollback")).json()
    assert (again["nothing_to_do"], again["rollback_id"]) == (True, done.json()["rollback_id"])
    undone = await client.post(f"/api/tasks/{task.id}/undo-rollback", json={})
    assert undone.status_code == 200
    assert "a + b" in (repo / "calc.py").read_text()


async def test_every_rollback_is_listed_with_whether_it_can_still_be_undone(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """BYD-22 BYD-3"""
    assert (await client.get("/api/ways-back")).json() == {"items": []}
    task = await _done(bench, "fix-add")
    first = (await client.post(f"/api/tasks/{task.id}/rollback")).json()["rollback_id"]
    await client.post(f"/api/tasks/{task.id}/undo-rollback", json={"rollback_id": first})
    second = (await client.post(f"/api/tasks/{task.id}/rollback")).json()["rollback_id"]
    (place,) = (await client.get("/api/ways-back")).json()["items"]
    assert place["path"] == str(bench.repo)
    assert [way["rollback_id"] for way in place["items"]] == [second, first]
    newest, oldest = place["items"]
    assert (newest["files_changed"], newest["kept"], newest["undone_at"]) == (1, True, None)
    assert oldest["undone_at"] is not None
    workspace = await bench.directory(task.project_id)
    await bench.runtime.on_tree(workspace, lambda tree: tree.forget(refs.undo(task, second)))
    (place,) = (await client.get("/api/ways-back")).json()["items"]
    assert not place["items"][0]["kept"]
    gone = await client.get(f"/api/tasks/{task.id}/undo-preview", params={"rollback_id": second})
    assert gone.status_code == 409


async def test_what_the_task_changed_is_told_from_what_else_is_there(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """WEB-13"""
    task = await _done(bench, "fix-add")
    (repo / "mine.txt").write_text("mine\n")
    found = (await client.get(f"/api/projects/{task.project_id}/status", params={"task_id": task.id})).json()
    assert {file["path"]: file["by_task"] for file in found["files"]} == {"calc.py": True, "mine.txt": False}


async def test_a_rollback_whose_answer_a_crash_took_is_reported_under_the_same_key(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """PLT-2 BYD-8"""
    task = await _done(bench, "fix-add")
    # As far as a request gets when the server is killed after the last byte: announced, done, not answered.
    route = f"POST /api/tasks/{task.id}/rollback"
    token = idempotency.current.set(idempotency.Mark("key-1", route, hashlib.sha256(b"").hexdigest()))
    done = await bench.controls.rollback(task.id)
    idempotency.current.reset(token)
    for _ in range(2):
        again = await client.post(f"/api/tasks/{task.id}/rollback", headers={"Idempotency-Key": "key-1"})
        assert (again.status_code, again.json()["rollback_id"]) == (200, done.rollback_id)
        assert again.json()["took_away"]["files_changed"] == 1
    assert len(await bench.store.read(lambda c: rollbacks.of_task(c, task.id))) == 1


async def test_a_workspace_that_is_still_looked_at_is_503_with_a_code_of_its_own(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """BYD-8"""
    task = await _done(bench, "fix-add")
    bench.runtime.recovered.clear()
    for answer in (
        await client.post(f"/api/tasks/{task.id}/rollback"),
        await client.get(f"/api/tasks/{task.id}/rollback-preview"),
    ):
        assert (answer.status_code, answer.json()["error"]) == (503, "recovering")
