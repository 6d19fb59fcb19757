"""The state of the installation, agents, notices and health over HTTP."""

from __future__ import annotations

import httpx

from pilothouse.server.app import create_app
from pilothouse.server.services import Services
from pilothouse.store import notices
from tests.server.web import client_of
from tests.workbench import Workbench


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


async def test_health_is_open_and_turns_when_something_is_wrong(services: Services, bench: Workbench) -> None:
    """PLT-3"""
    async with client_of(create_app(services)) as stranger:
        healthy = await stranger.get("/health")
        assert healthy.status_code == 200
        told = healthy.json()
        assert told["status"] == "healthy"
        works = ("storage", "disk", "git", "agents", "runner")
        assert told["checks"] == {**dict.fromkeys(works, True), "confinement": False}
        assert told["problems"] == ["confinement"], "said, though nothing fails without it"
        assert set(told) == {"status", "version", "uptime", "checks", "problems"}
        await bench.runner.stop("test", wait_seconds=0)
        await bench.runner.start()
        assert (await stranger.get("/health")).json()["uptime"] >= told["uptime"] > 0
        await bench.runner.stop("test", wait_seconds=0)
        degraded = await stranger.get("/health")
        assert (degraded.status_code, degraded.json()["status"]) == (200, "degraded")
        assert degraded.json()["problems"] == ["runner", "confinement"]
