"""Bad input everywhere: refused with the field named, and nothing changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from pilothouse.domain.session.session import SessionKind
from pilothouse.server.app import create_app
from pilothouse.server.bodies import BODY_LIMIT
from pilothouse.store import idempotency
from pilothouse.store.session import sessions
from pilothouse.workflows.chat import Opening
from tests.server.web import BEARER, client_of, services_of
from tests.workbench import Workbench

JSON = {"Content-Type": "application/json"}


async def _post(client: httpx.AsyncClient, path: str, body: bytes) -> httpx.Response:
    return await client.post(path, content=body, headers=JSON)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{}", "path"),
        (b'{"path": 3}', "path"),
        (b'{"path": null}', "path"),
        (b'{"path": "   "}', "path"),
        (b'{"path": "/tmp", "more": 1}', "more"),
        (b'{"path": "/tmp/\\u0000"}', "path"),
        (b'{"path": "/tmp/\\u001b[31m"}', "path"),
        (b'{"path": "/tmp/\\ud800"}', "body"),
        (b'{"path": "/tmp/\xff"}', "body"),
        (b'{"path": "/tmp"', "body"),
        (b'{"path": NaN}', "body"),
        (b"[1]", "body"),
        (b"", "body"),
        (b'{"path":' + b"[" * 5000 + b"]" * 5000 + b"}", "body"),
        (b'{"path":' + b"[" * 500 + b"]" * 500 + b"}", "body"),
        (b'{"path": "' + b"/x" * 3000 + b'"}', "path"),
    ],
)
async def test_bad_input_is_400_with_the_field_named(client: httpx.AsyncClient, body: bytes, field: str) -> None:
    """PLT-8"""
    answer = await _post(client, "/api/projects", body)
    assert answer.status_code == 400, answer.text
    told = answer.json()
    assert told["error"] == "invalid_input"
    assert told["details"]["field"] == field
    assert told["next_action"]
    assert (await client.get("/api/projects")).json()["items"] == []


async def test_without_the_json_content_type_nothing_is_taken(client: httpx.AsyncClient, bench: Workbench) -> None:
    """BYD-12: a form of another site cannot send JSON"""
    body = json.dumps({"path": str(bench.repo)}).encode()
    answer = await client.post("/api/projects", content=body, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 400


@pytest.mark.parametrize("path", ["/api/projects", "/api/login", "/api/nothing", "/api/tasks/x/reply"])
async def test_a_huge_body_is_413_whether_its_length_is_told_or_not(client: httpx.AsyncClient, path: str) -> None:
    """RPL-2 PLT-8"""
    huge = b'{"path": "' + b"x" * BODY_LIMIT + b'"}'

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(huge), 65536):
            yield huge[start : start + 65536]

    for content in (huge, chunks()):
        answer = await client.post(path, content=content, headers=JSON)
        assert answer.status_code == 413
        assert answer.json()["error"] == "too_large"


async def test_a_body_that_never_ends_is_refused_while_it_is_read(client: httpx.AsyncClient) -> None:
    """PLT-8"""
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 100 * BODY_LIMIT:
            sent += 65536
            yield b" " * 65536

    assert (await client.post("/api/projects", content=endless(), headers=JSON)).status_code == 413
    assert sent <= BODY_LIMIT + 65536


async def test_control_characters_in_an_address_are_400(client: httpx.AsyncClient) -> None:
    """PLT-8"""
    for path in ("/api/tasks/%00", "/api/sessions?q=%00", "/api/sessions/a/%1b"):
        answer = await client.get(path)
        assert answer.status_code == 400, path
        assert answer.json()["error"] == "invalid_input"


async def test_text_is_kept_as_it_was_typed(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-8: glossary 24"""
    text = "<b>Ünïcödé</b> & 日本語\n\tindented\r\n“quoted” 🚢 [[nothing]]"
    body = {"project_path": str(bench.repo), "title": "<script>x</script>", "agent": "rehearsal",
            "message": {"text": text}}  # fmt: skip
    made = await client.post("/api/sessions", json=body)
    assert made.status_code == 201, made.text
    assert made.json()["title"] == "<script>x</script>"
    tasks = (await client.get(f"/api/sessions/{made.json()['project_id']}/{made.json()['slug']}/tasks")).json()
    assert tasks["items"][0]["prompt"] == text


async def test_the_same_key_and_body_gets_the_recorded_answer_even_after_a_restart(
    client: httpx.AsyncClient, bench: Workbench
) -> None:
    """PLT-2: actions are sent once"""
    body = {"project_path": str(bench.repo), "title": "Once"}
    headers = {"Idempotency-Key": "key-1"}
    first = await client.post("/api/sessions", json=body, headers=headers)
    again = await client.post("/api/sessions", json=body, headers=headers)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert again.headers["idempotency-replayed"] == "true"
    async with client_of(create_app(services_of(bench)), **BEARER) as restarted:
        third = await restarted.post("/api/sessions", json=body, headers=headers)
    assert third.json() == first.json()
    project = first.json()["project_id"]
    assert await bench.store.read(lambda c: sessions.count(c, project)) == 1


async def test_what_was_done_before_a_crash_took_its_answer_is_not_done_again(
    client: httpx.AsyncClient, bench: Workbench
) -> None:
    """PLT-2 BYD-8"""
    body = json.dumps({"project_path": str(bench.repo), "title": "Once"}).encode()
    # As far as a request gets when the server is killed right after its commit.
    mark = idempotency.Mark("key-9", "POST /api/sessions", hashlib.sha256(body).hexdigest())
    token = idempotency.current.set(mark)
    session, _ = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, "Once", None, None))
    idempotency.current.reset(token)
    headers = {"Idempotency-Key": "key-9", "Content-Type": "application/json"}
    again = await client.post("/api/sessions", content=body, headers=headers)
    assert (again.status_code, again.json()["error"]) == (409, "already_done")
    assert await bench.store.read(lambda c: sessions.count(c, session.project_id)) == 1


async def test_the_same_key_sent_twice_at_once_acts_once(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-2"""
    body, headers = {"project_path": str(bench.repo), "title": "Once"}, {"Idempotency-Key": "key-2"}
    answers = await asyncio.gather(*(client.post("/api/sessions", json=body, headers=headers) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_the_same_key_with_another_body_is_409(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-2"""
    headers = {"Idempotency-Key": "key-3"}
    body = {"project_path": str(bench.repo), "title": "One"}
    assert (await client.post("/api/sessions", json=body, headers=headers)).status_code == 201
    other = await client.post("/api/sessions", json={**body, "title": "Two"}, headers=headers)
    assert other.status_code == 409
    assert other.json()["error"] == "conflict"


async def test_a_refusal_is_decided_again_and_a_bad_key_is_400(client: httpx.AsyncClient, bench: Workbench) -> None:
    """PLT-2"""
    headers = {"Idempotency-Key": "key-4"}
    assert (await client.post("/api/projects", json={"path": "/nowhere"}, headers=headers)).status_code == 400
    assert (await client.post("/api/projects", json={"path": str(bench.repo)}, headers=headers)).status_code == 201
    for key in (b" ", b"x" * 201, "schlüssel".encode("latin-1")):
        answer = await client.post("/api/projects", json={"path": str(bench.repo)}, headers={b"Idempotency-Key": key})
        assert answer.status_code == 400
        assert answer.json()["details"]["field"] == "Idempotency-Key"
