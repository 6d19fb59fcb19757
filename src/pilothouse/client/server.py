"""Speaks to a running Pilothouse over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any, Self
from urllib.parse import quote, urlsplit
from uuid import uuid4

import httpx

from pilothouse.client.voice import Json
from pilothouse.errors import NoServer, Refused
from pilothouse.words import say, speaking

TIMEOUT_SECONDS = 30.0


class Server:
    def __init__(self, url: str, token: str = "", http: httpx.Client | None = None, door: str | None = None) -> None:
        """Comes in by the Unix socket `door`, else with the token."""
        self.url = url.rstrip("/")
        self.door = door
        self.login = {"Authorization": f"Bearer {token}"} if token else {}
        # A proxy named in the environment is not for this machine.
        self.is_local = _is_local(self.url)
        self._http = http or httpx.Client(
            base_url=self.url,
            timeout=TIMEOUT_SECONDS,
            trust_env=not self.is_local,
            transport=httpx.HTTPTransport(uds=door) if door else None,
        )
        self._http.headers.update({**self.login, "Accept-Language": speaking.get()})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, **query: object) -> Json:
        given = {name: value for name, value in query.items() if value is not None}
        return self._answer("GET", path, params=given)

    def post(self, path: str, body: Json | None = None) -> Json:
        """Counts once, even if the answer is lost and it is sent again."""
        key = {"Idempotency-Key": uuid4().hex}
        try:
            return self._answer("POST", path, json=body or {}, headers=key)
        except NoServer as error:
            if not error.sent:
                raise
            return self._answer("POST", path, json=body or {}, headers=key)

    def task(self, task_id: str) -> Json | None:
        """None when it is gone: a queued task that is cancelled leaves no trace."""
        try:
            return self.get(task_path(task_id))
        except Refused as error:
            if error.status == 404:
                return None
            raise

    def seq(self) -> int:
        """The newest event. Whoever listens from here misses nothing of what they do next."""
        return int(self.get("/api/state")["seq"])

    def submit(self, project: str, message: Json, title: str | None = None, session: str | None = None) -> Json:
        """Sends a message, in a new session or in the one with that slug; returns the task."""
        if session:
            known = self.post("/api/projects", {"path": project})
            return self.post(f"/api/sessions/{known['id']}/{quote(session, safe='')}/messages", message)
        body: Json = {"project_path": project, "message": message}
        made = self.post("/api/sessions", body | ({"title": title} if title else {}))
        return self.get(task_path(made["current_task_id"]))

    def output(self, task_id: str, attempt: int, offset: int = 0) -> Iterator[tuple[str, int]]:
        """What an attempt printed after `offset`, in pieces, each with the offset behind it."""
        while True:
            page = self.get(f"{task_path(task_id)}/output", attempt=attempt, offset=offset)
            yield page["text"], max(page["next_offset"], offset)
            if page["next_offset"] <= offset or page["next_offset"] >= page["total"]:
                return
            offset = page["next_offset"]

    def address(self, task: Json) -> str:
        """The address of its page."""
        return f"{self.url}/sessions/{task['project_id']}/{task['session_slug']}"

    def _answer(self, method: str, path: str, **more: Any) -> Json:
        try:
            response = self._http.request(method, path, **more)
        except httpx.TransportError as error:
            sent = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            raise NoServer(
                say("server.no_answer", url=self.url, problem=str(error) or type(error).__name__), sent
            ) from None
        try:
            said = response.json()
        except ValueError:
            said = None
        if response.is_success and isinstance(said, dict):
            return said
        if isinstance(said, dict) and "error" in said:
            details = said.get("details") or {}
            raise Refused(response.status_code, said["error"], said["message"], said.get("next_action", ""), details)
        raise NoServer(say("server.other", url=self.url, status=str(response.status_code)), sent=False)


def task_path(task_id: str) -> str:
    return f"/api/tasks/{quote(task_id, safe='')}"


def _is_local(url: str) -> bool:
    name = urlsplit(url).hostname or ""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
