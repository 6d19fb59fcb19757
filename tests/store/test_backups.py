"""Care of the SQLite file."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.event.storage import StorageRestored
from pilothouse.domain.event.task import TaskReplied, TaskStarted
from pilothouse.errors import StorageDamaged
from pilothouse.store import events, notices
from pilothouse.store.backups import damage
from pilothouse.store.database import Store, Tx
from pilothouse.store.mirror.mirror import Mirror
from pilothouse.store.session import projects, sessions
from tests.store.samples import NOW, furnish, project, session, until


async def _open(folder: Path, clock: ManualClock, **options: float) -> Store:
    kept = int(options.pop("kept", 24))
    url = f"sqlite:///{folder / 'pilothouse.db'}"
    return await Store.open(url, clock, backups=folder / "backups", backups_kept=kept, **options)


def _copies(folder: Path) -> list[Path]:
    return sorted((folder / "backups").iterdir())


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _scratch(file: Path) -> None:
    """Overwrite pages in the middle, as a failing disk does."""
    with file.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xa5" * 16384)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


async def test_the_database_and_its_folders_are_the_persons_alone(tmp_path: Path, clock: ManualClock) -> None:
    """BYD-12"""
    home = tmp_path / "home"
    store = await _open(home, clock)
    await store.write(furnish)
    await store.close()
    assert (home.stat().st_mode & 0o777, (home / "pilothouse.db").stat().st_mode & 0o777) == (0o700, 0o600)
    (copy,) = _copies(home)
    assert ((home / "backups").stat().st_mode & 0o777, copy.stat().st_mode & 0o777) == (0o700, 0o600)


async def test_a_backup_is_made_by_the_hour_and_at_shutdown(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock, kept=2)
    heads = []
    for n in range(3):
        await store.write(lambda tx: tx.emit(TaskReplied(attempt=1, reply="yes")))
        await clock.advance(1)
        heads.append(await store.backup())
        assert await store.backup() is None, n
    assert _copies(tmp_path) == heads[1:]
    await store.write(lambda tx: tx.emit(TaskReplied(attempt=1, reply="yes")))
    await clock.advance(1)
    await store.close()
    copies = _copies(tmp_path)
    assert len(copies) == 2
    assert copies[0] == heads[2]
    assert [damage(copy, alone=True) for copy in copies] == ["", ""]


async def test_the_hourly_backup_needs_nobody(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock, backup_interval=3600)
    await store.write(furnish)
    assert not (tmp_path / "backups").exists()
    await clock.advance(3601)

    async def copied() -> bool:
        return (tmp_path / "backups").exists() and len(list((tmp_path / "backups").glob("pilothouse-*.db"))) == 1

    await until(copied)
    await store.close()


async def test_a_damaged_database_comes_back_from_the_newest_good_backup(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock)
    mirror = Mirror(store, tmp_path, clock)
    await store.write(furnish)
    await store.write(lambda tx: tx.emit(TaskReplied(attempt=1, reply="kept"), session_id="s"))
    good = await store.backup()
    assert good

    def later(tx: Tx) -> None:
        started = TaskStarted(prompt="x", agent="a", workspace_id="w", submitted_at=tx.now)
        tx.emit(started, session_id="s", task_id="t")
        tx.emit(TaskReplied(attempt=1, reply="lost"), session_id="s", task_id="t")
        sessions.add(tx, session("new", title="Brand new"))

    await clock.advance(60)
    await store.write(later)
    await mirror.check()
    await store.close()
    bad = _copies(tmp_path)[-1]
    assert bad != good
    _scratch(bad)
    _scratch(tmp_path / "pilothouse.db")

    await clock.advance(60)
    again = await _open(tmp_path, clock)
    restored = again.restored
    assert restored
    assert (restored.backup, restored.backup_at) == (good.name, NOW)
    words = "\n".join(restored.lost)
    assert "Session “Session s” (/home/ada/p): 1 task, 1 reply after 2026-01-01 12:00:00 UTC." in words
    assert "Session “Brand new” (/home/ada/p), begun after 2026-01-01 12:00:00 UTC, is gone." in words
    told = await again.read(lambda c: events.after(c, 0, 10))
    assert [event.type for event in told] == ["task.replied", "storage.restored"]
    assert isinstance(told[-1].data, StorageRestored)
    (notice,) = await again.read(notices.open)
    assert (notice.code, list(notice.details)) == ("storage_restored", restored.lost)
    assert (await again.read(events.verify)).ok
    assert await again.read(lambda c: sessions.get(c, "s")) is not None
    (aside,) = (tmp_path / "damaged").iterdir()
    assert {"pilothouse.db"} <= {file.name for file in aside.iterdir()}
    assert (aside / "p" / "s" / "events.json").exists()
    assert (aside / "p" / "new" / "session.json").exists()
    await again.close()

    healthy = await _open(tmp_path, clock)
    assert healthy.restored is None
    await healthy.close()


def _rot(file: Path, *, offset: int) -> None:
    """Damage that leaves no trace in what the system says of the file."""
    before = file.stat()
    with file.open("r+b") as stream:
        stream.seek(offset)
        stream.write(b"\xa5" * 4096)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


async def test_a_file_nobody_touched_since_shutdown_is_read_through_after_the_start(
    tmp_path: Path, clock: ManualClock
) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock)
    await store.write(furnish)
    await store.write(lambda tx: tx.emit(TaskReplied(attempt=1, reply="x" * 200_000), session_id="s"))
    await store.close()
    file = tmp_path / "pilothouse.db"
    with closing(sqlite3.connect(file)) as c:
        query = "SELECT max(pageno) FROM dbstat WHERE name = 'events' AND pagetype = 'leaf'"
        try:
            leaf = c.execute(query).fetchone()[0]
        except sqlite3.OperationalError:  # a library built without that table
            leaf = c.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").fetchone()[0]
    _rot(file, offset=(leaf - 1) * 4096)

    again = await _open(tmp_path, clock)

    async def told() -> bool:
        return [notice.code for notice in await again.read(notices.open)] == ["storage_damaged"]

    assert again.restored is None
    await until(told)
    await again.close()
    healed = await _open(tmp_path, clock)
    assert healed.restored
    await healed.close()


async def test_damage_that_keeps_a_sealed_database_from_opening_restores_it(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock)
    await store.write(furnish)
    await store.close()
    _rot(tmp_path / "pilothouse.db", offset=0)
    again = await _open(tmp_path, clock)
    assert again.restored
    assert await again.read(lambda c: sessions.get(c, "s")) is not None
    await again.close()


async def test_a_database_that_is_gone_comes_back_too(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock)
    await store.write(lambda tx: projects.add(tx, project()))
    await store.close()
    (tmp_path / "pilothouse.db").unlink()
    await clock.advance(1)
    again = await _open(tmp_path, clock)
    assert again.restored
    assert await again.read(projects.all) == [project()]
    await again.close()


async def test_without_a_good_backup_the_damaged_file_is_left_alone(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock)
    await store.write(furnish)
    await store.close()
    for copy in _copies(tmp_path):
        copy.write_bytes(b"no database")
    file = tmp_path / "pilothouse.db"
    _scratch(file)
    before = file.read_bytes()
    with pytest.raises(StorageDamaged, match="no good backup"):
        await _open(tmp_path, clock)
    assert file.read_bytes() == before


async def test_a_backup_that_fails_is_told_and_stops_nothing(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    (tmp_path / "backups").write_text("a file where the folder should be")
    store = await _open(tmp_path, clock, backup_interval=60)
    await store.write(furnish)
    await clock.advance(61)

    async def told() -> bool:
        return [notice.code for notice in await store.read(notices.open)] == ["backup_failed"]

    await until(told)
    await store.write(lambda tx: sessions.update(tx, "s", title="still works"))
    await store.close()


async def test_what_a_crash_left_in_the_journal_is_taken_in_and_nothing_restored(
    tmp_path: Path, clock: ManualClock
) -> None:
    """BYD-8"""
    store = await _open(tmp_path / "before", clock)
    await store.write(furnish)
    await store.backup()
    await store.write(lambda tx: sessions.update(tx, "s", title="written last"))
    for name in ("pilothouse.db", "pilothouse.db-wal"):
        _copy(tmp_path / "before" / name, tmp_path / "after" / name)
    for copy in _copies(tmp_path / "before"):
        _copy(copy, tmp_path / "after" / "backups" / copy.name)
    await store.close()
    again = await _open(tmp_path / "after", clock)
    assert again.restored is None
    found = await again.read(lambda c: sessions.get(c, "s"))
    assert found
    assert found.title == "written last"
    await again.close()


async def test_a_database_that_is_only_locked_is_not_restored(tmp_path: Path, clock: ManualClock) -> None:
    """PLT-1"""
    store = await _open(tmp_path, clock)
    await store.write(furnish)
    await store.close()
    with closing(sqlite3.connect(tmp_path / "pilothouse.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageDamaged, match="locked"):
            damage(tmp_path / "pilothouse.db", patience=0.01)
    again = await _open(tmp_path, clock)
    assert again.restored is None
    await again.close()


async def test_a_first_start_restores_nothing(tmp_path: Path, clock: ManualClock) -> None:
    store = await _open(tmp_path / "new", clock)
    assert store.restored is None
    assert clock.now() - NOW < timedelta(seconds=1)
    await store.close()
