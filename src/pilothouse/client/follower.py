"""Follows one task until it ends or waits for a person."""

from __future__ import annotations

from pilothouse.client.server import Server
from pilothouse.client.stream import Stream
from pilothouse.client.voice import Json, Voice

MOVING = frozenset({"QUEUED", "RUNNING"})
_MOVES = frozenset(
    {"task.started", "task.awaiting", "task.completed", "task.failed", "task.stuck", "task.cancelled", "task.resumed"}
)


class Follower:
    def __init__(self, server: Server, task: Json, since: int, voice: Voice) -> None:
        self._server, self._voice = server, voice
        self._id: str = task["task_id"]
        self._stream = Stream(server, since, task["session_id"], (self._id,))
        self._attempt = 0
        self._offset = 0
        self._waited_for = ""

    def from_start(self, attempt: int) -> None:
        """Tells what an attempt has printed so far, and continues from there."""
        self._read_up_to(attempt)

    def until_rest(self, seconds: float | None = None) -> Json | None:
        """Returns the task when it ends or waits, or after `seconds`; None when it was cancelled before it began."""
        for item in self._stream.items(seconds):
            if not self._is_ours(item):
                continue
            self._voice.item(item)
            if item["type"] == "output":
                self._output(item)
            elif item["type"] == "event":
                self._voice.event(item["event"]["type"], item["event"]["data"])
            if not _may_have_moved(item):
                continue
            task = self._server.task(self._id)
            if task is None:
                return None
            self._queue(task)
            if task["status"] not in MOVING:
                if task["attempt"]:
                    self._read_up_to(task["attempt"])
                return task
        return self._server.task(self._id)

    def _is_ours(self, item: Json) -> bool:
        match item["type"]:
            case "event":
                return bool(item["event"]["task_id"] == self._id)
            case "output" | "progress":
                return bool(item["task_id"] == self._id)
            case kind:
                return kind in ("ready", "queue")

    def _queue(self, task: Json) -> None:
        waits_for = task.get("waits_for") or ""
        if task["status"] == "QUEUED" and waits_for != self._waited_for:
            self._waited_for = waits_for
            self._voice.queued(task)

    def _output(self, item: Json) -> None:
        if item["attempt"] != self._attempt or item["offset"] > self._offset:
            self._read_up_to(item["attempt"])
        data = item["text"].encode()
        known = max(0, self._offset - item["offset"])
        if known < len(data):
            self._say(data[known:].decode(errors="replace"), item["offset"] + len(data))

    def _read_up_to(self, attempt: int) -> None:
        """Tells what the server has of the attempt by now."""
        if attempt != self._attempt:
            self._attempt, self._offset = attempt, 0
        for text, end in self._server.output(self._id, attempt, self._offset):
            self._say(text, end)

    def _say(self, text: str, end: int) -> None:
        self._offset = end
        if text:
            self._voice.text(text)


def _may_have_moved(item: Json) -> bool:
    return item["type"] in ("ready", "queue") or (item["type"] == "event" and item["event"]["type"] in _MOVES)
