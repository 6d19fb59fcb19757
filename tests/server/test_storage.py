"""A whole server on a disk that is full for a while, and with a database that goes away and comes back."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.disk import filled, small_disk
from tests.postgres import MISSING, cluster
from tests.server.conftest import SCENARIOS
from tests.server.processes import server, stop, until_event
from tests.workbench import make_repository

SIZE = 48 << 20


def _body(repo: Path, text: str = "") -> dict[str, object]:
    return {"project_path": str(repo), "agent": "rehearsal", "message": {"text": f"[[fix-add]] {text}"}}


def _health(client: httpx.Client) -> tuple[int, list[str]]:
    answer = client.get("/health")
    wrong = [problem for problem in answer.json()["problems"] if problem.startswith(("storage", "disk"))]
    return answer.status_code, wrong


def _refused(client: httpx.Client, repo: Path) -> tuple[httpx.Response, list[str]]:
    """Asks for work until it is refused. Also gives the tasks that still found room."""
    taken: list[str] = []
    for _ in range(500):
        answer = client.post("/api/sessions", json=_body(repo, "x" * 40_000))
        if answer.status_code != 201:
            return answer, taken
        taken.append(answer.json()["current_task_id"])
    raise AssertionError("nothing was refused")


def test_the_queue_waits_while_the_disk_is_full_and_goes_on_by_itself(tmp_path: Path) -> None:
    """PLT-3 PLT-5"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    with small_disk(tmp_path / "disk", SIZE) as disk, server(disk / "data") as (process, client):
        done = client.post("/api/sessions", json=_body(repo)).json()["current_task_id"]
        until_event(client, "task.completed", done)
        assert _health(client) == (200, [])
        with filled(disk):
            assert _health(client)[0] == 503
            refused, taken = _refused(client, repo)
            assert (refused.status_code, refused.json()["error"]) == (503, "storage_full")
            assert "goes on by itself" in refused.json()["next_action"]
            assert _health(client) == (503, ["storage_full", "disk_full"])
            assert client.get(f"/api/tasks/{done}").json()["status"] == "COMPLETE", "what is kept can be read"
            states = {client.get(f"/api/tasks/{task}").json()["status"] for task in taken}
            assert states <= {"QUEUED"}, "nothing begins that could not be kept"
        for task in taken[:3]:
            until_event(client, "task.completed", task)
        taken.append(client.post("/api/sessions", json=_body(repo)).json()["current_task_id"])
        assert _health(client) == (200, [])
        assert stop(process) == 0


def test_no_task_begins_that_could_not_keep_its_work(tmp_path: Path) -> None:
    """PLT-3: each of the queue would fail, one after another."""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    with small_disk(tmp_path / "disk", SIZE) as disk, server(disk / "data") as (process, client):
        log = disk / "data" / "logs" / "server.log"
        with filled(disk, left=8 << 20):
            assert _health(client) == (503, ["disk_full"])
            task = client.post("/api/sessions", json=_body(repo)).json()["current_task_id"]
            while not log.exists() or "the disk is full: workspace" not in log.read_text():
                assert client.get(f"/api/tasks/{task}").json()["status"] == "QUEUED"
        until_event(client, "task.completed", task)
        assert stop(process) == 0


def test_a_database_that_went_away_is_waited_for(tmp_path: Path) -> None:
    """PLT-3 BYD-9"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    with cluster() as postgres:
        if postgres is None:
            pytest.skip(MISSING)
        with server(tmp_path / "data", DATABASE_URL=postgres.create()) as (process, client):
            waiting = client.post("/api/sessions", json=_body(repo)).json()["current_task_id"]
            postgres.stop()
            assert _health(client) == (503, ["storage_away"])
            refused = client.post("/api/sessions", json=_body(repo))
            assert (refused.status_code, refused.json()["error"]) == (503, "storage_away")
            postgres.start()
            assert _health(client) == (200, [])
            until_event(client, "attempt.started", waiting)
            again = client.post("/api/sessions", json=_body(repo)).json()["current_task_id"]
            until_event(client, "task.completed", again)
            assert stop(process) == 0
