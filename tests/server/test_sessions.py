"""Sessions, projects, queues and the runner over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from pilothouse.domain.task.task import TaskStatus
from pilothouse.server.app import create_app
from pilothouse.server.services import Services
from pilothouse.store import notices
from tests.server.web import client_of
from tests.workbench import Workbench, git


async def _session(client: httpx.AsyncClient, bench: Workbench, title: str, **more: object) -> dict[str, Any]:
    body = {"project_path": str(bench.repo), "title": title, "agent": "rehearsal", **more}
    answer = await client.post("/api/sessions", json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_a_session_is_made_found_changed_and_put_away(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-2"""
    made = await _session(client, bench, "Fix the Sum!")
    assert made["slug"] == "fix-the-sum"
    url = f"/api/sessions/{made['project_id']}/{made['slug']}"
    assert {**(await client.get(url)).json(), "task": None} == made
    changed = (await client.patch(url, json={"title": "Renamed"})).json()
    assert (changed["title"], changed["slug"]) == ("Renamed", "fix-the-sum")
    assert (await client.get("/api/sessions?q=renamed")).json()["items"][0]["id"] == made["id"]
    assert (await client.get("/api/sessions?q=sum")).json()["items"] == []
    assert (await client.post(f"{url}/archive")).json()["archived"] is True
    assert (await client.get("/api/sessions")).json()["items"] == []
    assert len((await client.get("/api/sessions?archived=true")).json()["items"]) == 1
    assert (await client.patch(url, json={"archived": False})).json()["archived"] is False
    assert (await client.post(f"{url}/delete")).json()["deleted"] is True
    assert (await client.get("/api/sessions?archived=true")).json()["items"] == []


async def test_a_session_that_has_not_begun_has_used_nothing(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-2"""
    await bench.runner.stop("test")
    made = await _session(client, bench, "Fix the sum", message={"text": "Fix it"}, budget_tokens=7)
    url = f"/api/sessions/{made['project_id']}/{made['slug']}"
    task = made.pop("task")
    assert made == (await client.get(url)).json()
    assert [task] == (await client.get(f"{url}/tasks")).json()["items"]
    counted = ("spawns", "cost_usd", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    assert made["usage"] == {**dict.fromkeys(counted, 0), "cache_share": None, "warnings": []}
    assert made["spent"] == {"usd": 0, "tokens": 0, "minutes": 0}
    assert made["budgets"] == {"usd": None, "tokens": 7, "minutes": None}


async def test_what_is_taken_up_at_once_is_told_so_in_the_answer(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-9: a screen shows it from that alone, with what may be done with it"""
    (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text("scenarios:\n  waits:\n    - wait: 600\n")
    made = await _session(client, bench, "Wait", message={"text": "[[waits]]"})
    told = made["task"]
    assert (told["status"], told["attempt"], told["actions"]) == ("RUNNING", 1, ["cancel"])
    assert (made["task_status"], made["current_task_id"]) == ("RUNNING", told["task_id"])
    url = f"/api/sessions/{made['project_id']}/{made['slug']}"
    behind = (await client.post(f"{url}/messages", json={"text": "Then this."})).json()
    assert (behind["status"], behind["position"]) == ("QUEUED", 1)


async def test_the_list_pages_by_cursor_without_missing_one(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-3"""
    made = {(await _session(client, bench, f"Session {n}"))["id"] for n in range(5)}
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await client.get(f"/api/sessions?limit=2{cursor}")).json()
        seen += [item["id"] for item in page["items"]]
        assert page["counts"]["recent"] == 5
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert sorted(seen) == sorted(made)
    for query in ("cursor=%C3%A9", "cursor=abc", "limit=0", "limit=201", "kind=none", "status=x", "sort=x", "group=x"):
        assert (await client.get(f"/api/sessions?{query}")).status_code == 400, query


async def test_messages_stay_in_their_session_and_wait_in_order(bench: Workbench, client: httpx.AsyncClient) -> None:
    """TSK-1 TSK-2"""
    made = await _session(client, bench, "Thread", message={"text": "First. [[waits]]"})
    url = f"/api/sessions/{made['project_id']}/{made['slug']}"
    running = made["current_task_id"]
    await bench.until_event("step.started", running)
    sent = [await client.post(f"{url}/messages", json={"text": f"Next {n}. [[fix-add]]"}) for n in range(3)]
    assert [answer.status_code for answer in sent] == [201] * 3
    assert [answer.json()["position"] for answer in sent] == [1, 2, 3]
    assert sent[2].json()["waits_for"] == "3 tasks are before it."
    first = (await client.get(f"{url}/tasks?limit=3")).json()
    rest = (await client.get(f"{url}/tasks?cursor={first['next_cursor']}")).json()
    ids = [item["task_id"] for item in first["items"] + rest["items"]]
    assert ids == [running, *(answer.json()["task_id"] for answer in sent)]
    assert rest["next_cursor"] is None
    assert (await client.get(f"{url}/tasks?cursor=x")).status_code == 400
    (queue,) = (await client.get("/api/queues")).json()["items"]
    assert queue["running"]["task_id"] == running
    assert [item["position"] for item in queue["items"]] == [1, 2, 3]
    events = (await client.get(f"{url}/events")).json()["items"]
    assert events[0]["type"] == "session.created"
    assert {event["session_id"] for event in events} == {made["id"]}
    shown = (await client.get("/api/sessions?group=running")).json()["items"]
    assert [item["id"] for item in shown] == [made["id"]]


async def test_a_held_queue_says_so_and_goes_on_when_released(bench: Workbench, client: httpx.AsyncClient) -> None:
    """TSK-6"""
    project = (await client.post("/api/projects", json={"path": str(bench.repo)})).json()
    workspace = project["workspace"]["id"]
    held = await client.post(f"/api/workspaces/{workspace}/hold", json={"reason": "lunch"})
    assert (held.json()["held"], held.json()["held_reason"]) == (True, "lunch")
    made = await _session(client, bench, "Waits", message={"text": "Fix. [[fix-add]]"})
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
    queue = (await client.get(f"/api/projects/{task.project_id}/queue")).json()
    assert queue["holder"]["task_id"] == task.id
    assert set(queue["ways_out"]) == {"reply", "resume", "cancel"}
    assert "holds the workspace" in (await client.get(f"/api/tasks/{waiting.id}")).json()["waits_for"]


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
    for part in ("queue", "status"):
        assert (await client.get(f"/api/projects/unknown/{part}")).status_code == 404


async def test_the_sample_project_comes_with_things_to_try(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-1"""
    await bench.chat.add_project(str(bench.repo), agent="rehearsal", sample=True)
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


async def test_unknown_sessions_are_404(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-8"""
    for part in ("", "/tasks", "/events"):
        assert (await client.get(f"/api/sessions/none/none{part}")).status_code == 404
    for part in ("/archive", "/delete"):
        assert (await client.post(f"/api/sessions/none/none{part}")).status_code == 404
    assert (await client.post("/api/sessions/none/none/messages", json={"text": "x"})).status_code == 404
    assert (await client.patch("/api/sessions/none/none", json={"title": "x"})).status_code == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": "x" * 201}, "title"),
        ({"kind": "feature"}, "kind"),
        ({"kind": "none"}, "kind"),
        ({"agent": "nobody"}, "agent"),
        ({"project_path": "relative"}, "project_path"),
        ({"message": {"text": " "}}, "message.text"),
        ({"message": {"text": "x", "timeout_profile": "forever"}}, "message.timeout_profile"),
        ({"message": {"text": "x", "constraints": ["y" * 501]}}, "message.constraints.0"),
        ({"message": {"text": "x", "constraints": ["y"] * 51}}, "message.constraints"),
    ],
)
async def test_a_bad_session_is_400_and_none_is_made(
    client: httpx.AsyncClient, bench: Workbench, change: dict[str, object], field: str
) -> None:
    """PLT-8"""
    body = {"project_path": str(bench.repo), "title": "x", **change}
    answer = await client.post("/api/sessions", json=body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["details"]["field"] == field
    assert (await client.get("/api/sessions")).json()["items"] == []


async def test_a_message_over_its_limit_is_413(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-8"""
    made = await _session(client, bench, "Long")
    answer = await client.post(
        f"/api/sessions/{made['project_id']}/{made['slug']}/messages", json={"text": "x" * 100_001}
    )
    assert answer.status_code == 413
    assert answer.json()["details"]["field"] == "text"


async def test_state_agents_and_notices(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-4 PLT-1"""
    notice = await bench.store.write(lambda tx: notices.add(tx, "storage_restored", "It was damaged.", ["one task"]))
    state = (await client.get("/api/state")).json()
    assert state["runner"]["state"] == "running"
    assert state["lan"] is False
    assert [agent["name"] for agent in state["agents"]] == ["rehearsal"]
    assert (state["notices"][0]["id"], state["notices"][0]["details"]) == (notice.id, ["one task"])
    assert (await client.post(f"/api/notices/{notice.id}/dismiss")).status_code == 200
    assert (await client.get("/api/state")).json()["notices"] == []
    assert (await client.post("/api/notices/unknown/dismiss")).status_code == 404
    assert (await client.get("/api/agents")).json()["items"][0]["ready"] is True


async def test_the_runner_stops_and_starts_while_the_web_part_stays(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """PLT-4"""
    asked = await client.post("/api/runner/stop", json={"reason": "maintenance"})
    assert (asked.status_code, asked.json()["operation"]["kind"]) == (202, "stop")
    stopped = await bench.until_event("runner.stopped")
    assert stopped.data.reason == "maintenance"
    await bench.until_event("runner.operation_finished")
    made = await _session(client, bench, "Queued", message={"text": "Fix. [[fix-add]]"})
    runner = (await client.get("/api/runner")).json()
    assert (runner["state"], runner["queued"], runner["running"]) == ("stopped", 1, 0)
    assert (await client.post("/api/runner/run")).status_code == 202
    await bench.until_event("task.completed", made["current_task_id"])


async def test_health_is_open_and_turns_when_something_is_wrong(services: Services, bench: Workbench) -> None:
    """PLT-3"""
    async with client_of(create_app(services)) as stranger:
        healthy = await stranger.get("/health")
        assert healthy.status_code == 200
        told = healthy.json()
        assert told["status"] == "healthy"
        assert told["checks"] == {"storage": True, "git": True, "agents": True, "runner": True}
        assert set(told) == {"status", "version", "uptime", "checks"}
        await bench.runner.stop("test", wait_seconds=0)
        await bench.runner.start()
        assert (await stranger.get("/health")).json()["uptime"] >= told["uptime"] > 0
        await bench.runner.stop("test", wait_seconds=0)
        degraded = await stranger.get("/health")
        assert (degraded.status_code, degraded.json()["status"]) == (200, "degraded")
