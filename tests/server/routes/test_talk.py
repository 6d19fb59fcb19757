"""Forms, plans, permissions and messages to a running task, over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from pilothouse.domain.talk.steering import SteerMessage, SteerState
from pilothouse.domain.task.task import PermissionMode, Task, TaskStatus
from pilothouse.server.schemas.talk import SentOut
from tests.engine.listening import Listening
from tests.workbench import Workbench

S = TaskStatus
SCENARIOS = """
scenarios:
  clean:
    - permission: {tool: Bash, detail: make clean, grant: "Bash(make:*)"}
    - say: "It was {reply}"
  clean-twice:
    - permission: {tool: Bash, detail: make clean, grant: "Bash(make:*)"}
    - permission: {tool: Bash, detail: make clobber, grant: "Bash(make:*)"}
    - say: "It was {reply}"
  ask-twice:
    - ask: "First?"
    - ask: "Second?"
    - say: "Then {reply}"
  form-twice:
    - form: [{question: "Which store?", options: [SQLite, PostgreSQL]}]
    - form: [{question: "Which store?", options: [SQLite, PostgreSQL]}]
    - say: "Then {answer 1}"
  form:
    - form:
        - {question: "Which store?", header: Store, options: [SQLite (recommended), PostgreSQL]}
        - {question: "What else?", options: [Docs, Tests], several: true}
    - say: "{answer 1} and {answer 2}"
  plan:
    - plan: "## Plan"
    - say: "It was {reply}"
  held:
    - run: until test -f ignored/go; do sleep 0.02; done
    - say: "Heard {reply}"
"""


@pytest.fixture
def played(bench: Workbench) -> Workbench:
    (bench.repo / ".pilothouse" / "rehearsal.yaml").write_text(SCENARIOS)
    return bench


async def waiting(bench: Workbench, text: str, **options: Any) -> Task:
    _, task = await bench.begin(text, **options)
    return await bench.rest(task)


async def shown(client: httpx.AsyncClient, task: Task) -> dict[str, Any]:
    body: dict[str, Any] = (await client.get(f"/api/tasks/{task.id}")).json()
    return body


def asks(body: dict[str, Any]) -> dict[str, Any]:
    """What an answer would have changed."""
    return {name: body[name] for name in ("status", "awaiting", "attempt", "question", "form", "reply_history")}


async def test_a_permission_is_shown_decided_and_listed_until_it_is_revoked(
    played: Workbench, client: httpx.AsyncClient
) -> None:
    """GRD-7"""
    task = await waiting(played, "[[clean]]")
    body = await shown(client, task)
    assert body["awaiting"] == "permission"
    assert sorted(body["actions"]) == ["cancel", "permit", "resume"]
    assert body["permission"] == {
        "tool": "Bash",
        "detail": "make clean",
        "grant": "Bash(make:*)",
        "arguments": {"command": "make clean"},
    }
    refused = await client.post(f"/api/tasks/{task.id}/permission", json={"decision": "always"})
    assert (refused.status_code, refused.json()["details"]["field"]) == (400, "decision")
    answer = await client.post(f"/api/tasks/{task.id}/permission", json={"decision": "session"})
    assert (answer.status_code, answer.json()["new_status"]) == (200, "QUEUED")
    late = await client.post(f"/api/tasks/{task.id}/permission", json={"decision": "deny"})
    assert late.status_code == 409
    done = await played.rest(task, S.COMPLETE)
    assert "It was allowed" in done.output
    body = await shown(client, task)
    assert body["permission"] is None
    assert [(d["choice"], d["tool"]) for d in body["decisions"]] == [("session", "Bash")]
    grants = f"/api/sessions/{body['project_id']}/{body['session_slug']}/grants"
    (grant,) = (await client.get(grants)).json()["items"]
    assert grant["name"] == "Bash(make:*)"
    assert (await client.post(f"{grants}/{grant['id']}/revoke")).json() == {"success": True}
    assert (await client.get(grants)).json() == {"items": []}
    assert (await client.post(f"{grants}/{grant['id']}/revoke")).status_code == 404


async def test_a_decision_counts_for_what_was_looked_at_alone(played: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-7: one made in another window, or kept while the server was away, allows nothing that was asked since."""
    task = await waiting(played, "[[clean-twice]]")
    path = f"/api/tasks/{task.id}/permission"
    seen = (await shown(client, task))["attempt"]
    assert (await client.post(path, json={"decision": "once", "attempt": seen})).status_code == 200
    await played.rest(task, S.AWAITING_RESPONSE)
    asked = await shown(client, task)
    assert asked["permission"]["detail"] == "make clobber"
    late = await client.post(path, json={"decision": "session", "attempt": seen})
    assert (late.status_code, late.json()["details"]) == (409, {"attempt": asked["attempt"]})
    assert [decided["detail"] for decided in (await shown(client, task))["decisions"]] == ["make clean"]
    assert (await client.post(path, json={"decision": "deny", "attempt": asked["attempt"]})).status_code == 200
    await played.rest(task, S.COMPLETE)


async def test_a_message_may_name_its_permission_mode(played: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-7"""
    message = {"text": "[[clean]]", "permission_mode": "all", "agent": "rehearsal"}
    made = await client.post("/api/sessions", json={"project_path": str(played.repo), "message": message})
    task = await played.task(made.json()["current_task_id"])
    assert task.options.permission_mode is PermissionMode.ALL
    await played.rest(task, S.COMPLETE)
    assert (await shown(client, task))["permission_mode"] == "all"
    odd = await client.post(
        "/api/sessions", json={"project_path": str(played.repo), "message": {**message, "permission_mode": "none"}}
    )
    assert odd.status_code == 400


async def test_a_form_is_shown_and_answered_question_by_question(played: Workbench, client: httpx.AsyncClient) -> None:
    """RPL-1"""
    task = await waiting(played, "[[form]]")
    store, more = (await shown(client, task))["form"]
    assert (store["header"], store["several"], more["several"]) == ("Store", False, True)
    assert store["options"][0] == {"value": "SQLite", "label": "SQLite", "recommended": True}
    path = f"/api/tasks/{task.id}/answers"
    half = await client.post(path, json={"answers": [{"question_id": store["id"], "value": "SQLite"}]})
    assert half.status_code == 400
    assert "What else?" in half.json()["message"]
    answers = [
        {"question_id": store["id"], "value": "SQLite"},
        {"question_id": more["id"], "value": ["Docs", "Tests"]},
    ]
    assert (await client.post(path, json={"answers": answers})).status_code == 200
    done = await played.rest(task, S.COMPLETE)
    assert "SQLite and Docs, Tests" in done.output
    assert (await client.post(path, json={"answers": answers})).status_code == 409
    assert (await client.post("/api/tasks/none/answers", json={"answers": answers})).status_code == 404


async def test_a_reply_counts_for_the_question_that_was_seen_alone(
    played: Workbench, client: httpx.AsyncClient
) -> None:
    """RPL-6 RPL-7: one from another window, or kept while the server was away, answers nothing asked since."""
    task = await waiting(played, "[[ask-twice]]")
    path = f"/api/tasks/{task.id}/reply"
    seen = (await shown(client, task))["attempt"]
    assert (await client.post(path, json={"reply": "one", "attempt": seen})).status_code == 200
    await played.rest(task, S.AWAITING_RESPONSE)
    asked = await shown(client, task)
    late = await client.post(path, json={"reply": "uno", "attempt": seen})
    assert (late.status_code, late.json()["error"]) == (409, "conflict")
    assert late.json()["details"] == {"attempt": asked["attempt"]}
    assert asks(await shown(client, task)) == asks(asked)
    assert "Second?" in asked["question"]
    assert (await client.post(path, json={"reply": "two", "attempt": asked["attempt"]})).status_code == 200
    assert "Then two" in (await played.rest(task, S.COMPLETE)).output
    assert [said["content"] for said in (await shown(client, task))["reply_history"]] == ["one", "two"]


async def test_the_answers_of_a_form_count_for_the_one_that_was_seen_alone(
    played: Workbench, client: httpx.AsyncClient
) -> None:
    """RPL-6 RPL-7"""
    task = await waiting(played, "[[form-twice]]")
    path = f"/api/tasks/{task.id}/answers"
    first = await shown(client, task)

    def filled(form: dict[str, Any], store: str, attempt: int) -> dict[str, Any]:
        return {"answers": [{"question_id": form["form"][0]["id"], "value": store}], "attempt": attempt}

    assert (await client.post(path, json=filled(first, "SQLite", first["attempt"]))).status_code == 200
    await played.rest(task, S.AWAITING_RESPONSE)
    second = await shown(client, task)
    late = await client.post(path, json=filled(second, "SQLite", first["attempt"]))
    assert (late.status_code, late.json()["details"]) == (409, {"attempt": second["attempt"]})
    assert asks(await shown(client, task)) == asks(second)
    assert (await client.post(path, json=filled(second, "PostgreSQL", second["attempt"]))).status_code == 200
    assert "Then PostgreSQL" in (await played.rest(task, S.COMPLETE)).output


async def test_a_plan_is_approved_by_its_question(played: Workbench, client: httpx.AsyncClient) -> None:
    """RPL-1"""
    task = await waiting(played, "[[plan]]")
    body = await shown(client, task)
    assert body["plan"] == "## Plan"
    (question,) = body["form"]
    approve = {"answers": [{"question_id": question["id"], "value": "approve"}]}
    assert (await client.post(f"/api/tasks/{task.id}/answers", json=approve)).status_code == 200
    assert "It was approved" in (await played.rest(task, S.COMPLETE)).output


async def test_a_message_to_a_running_task_is_shown_taken_back_and_delivered(
    played: Workbench, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    """RPL-8"""
    _, task = await played.begin("[[held]]")
    await played.until_event("step.tool_started", task.id)
    path = f"/api/tasks/{task.id}/steer"
    assert (await client.post(path, json={"text": " "})).status_code == 400
    first = await client.post(path, json={"text": "Not this"})
    second = await client.post(path, json={"text": "Use tabs"})
    assert [message["can_take_back"] for message in (await shown(client, task))["steering"]] == [True, True]
    assert (first.status_code, second.status_code) == (201, 201)
    taken = await client.post(f"{path}/{first.json()['message_id']}", json={"action": "take_back"})
    assert taken.json()["state"] == "taken_back"
    assert (await client.post(f"{path}/{first.json()['message_id']}", json={"action": "now"})).status_code == 409
    assert (await client.post(f"{path}/none", json={"action": "now"})).status_code == 404
    (played.repo / "ignored").mkdir(exist_ok=True)
    (played.repo / "ignored" / "go").touch()
    done = await played.rest(task, S.COMPLETE)
    assert "Heard Use tabs" in done.output
    states = [(message["text"], message["state"]) for message in (await shown(client, task))["steering"]]
    assert states == [("Not this", "taken_back"), ("Use tabs", "delivered")]
    assert (await client.post(path, json={"text": "late"})).status_code == 409
    assert not any(message["can_take_back"] for message in (await shown(client, task))["steering"])


@pytest.mark.parametrize(
    ("state", "in_prompt", "withdraws", "offered"),
    [
        ("waiting", False, False, True),
        ("returned", False, False, True),
        ("handed", False, False, False),
        ("handed", False, True, True),
        ("handed", True, True, False),
        ("delivered", False, True, False),
        ("taken_back", False, True, False),
    ],
)
def test_taking_back_is_offered_only_where_it_can_work(
    state: str, in_prompt: bool, withdraws: bool, offered: bool
) -> None:
    """RPL-8"""
    message = SteerMessage("m", "s", "t", "Use tabs", datetime.now(UTC), SteerState(state), in_prompt=in_prompt)
    assert SentOut.shown(message, withdraws=withdraws).can_take_back is offered


@pytest.mark.parametrize(
    ("state", "in_prompt", "offered"),
    [
        ("waiting", False, True),
        ("handed", False, True),
        ("handed", True, False),
        ("returned", False, False),
        ("delivered", True, False),
    ],
)
def test_sending_now_is_offered_only_where_the_agent_has_not_heard_it(
    state: str, in_prompt: bool, offered: bool
) -> None:
    """RPL-8"""
    message = SteerMessage("m", "s", "t", "Use tabs", datetime.now(UTC), SteerState(state), in_prompt=in_prompt)
    assert SentOut.shown(message, withdraws=True).can_send_now is offered


async def test_a_message_that_an_agent_keeps_is_not_offered_back(bench: Workbench, client: httpx.AsyncClient) -> None:
    """RPL-8"""
    agent = Listening()
    _, task = await agent.begin(bench)
    turn = await agent.turn(1)
    turn.withdrawable = False
    await bench.until_event("step.tool_started", task.id)
    assert (await client.post(f"/api/tasks/{task.id}/steer", json={"text": "Use tabs"})).json()["state"] == "handed"
    (message,) = (await shown(client, task))["steering"]
    assert (message["state"], message["can_take_back"]) == ("handed", False)
    path = f"/api/tasks/{task.id}/steer/{message['message_id']}"
    assert (await client.post(path, json={"action": "take_back"})).status_code == 409
    turn.take_in(message["message_id"])
    turn.end()
    await bench.rest(task, S.COMPLETE)
