"""A Pilothouse to be killed: begins a dry run, says so on its standard output once an event was heard, and waits."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.engine.dry_runs import GATED, opened, proposed


async def live(folder: Path, scenario: str, event: str) -> None:
    async with await opened(folder) as bench:
        if event == "task.applied":
            (bench.repo / "agent.yaml").write_text(GATED)
            task = await proposed(bench, scenario)
            await bench.controls.apply(task.id, None)
        else:
            _, task = await bench.begin(f"[[{scenario}]]", dry_run=True)
        await bench.until_event(event, task.id)
        sys.stdout.write(f"{task.id}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
