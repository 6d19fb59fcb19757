"""The store: one writer, several readers, and listeners that hear of events after they are committed."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, DBAPIError, SQLAlchemyError

from pilothouse.domain.clock import Clock
from pilothouse.domain.event.log import Event
from pilothouse.domain.event.storage import StorageRestored
from pilothouse.errors import PilothouseError, StorageAway, StorageDamaged, Unavailable, message_of
from pilothouse.store import connections, events, idempotency, notices, schema, trouble
from pilothouse.store.backups import Backups
from pilothouse.store.writer import QueueChange, Tx, Writer
from pilothouse.words import say

__all__ = ["Store", "Tx"]

log = logging.getLogger(__name__)
T = TypeVar("T")
Listener = Callable[[list[Event]], None]


class Store:
    """Reads and writes the database. Made by `Store.open`; belongs to the event loop it was opened on."""

    def __init__(self, url: str, clock: Clock, backups: Backups | None, restored: StorageRestored | None) -> None:
        parsed = connections.parse(url)
        self.restored = restored
        self._clock, self._backups = clock, backups
        self._listeners: list[Listener] = []
        self._queue_listeners: list[Callable[[QueueChange], None]] = []
        self._write_engine = connections.writer_engine(parsed)
        self._read_engine = connections.reader_engine(parsed)
        self._readers = ThreadPoolExecutor(connections.READERS, thread_name_prefix="store-reader")
        self._writer = Writer(self._write_engine, clock, asyncio.get_running_loop(), self._publish, self._stir)
        self._care: asyncio.Task[None] | None = None
        self._closed = self._damaged = False
        self._file = connections.file_of(parsed)
        self._trouble: PilothouseError | None = None
        """Met last, until something is written again."""

    @classmethod
    async def open(
        cls,
        url: str,
        clock: Clock,
        *,
        backups: Path | None = None,
        backup_interval: float = 3600,
        backups_kept: int = 24,
    ) -> Self:
        """Checks the database (restores it from a backup if it is damaged), migrates it, and starts the writer."""
        file = connections.file_of(connections.parse(url))
        keeper = Backups(file, backups, backups_kept, clock) if file and backups else None
        restored = await asyncio.to_thread(keeper.check) if keeper else None
        try:
            store, seq = await cls._migrated(url, clock, keeper, restored)
        except DatabaseError:
            if not keeper or not keeper.unchecked:
                raise
            restored = await asyncio.to_thread(keeper.check)
            store, seq = await cls._migrated(url, clock, keeper, restored)
        store._writer.start(seq)
        if restored:
            await store.write(lambda tx: _tell_restored(tx, restored))
        if keeper:
            store._care = asyncio.create_task(store._keep_backups(keeper, backup_interval))
        return store

    @classmethod
    async def _migrated(
        cls, url: str, clock: Clock, keeper: Backups | None, restored: StorageRestored | None
    ) -> tuple[Self, int]:
        """Also returns the number of its newest event."""
        if file := connections.file_of(connections.parse(url)):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
        store = cls(url, clock, keeper, restored)
        try:
            await asyncio.to_thread(schema.migrate, store._write_engine)
            seq, _ = await store.read(events.head)
        except BaseException:
            store._dispose()
            raise
        return store, seq

    async def write(self, job: Callable[[Tx], T]) -> T:
        """Returns after the commit. If `job` raises, that job alone is undone, and the error rises here."""
        while True:
            try:
                result = await self._written(job)
            except (DBAPIError, StorageAway) as error:
                await self._met(error)
            else:
                self._trouble = None
                return result

    async def read(self, job: Callable[[Connection], T]) -> T:
        """Runs `job` in one snapshot of the database, off the event loop."""
        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._readers, self.snapshot, job)
            except DBAPIError as error:
                await self._met(error)

    async def trouble(self) -> PilothouseError | None:
        """What keeps the database from working now, if anything. Looks again where something did."""
        asked = trouble.hurried.set(True)
        try:
            await self.read(events.head)
            if self._trouble and self._file and trouble.is_full(self._file):
                return self._trouble
            if self._trouble:
                await self.write(lambda tx: events.touch(tx.conn))
        except (SQLAlchemyError, PilothouseError) as error:
            return error if isinstance(error, PilothouseError) else StorageDamaged(say("storage.broken"))
        finally:
            trouble.hurried.reset(asked)
        return None

    async def _written(self, job: Callable[[Tx], T]) -> T:
        if self._closed:
            raise Unavailable(say("server.going_down"))
        mark = idempotency.current.get()
        if mark is None or mark.placed:
            alone: T = await self._writer.submit(job)
            return alone
        result: T = await self._writer.submit(mark.around(job))
        # Known only after the commit: a job may run twice.
        mark.placed = mark.placed or mark.acting
        return result

    async def _met(self, error: Exception) -> None:
        """Waits a moment before the next try, where that makes sense; raises otherwise."""
        found = trouble.of(error, self._file)
        if found is None:
            raise error
        if self._trouble is None:
            log.warning("%s: %s", found.code, error)
        self._trouble = found
        # Whether a commit was carried out whose answer was lost is not known: doing it again might do it twice.
        if trouble.hurried.get() or found is error:
            raise found from error
        await self._clock.sleep(trouble.RETRY_SECONDS)
        if self._closed:
            raise Unavailable(say("server.going_down"))

    def on_commit(self, listener: Listener) -> None:
        """`listener` is called on the event loop with every event once, in order of `seq`."""
        self._listeners.append(listener)

    def on_queue(self, listener: Callable[[QueueChange], None]) -> None:
        """`listener` is called on the event loop after each commit that changed a workspace's queue."""
        self._queue_listeners.append(listener)

    async def backup(self) -> Path | None:
        """Makes a checked copy of the database. None if nothing is new, and for PostgreSQL: we do not back it up."""
        if not self._backups:
            return None
        return await asyncio.to_thread(self._backups.make, self._writer.commits)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._care:
            self._care.cancel()
            with suppress(asyncio.CancelledError):
                await self._care
        await asyncio.to_thread(self._writer.stop)
        try:
            await self.backup()
            good = not self._damaged
        except (OSError, sqlite3.Error):
            log.exception("the backup at shutdown failed")
            good = False
        finally:
            self._dispose()
        if self._backups and good:
            with suppress(OSError):  # then the next start reads the whole file
                self._backups.seal()

    def snapshot(self, job: Callable[[Connection], T]) -> T:
        """Like `read`, for other threads than the event loop's."""
        with self._read_engine.connect() as connection, connection.begin():
            return job(connection)

    def _publish(self, page: list[Event]) -> None:
        for listener in self._listeners:
            try:
                listener(page)
            except Exception:
                log.exception("a listener failed on events %d to %d", page[0].seq, page[-1].seq)

    def _stir(self, change: QueueChange) -> None:
        for listener in self._queue_listeners:
            try:
                listener(change)
            except Exception:
                log.exception("a listener failed on the queue of workspace %s", change.workspace_id)

    async def _keep_backups(self, backups: Backups, interval: float) -> None:
        if backups.unchecked and (problem := await asyncio.to_thread(backups.look)):
            self._damaged = True
            log.error("the database is damaged: %s", problem)
            with suppress(Exception):  # it may be too damaged for that
                await self.write(partial(_tell_damaged, problem=problem))
        while True:
            await self._clock.sleep(interval)
            try:
                await self.backup()
            except Exception as error:  # the next hour tries again, whatever it was
                log.exception("the hourly backup failed")
                with suppress(Exception):
                    await self.write(partial(_tell_backup_failed, error=error))

    def _dispose(self) -> None:
        self._readers.shutdown()
        self._read_engine.dispose()
        self._write_engine.dispose()


def _tell_restored(tx: Tx, restored: StorageRestored) -> None:
    tx.emit(restored)
    notices.add(
        tx,
        "storage_restored",
        say("database.restored", at=f"{restored.backup_at:%Y-%m-%d %H:%M} UTC"),
        restored.lost,
    )


def _tell_damaged(tx: Tx, problem: str) -> None:
    notices.add(tx, "storage_damaged", say("database.damaged"), [problem])


def _tell_backup_failed(tx: Tx, error: Exception) -> None:
    notices.add(tx, "backup_failed", say("database.not_backed_up", problem=message_of(error)), [])
