"""The command line, as a person runs it."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import psutil
import pytest

from pilothouse import __version__
from tests.server.processes import TOKEN, environment, listening, pilothouse, server, stop, until_event
from tests.workbench import make_repository

SCENARIOS = "scenarios:\n  waits:\n    - write: {path: half.txt, text: half}\n    - stall: true\n"


def test_first_run_obeys_the_environment_and_offers_the_sample(tmp_path: Path) -> None:
    """PLT-3 PLT-4 PLT-6 WEB-1"""
    with server(tmp_path / "data") as (process, client):
        assert client.get("/health").json()["version"] == __version__
        (sample,) = client.get("/api/projects").json()["items"]
        assert (sample["sample"], sample["agent"], len(sample["suggestions"])) == (True, "rehearsal", 3)
        memory = psutil.Process(process.pid).memory_info().rss / 2**20
        assert memory <= 120, f"{memory:.0f} MB"
        assert stop(process) == 0
    log = (tmp_path / "data" / "logs" / "server.log").read_text()
    assert TOKEN not in log


def test_the_sample_is_offered_once_and_not_again_to_a_person_who_removed_it(tmp_path: Path) -> None:
    """PLT-3"""
    with server(tmp_path / "data") as (process, _):
        assert stop(process) == 0
    with server(tmp_path / "data") as (process, client):
        assert len(client.get("/api/projects").json()["items"]) == 1
        shutil.rmtree(tmp_path / "data" / "sample")
        stop(process)
    with server(tmp_path / "data") as (_, client):
        (known,) = client.get("/api/projects").json()["items"]
        assert "does not exist" in known["problem"]


def test_going_down_interrupts_what_runs_and_the_next_start_asks_the_person(tmp_path: Path) -> None:
    """PLT-4"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    body = {"project_path": str(repo), "agent": "rehearsal", "message": {"text": "Wait. [[waits]]"}}
    with server(tmp_path / "data", SHUTDOWN_WAIT_SECONDS="0.2", STOP_GRACE_SECONDS="0.5") as (process, client):
        made = client.post("/api/sessions", json=body).json()
        task = f"/api/tasks/{made['current_task_id']}"
        until_event(client, "step.tool_finished", made["current_task_id"])
        assert client.get(task).json()["status"] == "RUNNING"
        below = psutil.Process(process.pid).children(recursive=True)
        assert below
        assert stop(process) == 0
        assert [child for child in below if child.is_running() and child.status() != psutil.STATUS_ZOMBIE] == []
    with server(tmp_path / "data") as (_, client):
        shown = client.get(task).json()
        assert (shown["status"], shown["awaiting"]) == ("AWAITING_RESPONSE", "interrupted")
        assert (repo / "half.txt").read_text() == "half"


def test_asked_twice_it_leaves_at_once_and_takes_the_agents_along(tmp_path: Path) -> None:
    """PLT-4"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    body = {"project_path": str(repo), "agent": "rehearsal", "message": {"text": "Wait. [[waits]]"}}
    with server(tmp_path / "data", SHUTDOWN_WAIT_SECONDS="600") as (process, client):
        made = client.post("/api/sessions", json=body).json()
        until_event(client, "step.tool_finished", made["current_task_id"])
        below = psutil.Process(process.pid).children(recursive=True)
        with listening(client) as socket_:
            process.send_signal(signal.SIGINT)
            told = next(item for item in socket_ if item["type"] == "runner")
            assert told["state"] == "stopping"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=120) == 1
        assert psutil.wait_procs(below, timeout=120)[1] == []


def test_a_port_in_use_is_said_plainly(tmp_path: Path) -> None:
    """PLT-3"""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = pilothouse("serve", "--port", port, data_dir=tmp_path)
    assert refused.returncode == 1
    assert f"Port {port} is already in use" in refused.stderr
    assert "--port" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_second_server_on_the_same_data_is_refused(tmp_path: Path) -> None:
    """PLT-4"""
    with server(tmp_path):
        refused = pilothouse("serve", data_dir=tmp_path)
    assert refused.returncode == 1
    assert "Another Pilothouse is using" in refused.stderr


def test_a_bad_setting_is_named(tmp_path: Path) -> None:
    """PLT-6"""
    refused = pilothouse("serve", data_dir=tmp_path, PORT="eighty")
    assert refused.returncode == 2
    assert "PORT" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_doctor_says_what_is_well_and_what_is_not(tmp_path: Path) -> None:
    """PLT-3"""
    well = pilothouse("doctor", data_dir=tmp_path / "data")
    assert well.returncode == 0, well.stdout + well.stderr
    for name in ("python", "git", "data directory", "disk", "port", "database", "agent rehearsal", "confinement"):
        assert f"ok    {name}:" in well.stdout
    (tmp_path / "file").write_text("")
    ill = pilothouse("doctor", data_dir=tmp_path / "file")
    assert ill.returncode == 1
    assert "FAIL  data directory" in ill.stdout
    assert "DATA_DIR" in ill.stdout


def test_verify_log_names_the_first_broken_link(tmp_path: Path) -> None:
    """BYD-3"""
    with server(tmp_path) as (process, _):
        stop(process)
    good = pilothouse("verify-log", data_dir=tmp_path)
    assert (good.returncode, "unbroken" in good.stdout) == (0, True), good.stderr
    with sqlite3.connect(tmp_path / "pilothouse.db") as database:
        database.execute("UPDATE events SET data = replace(data, 'sample', 'forged') WHERE seq = 1")
    database.close()
    bad = pilothouse("verify-log", data_dir=tmp_path)
    assert bad.returncode == 1
    assert "Broken at event 1" in bad.stderr


def test_doctor_and_verify_log_look_at_a_running_server(tmp_path: Path) -> None:
    """PLT-3 BYD-6"""
    with server(tmp_path) as (process, client):
        port = str(client.base_url.port)
        well = pilothouse("doctor", "--port", port, data_dir=tmp_path)
        log = pilothouse("verify-log", data_dir=tmp_path)
        assert well.returncode == 0, well.stdout
        assert f"ok    server: Pilothouse is running on port {port}" in well.stdout
        assert "unbroken" in well.stdout
        assert (log.returncode, "unbroken" in log.stdout) == (0, True), log.stderr
        stop(process)
    stopped = pilothouse("doctor", "--port", port, data_dir=tmp_path)
    assert "server:" not in stopped.stdout
    assert "ok    port" in stopped.stdout


def test_doctor_makes_no_database(tmp_path: Path) -> None:
    """PLT-3"""
    assert "none yet" in pilothouse("doctor", data_dir=tmp_path).stdout
    assert not (tmp_path / "pilothouse.db").exists()


def test_version_token_and_openapi_are_printed(tmp_path: Path) -> None:
    """PLT-3 BYD-12"""
    assert pilothouse("--version", data_dir=tmp_path).stdout == f"pilothouse {__version__}\n"
    link = pilothouse("token", "--port", "4000", data_dir=tmp_path).stdout
    assert link == f"http://127.0.0.1:4000/#token={TOKEN}\n"
    document = json.loads(pilothouse("openapi", data_dir=tmp_path).stdout)
    assert "/api/tasks/{task_id}/reply" in document["paths"]
    assert "StreamFrame" in document["components"]["schemas"]


@pytest.mark.parametrize("options", [("--lan",), ("--host", "0.0.0.0")])  # noqa: S104 - a setting under test
def test_the_network_is_never_open_without_login(tmp_path: Path, options: tuple[str, ...]) -> None:
    """BYD-12: glossary 18"""
    process = subprocess.Popen(
        [sys.executable, "-m", "pilothouse.cli", "serve", *options],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        port = int(process.stdout.readline().split()[-1])
        assert "#token=" in process.stdout.readline()
        assert httpx.get(f"http://127.0.0.1:{port}/api/state").status_code == 401
        assert httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
