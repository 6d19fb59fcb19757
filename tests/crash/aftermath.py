"""The next start after a kill, and what a person does then."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.agents.rehearsal.adapter import RehearsalAgent
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import Awaiting, ResumeMode, Task, TaskStatus, Verdict
from pilothouse.engine.broadcast import Broadcast
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import refs
from pilothouse.engine.workspace.ways import base
from pilothouse.process import strays
from pilothouse.process.environment import Environment, instance_of
from pilothouse.store import hosts
from pilothouse.store.database import Store
from pilothouse.store.mirror.mirror import Mirror
from pilothouse.store.session import workspaces
from pilothouse.store.tables.session import workspaces as workspaces_table
from pilothouse.store.task import rollbacks, tasks
from tests.crash import invariants
from tests.crash.journal import Journal, State, state_of
from tests.crash.scripts import ANSWER, PASSES, PROOF, scenarios_of
from tests.workbench import Workbench

S = TaskStatus
HELD = "for the inspection"


class Survivor(Workbench):
    """Starts on what the victim left, with every queue held so that nothing moves before it has been looked at."""

    held = False
    cut_short: Sequence[Rollback] = ()

    async def _start(self) -> None:
        settings = self.settings
        self.store = store = await Store.open(settings.storage_url, self.clock)
        store.on_commit(self._hear)
        self.held = await store.read(_held)
        host = hosts.host_id(settings.data_dir)
        self.cut_short = await store.read(lambda c: rollbacks.unfinished(c, host))
        await store.write(lambda tx: [workspaces.hold(tx, id, HELD) for id in _workspaces(tx.conn)])
        self.broadcast = Broadcast()
        self.mirror = Mirror(store, settings.data_dir, self.clock)
        self.mirror.start()
        environment = Environment(dict(os.environ), instance_of(settings.data_dir))
        # Git ignores the scenarios, so a scratch does not have them.
        agent = RehearsalAgent(
            settings.data_dir / "agents" / "rehearsal",
            environment,
            scenario_file=scenarios_of(self.repo),
        )
        settings.logs.mkdir(parents=True, exist_ok=True)
        self.runtime = Runtime(settings, store, self.broadcast, self.clock, {"rehearsal": agent})
        self._compose()
        await self.runner.start()

    async def release(self) -> None:
        for id in await self.store.read(_workspaces):
            await self.store.write(lambda tx, id=id: workspaces.release(tx, id))  # type: ignore[misc]
            self.runner.dispatcher.wake(id)

    async def everything(self) -> list[Task]:
        return await self.store.read(invariants.all_tasks)


def _workspaces(c: Connection) -> list[str]:
    return list(c.execute(workspaces_table.select()).scalars())


def _held(c: Connection) -> bool:
    return any(found.held for id in _workspaces(c) if (found := workspaces.get(c, id)))


async def inspect(folder: Path, seconds: int) -> None:
    """Start again, check everything, take back and bring back what lies on top, and let all work come to its end."""
    journal, repo = Journal(folder / "journal"), folder / "repo"
    # While the keeper still ends the agent, the agent may still write.
    quiet = strays.find([], instance_of(folder / "data")) == []
    found = state_of(repo)
    async with await Survivor.open(folder / "data", repo) as bench:
        assert strays.find([], instance_of(bench.data_dir)) == []
        invariants.check_no_stray(seconds)
        assert state_of(repo) == found or bench.cut_short or not quiet, "the start changed the tree"
        assert await bench.store.read(lambda c: rollbacks.unfinished(c, bench.runtime.host_id)) == []
        await bench.store.read(invariants.check_log)
        await bench.store.read(invariants.check_rows)
        await bench.store.read(lambda c: invariants.check_promises(c, journal))
        invariants.check_hold(bench.held, journal)
        await _take_back(bench, journal)
        invariants.check_workspace_is_clean(repo)
        await _go_on(bench)
        await _check_end(bench)
        await bench.mirror.stop()
        await bench.store.read(lambda c: invariants.check_mirror(c, bench.data_dir))


async def _take_back(bench: Survivor, journal: Journal) -> None:
    """Roll the newest task back to the bytes from before it, and undo that, whatever a kill cut short."""
    for id in await bench.store.read(_workspaces):
        task = await bench.store.read(lambda c, id=id: tasks.newest_of_workspace(c, id))  # type: ignore[misc]
        if task is None or task.status is S.QUEUED:
            continue
        before = journal.first_state(refs.step(replace(task, attempt=1), 0))
        if before is None or await bench.store.read(lambda c, t=task: base(c, t)) is None:  # type: ignore[misc]
            assert journal.tried("rollback") == []
            continue
        await _undo_earlier(bench, task, journal)
        await _there_and_back(bench, task, before, journal)


async def _undo_earlier(bench: Survivor, task: Task, journal: Journal) -> None:
    """A rollback that was finished, and an undo that was cut short, give back what was there, whatever came since."""
    row = await bench.store.read(lambda c: rollbacks.newest_undoable(c, task.id))
    if row is None or (row.replay and task.ended):
        return
    await bench.controls.undo_rollback(task.id, row.id, exact=True)
    assert state_of(bench.repo) == journal.first_state(row.undo), "undo did not bring everything back"


async def _there_and_back(bench: Survivor, task: Task, before: State, journal: Journal) -> None:
    first = state_of(bench.repo)
    done = await bench.controls.rollback(task.id)
    assert state_of(bench.repo) == before, "the rollback did not give back what was there before the task"
    if done.nothing_to_do:
        assert first == before
        return
    gone = {
        name for name in {*first["files"], *before["files"]} if first["files"].get(name) != before["files"].get(name)
    }
    assert {change.path for change in done.stat.files} == gone
    await bench.controls.undo_rollback(task.id, done.rollback_id)
    assert state_of(bench.repo) == first, "the undo did not give back what was there before the rollback"


async def _go_on(bench: Survivor) -> None:
    """Answer, resume and wait until nothing is left to do."""
    for name in PASSES:
        (bench.repo / name).parent.mkdir(exist_ok=True)
        (bench.repo / name).touch()
    await bench.release()
    for task in await bench.everything():
        for _ in range(4):
            now = await bench.rest(task)
            if now.ended:
                break
            await _decide(bench, now)
            await bench.until(lambda c, seen=now: _moved_on(c, seen))  # type: ignore[misc]


async def _decide(bench: Survivor, task: Task) -> None:
    if task.awaiting is Awaiting.QUESTION:
        await bench.controls.reply(task.id, ANSWER)
    elif task.awaiting is Awaiting.DRY_RUN and _scenario(task) == "offer":
        await bench.controls.apply(task.id, None)
    elif task.awaiting is Awaiting.DRY_RUN:
        await bench.controls.discard(task.id)
    else:
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)


def _scenario(task: Task) -> str:
    return task.prompt.split("]]")[0].removeprefix("[[")


def _moved_on(c: Connection, seen: Task) -> bool:
    now = tasks.get(c, seen.id)
    return now is None or now.ended or now.attempt > seen.attempt


async def _check_end(bench: Survivor) -> None:
    await bench.store.read(invariants.check_log)
    await bench.store.read(invariants.check_rows)
    await bench.store.read(invariants.check_order)
    done = await bench.everything()
    assert {task.status for task in done} <= {S.COMPLETE, S.CANCELLED}
    for task in done:
        assert task.pending_reply is None
    if done and done[-1].status is S.COMPLETE:
        name, content = PROOF[_scenario(done[-1])]
        if done[-1].verdict is Verdict.PROPOSED:
            assert not (bench.repo / name).exists(), "a discarded proposal was written"
        else:
            assert (bench.repo / name).read_text() == content
