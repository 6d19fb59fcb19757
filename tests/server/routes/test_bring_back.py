"""Branches, tags and stashes that moved while a task was at work come back over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from pilothouse.domain.task.task import TaskStatus
from tests.workbench import Workbench, git


async def _moved(client: httpx.AsyncClient, task_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.get(f"/api/tasks/{task_id}/rollback-preview")).json()["moved"]
    return found


def _furnish(repo: Path) -> dict[str, str]:
    """A branch, a tag and two stashes of one message, and what each of them is."""
    git(repo, "branch", "idea")
    git(repo, "tag", "-a", "v1", "-m", "first")
    for text in ("one", "two"):
        (repo / "calc.py").write_text(text)
        git(repo, "stash", "push", "-q", "-m", "half")
    names = ("refs/heads/idea", "refs/tags/v1", "stash@{0}", "stash@{1}")
    return {name: git(repo, "rev-parse", name).strip() for name in names}


async def test_a_moved_branch_a_deleted_tag_and_dropped_stashes_come_back_one_by_one(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """BYD-3"""
    was = _furnish(repo)
    _, task = await bench.begin("[[fix-add]]")
    await bench.rest(task, TaskStatus.COMPLETE)
    assert await _moved(client, task.id) == []
    git(repo, "stash", "clear")
    git(repo, "tag", "-d", "v1")
    newer = git(repo, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "newer").strip()
    git(repo, "branch", "-f", "idea", newer)
    git(repo, "branch", "later")
    git(repo, "gc", "-q", "--prune=now")
    listed = await _moved(client, task.id)
    assert listed == [
        {"kind": "branch", "name": "idea", "then": was["refs/heads/idea"], "now": newer},
        {"kind": "tag", "name": "v1", "then": was["refs/tags/v1"], "now": None},
        {"kind": "stash", "name": "On main: half", "then": was["stash@{0}"], "now": None},
        {"kind": "stash", "name": "On main: half", "then": was["stash@{1}"], "now": None},
    ]
    place = f"/api/tasks/{task.id}/bring-back"
    refused = await client.post(place, json={"kind": "branch", "name": "later"})
    assert (refused.status_code, git(repo, "branch", "--list", "later").strip()) == (404, "later")
    for one in reversed(listed):
        answer = await client.post(place, json={key: one[key] for key in ("kind", "name", "then")})
        assert (answer.status_code, answer.json()["brought_back"]) == (200, one)
    assert {name: git(repo, "rev-parse", name).strip() for name in was} == was
    assert await _moved(client, task.id) == []
    assert (await client.post(place, json={"kind": "tag", "name": "v1"})).status_code == 404
    told = [event.data.model_dump() for event in bench.heard if event.type == "task.ref_restored"]
    assert told[-1] == {"kind": "branch", "name": "idea", "commit": was["refs/heads/idea"], "was": newer}
    assert len(told) == 4


async def test_nothing_is_brought_back_under_a_running_task_or_a_checked_out_branch(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """BYD-3"""
    git(repo, "branch", "idea")
    _, task = await bench.begin("[[fix-add]]")
    await bench.rest(task, TaskStatus.COMPLETE)
    newer = git(repo, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "newer").strip()
    git(repo, "branch", "-f", "idea", newer)
    place, wish = f"/api/tasks/{task.id}/bring-back", {"kind": "branch", "name": "idea"}
    git(repo, "switch", "-q", "idea")
    refused = await client.post(place, json=wish)
    assert (refused.status_code, "checked out" in refused.json()["message"]) == (409, True)
    git(repo, "switch", "-q", "main")
    _, other = await bench.begin("[[waits]]")
    await bench.until_event("step.started", other.id)
    busy = await client.post(place, json=wish)
    assert (busy.status_code, busy.json()["error"]) == (409, "workspace_busy")
    assert git(repo, "rev-parse", "idea").strip() == newer
