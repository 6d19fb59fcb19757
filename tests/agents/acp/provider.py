"""The little of a provider's Messages API that OpenCode needs: it answers what the test says, in order."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Block = dict[str, Any]


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def use(name: str, **arguments: Any) -> Block:
    return {"type": "tool_use", "id": "", "name": name, "input": arguments}


class Provider:
    def __init__(self) -> None:
        self.answers: list[list[Block]] = []
        """The next ones; the last is given to whatever else is asked."""
        self.tools: list[str] = []
        """The tools that the last request offered to the model."""
        self.visitors: list[str] = []
        """What was shown at “/workbench”, where an agent looks for MCP tools."""
        self._calls = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="provider")
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, request: dict[str, Any]) -> list[Block]:
        if not request.get("tools"):
            return [text("A title")]
        self.tools = [tool["name"] for tool in request["tools"]]
        blocks = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self._calls += 1
        return [{**block, "id": f"toolu_{self._calls}"} if "id" in block else block for block in blocks]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *arguments: object) -> None:
                return

            def do_GET(self) -> None:
                provider.visitors += [self.headers["authorization"]] if self.path == "/workbench" else []
                self.reply(404, b"{}", "application/json")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"] or 0))
                if not self.path.endswith("/messages"):
                    return self.do_GET()
                request = json.loads(body)
                return self.reply(200, _stream(request, provider.answer(request)), "text/event-stream")

            def reply(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler


def _stream(request: dict[str, Any], blocks: list[Block]) -> bytes:
    usage = {"input_tokens": 1000, "output_tokens": 10}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"], "content": []}
    events: list[Block] = [{"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}}]
    for index, block in enumerate(blocks):
        spoken = block["type"] == "text"
        empty = {**block, "text": ""} if spoken else {**block, "input": {}}
        words = {"type": "text_delta", "text": block["text"]} if spoken else None
        delta = words or {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    stop = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
    events.append({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage})
    events.append({"type": "message_stop"})
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
