"""Cost and tokens over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from pilothouse.server.app import create_app
from tests.server.web import logged_in, services_of
from tests.workbench import Workbench, make_repository

SCENARIOS = """
scenarios:
  costs:
    - usage: {cost_usd: 0.25, input_tokens: 10, output_tokens: 50, cache_read_tokens: 90, model: claude-sonnet-4-5}
    - context: {tokens: 170000, window: 200000}
    - say: Nothing to do.
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repo", SCENARIOS)


@pytest.fixture
async def client(bench: Workbench) -> AsyncIterator[httpx.AsyncClient]:
    async with logged_in(create_app(services_of(bench))) as opened:
        yield opened


async def test_a_task_and_its_session_tell_what_they_used(bench: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-8 FTR-19"""
    session, task = await bench.begin("[[costs]]", model="opus")
    await bench.rest(task)
    shown = (await client.get(f"/api/tasks/{task.id}")).json()
    used = shown["usage"]
    assert shown["cost_usd"] == 0.25
    assert (used["spawns"], used["cost_usd"], used["output_tokens"], used["cache_share"]) == (1, 0.25, 50, 0.9)
    assert used["models"] == ["claude-sonnet-4-5"]
    assert used["warnings"] == ["Asked for the model opus, but claude-sonnet-4-5 answered."]
    assert used["context"] == {"tokens": 170_000, "window": 200_000, "level": 80}
    whole = (await client.get(f"/api/sessions/{session.project_id}/{session.slug}")).json()["usage"]
    assert (whole["cost_usd"], whole["warnings"]) == (0.25, used["warnings"])
    listed = (await client.get("/api/sessions")).json()["items"][0]
    assert (listed["cost_usd"], listed["usage"]) == (0.25, None)


async def test_a_step_tells_what_its_spawn_used_and_was_told(bench: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-8 FTR-18"""
    (bench.repo / "AGENTS.md").write_text("Use tabs.")
    _, task = await bench.begin("[[costs]]")
    await bench.rest(task)
    (step,) = (await client.get(f"/api/tasks/{task.id}/steps")).json()["items"][0]["steps"]
    spawn = step["spawn"]
    assert (spawn["model"], spawn["cost_usd"], spawn["context"]["level"]) == ("claude-sonnet-4-5", 0.25, 80)
    (file,) = spawn["instructions"]
    assert (file["path"], file["level"], file["size"], file["included"], file["note"]) == (
        "AGENTS.md", "project", 9, 9, "",
    )  # fmt: skip
    assert len(file["sha256"]) == 64


async def test_usage_is_summed_up_by_what_is_asked_for(bench: Workbench, client: httpx.AsyncClient) -> None:
    """GRD-8"""
    session, task = await bench.begin("Look. [[costs]]")
    await bench.rest(task)
    for by, key in {"session": session.id, "task": task.id, "agent": "rehearsal", "model": "claude-sonnet-4-5"}.items():
        found = (await client.get("/api/usage", params={"by": by})).json()
        assert (found["totals"]["cost_usd"], found["more"]) == (0.25, False)
        assert [(line["key"], line["cost_usd"], line["cache_share"]) for line in found["items"]] == [(key, 0.25, 0.9)]
    line = (await client.get("/api/usage", params={"by": "session"})).json()["items"][0]
    assert (line["project_id"], line["session_slug"], line["label"]) == (
        session.project_id,
        session.slug,
        session.title,
    )
    days = (await client.get("/api/usage", params={"zone": "Asia/Kolkata"})).json()
    assert (days["by"], len(days["items"])) == ("day", 1)
    later = (await client.get("/api/usage", params={"since": "2999-01-01T00:00:00Z"})).json()
    assert (later["totals"]["spawns"], later["items"]) == (0, [])
    other = (await client.get("/api/usage", params={"by": "agent", "project": "none"})).json()
    assert other["items"] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("by", "colour"), ("since", "yesterday"), ("since", "2026-01-01T00:00:00"), ("zone", "Mars/Phobos"),
     ("zone", "../../etc/passwd"), ("limit", "0"), ("limit", "501")],
)  # fmt: skip
async def test_a_wrong_question_is_400_and_names_the_field(client: httpx.AsyncClient, name: str, value: str) -> None:
    """GRD-8 PLT-8"""
    answer = await client.get("/api/usage", params={name: value})
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, name)
