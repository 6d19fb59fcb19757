"""Projects, their trees and their queues over HTTP."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import httpx

from pilothouse.domain.session.session import Workspace, WorkspaceKind
from pilothouse.domain.task.task import TaskStatus
from pilothouse.store.session import workspaces
from tests.engine.workspace.test_workspaces import in_worktree
from tests.server.web import made_session
from tests.workbench import Workbench, git


async def test_projects_show_their_branch_and_what_is_wrong(
    bench: Workbench, client: httpx.AsyncClient, repo: Path, tmp_path: Path
) -> None:
    """WEB-12"""
    for path, words in ((tmp_path / "nowhere", "does not exist"), (tmp_path, "not a git repository")):
        refused = await client.post("/api/projects", json={"path": str(path)})
        assert refused.status_code == 400
        assert words in refused.json()["message"]
    made = (await client.post("/api/projects", json={"path": str(repo)})).json()
    assert (made["branch"], made["problem"], made["suggestions"]) == ("main", None, [])
    assert (await client.post("/api/projects", json={"path": str(repo)})).json()["id"] == made["id"]
    repo.rename(tmp_path / "moved")
    (shown,) = (await client.get("/api/projects")).json()["items"]
    assert "does not exist" in shown["problem"]
    assert (await client.get("/api/projects/unknown/status")).status_code == 404


async def test_the_sample_project_comes_with_things_to_try(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-1"""
    await bench.projects.add(str(bench.repo), agent="rehearsal", sample=True)
    (shown,) = (await client.get("/api/projects")).json()["items"]
    assert len(shown["suggestions"]) == 3


async def test_changes_are_listed_and_committed(bench: Workbench, client: httpx.AsyncClient, repo: Path) -> None:
    """WEB-13"""
    git(repo, "config", "user.name", "t")
    git(repo, "config", "user.email", "t@example.org")
    _, task = await bench.begin("Fix it. [[fix-add]]")
    await bench.rest(task)
    (repo / "other.txt").write_text("mine\n")
    changes = (await client.get(f"/api/projects/{task.project_id}/status")).json()
    assert changes["branch"] == "main"
    assert {(file["path"], file["status"]) for file in changes["files"]} == {
        ("calc.py", "modified"),
        ("other.txt", "untracked"),
    }
    body = {"message": "Add, do not subtract", "paths": ["calc.py"], "task_id": task.id}
    done = await client.post(f"/api/projects/{task.project_id}/commit", json=body)
    assert done.status_code == 200, done.text
    assert done.json()["files"] == 1
    assert git(repo, "log", "-1", "--format=%s").strip() == "Add, do not subtract"
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert shown["committed"] == {"commit": git(repo, "rev-parse", "HEAD").strip(), "files": 1}
    assert (shown["worked_ms"] > 0, shown["working_since"]) == (True, None)
    assert git(repo, "status", "--porcelain").strip() == "?? other.txt"
    nothing = await client.post(f"/api/projects/{task.project_id}/commit", json={"message": "x", "paths": ["calc.py"]})
    assert (nothing.status_code, nothing.json()["error"]) == (409, "commit_refused")
    assert (await client.post(f"/api/projects/{task.project_id}/commit", json={"message": " "})).status_code == 400
    assert (await client.post("/api/projects/unknown/commit", json={"message": "x"})).status_code == 404


async def test_what_is_listed_is_what_a_commit_with_the_same_task_would_take(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """WEB-13: the tree of the task's workspace, which need not be the project's directory"""
    project = await bench.projects.add(str(bench.repo))
    session, root = await in_worktree(bench, project)
    done = await bench.rest(await bench.send(session, "[[writes]]"), TaskStatus.COMPLETE)
    (bench.repo / "mine.txt").write_text("mine\n")
    status = f"/api/projects/{project.id}/status"
    own = (await client.get(status)).json()
    assert (own["branch"], [file["path"] for file in own["files"]]) == ("main", ["mine.txt"])
    there = (await client.get(status, params={"task_id": done.id})).json()
    assert there["branch"] == "fix"
    assert "one.txt" in [file["path"] for file in there["files"]]
    assert "mine.txt" not in [file["path"] for file in there["files"]]
    assert (await client.get(status, params={"task_id": "unknown"})).status_code == 404
    assert git(root, "branch", "--show-current").strip() == "fix"


async def test_workspaces_of_a_project_are_told_apart(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-12 TSK-6"""
    project = await bench.projects.add(str(bench.repo))
    session, root = await in_worktree(bench, project)
    elsewhere = Workspace(uuid4().hex, project.id, "/elsewhere", "another", WorkspaceKind.WORKTREE, "theirs")
    await bench.store.write(lambda tx: workspaces.add(tx, elsewhere))
    (shown,) = (await client.get("/api/projects")).json()["items"]
    assert (shown["workspace"]["path"], shown["workspace"]["kind"]) == (str(bench.repo), "directory")
    told = {one["path"]: (one["kind"], one["branch"], one["here"]) for one in shown["workspaces"]}
    assert told == {
        str(bench.repo): ("directory", None, True),
        str(root): ("worktree", "fix", True),
        "/elsewhere": ("worktree", "theirs", False),
    }
    one = (await client.get(f"/api/sessions/{project.id}/{session.slug}")).json()
    assert (one["workspace_path"], one["branch"], one["project_path"]) == (str(root), "fix", str(bench.repo))


async def test_commit_names_what_it_would_run_and_remembers_what_was_accepted(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """BYD-23"""
    git(repo, "config", "user.name", "t")
    git(repo, "config", "user.email", "t@example.org")
    git(repo, "config", "filter.shout.clean", "tr a-z A-Z")
    hook = repo / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\ntouch ../hook-ran\n")
    hook.chmod(0o755)
    project = (await client.post("/api/projects", json={"path": str(repo)})).json()
    place = f"/api/projects/{project['id']}/commit"
    (repo / "new.txt").write_text("new\n")
    refused = await client.post(place, json={"message": "New"})
    assert (refused.status_code, refused.json()["error"]) == (409, "programs_not_accepted")
    programs = refused.json()["details"]["programs"]
    assert [(program["kind"], program["name"]) for program in programs] == [
        ("hook", "pre-commit"),
        ("setting", "filter.shout.clean"),
    ]
    assert "touch ../hook-ran" in programs[0]["text"]
    digests = [program["digest"] for program in programs]
    assert (await client.post(place, json={"message": "New", "accept": digests[:1]})).status_code == 409
    assert (await client.post(place, json={"message": "New", "accept": ["all"]})).status_code == 400
    assert not (repo.parent / "hook-ran").exists()
    done = await client.post(place, json={"message": "New", "accept": digests[1:]})
    assert done.status_code == 200, done.text
    assert (repo.parent / "hook-ran").exists()
    (committed,) = [event for event in bench.heard if event.type == "task.committed"]
    assert committed.data.model_dump()["accepted"] == digests[1:]
    (repo / "more.txt").write_text("more\n")
    assert (await client.post(place, json={"message": "More"})).status_code == 200
    hook.write_text("#!/bin/sh\ntouch ../changed-hook-ran\n")
    (repo / "most.txt").write_text("most\n")
    again = await client.post(place, json={"message": "Most"})
    assert [program["name"] for program in again.json()["details"]["programs"]] == ["pre-commit"]
    assert not (repo.parent / "changed-hook-ran").exists()


async def test_a_held_queue_says_so_and_goes_on_when_released(bench: Workbench, client: httpx.AsyncClient) -> None:
    """TSK-6"""
    project = (await client.post("/api/projects", json={"path": str(bench.repo)})).json()
    workspace = project["workspace"]["id"]
    held = await client.post(f"/api/workspaces/{workspace}/hold", json={"reason": "lunch"})
    assert (held.json()["held"], held.json()["held_reason"]) == (True, "lunch")
    made = await made_session(client, bench, "Waits", message={"text": "Fix. [[fix-add]]"})
    task = (await client.get(f"/api/tasks/{made['current_task_id']}")).json()
    assert task["waits_for"] == "The queue is held: lunch"
    assert (await client.get("/api/queues")).json()["items"][0]["held"] is True
    await bench.runner.stop("test", wait_seconds=0)
    assert (await client.post(f"/api/workspaces/{workspace}/release")).json()["held"] is False
    stopped = (await client.get(f"/api/tasks/{made['current_task_id']}")).json()
    assert stopped["waits_for"] == "The runner is stopped; nothing starts until it is started again."
    (queue,) = (await client.get("/api/queues")).json()["items"]
    assert queue["items"][0]["waits_for"] == stopped["waits_for"]
    await bench.runner.start()
    await bench.until_event("task.completed", task["task_id"])
    for action in ("hold", "release"):
        assert (await client.post(f"/api/workspaces/unknown/{action}")).status_code == 404


async def test_a_task_that_holds_the_workspace_names_the_ways_out(bench: Workbench, client: httpx.AsyncClient) -> None:
    """TSK-6: glossary 5"""
    session, task = await bench.begin("Ask. [[asks]]")
    await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
    waiting = await bench.send(session, "Later. [[fix-add]]")
    (queue,) = (await client.get("/api/queues")).json()["items"]
    assert queue["holder"]["task_id"] == task.id
    assert set(queue["ways_out"]) == {"reply", "resume", "cancel"}
    assert "holds the workspace" in (await client.get(f"/api/tasks/{waiting.id}")).json()["waits_for"]
