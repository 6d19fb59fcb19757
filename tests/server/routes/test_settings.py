"""Settings and agents, over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.workbench import Workbench


async def settings(client: httpx.AsyncClient) -> dict[str, Any]:
    found: dict[str, Any] = (await client.get("/api/settings")).json()
    return found


async def test_a_section_is_replaced_and_the_others_stay(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-6"""
    assert (await settings(client))["preferences"]["warm"] == {"processes": 2, "idle_minutes": 5}
    answer = await client.patch("/api/settings", json={"warm": {"processes": 3}, "budgets": {"task_usd": 1.5}})
    assert answer.status_code == 200
    assert answer.json()["preferences"]["warm"]["processes"] == 3
    found = (await client.patch("/api/settings", json={"agents": {"default": "rehearsal"}})).json()["preferences"]
    assert (found["warm"]["processes"], found["budgets"]["task_usd"]) == (3, 1.5)
    assert found["agents"]["default"] == "rehearsal"
    changed = [event.data for event in bench.heard if event.type == "settings.changed"]
    assert [data.sections for data in changed] == [["budgets", "warm"], ["agents"]]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"warm": {"processes": -1}}, "warm.processes"),
        ({"agents": {"default": "nobody"}}, "agents.default"),
        ({"agents": {"roles": {"scout": {"model": "x"}}}}, "agents"),
        ({"agents": {"custom": [{"name": "a", "command": []}]}}, "agents.custom.0.command"),
        ({"else": {}}, "else"),
    ],
)
async def test_what_cannot_be_is_400_with_the_field(
    client: httpx.AsyncClient, body: dict[str, object], field: str
) -> None:
    """PLT-8"""
    answer = await client.patch("/api/settings", json=body)
    assert answer.status_code == 400
    assert answer.json()["details"]["field"] == field


async def test_what_the_environment_says_is_shown_and_its_secrets_are_not(client: httpx.AsyncClient) -> None:
    """PLT-5, PLT-6"""
    found = {row["name"]: row for row in (await settings(client))["environment"]}
    assert found["PORT"] == {
        "name": "PORT", "description": found["PORT"]["description"], "value": "3333", "default": "3333", "given": False,
    }  # fmt: skip
    assert found["DATA_DIR"]["given"] is True
    assert found["PILOTHOUSE_TOKEN"]["value"] == ""
    instructions = found["GLOBAL_INSTRUCTIONS"]
    assert (instructions["value"], instructions["default"], instructions["given"]) == ("none", "", True)
    assert found["ALLOWED_HOSTS"]["value"] == ""


async def test_confinement_says_why_it_is_not_available(client: httpx.AsyncClient) -> None:
    """GRD-7"""
    found = (await settings(client))["confinement"]
    assert (found["mode"], found["active"], found["available"]) == ("off", False, False)
    assert found["problem"] == "Tests do without it."
    refused = await client.patch("/api/settings", json={"confinement": {"mode": "files"}})
    assert refused.status_code == 409


async def test_agents_tell_everything_that_is_known_of_them(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-3"""
    agent = (await client.get("/api/agents")).json()["items"][0]
    assert (agent["name"], agent["installed"], agent["ready"], agent["custom"]) == ("rehearsal", True, True, False)
    assert agent["checked_at"] is not None
    assert (agent["last_error"], agent["credentials"], agent["models"]) == (None, None, [])
    await bench.rest((await bench.begin("[[crashes]]"))[1])
    broken = (await client.post("/api/agents/check", json={"name": "rehearsal"})).json()["items"][0]
    assert "exit code" in broken["last_error"]["message"]
    assert (await client.post("/api/agents/check")).status_code == 200
    assert (await client.post("/api/agents/check", json={"name": "nobody"})).status_code == 404


async def test_a_project_has_its_own_agent(client: httpx.AsyncClient, bench: Workbench) -> None:
    """BYD-1"""
    project = (await client.post("/api/projects", json={"path": str(bench.repo)})).json()
    place = f"/api/projects/{project['id']}"
    assert (await client.patch(place, json={"agent": "rehearsal"})).json()["agent"] == "rehearsal"
    sent = await client.post("/api/sessions", json={"project_path": str(bench.repo), "message": {"text": "anything"}})
    assert sent.status_code == 201
    assert (await client.patch(place, json={"agent": None})).json()["agent"] is None
    assert (await client.patch(place, json={"agent": "nobody"})).status_code == 400
    assert (await client.patch("/api/projects/none", json={"agent": None})).status_code == 404


async def test_a_message_carries_model_and_effort(client: httpx.AsyncClient, bench: Workbench) -> None:
    """BYD-1"""
    body = {"project_path": str(bench.repo), "title": "t", "agent": "rehearsal"}
    session = (await client.post("/api/sessions", json=body)).json()
    place = f"/api/sessions/{session['project_id']}/{session['slug']}/messages"
    task = (await client.post(place, json={"text": "anything", "model": "opus", "effort": "high"})).json()
    assert (task["agent"], task["model"], task["effort"]) == ("rehearsal", "opus", "high")
    assert (await client.post(place, json={"text": "anything", "model": "--evil"})).status_code == 400
