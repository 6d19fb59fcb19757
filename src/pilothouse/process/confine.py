"""Whether spawns can run in a PID namespace of their own, by bubblewrap.

A PID namespace also holds what kills its keeper and clears its environment: the kernel ends all of it together.
That is all it adds to the keeper, and it takes something away, so it is off unless asked for (`confine_processes`):
`sudo` and other setuid programs refuse to work in it, the agent can neither see nor stop the person's own processes
(a development server on a busy port), the pids it names mean nothing outside, and the grace of a stopped spawn ends
as soon as the agent itself has ended, because bubblewrap ends the namespace then. It costs about 5 ms a spawn.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Sequence

_DETECTION_LIMIT = 5.0


def wrapped(bubblewrap: str, argv: Sequence[str]) -> list[str]:
    """`argv` with the whole file system as it is, but a process table of its own."""
    return [
        *(bubblewrap, "--dev-bind", "/", "/", "--proc", "/proc"),
        *("--unshare-pid", "--die-with-parent", "--", *argv),
    ]


async def find(setting: str) -> str | None:
    """The bubblewrap to use, or None when it is switched off, missing, or forbidden by the system. Ask once."""
    program = shutil.which("bwrap") if setting != "off" and sys.platform == "linux" else None
    if program is None:
        return None
    trial = await asyncio.create_subprocess_exec(
        *wrapped(program, ["true"]),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_DETECTION_LIMIT):
            return program if await trial.wait() == 0 else None
    except TimeoutError:
        trial.kill()
        await trial.wait()
        return None
