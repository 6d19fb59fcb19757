"""Several servers on one database: each finds its own work, and no other's."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from pilothouse.domain.guard.limits import Hold
from pilothouse.domain.operations import Operation, OperationKind
from pilothouse.domain.session.session import WorkspaceKind
from pilothouse.domain.talk.steering import SteerMessage, SteerState
from pilothouse.domain.task.checks import RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import Attempt, AttemptMode, Awaiting, TaskStatus
from pilothouse.store import hosts, operations
from pilothouse.store.database import Store, Tx
from pilothouse.store.guard import holds
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.store.talk import steering
from pilothouse.store.task import attempts, rollbacks, runs, tasks
from tests.store.samples import HOST, MARK, NOW, claim, furnish, move, project, session, submit, task, workspace

OTHER = "host-2"
BOTH = (HOST, OTHER)


def two_hosts(tx: Tx) -> None:
    """A project of each, whose workspaces and sessions are called alike."""
    furnish(tx)
    projects.add(tx, project("q"))
    workspaces.add(tx, workspace("v", "q", host=OTHER))
    sessions.add(tx, session("z", project_id="q", workspace_id="v"))


async def submit_to_both(store: Store) -> None:
    await store.write(two_hosts)
    await submit(store, "t")
    await submit(store, "u", session_id="z", project_id="q", workspace_id="v")


def test_a_host_has_one_id_for_good_that_only_its_person_can_read(tmp_path: Path) -> None:
    """WEB-1"""
    made = hosts.host_id(tmp_path / "data")
    file = tmp_path / "data" / "host"
    assert file.read_text().strip() == made
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["host"]
    assert hosts.host_id(tmp_path / "data") == made
    assert hosts.host_id(tmp_path / "another") != made


async def test_what_no_server_owns_goes_to_the_first_that_opens_it(store: Store, kind: str) -> None:
    """BYD-9: a file of SQLite has one server alone, wherever it was copied from."""

    def fill(tx: Tx) -> None:
        projects.add(tx, project())
        for id, host in (("old", ""), ("w", HOST), ("v", OTHER)):
            workspaces.add(tx, workspace(id, host=host, path=f"/home/ada/{id}"))
            operations.add(tx, Operation(f"of-{id}", OperationKind.STOP, "boot", host, NOW))
        hosts.take_over(tx, HOST)

    await store.write(fill)
    mine = ["old", "v", "w"] if kind == "sqlite" else ["old", "w"]
    assert sorted(found.id for found in await store.read(lambda c: workspaces.on_host(c, HOST))) == mine
    newest = await store.read(lambda c: operations.newest(c, OTHER))
    assert (newest is None) == (kind == "sqlite")


async def test_what_runs_and_what_waits_belongs_to_the_host_of_its_workspace(store: Store) -> None:
    """WEB-1 BYD-9"""
    await submit_to_both(store)
    waiting = [await store.read(partial(workspaces.with_queued, host=host)) for host in BOTH]
    assert waiting == [["w"], ["v"]]
    for id in ("w", "v"):
        await claim(store, id)
    for host, id in zip(BOTH, ("t", "u"), strict=True):
        assert [found.id for found in await store.read(partial(tasks.running_on, host=host))] == [id]
        counted = await store.read(partial(tasks.counts, host=host))
        assert (counted[TaskStatus.RUNNING], sum(counted.values())) == (1, 1)


async def test_what_a_crash_leaves_half_done_belongs_to_the_host_of_its_workspace(store: Store) -> None:
    """WEB-1 BYD-8 BYD-9"""
    await submit_to_both(store)

    def leave(tx: Tx) -> None:
        for task_id, session_id, workspace_id in (("t", "s", "w"), ("u", "z", "v")):
            attempts.start(tx, Attempt(task_id, 1, AttemptMode.FIRST, NOW))
            rollbacks.add(tx, Rollback(f"back-{task_id}", task_id, workspace_id, "c0ffee", "refs/undo", NOW))
            message = SteerMessage(f"to-{task_id}", session_id, task_id, "Use tabs", NOW, SteerState.HANDED)
            steering.add(tx, message)

    await store.write(leave)
    for host, id in zip(BOTH, ("t", "u"), strict=True):
        assert await store.read(partial(attempts.unfinished, host=host)) == [id]
        assert [row.id for row in await store.read(partial(rollbacks.unfinished, host=host))] == [f"back-{id}"]
        assert [message.id for message in await store.read(partial(steering.handed, host=host))] == [f"to-{id}"]


async def test_who_waits_for_a_limit_is_let_go_on_by_its_own_host(store: Store) -> None:
    """BYD-9"""
    await submit_to_both(store)
    for workspace_id in ("w", "v"):
        claimed = await claim(store, workspace_id)
        assert claimed
        await move(store, claimed, Action.AWAIT, awaiting=Awaiting.USAGE_LIMIT)
        until = NOW + timedelta(hours=1)
        hold = Hold(claimed.id, claimed.session_id, "provider", "", NOW, until, waiting=True)
        await store.write(partial(holds.hold, new=hold))
    for host, id in zip(BOTH, ("t", "u"), strict=True):
        assert [held.task_id for held in await store.read(partial(holds.waiting, host=host))] == [id]


async def test_old_verifications_are_tidied_by_their_own_host(store: Store) -> None:
    """TSK-13 BYD-9: their logs lie on its disk"""
    await submit_to_both(store)
    at = NOW - timedelta(days=99)
    for id in ("t", "u"):
        run = VerificationRun(f"of-{id}", id, 1, "step", RunPurpose.VERIFY, 1, at, at, RunResult.PASS, None, "7ree")
        await store.write(partial(runs.add, run=run))
    for host, id in zip(BOTH, ("of-t", "of-u"), strict=True):
        old = await store.read(partial(runs.expired, host=host, now=NOW, keep=0, days=14))
        assert [run.id for run in old] == [id]


async def test_a_project_has_a_directory_on_each_host_and_no_two_workspaces_share_a_tree(store: Store) -> None:
    """BYD-9 TSK-2"""
    here, there = workspace(), workspace("a", host=OTHER)

    def fill(tx: Tx) -> None:
        projects.add(tx, project())
        workspaces.add(tx, there)

    await store.write(fill)
    assert await store.read(lambda c: workspaces.directory_of(c, "p", HOST)) == there
    await store.write(lambda tx: workspaces.add(tx, here))
    assert await store.read(lambda c: workspaces.directory_of(c, "p", HOST)) == here
    assert await store.read(lambda c: workspaces.directory_of(c, "p", OTHER)) == there
    with pytest.raises(IntegrityError):
        await store.write(lambda tx: workspaces.add(tx, workspace("twice")))


async def test_a_project_has_one_directory_among_its_workspaces(store: Store) -> None:
    """TSK-2"""
    tree = workspace("a", path="/home/ada/.trees/p", kind=WorkspaceKind.WORKTREE, branch="fix")

    def fill(tx: Tx) -> None:
        furnish(tx)
        workspaces.add(tx, tree)
        sessions.add(tx, session("s2", workspace_id="a"))
        tasks.add(tx, task("in-the-tree", session_id="s2", workspace_id="a"))

    await store.write(fill)
    assert await store.read(lambda c: workspaces.of_project(c, "p")) == [tree, workspace()]
    assert await store.read(lambda c: workspaces.directory_of(c, "p", HOST)) == workspace()
    assert await store.read(lambda c: workspaces.with_queued(c, HOST)) == ["a"]
    assert await store.write(lambda tx: tasks.upcoming(tx, "w")) is None
    claimed = await claim(store, "a")
    assert claimed
    assert claimed.runner == MARK
