"""A loopback service that takes notifications as JSON, for Apprise to send to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any


class Service:
    def __init__(self, port: int) -> None:
        self.url = f"json://person:hunter2@127.0.0.1:{port}/inbox"
        self.taken: Queue[dict[str, Any]] = Queue()
        self.refuses = False
        self.answers = threading.Event()
        """Cleared, it keeps whoever sends waiting."""
        self.answers.set()

    def next(self) -> dict[str, Any]:
        return self.taken.get(timeout=120)


@contextmanager
def service() -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            opened.answers.wait(30)
            self.send_response(500 if opened.refuses else 200)
            self.end_headers()
            if not opened.refuses:
                opened.taken.put(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    opened = Service(server.server_port)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield opened
    finally:
        opened.answers.set()
        server.shutdown()
        thread.join()
        server.server_close()
