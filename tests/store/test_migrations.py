"""A data directory that the version before the newest schema wrote opens, with nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, MetaData, delete, insert, select, text

from pilothouse.domain.session.session import Project, Session, Workspace, WorkspaceKind, project_id
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import Attempt, AttemptMode, Awaiting, RunnerMark, Task, TaskStatus
from pilothouse.engine.workspace import refs
from pilothouse.store import connections, schema
from pilothouse.store.database import Tx
from pilothouse.store.session import projects, workspaces
from pilothouse.store.task import attempts, rollbacks, tasks
from tests.postgres import Cluster
from tests.workbench import Workbench, make_repository, tree

S = TaskStatus
BEFORE = "0009"
SCENARIOS = """
scenarios:
  writes:
    - write: {path: one.txt, text: "one\\n"}
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Of two empty databases."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'written.db'}", f"sqlite:///{tmp_path / 'earlier.db'}"
        return
    server: Cluster = request.getfixturevalue("postgres")
    both = server.create(), server.create()
    yield both
    for url in both:
        server.drop(url)


async def begun(bench: Workbench, repo: Path) -> tuple[Session, Task]:
    """A project as that version added it: its workspace had its id."""
    id = project_id(repo)

    def add(tx: Tx) -> None:
        projects.add(tx, Project(id, str(repo), repo.name, bench.clock.now()))
        workspaces.add(tx, Workspace(id, id, str(repo), bench.runtime.host_id))

    await bench.store.write(add)
    bench.repo = repo
    session, task = await bench.begin("[[writes]]")
    return session, await bench.rest(task, S.COMPLETE)


async def written(tmp_path: Path, url: str) -> tuple[Task, Task]:
    """A task that was rolled back, and one that was killed."""
    repo, another = (make_repository(tmp_path / name, SCENARIOS) for name in ("repo", "another"))
    async with await Workbench.open(tmp_path / "data", repo, database_url=url) as bench:
        _, task = await begun(bench, repo)
        await bench.controls.rollback(task.id)
        session, _ = await begun(bench, another)
        await bench.runner.stop("test")
        killed = await bench.send(session, "[[writes]]")

        def claim(tx: Tx) -> None:
            tasks.move(tx, killed, Action.CLAIM, runner=RunnerMark("an earlier boot"))
            attempts.start(tx, Attempt(killed.id, 1, AttemptMode.FIRST, tx.now))

        await bench.store.write(claim)
    (tmp_path / "data" / "host").unlink()
    return task, killed


def copied(source: str, target: str) -> None:
    """Into the schema of that version, by what that had."""
    of_both = [connections.writer_engine(connections.parse(url)) for url in (source, target)]
    with of_both[0].connect() as new, new.begin(), of_both[1].connect() as old, old.begin():
        upgrade_to(old, BEFORE)
        earlier, later = MetaData(), MetaData()
        earlier.reflect(old)
        later.reflect(new)
        for table in earlier.sorted_tables:
            if table.name == "alembic_version":
                continue
            old.execute(delete(table))
            left = [column for column in table.c if column.name in later.tables[table.name].c]
            if rows := [dict(row) for row in new.execute(select(*left)).mappings()]:
                old.execute(insert(table), rows)
    for engine in of_both:
        engine.dispose()


def upgrade_to(c: Connection, version: str) -> None:
    config = Config()
    config.set_main_option("script_location", "pilothouse.store:migrations")
    config.attributes["connection"] = c
    command.upgrade(config, version)


async def test_what_the_version_before_kept_is_all_there(tmp_path: Path, urls: tuple[str, str]) -> None:
    """WEB-1 WEB-12 BYD-8"""
    task, killed = await written(tmp_path, urls[0])
    copied(*urls)
    repo = tmp_path / "repo"
    async with await Workbench.open(tmp_path / "data", repo, database_url=urls[1]) as bench:
        assert await bench.store.read(schema.version) == schema.NEWEST
        own = await bench.directory(task.project_id)
        assert own.id == task.workspace_id == task.project_id
        assert (own.kind, own.host, own.branch) == (WorkspaceKind.DIRECTORY, bench.runtime.host_id, None)
        found = await bench.task(killed.id)
        assert (found.status, found.awaiting) == (S.AWAITING_RESPONSE, Awaiting.INTERRUPTED)

        kept = await bench.runtime.on_tree(own, lambda at: {checkpoint.ref for checkpoint in at.refs()})
        assert refs.step(await bench.task(task.id), 0) in kept
        before = tree(repo)
        row = await bench.store.read(lambda c: rollbacks.newest_undoable(c, task.id))
        assert row
        await bench.controls.undo_rollback(task.id, row.id)
        assert tree(repo) == {**before, "one.txt": b"one\n"}
        await bench.controls.rollback(task.id)
        assert tree(repo) == before

        session, more = await bench.begin("[[writes]]")
        await bench.rest(more, S.COMPLETE)
        assert session.workspace_id == own.id
        places = {place.name for place in (bench.data_dir / "workspaces").iterdir()}
        assert places == {task.project_id, killed.project_id}


async def test_a_proposal_that_waits_to_be_applied_is_a_change_and_one_that_waits_for_a_person_is_none(
    tmp_path: Path, urls: tuple[str, str]
) -> None:
    """TSK-7: it is written when its turn comes, and not proposed anew"""
    await written(tmp_path, urls[0])
    copied(*urls)
    engine = connections.writer_engine(connections.parse(urls[1]))
    change = text(
        "UPDATE tasks SET options = replace(options, :no, :yes), proposal = '{}', status = :status WHERE id = :id"
    )
    with engine.connect() as c, c.begin():
        ids = list(c.execute(text("SELECT id FROM tasks ORDER BY place, id")).scalars())
        for id, status in zip(ids, ("QUEUED", "CANCELLED"), strict=False):
            given = {"no": '"dry_run":false', "yes": '"dry_run":true', "status": status, "id": id}
            assert c.execute(change, given).rowcount == 1
        upgrade_to(c, schema.NEWEST)
        found = {row.id: row.purpose for row in c.execute(text("SELECT id, purpose FROM tasks"))}
    engine.dispose()
    assert (found[ids[0]], found[ids[1]]) == ("change", "propose")


async def test_two_workspaces_of_one_tree_become_one_that_keeps_what_was_in_both(
    tmp_path: Path, urls: tuple[str, str]
) -> None:
    """BYD-9 BYD-8"""
    await written(tmp_path, urls[0])
    copied(*urls)
    engine = connections.writer_engine(connections.parse(urls[1]))
    with engine.connect() as c, c.begin():
        upgrade_to(c, "0011")
        first, second = c.execute(text("SELECT id FROM workspaces ORDER BY id")).scalars()
        c.execute(
            text("UPDATE workspaces SET host = 'h', path = '/p', kind = 'worktree' WHERE id = :id"), {"id": first}
        )
        c.execute(text("UPDATE workspaces SET host = 'h', path = '/p'"))
        upgrade_to(c, "0012")
        for table in ("tasks", "sessions", "rollbacks"):
            assert set(c.execute(text(f"SELECT workspace_id FROM {table}")).scalars()) == {second}  # noqa: S608
        assert list(c.execute(text("SELECT id FROM workspaces")).scalars()) == [second]
    engine.dispose()
