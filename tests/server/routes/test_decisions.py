"""Tasks that a guard holds, over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.task.task import Task, TaskStatus
from tests.workbench import Workbench

S = TaskStatus
TWICE = """
scenarios:
  limit-twice:
    - write: {path: first.txt, text: "first\\n"}
    - limit: {text: Come back later., minutes: 60}
    - write: {path: second.txt, text: "second\\n"}
    - limit: {text: Come back later still., minutes: 60}
    - say: Done.
  costly-twice:
    - write: {path: first.txt, text: "first\\n"}
    - usage: {cost_usd: 0.4}
    - run: until test -f ignored/first; do sleep 0.02; done
    - usage: {cost_usd: 0.4}
    - run: until test -f ignored/second; do sleep 0.02; done
"""


async def held(bench: Workbench, text: str, **options: Any) -> Task:
    _, task = await bench.begin(text, **options)
    return await bench.rest(task)


async def test_a_usage_limit_is_shown_with_its_end_and_decided(bench: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-6"""
    task = await held(bench, "[[limit]]")
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert (shown["awaiting"], shown["limit"]["kind"], shown["limit"]["waiting"]) == ("usage_limit", "provider", True)
    assert shown["limit"]["until"] > shown["limit"]["at"]
    assert shown["choices"] == ["wait", "retry", "pause", "close"]
    assert "decide" in shown["actions"]
    answer = await client.post(f"/api/tasks/{task.id}/decision", json={"choice": "pause"})
    assert answer.json() == {
        "success": True,
        "task_id": task.id,
        "choice": "pause",
        "old_status": "AWAITING_RESPONSE",
        "new_status": "AWAITING_RESPONSE",
    }
    assert not (await client.get(f"/api/tasks/{task.id}")).json()["limit"]["waiting"]
    assert (await client.post(f"/api/tasks/{task.id}/decision", json={"choice": "override"})).status_code == 409
    await client.post(f"/api/tasks/{task.id}/decision", json={"choice": "retry"})
    await bench.rest(task, S.COMPLETE)


async def test_a_spent_budget_is_shown_and_raised(bench: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-8"""
    task = await held(bench, "[[costly]]", budget=Budget(usd=0.5))
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert shown["budgets"] == {"usd": 0.5, "tokens": None, "minutes": None}
    spent = shown["budget"]
    assert (spent["kind"], spent["scope"], spent["spent"], spent["limit"]) == ("money", "task", 0.8, 0.5)
    answer = await client.post(f"/api/tasks/{task.id}/decision", json={"choice": "more", "amount": 2})
    assert answer.json()["new_status"] == "QUEUED"
    await bench.rest(task, S.COMPLETE)
    assert (await client.get(f"/api/tasks/{task.id}")).json()["budgets"]["usd"] == pytest.approx(2.8)


@pytest.mark.parametrize("choice", ["wait", "retry", "pause", "close"])
async def test_a_decision_counts_for_the_limit_that_was_seen_alone(
    bench: Workbench, client: httpx.AsyncClient, choice: str
) -> None:
    """GRD-6: one made in another window changes nothing of a limit that was reached since."""
    (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text(TWICE)
    task = await held(bench, "[[limit-twice]]")
    path = f"/api/tasks/{task.id}/decision"
    first = (await client.get(f"/api/tasks/{task.id}")).json()
    # What is shown as waiting can be paused, and the other way round: both would show in `limit`.
    paused = {"choice": "pause" if choice == "wait" else "wait"}
    assert (await client.post(path, json={"choice": "retry", "attempt": first["attempt"]})).status_code == 200
    await bench.rest(task, S.AWAITING_RESPONSE)
    assert (await client.post(path, json=paused)).status_code == 200
    second = (await client.get(f"/api/tasks/{task.id}")).json()
    late = await client.post(path, json={"choice": choice, "attempt": first["attempt"]})
    assert (late.status_code, late.json()["error"]) == (409, "conflict")
    assert late.json()["details"] == {"attempt": second["attempt"]}
    assert f"about attempt {first['attempt']}" in late.json()["message"]
    assert (await client.get(f"/api/tasks/{task.id}")).json() == second
    assert (await client.post(path, json={"choice": "close", "attempt": second["attempt"]})).status_code == 200
    assert (await client.get(f"/api/tasks/{task.id}")).json()["status"] == "CANCELLED"


@pytest.mark.parametrize("choice", ["more", "replan", "stop"])
async def test_more_of_a_budget_is_given_once_to_whoever_asked_for_it(
    bench: Workbench, client: httpx.AsyncClient, choice: str
) -> None:
    """GRD-8"""
    (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text(TWICE)
    task = await held(bench, "[[costly-twice]]", budget=Budget(usd=0.1))
    (bench.repo / "ignored").mkdir(exist_ok=True)
    (bench.repo / "ignored" / "first").touch()
    path = f"/api/tasks/{task.id}/decision"
    first = (await client.get(f"/api/tasks/{task.id}")).json()
    given = {"choice": "more", "amount": 0.1, "attempt": first["attempt"]}
    assert (await client.post(path, json=given)).status_code == 200
    await bench.rest(task, S.AWAITING_RESPONSE)
    second = (await client.get(f"/api/tasks/{task.id}")).json()
    assert second["awaiting"] == "budget"
    late = await client.post(path, json=given | {"choice": choice})
    assert (late.status_code, late.json()["details"]) == (409, {"attempt": second["attempt"]})
    assert (await client.get(f"/api/tasks/{task.id}")).json() == second


async def test_an_open_breaker_is_shown_with_its_history(bench: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-4"""
    session, task = await bench.begin("[[broken]]")
    for _ in range(5):
        await bench.rest(task)
        task = await bench.send(session, "[[broken]]")
    await bench.rest(task)
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert (shown["awaiting"], shown["breaker"]["state"], shown["choices"]) == ("breaker", "OPEN", ["reset"])
    assert [change["target"] for change in shown["breaker"]["history"]] == ["OPEN"]
    await client.post(f"/api/tasks/{task.id}/decision", json={"choice": "reset"})
    await bench.rest(task, S.ERROR)


async def test_budgets_are_set_with_messages_and_sessions(bench: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-8"""
    message = {"text": "[[hello]]", "agent": "rehearsal", "budget_minutes": 5}
    body = {"project_path": str(bench.repo), "message": message, "budget_usd": 3}
    made = (await client.post("/api/sessions", json=body)).json()
    assert made["budgets"] == {"usd": 3.0, "tokens": None, "minutes": None}
    place = f"/api/sessions/{made['project_id']}/{made['slug']}"
    task = (await client.get(f"{place}/tasks")).json()["items"][0]
    assert task["budgets"] == {"usd": None, "tokens": None, "minutes": 5.0}
    changed = (await client.patch(place, json={"budget_tokens": 1000})).json()
    assert changed["budgets"] == {"usd": 3.0, "tokens": 1000, "minutes": None}
    assert changed["spent"]["usd"] == 0
    lifted = (await client.patch(place, json={"budget_usd": None})).json()
    assert lifted["budgets"] == {"usd": None, "tokens": 1000, "minutes": None}
    refused = await client.post(f"{place}/messages", json={"text": "x", "budget_usd": 0})
    assert (refused.status_code, refused.json()["details"]["field"]) == (400, "budget_usd")


@pytest.mark.parametrize(
    "body", [{}, {"choice": "dance"}, {"choice": "more", "amount": -1}, {"choice": "more", "x": 1}]
)
async def test_a_decision_that_is_none_is_400(client: httpx.AsyncClient, body: dict[str, object]) -> None:
    """PLT-9"""
    assert (await client.post("/api/tasks/none/decision", json=body)).status_code == 400


async def test_a_decision_about_nothing_is_404_and_about_a_finished_task_409(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """TSK-4"""
    assert (await client.post("/api/tasks/none/decision", json={"choice": "reset"})).status_code == 404
    task = await held(bench, "[[hello]]")
    answer = await client.post(f"/api/tasks/{task.id}/decision", json={"choice": "reset"})
    assert (answer.status_code, answer.json()["error"]) == (409, "illegal_transition")
