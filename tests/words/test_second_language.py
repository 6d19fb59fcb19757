"""A further language is a further file: nothing else changes, and everybody is answered in their own."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run
from typing import Any

import httpx
import orjson
import pytest

import pilothouse
from pilothouse.words import FOLDER, SOURCE
from tests.server.processes import environment, server

PACKAGE = Path(pilothouse.__file__).parent
MADE_UP = {"Accept-Language": "xx-YY, en;q=0.5"}


def _marked(entries: dict[str, Any]) -> dict[str, Any]:
    return {name: _marked(text) if isinstance(text, dict) else f"«{text}»" for name, text in entries.items()}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The package as it is, and beside its catalogue one of a language that does not exist."""
    package = tmp_path / "sources" / "pilothouse"
    words = package / "words"
    words.mkdir(parents=True)
    for entry in PACKAGE.iterdir():
        if entry.name not in (FOLDER.name, "static"):
            (package / entry.name).symlink_to(entry)
    (package / "static").mkdir()
    (package / "static" / "index.html").write_text('<html lang="en"><head>__CSP_NONCE__</head></html>')
    for file in FOLDER.glob("*.*"):
        (words / file.name).symlink_to(file)
    catalogue = orjson.loads((FOLDER / f"{SOURCE}.json").read_bytes())
    made_up = {**catalogue, "language": {"name": "Marked", "plurals": {}, "thousands": " "}}
    for section in ("said", "shared", "page"):
        made_up[section] = _marked(catalogue[section])
    (words / "xx.json").write_bytes(orjson.dumps(made_up))
    return package.parent


@pytest.fixture
def client(sources: Path, tmp_path: Path) -> Iterator[httpx.Client]:
    with server(tmp_path / "data", PYTHONPATH=str(sources)) as (_, found):
        yield found


def test_the_command_line_speaks_the_language_of_its_user(sources: Path, tmp_path: Path) -> None:
    """PLT-11"""
    for locale, begins in (("xx_YY.UTF-8", "«No Pilothouse is running on"), ("C.UTF-8", "No Pilothouse is running on")):
        done = run(
            [sys.executable, "-m", "pilothouse.cli", "sessions"],
            env=environment(tmp_path, PYTHONPATH=str(sources), LANG=locale),
            capture_output=True,
            text=True,
            check=False,
        )
        assert begins in done.stderr


def test_its_help_does_too(sources: Path, tmp_path: Path) -> None:
    """PLT-11"""
    asked = [sys.executable, "-m", "pilothouse.cli", "task", "--help"]
    for locale, command, option in (
        ("xx_YY.UTF-8", "«Give the", "«The repository"),
        ("C.UTF-8", "Give the", "The repo"),
    ):
        variables = environment(tmp_path, PYTHONPATH=str(sources), LANG=locale, COLUMNS="200", NO_COLOR="1")
        told = run(asked, env=variables, capture_output=True, text=True, check=True).stdout
        assert f" {command}" in told
        assert f" {option}" in told


def test_an_answer_comes_in_the_language_that_was_asked_for(client: httpx.Client) -> None:
    """PLT-11"""
    path = "/api/tasks/nothing"
    english = client.get(path).json()
    assert english["message"].startswith("There is no such task")
    marked = client.get(path, headers=MADE_UP).json()
    assert marked["message"] == f"«{english['message']}»"
    assert marked["next_action"] == f"«{english['next_action']}»"
    assert marked["said"] == english["said"] == {"code": "task.gone", "params": {}}


def test_a_wrong_field_is_told_in_words_of_ours(client: httpx.Client) -> None:
    """PLT-11 BYD-11"""
    message: dict[str, object] = {"text": "x", "agent": 1, "dry_run": "perhaps", "timeout_profile": "never", "more": 1}
    body = {"title": "t" * 1000, "message": message}
    refused = client.post("/api/sessions", json=body, headers=MADE_UP)
    assert refused.status_code == 400
    told = [problem["problem"] for problem in refused.json()["details"]["problems"]]
    assert len(told) >= 5
    assert "«is missing»" in told
    assert "«must be one of: ««standard, long», extended»»" in told
    assert all(text.startswith("«") and text.endswith("»") for text in told)


def test_every_wrong_setting_is_told_in_words_of_ours(sources: Path, tmp_path: Path) -> None:
    """BYD-11"""
    variables = environment(tmp_path, PYTHONPATH=str(sources), LANG="xx_YY.UTF-8", PORT="eighty", CLAUDE_KEPT="-1")
    asked = [sys.executable, "-m", "pilothouse.cli", "serve"]
    told = run(asked, env=variables, capture_output=True, text=True, check=False).stderr
    assert "«PORT «must be a whole number». See docs/settings.md.»" in told
    assert "«CLAUDE_KEPT «must be at least 0». See docs/settings.md.»" in told


def test_what_a_queued_task_waits_for_is_told_in_both_languages(client: httpx.Client) -> None:
    """PLT-11 TSK-3"""
    project = client.get("/api/projects").json()["items"][0]
    workspace = project["workspace"]["id"]
    client.post(f"/api/workspaces/{workspace}/hold", json={"reason": "Lunch"})
    message = {"text": "[[fix-fee]]", "agent": "rehearsal"}
    made = client.post("/api/sessions", json={"project_path": project["path"], "message": message}).json()
    path = f"/api/tasks/{made['current_task_id']}"
    english, marked = (client.get(path, headers=headers).json() for headers in ({}, MADE_UP))
    assert english["waits_for"] == "The queue is held: Lunch"
    assert marked["waits_for"] == "«The queue is held: Lunch»"


def test_the_engine_speaks_it_and_keeps_english_beside_it(client: httpx.Client, sources: Path, tmp_path: Path) -> None:
    """PLT-11 BYD-6"""
    project = client.get("/api/projects").json()["items"][0]["path"]
    body = {"project_path": project, "message": {"text": "[[fix-fee]]", "agent": "nobody"}}
    refused = client.post("/api/sessions", json=body, headers=MADE_UP).json()
    assert refused["message"].startswith("«There is no agent “nobody”. Known: ««")

    variables = environment(tmp_path / "data", PYTHONPATH=str(sources), LANG="xx_YY.UTF-8")
    pilothouse = [sys.executable, "-m", "pilothouse.cli"]
    asked = [*pilothouse, "task", "[[fix-fee]]", "--project", project, "--agent", "rehearsal", "--follow"]
    address = ["--url", str(client.base_url)]
    followed = run([*asked, *address], env=variables, capture_output=True, text=True, check=False)
    assert "» «Making changes»" in followed.stdout, followed.stderr

    task = client.get("/api/sessions").json()["items"][0]["current_task_id"]
    english, marked = (_milestones(client, task, headers) for headers in ({}, MADE_UP))
    assert "Making changes" in [text for text, _ in english]
    assert marked == [(f"«{text}»", said) for text, said in english]
    assert run([*pilothouse, "verify-log"], env=variables, capture_output=True, check=False).returncode == 0


def _milestones(client: httpx.Client, task: str, headers: dict[str, str]) -> list[tuple[str, Any]]:
    events = client.get(f"/api/tasks/{task}/events", headers=headers).json()["items"]
    told = [event["data"] for event in events if event["type"] == "task.milestone"]
    return [(data["text"], data["said"]) for data in told]


def test_the_page_is_given_its_words(client: httpx.Client) -> None:
    """PLT-11"""
    page = client.get("/", headers=MADE_UP).text
    assert page.startswith('<html lang="xx">')
    words = re.search(r'<script id="words" type="application/json">([^<]*)</script></head>', page)
    assert words
    assert orjson.loads(words[1])["page"]["common"]["close"] == "«Close»"
    english = client.get("/").text
    assert english.startswith('<html lang="en">')
    assert "words" not in english
