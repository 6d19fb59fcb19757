"""Sessions and messages over HTTP."""

from __future__ import annotations

import httpx
import pytest

from tests.server.web import made_session
from tests.workbench import Workbench


async def test_a_session_is_made_found_changed_and_put_away(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-2"""
    made = await made_session(client, bench, "Fix the Sum!")
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
    made = await made_session(client, bench, "Fix the sum", message={"text": "Fix it"}, budget_tokens=7)
    url = f"/api/sessions/{made['project_id']}/{made['slug']}"
    task = made.pop("task")
    assert made == (await client.get(url)).json()
    assert [task] == (await client.get(f"{url}/tasks")).json()["items"]
    counted = ("spawns", "cost_usd", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    assert made["usage"] == {**dict.fromkeys(counted, 0), "cache_share": None, "warnings": []}
    assert made["spent"] == {"usd": 0, "tokens": 0, "minutes": 0}
    assert made["budgets"] == {"usd": None, "tokens": 7, "minutes": None}


async def test_the_answer_to_a_message_is_its_task(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-9: a screen shows it from that alone, with what may be done with it"""
    (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text("scenarios:\n  waits:\n    - wait: 600\n")
    made = await made_session(client, bench, "Wait", message={"text": "[[waits]]"})
    told = made["task"]
    assert (told["status"] in ("QUEUED", "RUNNING"), told["actions"]) == (True, ["cancel"])
    assert made["current_task_id"] == told["task_id"]
    await bench.until_event("attempt.started", told["task_id"])
    url = f"/api/sessions/{made['project_id']}/{made['slug']}"
    behind = (await client.post(f"{url}/messages", json={"text": "Then this."})).json()
    assert (behind["status"], behind["position"]) == ("QUEUED", 1)


async def test_the_list_pages_by_cursor_without_missing_one(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-3"""
    made = {(await made_session(client, bench, f"Session {n}"))["id"] for n in range(5)}
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
    made = await made_session(client, bench, "Thread", message={"text": "First. [[waits]]"})
    url = f"/api/sessions/{made['project_id']}/{made['slug']}"
    running = made["current_task_id"]
    await bench.until_event("step.started", running)
    sent = [await client.post(f"{url}/messages", json={"text": f"Next {n}. [[fix-add]]"}) for n in range(3)]
    assert [answer.status_code for answer in sent] == [201] * 3
    assert [answer.json()["position"] for answer in sent] == [1, 2, 3]
    assert sent[2].json()["waits_for"] == "3 tasks are ahead of it."
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
    made = await made_session(client, bench, "Long")
    answer = await client.post(
        f"/api/sessions/{made['project_id']}/{made['slug']}/messages", json={"text": "x" * 100_001}
    )
    assert answer.status_code == 413
    assert answer.json()["details"]["field"] == "text"
