"""Tasks over HTTP, with the real agent program behind them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.engine.transition import queue
from tests.engine.asks import SCENARIOS, asking
from tests.workbench import Workbench

S = TaskStatus


async def _asked(bench: Workbench) -> Task:
    _, task = await bench.begin("Please choose. [[asks]]")
    return await bench.rest(task)


async def test_reply_continues_the_same_task(bench: Workbench, client: httpx.AsyncClient) -> None:
    """RPL-1"""
    task = await _asked(bench)
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert shown["status"] == "AWAITING_RESPONSE"
    assert shown["awaiting"] == "question"
    assert [option["value"] for option in shown["options"]] == ["A", "B"]
    assert "reply" in shown["actions"]
    answer = await client.post(f"/api/tasks/{task.id}/reply", json={"reply": "A,\nplease"})
    assert answer.status_code == 200
    assert answer.json() == {
        "success": True,
        "task_id": task.id,
        "old_status": "AWAITING_RESPONSE",
        "new_status": "QUEUED",
    }
    done = await bench.rest(task, S.COMPLETE)
    assert done.attempt == 2
    history = (await client.get(f"/api/tasks/{task.id}")).json()["reply_history"]
    assert [entry["content"] for entry in history] == ["A,\nplease"]


@pytest.mark.parametrize("body", [{}, {"reply": ""}, {"reply": " \n\t "}, {"reply": None}, {"reply": 7}, {"text": "x"}])
async def test_a_missing_or_blank_reply_is_400(
    bench: Workbench, client: httpx.AsyncClient, body: dict[str, object]
) -> None:
    """RPL-2"""
    task = await _asked(bench)
    answer = await client.post(f"/api/tasks/{task.id}/reply", json=body)
    assert answer.status_code == 400
    assert answer.json()["details"]["field"] in ("reply", "text")
    assert (await bench.task(task.id)).status is S.AWAITING_RESPONSE


async def test_a_reply_over_its_limit_is_413_and_at_its_limit_is_taken(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """RPL-2"""
    task = await _asked(bench)
    over = await client.post(f"/api/tasks/{task.id}/reply", json={"reply": "é" * 100_001})
    assert over.status_code == 413
    assert over.json()["error"] == "too_large"
    assert (await bench.task(task.id)).status is S.AWAITING_RESPONSE
    at = await client.post(f"/api/tasks/{task.id}/reply", json={"reply": "é" * 100_000})
    assert at.status_code == 200


async def test_reply_to_an_unknown_task_is_404_and_to_one_not_awaiting_409(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """RPL-2"""
    unknown = await client.post("/api/tasks/abc123/reply", json={"reply": "x"})
    assert unknown.status_code == 404
    assert unknown.json()["error"] == "not_found"
    _, task = await bench.begin("Fix it. [[fix-add]]")
    await bench.rest(task)
    late = await client.post(f"/api/tasks/{task.id}/reply", json={"reply": "x"})
    assert late.status_code == 409
    assert late.json()["details"]["status"] == "COMPLETE"


async def test_of_two_replies_at_once_one_wins(bench: Workbench, client: httpx.AsyncClient) -> None:
    """RPL-7"""
    task = await _asked(bench)
    url = f"/api/tasks/{task.id}/reply"
    answers = await asyncio.gather(*(client.post(url, json={"reply": str(n)}) for n in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    await bench.rest(task, S.COMPLETE)


async def test_a_finished_task_shows_output_steps_events_and_diff(bench: Workbench, client: httpx.AsyncClient) -> None:
    """WEB-9"""
    session, task = await bench.begin("Fix it. [[fix-add]]")
    await bench.rest(task)
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert (shown["session_slug"], shown["newest_of_workspace"], shown["position"]) == (session.slug, True, None)
    output = (await client.get(f"/api/tasks/{task.id}/output")).json()
    assert "Looking at calc.py" in output["text"]
    assert output["next_offset"] == output["total"] == len(output["text"].encode())
    assert output["live"] is False
    part = (await client.get(f"/api/tasks/{task.id}/output?offset=2&limit=3")).json()
    assert part["text"] == output["text"][2:5]
    (attempt,) = (await client.get(f"/api/tasks/{task.id}/steps")).json()["items"]
    assert attempt["output_bytes"] == output["total"]
    assert attempt["steps"][0]["outcome"] == "done"
    events = (await client.get(f"/api/tasks/{task.id}/events")).json()
    assert events["items"][0]["type"] == "task.started"
    assert events["items"][-1]["type"] == "task.completed"
    some = (await client.get(f"/api/tasks/{task.id}/events?since={events['items'][0]['seq']}&limit=2")).json()
    assert some["items"] == events["items"][1:3]
    assert some["more"] is True
    diff = (await client.get(f"/api/tasks/{task.id}/diff")).json()
    assert diff["stat"]["files"][0]["path"] == "calc.py"
    assert "+    return a + b" in diff["patch"]
    one = (await client.get(f"/api/tasks/{task.id}/diff?path=calc.py&attempt=1&step=1")).json()
    assert one["patch"] == diff["patch"]


async def test_what_does_not_exist_is_404(bench: Workbench, client: httpx.AsyncClient) -> None:
    """PLT-8"""
    for part in ("", "/output", "/diff", "/steps", "/events", "/resume-options"):
        assert (await client.get(f"/api/tasks/unknown{part}")).status_code == 404, part
    for part in ("/cancel", "/resume", "/rollback", "/undo-rollback"):
        assert (await client.post(f"/api/tasks/unknown{part}")).status_code == 404, part
    _, task = await bench.begin("Fix it. [[fix-add]]")
    await bench.rest(task)
    assert (await client.get(f"/api/tasks/{task.id}/output?attempt=9")).status_code == 404
    for query in ("attempt=0", "attempt=x", "offset=-1", "limit=0", f"offset={2**60}"):
        assert (await client.get(f"/api/tasks/{task.id}/output?{query}")).status_code == 400, query


async def test_cancel_ends_what_runs_and_leaves_no_trace_of_what_waits(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """TSK-5: glossary 4"""
    session, running = await bench.begin("Wait. [[waits]]")
    await bench.until_event("step.started", running.id)
    waiting = await bench.send(session, "After that. [[fix-add]]")
    shown = (await client.get(f"/api/tasks/{waiting.id}")).json()
    assert (shown["position"], shown["waits_for"]) == (1, "The running task.")
    gone = await client.post(f"/api/tasks/{waiting.id}/cancel", json={})
    assert gone.status_code == 200
    assert (gone.json()["new_status"], gone.json()["prompt"]) == (None, "After that. [[fix-add]]")
    assert (await client.get(f"/api/tasks/{waiting.id}")).status_code == 404
    ended = await client.post(f"/api/tasks/{running.id}/cancel", json={"hold": True})
    assert (ended.json()["old_status"], ended.json()["new_status"]) == ("RUNNING", "CANCELLED")
    (queue,) = (await client.get("/api/queues")).json()["items"]
    assert queue["held"] is True
    assert (await client.post(f"/api/tasks/{running.id}/cancel")).status_code == 409


async def test_a_task_that_only_asks_shows_its_answer(bench: Workbench, client: httpx.AsyncClient) -> None:
    """BYD-13"""
    _, earlier = await bench.begin("Fix. [[fix-add]]")
    earlier = await bench.rest(earlier)
    (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text(SCENARIOS)
    task = asking(earlier, "Which files? [[answers]]")
    await bench.store.write(lambda tx: queue(tx, task))
    await bench.rest(task, TaskStatus.COMPLETE)
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert (shown["purpose"], shown["answer"]) == ("ask", {"files": ["calc.py"]})
    before = (await client.get(f"/api/tasks/{earlier.id}")).json()
    assert (before["purpose"], before["answer"]) == ("change", None)


async def test_resume_shows_what_it_would_do_and_runs_the_same_task_again(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """TSK-16 WEB-11"""
    _, task = await bench.begin("Crash. [[crashes]]")
    stopped = await bench.rest(task)
    assert stopped.status in (S.ERROR, S.AWAITING_RESPONSE)
    options = (await client.get(f"/api/tasks/{task.id}/resume-options")).json()
    assert options["default"] == "rollback"
    assert [file["path"] for file in options["takes_away"]["files"]] == ["partial.txt"]
    assert {part["name"] for part in options["saved"]} == {"patch", "step_log", "failure_summary"}
    assert (await client.post(f"/api/tasks/{task.id}/resume", json={"mode": "sideways"})).status_code == 400
    answer = await client.post(f"/api/tasks/{task.id}/resume", json={"mode": "rollback"})
    assert answer.status_code == 202
    assert (answer.json()["attempt"], answer.json()["new_status"]) == (2, "QUEUED")
    await bench.until_event("attempt.started", task.id, count=2)
    again = await bench.rest(task)
    assert again.attempt == 2


@pytest.mark.parametrize("mode", ["soft", "rollback"])
async def test_a_resume_counts_for_the_end_that_was_seen_alone(
    bench: Workbench, client: httpx.AsyncClient, mode: str
) -> None:
    """TSK-16: a click kept while the server was away starts nothing after the task has run again."""
    _, task = await bench.begin("Crash. [[crashes]]")
    await bench.rest(task)
    path = f"/api/tasks/{task.id}/resume"
    seen = (await client.get(f"/api/tasks/{task.id}")).json()["attempt"]
    assert (await client.post(path, json={"mode": mode, "attempt": seen})).status_code == 202
    await bench.until_event("attempt.finished", task.id, count=2)
    await bench.rest(task)
    now = (await client.get(f"/api/tasks/{task.id}")).json()
    late = await client.post(path, json={"mode": mode, "attempt": seen})
    assert (late.status_code, late.json()["error"]) == (409, "conflict")
    assert late.json()["details"] == {"attempt": now["attempt"]}
    assert (await client.get(f"/api/tasks/{task.id}")).json() == now


async def test_rollback_takes_the_changes_away_and_undo_brings_them_back(
    bench: Workbench, client: httpx.AsyncClient, repo: Path
) -> None:
    """WEB-13"""
    _, task = await bench.begin("Fix it. [[fix-add]]")
    await bench.rest(task)
    fixed = (repo / "calc.py").read_text()
    done = await client.post(f"/api/tasks/{task.id}/rollback")
    assert done.status_code == 200, done.text
    assert done.json()["took_away"]["files_changed"] == 1
    assert (repo / "calc.py").read_text() != fixed
    assert (await client.get(f"/api/tasks/{task.id}")).json()["rollback_id"] == done.json()["rollback_id"]
    undone = await client.post(f"/api/tasks/{task.id}/undo-rollback", json={})
    assert undone.status_code == 200, undone.text
    assert (repo / "calc.py").read_text() == fixed
    twice = await client.post(f"/api/tasks/{task.id}/undo-rollback", json={"rollback_id": done.json()["rollback_id"]})
    assert twice.status_code == 409
    for body in ({"rollback_id": "x" * 65}, {"rollback_id": 3}):
        assert (await client.post(f"/api/tasks/{task.id}/undo-rollback", json=body)).status_code == 400


async def test_missing_credentials_known_at_submit_are_409_and_no_task(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """TSK-17: glossary 19"""
    body = {"project_path": str(bench.repo), "agent": "rehearsal", "message": {"text": "Go. [[guarded]]"}}
    answer = await client.post("/api/sessions", json=body)
    assert answer.status_code == 409
    assert answer.json()["error"] == "credentials"
    assert (await client.get("/api/sessions")).json()["items"] == []


async def test_actions_of_a_question_are_those_of_the_table(bench: Workbench, client: httpx.AsyncClient) -> None:
    """RPL-2"""
    task = await _asked(bench)
    assert task.awaiting is Awaiting.QUESTION
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    assert set(shown["actions"]) == {"reply", "resume", "cancel"}
