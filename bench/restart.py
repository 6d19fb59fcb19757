"""How long a start takes: with nothing to do, and with 10,000 tasks waiting in the queues of 100 workspaces.

Ready means that `/health` says the runner takes work. The workspaces are held, so that what is measured is the
start and not the first task.

Usage: python -m bench.restart [--tasks 10000] [--rounds 7]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

from bench.figures import median, report
from bench.served import Server
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.session.session import Project, Session, SessionKind, Workspace
from pilothouse.domain.task.task import Task
from pilothouse.store import hosts
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.store.task import tasks

WORKSPACES = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as directory:
        figures = measure(Path(directory), options.tasks, options.rounds)
    report("restart", figures)


def measure(place: Path, queued: int, rounds: int) -> dict[str, float]:
    plain, full = place / "plain", place / "full"
    first = start(plain, 0)
    second = [start(plain, 0) for _ in range(rounds)]
    full.mkdir()
    asyncio.run(fill(full / "pilothouse.db", queued))
    # The first start over the new queue also draws the mirror for it; later ones find it drawn.
    start(full, queued)
    again = [start(full, queued) for _ in range(rounds)]
    return {
        "queued_tasks": queued,
        "first_start_s": round(first, 3),
        "second_start_s": round(median(second), 3),
        "restart_with_queue_s": round(median(again), 3),
        "restart_with_queue_worst_s": round(max(again), 3),
    }


def start(data_dir: Path, queued: int) -> float:
    """Seconds until ready, from the start of the process."""
    server = Server(data_dir)
    try:
        seconds = server.until_ready()
        waiting = server.get("/api/runner")["queued"]
        assert waiting == queued, f"{waiting} of {queued} tasks are queued"
        return seconds
    finally:
        server.stop()


async def fill(database: Path, queued: int) -> None:
    store = await Store.open(f"sqlite:///{database}", SystemClock())
    try:
        for number in range(WORKSPACES):
            share = queued // WORKSPACES + (number < queued % WORKSPACES)
            await store.write(partial(_workspace, root=database.parent, number=number, queued=share))
    finally:
        await store.close()


def _workspace(tx: Tx, root: Path, number: int, queued: int) -> None:
    now = datetime.now(UTC)
    name = f"project{number}"
    path = str(root / name)
    projects.add(tx, Project(id=name, path=path, name=name, added_at=now, agent="rehearsal"))
    workspaces.add(tx, Workspace(id=name, project_id=name, path=path, host=hosts.host_id(root)))
    workspaces.hold(tx, name, "Held for the measurement.")
    session = Session(
        id=uuid4().hex,
        project_id=name,
        workspace_id=name,
        slug="bench",
        kind=SessionKind.CHAT,
        title="Bench",
        agent="rehearsal",
        created_at=now,
        updated_at=now,
    )
    sessions.add(tx, session)
    for place in range(queued):
        tasks.add(tx, _task(session, place))


def _task(session: Session, place: int) -> Task:
    return Task(
        id=uuid4().hex,
        session_id=session.id,
        project_id=session.project_id,
        workspace_id=session.workspace_id,
        prompt=f"Task {place}: say what the values of package{place % 20} mean. [[survey]]",
        agent="rehearsal",
        submitted_at=session.created_at,
        updated_at=session.created_at,
        place=place,
    )


if __name__ == "__main__":
    main()
