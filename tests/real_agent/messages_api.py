"""A loopback stand-in for the provider's Messages API: the real Claude program talks to it as to the real one.

    with MessagesApi() as api:
        env = api.env(home)                         # for a program, or for a whole Pilothouse server
        api.scenarios["greet"] = [say("Hello.")]    # “[[greet]]” in a prompt picks it
        api.next(say("First."), fail(529))          # or: the next answers, whatever is asked

A scenario is a list of answers. Which one is due is read from the request: the newest known marker in what the person
said, and how many tool calls the conversation has seen since, so that sessions do not disturb each other. Where there
is a scenario “greet.fix” or “greet.summary”, it is the one for such a turn of “[[greet]]”. `{cwd}` in a tool's input
stands for the program's working directory. The server runs in a thread of its own.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

from pilothouse.domain.agent import prompts

_MARK = re.compile(r"\[\[([\w.-]+)\]\]")
_CWD = re.compile(r"orking directory: ([^\n]+)")
_TURNS = {"fix": prompts.FIX, "summary": prompts.SUMMARY}


@dataclass(frozen=True)
class Answer:
    """What the model says to one request."""

    text: str = ""
    tools: tuple[tuple[str, dict[str, Any]], ...] = ()
    status: int = 200
    kind: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    chunk: int = 8
    pause: float = 0.0
    """Seconds between two pieces of text."""
    held: threading.Event | None = None
    """After the first piece, the rest waits for this."""
    cut_after: int | None = None
    """Pieces after which the connection is dropped."""
    broken_with: str = ""
    """An error of this kind comes in the middle of the stream, after the text."""
    usage: Mapping[str, int] = field(default_factory=dict)
    times: bool = False
    """Say the time instead of the text, piece by piece."""


def say(text: str, **more: Any) -> Answer:
    return Answer(text, **more)


def use(tool: str, text: str = "", **arguments: Any) -> Answer:
    return Answer(text, ((tool, arguments),))


def use_all(*calls: Answer) -> Answer:
    """Several tools in one answer."""
    return Answer(calls[0].text, tuple(call for answer in calls for call in answer.tools))


def fail(status: int, kind: str = "api_error", message: str = "refused", **headers: str) -> Answer:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(message, status=status, kind=kind, headers=given)


def cut(text: str, after: int) -> Answer:
    return Answer(text, cut_after=after)


QUESTION = {
    "question": "Which structure?",
    "header": "Structure",
    "multiSelect": False,
    "options": [
        {"label": "Flat (Recommended)", "description": "one folder"},
        {"label": "Nested", "description": "a folder each"},
    ],
}
LIMIT_RESETS = 1_900_000_000

SCENARIOS: dict[str, list[Answer]] = {
    "hello": [say("Hello from the stand-in.")],
    "stream": [say("The quick brown fox jumps over the lazy dog. " * 4, pause=0.02)],
    "write": [
        use("Write", "I will write it.", file_path="{cwd}/hello.txt", content="hello\n"),
        say("Wrote the file."),
    ],
    "outside": [use("Write", file_path="/tmp/pilothouse-outside.txt", content="x"), say("Went on.")],
    "run": [use("Bash", command="touch ran.txt && exit 3", description="Run it"), say("Ran it.")],
    "run-twice": [use("Bash", command="echo 1 >> runs.txt"), use("Bash", command="echo 1 >> runs.txt"), say("Ran.")],
    "look": [use("Bash", command="ls"), say("Looked.")],
    "two": [
        use_all(
            use("Write", file_path="{cwd}/one.txt", content="1"),
            use("Bash", command="touch two.txt"),
        ),
        say("Both done."),
    ],
    "ask": [use("AskUserQuestion", "I need a decision.", questions=[QUESTION]), say("Thanks, going on.")],
    "plan": [
        use("EnterPlanMode"),
        use("Write", file_path="{cwd}/early.txt", content="too early"),
        use("ExitPlanMode", "This is how.", plan="1. Read\n2. Write"),
        use("Write", file_path="{cwd}/planned.txt", content="as planned"),
        say("Carried out."),
    ],
    "steps": [
        use("Bash", "One.", command="touch begun; while [ ! -e go ]; do sleep 0.02; done"),
        use("Bash", "Two.", command="touch after"),
        say("End."),
    ],
    "long": [
        use("Bash", command="(setsid sleep 301 &) ; touch begun; while :; do sleep 0.1; done"),
        say("Never said."),
    ],
    "401": [fail(401, "authentication_error", "invalid x-api-key")],
    "429": [fail(429, "rate_limit_error", "This request would exceed the rate limit.")],
    "529": [fail(529, "overloaded_error", "Overloaded")],
    "limit": [
        fail(
            429,
            "rate_limit_error",
            "This request would exceed your account's rate limit.",
            anthropic_ratelimit_unified_status="rejected",
            anthropic_ratelimit_unified_reset=str(LIMIT_RESETS),
            anthropic_ratelimit_unified_representative_claim="five_hour",
            anthropic_ratelimit_unified_overage_status="rejected",
            x_should_retry="false",
        )
    ],
    "credit": [fail(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.")],
    "too-long": [fail(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum")],
    "cut": [cut("This stream is cut in the middle, and said again.", after=3)],
    "broken": [Answer("Half of it, then trouble.", broken_with="overloaded_error")],
}


class MessagesApi:
    def __init__(self) -> None:
        self.scenarios = dict(SCENARIOS)
        self.requests: list[dict[str, Any]] = []
        """Bodies of the requests for an answer, in their order."""
        self.keys: list[str] = []
        """What each of them logged in with."""
        self.visits: list[str] = []
        """The path of every request, whatever it was for."""
        self.workbench_tokens: list[str] = []
        """What a program said when it came for MCP tools at “/workbench”; it finds none."""
        self._due: deque[Answer] = deque()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="messages api", daemon=True)
        self._server: asyncio.Server | None = None
        self.url = ""

    def __enter__(self) -> MessagesApi:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def next(self, *answers: Answer) -> None:
        self._due.extend(answers)

    def env(self, home: Path) -> dict[str, str]:
        """For the program: it finds this server, keeps to `home`, and talks to nobody else."""
        return {
            "HOME": str(home),
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": "sk-test",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
        }

    @property
    def prompts(self) -> list[str]:
        """The newest words of the person in each request."""
        return [_said(request["messages"])[-1] for request in self.requests]

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.url = f"http://{host}:{port}"

    async def _close(self) -> None:
        if self._server:
            self._server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        path = path.partition("?")[0]
        self.visits.append(path)
        if path == "/workbench":
            self.workbench_tokens.append(headers.get("authorization", ""))
            return await _reply(writer, 404, {})
        if method != "POST" or not path.endswith("/messages"):
            count = {"input_tokens": len(body) // 4} if path.endswith("/count_tokens") else {}
            return await _reply(writer, 200, count)
        request = json.loads(body)
        if not request.get("tools"):
            # A title or a probe of the program's own.
            return await self._answer(writer, request, say("A title"))
        self.requests.append(request)
        self.keys.append(headers.get("x-api-key") or headers.get("authorization", ""))
        return await self._answer(writer, request, self._choose(request))

    def _choose(self, request: dict[str, Any]) -> Answer:
        if self._due:
            return self._due.popleft()
        name, turn = "hello", 0
        for message in request["messages"]:
            if message["role"] == "user":
                known = [mark for text in _texts(message) for mark in _marks(text) if mark in self.scenarios]
                name, turn = (known[-1], 0) if known else (name, turn)
            elif any(block.get("type") == "tool_use" for block in _blocks(message)):
                turn += 1
        answers = self.scenarios[name]
        return answers[min(turn, len(answers) - 1)]

    async def _answer(self, writer: asyncio.StreamWriter, request: dict[str, Any], answer: Answer) -> bool:
        if answer.status != 200:
            error = {"type": "error", "error": {"type": answer.kind, "message": answer.text}}
            return await _reply(writer, answer.status, error, answer.headers)
        content = _content(request, answer)
        usage = {
            "input_tokens": 1000,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 10,
            "service_tier": "standard",
            **answer.usage,
        }
        stop = "tool_use" if answer.tools else "end_turn"
        message = {
            "id": f"msg_{uuid4().hex[:24]}",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": usage,
        }
        if not request.get("stream"):
            return await _reply(writer, 200, message)
        return await _stream(writer, message, answer)


async def _stream(writer: asyncio.StreamWriter, message: dict[str, Any], answer: Answer) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    usage, content = message["usage"], message["content"]
    _event(writer, "message_start", message={**message, "content": [], "stop_reason": None})
    sent = 0
    for index, block in enumerate(content):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        _event(writer, "content_block_start", index=index, content_block=empty)
        for piece in _pieces(block, answer.chunk):
            if answer.pause and sent:
                await asyncio.sleep(answer.pause)
            delta = {"type": "text_delta", "text": f"<{time.monotonic()!r}>" if answer.times else piece}
            if block["type"] == "tool_use":
                delta = {"type": "input_json_delta", "partial_json": piece}
            _event(writer, "content_block_delta", index=index, delta=delta)
            await writer.drain()
            sent += 1
            while answer.held and not answer.held.is_set():  # noqa: ASYNC110 - the test sets it in another thread
                await asyncio.sleep(0.01)
            if sent == answer.cut_after:
                return False
        _event(writer, "content_block_stop", index=index)
    if answer.broken_with:
        _event(writer, "error", error={"type": answer.broken_with, "message": "Overloaded"})
    else:
        stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        _event(writer, "message_delta", delta=stop, usage=usage)
        _event(writer, "message_stop")
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


def _event(writer: asyncio.StreamWriter, kind: str, **values: Any) -> None:
    data = f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n".encode()
    writer.write(b"%x\r\n%s\r\n" % (len(data), data))


async def _reply(
    writer: asyncio.StreamWriter, status: int, value: object, headers: Mapping[str, str] | None = None
) -> bool:
    data = json.dumps(value).encode()
    lines = [f"HTTP/1.1 {status} Answer", "content-type: application/json", f"content-length: {len(data)}"]
    lines += [f"{name}: {given}" for name, given in (headers or {}).items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
    await writer.drain()
    return True


def _content(request: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
    found = _CWD.search("\n".join(_strings([request.get("system"), request["messages"]])))
    cwd = found.group(1).strip() if found else "/nowhere"
    content: list[dict[str, Any]] = [{"type": "text", "text": answer.text}] if answer.text else []
    for name, arguments in answer.tools:
        filled = json.loads(json.dumps(arguments).replace("{cwd}", cwd))
        content.append({"type": "tool_use", "id": f"toolu_{uuid4().hex[:24]}", "name": name, "input": filled})
    return content


def _pieces(block: dict[str, Any], size: int) -> list[str]:
    whole = block["text"] if block["type"] == "text" else json.dumps(block["input"])
    return [whole[at : at + size] for at in range(0, len(whole), size)]


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _texts(message: dict[str, Any]) -> list[str]:
    return [block["text"] for block in _blocks(message) if block.get("type") == "text"]


def _marks(text: str) -> list[str]:
    """The ones for this kind of turn last: the last that is known is taken."""
    turns = [name for name, words in _TURNS.items() if words in text]
    return [found for mark in _MARK.findall(text) for found in (mark, *(f"{mark}.{turn}" for turn in turns))]


def _said(messages: list[dict[str, Any]]) -> list[str]:
    found = [text for message in messages if message["role"] == "user" for text in _texts(message)]
    return [text for text in found if not text.startswith("<system-reminder>")] or [""]


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in _strings(each)]
    return []
