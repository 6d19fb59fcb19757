"""What of a project's checks is accepted, over HTTP."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pilothouse.domain.task.task import Task, TaskStatus
from tests.workbench import Workbench, git

YAML = "verification:\n  - {name: tests, command: sh check.sh}\n"


@pytest.fixture
async def begun(repo: Path, bench: Workbench) -> Task:
    (repo / "agent.yaml").write_text(YAML)
    (repo / "check.sh").write_text("grep -q add calc.py\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    _, task = await bench.begin("Fix it. [[fix-add]]")
    return await bench.rest(task, TaskStatus.COMPLETE)


async def test_what_differs_is_shown_and_accepted_as_it_was_seen(
    begun: Task, repo: Path, bench: Workbench, client: httpx.AsyncClient
) -> None:
    """BYD-17"""
    path = f"/api/projects/{begun.project_id}/commands"
    pin = (await client.get(f"{path}/pin")).json()
    assert (pin["pinned"]["files"], pin["differences"]) == (["agent.yaml", "check.sh"], [])
    assert [check["shown"] for check in pin["pinned"]["checks"]] == ["sh check.sh"]

    (repo / "check.sh").write_text("grep -q add calc.py || true\n")
    (repo / "agent.yaml").write_text(YAML.replace("check.sh", "check.sh --fast"))
    pin = (await client.get(f"{path}/pin")).json()
    shown = {one["path"]: one["diff"] for one in pin["differences"]}
    assert set(shown) == {None, "agent.yaml", "check.sh"}
    assert "+grep -q add calc.py || true" in shown["check.sh"]
    assert "-tests: sh check.sh\n+tests: sh check.sh --fast" in shown[None]

    (repo / "check.sh").write_text("true\n")
    wanted = {"reason": "It is faster.", "seen": pin["seen"]}
    assert (await client.post(f"{path}/accept", json=wanted)).status_code == 409
    now = (await client.get(f"{path}/pin")).json()["seen"]
    answer = await client.post(f"{path}/accept", json={"reason": "It is faster.", "seen": now})
    assert answer.status_code == 200
    assert (answer.json()["differences"], answer.json()["pinned"]["reason"]) == ([], "It is faster.")
    assert [event.type for event in bench.heard].count("project.checks_accepted") == 1


async def test_commands_that_a_person_writes_are_accepted_with_it_and_no_script_beside_them(
    begun: Task, repo: Path, client: httpx.AsyncClient
) -> None:
    """BYD-17 TSK-12"""
    path = f"/api/projects/{begun.project_id}/commands"
    (repo / "check.sh").write_text("true\n")
    text = YAML.replace("sh check.sh", "sh check.sh --all")
    saved = await client.post(f"{path}/save", json={"text": text, "seen": YAML})
    assert saved.status_code == 200
    pin = (await client.get(f"{path}/pin")).json()
    assert [check["shown"] for check in pin["pinned"]["checks"]] == ["sh check.sh --all"]
    assert [one["path"] for one in pin["differences"]] == ["check.sh"]
