"""The runner over HTTP."""

from __future__ import annotations

import httpx

from tests.server.web import made_session
from tests.workbench import Workbench


async def test_the_runner_stops_and_starts_while_the_web_part_stays(
    bench: Workbench, client: httpx.AsyncClient
) -> None:
    """PLT-4"""
    asked = await client.post("/api/runner/stop", json={"reason": "maintenance"})
    assert (asked.status_code, asked.json()["operation"]["kind"]) == (202, "stop")
    stopped = await bench.until_event("runner.stopped")
    assert stopped.data.reason == "maintenance"
    await bench.until_event("runner.operation_finished")
    made = await made_session(client, bench, "Queued", message={"text": "Fix. [[fix-add]]"})
    runner = (await client.get("/api/runner")).json()
    assert (runner["state"], runner["queued"], runner["running"]) == ("stopped", 1, 0)
    assert (await client.post("/api/runner/run")).status_code == 202
    await bench.until_event("task.completed", made["current_task_id"])
