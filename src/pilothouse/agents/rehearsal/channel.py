"""The program's side of the protocol: one JSON object a line, on standard output."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any

_KEPT = 64 * 1024


class Channel:
    def __init__(self, descriptor: int = 1) -> None:
        self._descriptor = descriptor
        self._tools = itertools.count(1)
        self.said = ""
        """The agent's own words of this spawn; the newest, when there are very many."""

    def send(self, kind: str, **values: Any) -> None:
        data = json.dumps({"type": kind, **values}).encode() + b"\n"
        while data:
            data = data[os.write(self._descriptor, data) :]

    def text(self, text: str) -> None:
        if text:
            self.send("text", text=text)

    def say(self, text: str) -> None:
        self.said = (self.said + text)[-_KEPT:]
        self.text(text)

    def heartbeat(self) -> None:
        self.send("heartbeat")

    def tool(self, name: str, detail: str, pid: int | None = None) -> str:
        tool_id = str(next(self._tools))
        self.send("tool_started", id=tool_id, name=name, detail=detail, pid=pid)
        return tool_id

    def tool_output(self, tool_id: str, text: str) -> None:
        self.send("tool_output", id=tool_id, text=text)

    def tool_finished(self, tool_id: str, ok: bool, detail: str = "", exit_code: int | None = None) -> None:
        self.send("tool_finished", id=tool_id, ok=ok, detail=detail, exit_code=exit_code)
