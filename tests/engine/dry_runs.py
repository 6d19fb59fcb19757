"""A workbench with something to propose, and what can be seen of it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from pathlib import Path

from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.store.session import workspaces
from tests.workbench import WAIT, Workbench, git, make_repository

GATED = "verification:\n  - name: tests\n    command: test -e ignored/go || sleep 600\n"
"""A check that does not end before somebody lets it."""
ROOT = Path(__file__).parents[2]
LINES = "".join(f"line {n}\\n" for n in range(12))
SCENARIOS = """
scenarios:
  wild:
    - write: {path: new.txt, text: "new\\n"}
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
    - commit: Everything at once
    - run: git checkout -q -b side && git branch -D main && echo x > x.txt
    - run: git stash -qu && git stash pop -q && git gc -q --prune=now
    - delete: {path: lines.txt}
    - say: Proposed.
  change:
    - edit: {path: lines.txt, find: "line 2\\n", replace: "proposed 2\\n"}
    - write: {path: made/by.txt, text: "agent\\n"}
    - say: Proposed.
  nothing:
    - say: There is nothing to change.
  asks:
    - write: {path: half.txt, text: "half\\n"}
    - ask: "Which way?"
    - write: {path: whole.txt, text: "whole\\n"}
    - say: Done.
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
  other:
    - write: {path: other.txt, text: "other\\n"}
    - say: Written.
  breaks:
    steps:
      - write: {path: broken.txt, text: "broken\\n"}
      - say: Proposed.
    fix:
      - delete: {path: broken.txt}
      - write: {path: fixed.txt, text: "fixed\\n"}
      - say: Fixed.
  asks-later:
    steps:
      - write: {path: broken.txt, text: "broken\\n"}
      - say: Proposed.
    fix: [ask: "Is broken.txt needed?", delete: {path: broken.txt}]
  fails:
    - write: {path: half.txt, text: "half\\n"}
    - fail: It cannot be done.
"""


async def opened(tmp_path: Path) -> Workbench:
    repo = tmp_path / "repo"
    if not repo.exists():
        make_repository(repo, SCENARIOS)
        (repo / "lines.txt").write_text(LINES.replace("\\n", "\n"))
        git(repo, "add", "-f", ".pilothouse", "lines.txt")
        git(repo, "commit", "-qm", "scenarios")
        (repo / "ignored").mkdir()
        (repo / "ignored" / "kept.txt").write_text("ignored\n")
        (repo / "lines.txt").chmod(0o640)
        (repo / "uncommitted.txt").write_text("mine\n")
        git(repo, "add", "uncommitted.txt")
    return await Workbench.open(tmp_path / "data", repo)


def fingerprint(repo: Path) -> str:
    """Every byte of the workspace and of its repository, apart from where checkpoints keep what they need."""
    digest = hashlib.sha256()
    for where, directories, files in os.walk(repo):
        directories.sort()
        inside = Path(where).relative_to(repo)
        if inside == Path(".git"):
            directories[:] = [name for name in directories if name not in ("objects", "worktrees")]
        for name in sorted(files):
            place = Path(where, name)
            digest.update(f"{inside / name} {place.stat().st_mode:o} ".encode() + place.read_bytes())
        digest.update(f"{inside} {Path(where).stat().st_mode:o}\n".encode())
    return digest.hexdigest()


async def proposed(bench: Workbench, scenario: str = "change") -> Task:
    _, task = await bench.begin(f"[[{scenario}]]", dry_run=True)
    task = await bench.rest(task)
    assert (task.status, task.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.DRY_RUN), task.error_message
    await over(bench, task)
    return task


async def over(bench: Workbench, task: Task) -> None:
    """Wait until the attempt has tidied up behind itself."""
    run = bench.runner.dispatcher.run_of(task.id)
    if run:
        await run.over.wait()


def scratches(bench: Workbench) -> list[str]:
    top = bench.data_dir / "scratch"
    return sorted(place.name for place in top.iterdir()) if top.exists() else []


async def refs_of(bench: Workbench, task: Task) -> list[str]:
    workspace = await bench.store.read(lambda c: workspaces.get(c, task.workspace_id))
    assert workspace is not None
    kept = bench.runtime.checkpoints(workspace).refs(f"refs/pilothouse/{task.session_id}/{task.id}")
    return [checkpoint.ref.removeprefix(f"refs/pilothouse/{task.session_id}/{task.id}/") for checkpoint in kept]


async def killed(folder: Path, scenario: str, event: str) -> str:
    """Have another process begin a dry run and kill it, without a chance to tidy up, once it heard the event."""
    command = (sys.executable, "-m", "tests.engine.doomed", str(folder), scenario, event)
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    victim = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE)
    assert victim.stdout is not None
    said = await asyncio.wait_for(victim.stdout.readline(), WAIT)
    victim.kill()
    await victim.wait()
    return said.decode().strip()
