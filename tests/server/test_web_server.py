"""Going down takes only so long."""

from __future__ import annotations

import subprocess
import sys


def test_going_down_is_limited_until_everything_is_closed() -> None:
    """PLT-4"""
    stuck = "import threading\nfrom pilothouse.server.web_server import Deadline\nwith Deadline(0.05) as deadline:\n"
    stuck += "    deadline.start()\n    {}\nprint('closed')"
    ended = [
        subprocess.run([sys.executable, "-c", stuck.format(closing)], capture_output=True, text=True, check=False)
        for closing in ("threading.Event().wait(60)", "pass")
    ]
    assert [(done.returncode, done.stdout) for done in ended] == [(1, ""), (0, "closed\n")]
