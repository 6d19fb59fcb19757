"""Servers are forked from a process that has imported everything; the imports take most of a start.

That `pilothouse serve` starts as a program of its own is proven in tests/server/test_cli.py, and after every restart.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
COMMAND = ["-m", "pilothouse.cli", "serve"]


class Nursery:
    """The process that servers are forked from; it ends with the one that made it."""

    def __init__(self) -> None:
        self._asking, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.nursery", str(theirs.fileno())],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
                pass_fds=[theirs.fileno()],
            )

    def close(self) -> None:
        self._asking.close()
        self._process.wait(timeout=120)

    def start(self, environment: dict[str, str], stdout: int, stderr: int) -> int:
        """Its process id, which stays its own until it has been waited for."""
        return self._ask({"environment": environment}, [stdout, stderr])

    def end(self, pid: int, number: signal.Signals) -> int:
        """Send it this signal and wait until it is gone; its exit code."""
        os.kill(pid, number)
        return self._ask({"wait_for": pid}, [])

    def _ask(self, question: dict[str, object], descriptors: list[int]) -> int:
        socket.send_fds(self._asking, [json.dumps(question).encode() + b"\n"], descriptors)
        return int(self._asking.recv(64))


def _serve(asked: socket.socket) -> None:
    """Returns when there is nobody left to ask, and in each child, which goes on as the server."""
    while True:
        text, descriptors, _, _ = socket.recv_fds(asked, 1_000_000, 2)
        if not text:
            return
        while not text.endswith(b"\n"):
            text += asked.recv(1_000_000)
        question = json.loads(text)
        if "wait_for" in question:
            asked.sendall(str(_ended(question["wait_for"])).encode())
            continue
        pid = os.fork()
        if pid == 0:
            asked.close()
            _become(question["environment"], *descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        asked.sendall(str(pid).encode())


def _ended(pid: int) -> int:
    """The exit code of a server that was told to go; one that does not would hold up everything."""
    until = time.monotonic() + PATIENCE
    while True:
        gone, status = os.waitpid(pid, os.WNOHANG)
        if gone:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.005)


def _become(environment: dict[str, str], stdout: int, stderr: int) -> None:
    """What `pilothouse serve` is that was started with these."""
    from pilothouse import cli

    for ours, theirs in ((1, stdout), (2, stderr)):
        os.dup2(theirs, ours)
        os.close(theirs)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["pilothouse", "serve"]
    # A restart runs the same command line anew.
    sys.orig_argv = [sys.executable, *COMMAND]
    cli.main()


def _import_everything() -> None:
    import pilothouse.server.app
    import pilothouse.server.requirements
    import pilothouse.server.web_server
    import pilothouse.staff  # noqa: F401

    gc.freeze()


if __name__ == "__main__":
    _import_everything()
    _serve(socket.socket(fileno=int(sys.argv[1])))
