"""The commands of a project over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.workbench import Workbench

TESTED = {"pytest.ini": "[pytest]\n", "test_calc.py": "import pytest\n\n\ndef test_add():\n    pass\n"}
YAML = "# ours\nverification:\n- {name: tests, command: make test, timeout: 5m}\nscouts: true\n"


@pytest.fixture
async def url(bench: Workbench) -> str:
    for name, text in TESTED.items():
        (bench.repo / name).write_text(text)
    project = await bench.projects.add(str(bench.repo))
    return f"/api/projects/{project.id}/commands"


async def look(client: httpx.AsyncClient, url: str) -> dict[str, Any]:
    answer = await client.get(url)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def test_what_was_found_is_shown_edited_and_saved(repo: Path, client: httpx.AsyncClient, url: str) -> None:
    """TSK-12"""
    found = await look(client, url)
    assert (found["origin"], found["text"], found["problems"]) == ("detected", None, [])
    assert [(check["name"], check["source"]) for check in found["checks"]] == [("tests", "pytest.ini")]
    assert found["checks"][0]["shown"].endswith("-m pytest")

    check = {"name": "quick tests", "command": ["pytest", "-x"], "timeout_seconds": 90}
    edited = await client.put(url, json={"checks": [check]})
    assert edited.status_code == 200, edited.text
    assert edited.json() == await look(client, url)
    assert edited.json()["origin"] == "edited"
    assert edited.json()["checks"] == [{**check, "shown": "pytest -x", "folder": "", "source": ""}]
    assert edited.json()["detected"] == found["detected"]

    proposed = edited.json()["proposed"]
    assert not (repo / "agent.yaml").exists()
    saved = await client.post(f"{url}/save", json={"text": proposed, "seen": None})
    assert saved.status_code == 200, saved.text
    assert (repo / "agent.yaml").read_text() == proposed == saved.json()["text"]
    assert (saved.json()["origin"], saved.json()["checks"]) == ("agent.yaml", edited.json()["checks"])


async def test_edited_checks_can_be_given_up(client: httpx.AsyncClient, url: str) -> None:
    """TSK-12"""
    found = await look(client, url)
    none = (await client.put(url, json={"checks": []})).json()
    assert (none["origin"], none["checks"]) == ("edited", [])
    assert (await client.put(url, json={"checks": None})).json() == found


async def test_an_edit_is_in_the_log_with_its_commands(bench: Workbench, client: httpx.AsyncClient, url: str) -> None:
    """PLT-2 TSK-12"""
    await client.put(url, json={"checks": [{"name": "t", "command": ["make", "a b"]}]})
    await client.put(url, json={"checks": None})
    await client.put(url, json={"checks": [{"name": "t", "command": " "}]})
    told = [event.data for event in bench.heard if event.type == "project.checks_changed"]
    assert [data.checks for data in told] == [["make 'a b'"], None]


async def test_a_broken_file_is_told_and_can_be_put_right(repo: Path, client: httpx.AsyncClient, url: str) -> None:
    """TSK-11"""
    broken = "verification:\n- name: tests\n  comand: make\n"
    (repo / "agent.yaml").write_text(broken)
    told = await look(client, url)
    assert (told["origin"], told["checks"], told["text"]) == ("agent.yaml", [], broken)
    assert told["problems"] == [
        {
            "line": 3,
            "column": 3,
            "message": "`comand` is not a setting here.",
            "suggestion": "Did you mean `command`?",
        }
    ]
    wrong = await client.post(f"{url}/save", json={"text": "verification: 3\n", "seen": broken})
    assert (wrong.status_code, wrong.json()["details"]["field"]) == (400, "text")
    assert wrong.json()["details"]["problems"][0]["line"] == 1
    assert (repo / "agent.yaml").read_text() == broken
    right = await client.post(f"{url}/save", json={"text": YAML, "seen": broken})
    assert (right.status_code, right.json()["problems"]) == (200, [])
    assert (repo / "agent.yaml").read_text() == YAML


async def test_a_file_that_cannot_be_shown_is_told_too(repo: Path, client: httpx.AsyncClient, url: str) -> None:
    """TSK-11"""
    (repo / "agent.yaml").write_bytes(b"agent: \xff\n")
    told = await look(client, url)
    assert (told["text"], told["problems"][0]["column"]) == (None, 8)
    assert (await client.post(f"{url}/save", json={"text": YAML, "seen": None})).status_code == 409
    assert (repo / "agent.yaml").read_bytes() == b"agent: \xff\n"


async def test_a_file_that_the_person_did_not_see_is_not_overwritten(
    repo: Path, client: httpx.AsyncClient, url: str
) -> None:
    """TSK-12"""
    (repo / "agent.yaml").write_text(YAML)
    for seen in (None, "", "verification: []\n", YAML + " "):
        refused = await client.post(f"{url}/save", json={"text": "scouts: false\n", "seen": seen})
        assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert (repo / "agent.yaml").read_text() == YAML


async def test_where_a_file_decides_edited_checks_are_refused(repo: Path, client: httpx.AsyncClient, url: str) -> None:
    """TSK-12"""
    (repo / "agent.yaml").write_text("scouts: true\n")
    assert (await client.put(url, json={"checks": []})).json()["origin"] == "edited"
    (repo / "agent.yaml").write_text(YAML)
    assert (await client.put(url, json={"checks": []})).json()["error"] == "conflict"
    (repo / "agent.yaml").write_text("verification: 3\n")
    assert (await client.put(url, json={"checks": []})).json()["error"] == "configuration"


BAD: list[tuple[object, str]] = [
    ("x", "checks"),
    ([{"name": "t"}], "checks.0.command"),
    ([{"name": "", "command": "x"}], "checks.0.name"),
    ([{"name": "a/b", "command": "x"}], "checks.0.name"),
    ([{"name": "t", "command": " "}], "checks.0.command"),
    ([{"name": "t", "command": []}], "checks.0.command"),
    ([{"name": "t", "command": ["", "x"]}], "checks.0.command"),
    ([{"name": "t", "command": [1]}], "checks.0.command"),
    ([{"name": "t", "command": {"run": "x"}}], "checks.0.command"),
    ([{"name": "t", "command": "a\0b"}], "checks"),
    ([{"name": "t", "command": "x", "timeout_seconds": 0}], "checks.0.timeout_seconds"),
    ([{"name": "t", "command": "x", "timeout_seconds": -1}], "checks.0.timeout_seconds"),
    ([{"name": "t", "command": "x", "timeout_seconds": 86401}], "checks.0.timeout_seconds"),
    ([{"name": "t", "command": "x", "folder": "../x"}], "checks.0.folder"),
    ([{"name": "t", "command": "x", "folder": "/etc"}], "checks.0.folder"),
    ([{"name": "t", "command": "x", "folder": "nowhere"}], "checks.0.folder"),
    ([{"name": "t", "command": "x"}, {"name": "t", "command": "y"}], "checks.1.name"),
    ([{"name": f"t{n}", "command": "x"} for n in range(51)], "checks"),
    ([{"name": "t", "command": "x", "more": 1}], "checks.0.more"),
]


async def test_bad_checks_are_400_naming_the_field(client: httpx.AsyncClient, url: str) -> None:
    """PLT-8 TSK-12"""
    for checks, field in BAD:
        answer = await client.put(url, json={"checks": checks})
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, field), answer.text
    assert (await look(client, url))["origin"] == "detected"


async def test_an_edit_is_carried_out_once_for_a_key(repo: Path, client: httpx.AsyncClient, url: str) -> None:
    """PLT-9"""
    key = {"Idempotency-Key": "once"}
    body = {"checks": [{"name": "t", "command": "x"}]}
    first = await client.put(url, json=body, headers=key)
    await client.put(url, json={"checks": None})
    again = await client.put(url, json=body, headers=key)
    assert (again.json(), again.headers["idempotency-replayed"]) == (first.json(), "true")
    assert (await look(client, url))["origin"] == "detected"
    saved = [await client.post(f"{url}/save", json={"text": YAML, "seen": None}, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in saved] == [200, 200]


async def test_nothing_is_saved_while_a_task_is_at_work_or_holds_the_tree(
    bench: Workbench, repo: Path, client: httpx.AsyncClient, url: str
) -> None:
    """TSK-12"""
    body = {"project_path": str(repo), "agent": "rehearsal"}
    made = (await client.post("/api/sessions", json={**body, "message": {"text": "Ask. [[asks]]"}})).json()
    await bench.until_event("task.awaiting", made["current_task_id"])
    refused = await client.post(f"{url}/save", json={"text": YAML, "seen": None})
    assert (refused.status_code, refused.json()["error"]) == (409, "workspace_busy")
    assert not (repo / "agent.yaml").exists()


async def test_an_unknown_project_is_404(client: httpx.AsyncClient) -> None:
    """PLT-8"""
    url = "/api/projects/none/commands"
    answers = [
        await client.get(url),
        await client.put(url, json={"checks": None}),
        await client.post(f"{url}/save", json={"text": YAML, "seen": None}),
    ]
    assert [answer.status_code for answer in answers] == [404] * 3
