"""Restart: another process answers at the same place, and whoever started the first still holds it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.processes import TOKEN, listening, server, stop, until_event
from tests.workbench import make_repository

GOING_DOWN = 1012
SCENARIOS = "scenarios:\n  waits:\n    - write: {path: half.txt, text: half}\n    - stall: true\n"


@contextmanager
def served(tmp_path: Path, build: str = "echo built", **more: str) -> Iterator[tuple[Any, httpx.Client]]:
    (tmp_path / "build.sh").write_text(build)
    settings = {
        "PILOTHOUSE_BUILD_COMMAND": f"sh {tmp_path / 'build.sh'}",
        "SHUTDOWN_WAIT_SECONDS": "0.2",
        "STOP_GRACE_SECONDS": "1",
        **more,
    }
    with server(tmp_path / "data", **settings) as (process, client):
        while not client.get("/health").json()["checks"]["runner"]:
            pass
        yield process, client


def runner_of(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/runner").json()
    return found


def ended(client: httpx.Client, times: int = 1) -> dict[str, Any]:
    """Wait until this many operations have ended; the runner as it is then."""
    with listening(client) as items:
        events = (item["event"]["type"] for item in items if item["type"] == "event")
        for _ in range(times):
            next(type_ for type_ in events if type_ == "runner.operation_finished")
    return runner_of(client)


def restart(client: httpx.Client, times: int = 1) -> dict[str, Any]:
    """Ask for the first, second… restart and wait for its end."""
    with listening(client) as items:
        assert client.post("/api/runner/restart").status_code == 202
        with pytest.raises(ConnectionClosed) as closed:
            next(item for item in items if item["type"] == "never")
    assert closed.value.rcvd
    assert closed.value.rcvd.code == GOING_DOWN
    # Not refused: the listening socket is open all the while.
    return ended(client, times)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows a process's environment there")
def test_after_a_restart_neither_process_shows_the_token(tmp_path: Path) -> None:
    """BYD-23: the one that stays hands it to each server after it."""
    with served(tmp_path) as (process, client):
        restart(client)
        for pid in (process.pid, runner_of(client)["pid"]):
            assert TOKEN.encode() not in Path(f"/proc/{pid}/environ").read_bytes()


def test_a_restart_is_a_new_process_and_no_connection_is_refused(tmp_path: Path) -> None:
    """WEB-8"""
    with served(tmp_path) as (process, client):
        before = runner_of(client)
        assert before["pid"] == process.pid
        answers: list[int] = []
        over = threading.Event()

        def ask() -> None:
            while not over.is_set():
                # Each on a connection of its own.
                answers.append(httpx.get(f"{client.base_url}/health", timeout=120).status_code)

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            after = restart(client)
        finally:
            over.set()
            asking.join()
        assert set(answers) == {200}
        assert after["pid"] != before["pid"]
        assert after["boot_id"] != before["boot_id"]
        assert after["since"] > before["since"]
        operation = after["operation"]
        assert (operation["kind"], operation["outcome"]) == ("restart", "done")
        assert [phase["phase"] for phase in operation["phases"]] == ["build", "stop", "start"]
        assert all(phase["finished_at"] for phase in operation["phases"])
        log = client.get(f"/api/runner/operations/{operation['operation_id']}/output").json()
        assert "built\n[exit code 0" in log["text"]
        # Whoever started it still has it: the first pid stands for the new process.
        assert process.poll() is None
        assert psutil.Process(after["pid"]).ppid() == process.pid
        assert stop(process) == 0
        assert not psutil.pid_exists(after["pid"])


def test_a_second_restart_leaves_no_third_process(tmp_path: Path) -> None:
    """WEB-8"""
    with served(tmp_path) as (process, client):
        first = restart(client)
        second = restart(client, 2)
        assert second["pid"] != first["pid"]
        assert [child.pid for child in psutil.Process(process.pid).children()] == [second["pid"]]
        successor = psutil.Process(second["pid"])
        process.send_signal(signal.SIGKILL)
        process.wait()
        # Killed, it takes the server with it, as if it were the server.
        assert psutil.wait_procs([successor], timeout=120)[1] == []


def test_a_task_that_a_restart_interrupts_waits_for_the_person(tmp_path: Path) -> None:
    """WEB-8 WEB-1"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    body = {"project_path": str(repo), "agent": "rehearsal", "message": {"text": "Wait. [[waits]]"}}
    with served(tmp_path) as (process, client):
        task = client.post("/api/sessions", json=body).json()["current_task_id"]
        until_event(client, "step.tool_finished", task)
        (shown,) = runner_of(client)["tasks"]
        assert shown["task_id"] == task
        below = psutil.Process(process.pid).children(recursive=True)
        restart(client)
        assert [child for child in below if child.is_running() and child.status() != psutil.STATUS_ZOMBIE] == []
        found = client.get(f"/api/tasks/{task}").json()
        assert (found["status"], found["awaiting"]) == ("AWAITING_RESPONSE", "interrupted")
        assert "resume" in found["actions"]


def test_a_failed_build_keeps_the_process_and_its_task(tmp_path: Path) -> None:
    """WEB-8: glossary 20"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    body = {"project_path": str(repo), "agent": "rehearsal", "message": {"text": "Wait. [[waits]]"}}
    with served(tmp_path, "echo broken; exit 1") as (_, client):
        before = runner_of(client)
        task = client.post("/api/sessions", json=body).json()["current_task_id"]
        until_event(client, "step.tool_finished", task)
        client.post("/api/runner/restart")
        after = ended(client)
        assert (after["pid"], after["boot_id"], after["state"]) == (before["pid"], before["boot_id"], "running")
        assert (after["operation"]["outcome"], "broken" in after["operation"]["cause"]) == ("failed", True)
        assert client.get(f"/api/tasks/{task}").json()["status"] == "RUNNING"


def test_killed_in_the_middle_the_next_start_says_so(tmp_path: Path) -> None:
    """WEB-8"""
    with served(tmp_path, "echo begun; sleep 600") as (process, client):
        operation = client.post("/api/runner/restart").json()["operation"]
        process.send_signal(signal.SIGKILL)
        process.wait()
    with served(tmp_path) as (_, client):
        shown = ended(client)["operation"]
        assert (shown["operation_id"], shown["outcome"]) == (operation["operation_id"], "cut_short")
