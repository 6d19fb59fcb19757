"""A workbench with something to ask, and the asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from pilothouse.domain.clock import Clock
from pilothouse.domain.task.task import Purpose, Task, TaskStatus
from pilothouse.engine.transition import queue
from tests.workbench import Workbench, make_repository

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"files": {"type": "array", "items": {"type": "string"}}},
    "required": ["files"],
    "additionalProperties": False,
}
SCENARIOS = """
scenarios:
  done:
    steps:
      - say: Done.
  answers:
    steps:
      - write: {path: calc.py, text: "gone"}
      - say: I looked. Shall I go on?
      - answer: {files: [calc.py]}
  twice_wrong:
    steps: [{say: Hello.}]
    ask:
      - answer: {files: calc.py}
    ask 2:
      - say: I do not know.
    ask 3:
      - answer: {files: []}
  always_wrong:
    steps: [{say: Hello.}]
    ask:
      - answer: {files: 1}
    ask 4:
      - answer: {files: [found.py]}
  words:
    steps:
      - say: There are two functions. Which one do you mean?
"""


async def bench_of(tmp_path: Path, clock: Clock | None = None) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS), clock)


def asking(earlier: Task, prompt: str, schema: dict[str, object] | None = SCHEMA, **more: Any) -> Task:
    fresh = Task(
        id=uuid4().hex,
        session_id=earlier.session_id,
        project_id=earlier.project_id,
        workspace_id=earlier.workspace_id,
        prompt=prompt,
        agent=earlier.agent,
        submitted_at=earlier.submitted_at,
        updated_at=earlier.updated_at,
        place=0,
        purpose=Purpose.ASK,
        answer_schema=schema,
    )
    return replace(fresh, **more)


async def asked(bench: Workbench, prompt: str, schema: dict[str, object] | None = SCHEMA) -> Task:
    _, earlier = await bench.begin("[[done]]")
    await bench.rest(earlier, TaskStatus.COMPLETE)
    task = asking(earlier, prompt, schema)
    await bench.store.write(lambda tx: queue(tx, task))
    return await bench.rest(task)
