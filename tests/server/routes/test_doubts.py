"""Doubts about a verdict over HTTP, and accepting one."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pilothouse.domain.task.task import Task, TaskStatus
from tests.workbench import Workbench, git

PASSES = "verification:\n  - {name: passes, command: 'true'}\n"
STRAYS = "Fix it. [[fix-add]]\n\nBoundaries:\n- calc.py"


@pytest.fixture
def checked(repo: Path) -> Path:
    (repo / "agent.yaml").write_text(PASSES)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    return repo


async def _doubtful(bench: Workbench) -> Task:
    _, task = await bench.begin(STRAYS)
    return await bench.rest(task, TaskStatus.COMPLETE)


async def _row(client: httpx.AsyncClient) -> dict[str, object]:
    (row,) = (await client.get("/api/sessions")).json()["items"]
    return dict(row)


async def test_a_verdict_carries_its_doubts_until_a_person_accepts_them(
    checked: Path, bench: Workbench, client: httpx.AsyncClient
) -> None:
    """BYD-17"""
    task = await _doubtful(bench)
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert shown["verdict"] == "PASS"
    assert [(d["kind"], d["severity"], d["accepted"]) for d in shown["doubts"]] == [
        ("outside_boundary", "serious", None),
        ("untested", "note", None),
    ]
    assert (await _row(client))["doubts"] == 1
    done = next(event for event in bench.heard if event.type == "task.completed")
    assert done.model_dump()["data"]["doubts"] == 1

    path = f"/api/tasks/{task.id}/doubts/{shown['doubts'][0]['id']}/accept"
    answer = await client.post(path, json={"reason": "It was meant to be.", "attempt": 1})
    assert answer.status_code == 200
    assert answer.json()["doubts"][0]["accepted"]["reason"] == "It was meant to be."
    assert (await _row(client))["doubts"] == 0
    (told,) = [event for event in bench.heard if event.type == "task.doubt_accepted"]
    said = told.model_dump()["data"]
    assert (said["reason"], said["kind"], said["left"]) == ("It was meant to be.", "outside_boundary", 0)
    again = await client.post(path, json={"reason": "Another reason."})
    assert again.json()["doubts"][0]["accepted"]["reason"] == "It was meant to be."


async def test_a_doubt_is_accepted_with_a_reason_and_only_where_it_is(
    checked: Path, bench: Workbench, client: httpx.AsyncClient
) -> None:
    """BYD-17"""
    task = await _doubtful(bench)
    path = f"/api/tasks/{task.id}/doubts/{task.doubts[0].id}/accept"
    assert (await client.post(path, json={"reason": "  "})).status_code == 400
    assert (await client.post(path, json={"reason": "x", "attempt": 7})).status_code == 409
    assert (await client.post(f"/api/tasks/{task.id}/doubts/none/accept", json={"reason": "x"})).status_code == 404
    assert (await bench.task(task.id)).doubts[0].accepted is None
