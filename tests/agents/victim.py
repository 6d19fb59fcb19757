"""A server to be killed: starts the agent it is told to, says which processes that made, and waits for its end."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from pilothouse.domain.ports import TextOut
from tests.agents.playing import Theatre


async def main(root: Path) -> None:
    run = await Theatre(root).start()
    left = []
    async for event in run.events():
        if isinstance(event, TextOut) and "process " in event.text:
            left.append(int(event.text.rpartition(" ")[2]))
        if event == TextOut("ready\n"):
            living = [pid for pid, _ in run.living()]
            sys.stdout.write(json.dumps({"keeper": run.process.pid, "left": left, "living": living}) + "\n")
            sys.stdout.flush()


asyncio.run(main(Path(sys.argv[1])))
