"""The one thread that writes: jobs wait in line, and whatever waits is committed together.

A job may run twice (its batch failed and it is tried again alone), so it does database work and nothing else.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from pilothouse.domain.clock import Clock
from pilothouse.domain.event.log import Event
from pilothouse.domain.event.payload import EventData
from pilothouse.domain.task.task import Task
from pilothouse.errors import StorageAway
from pilothouse.store import events
from pilothouse.words import say

log = logging.getLogger(__name__)

BATCH = 64
TRIES = 5
GAP_PAGE = 1000
_TRY_AGAIN = frozenset({"40001", "40P01"})  # PostgreSQL: serialisation failure, deadlock


class QueueChange(NamedTuple):
    """Says that a workspace's queue changed. Told after the commit, and not stored."""

    workspace_id: str
    task_id: str | None = None
    session_id: str | None = None
    project_id: str | None = None


@dataclass(slots=True)
class Tx:
    """One job's part of a transaction."""

    conn: Connection
    now: datetime
    emitted: list[events.Pending] = field(default_factory=list)
    queues: list[QueueChange] = field(default_factory=list)
    acted: bool = False
    """Whether the job did something that must not be done again if its request comes twice."""
    begun: str = ""
    """What the job announces and its request then does: it is found by this if the request comes again."""

    def emit(self, data: EventData, *, session_id: str | None = None, task_id: str | None = None) -> None:
        """Stores an event with this job's commit, then tells listeners of it."""
        self.emitted.append(events.Pending(self.now, session_id, task_id, data))

    def begin(self, what: str) -> None:
        """Announces something that is done after the commit, and that a crash may cut short."""
        self.acted, self.begun = True, what

    def queue_changed(self, workspace_id: str, task: Task | None = None) -> None:
        """After the commit, wakes the dispatcher and tells whoever watches the queue."""
        about = (task.id, task.session_id, task.project_id) if task else ()
        self.queues.append(QueueChange(workspace_id, *about))


@dataclass(slots=True)
class _Job:
    run: Callable[[Tx], Any]
    future: Future[Any]
    result: Any = None
    error: BaseException | None = None
    queues: list[QueueChange] = field(default_factory=list)


class Writer:
    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        loop: AbstractEventLoop,
        publish: Callable[[list[Event]], None],
        stir: Callable[[QueueChange], None],
    ) -> None:
        self._engine, self._clock, self._loop = engine, clock, loop
        self._publish, self._stir = publish, stir
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._published = 0
        self.commits = 0

    def start(self, published: int) -> None:
        """Listeners hear of the events after `published`."""
        self._published = published
        self._thread.start()

    def submit(self, run: Callable[[Tx], Any]) -> Future[Any]:
        job = _Job(run, self._loop.create_future())
        self._jobs.put(job)
        return job.future

    def stop(self) -> None:
        """Returns when everything submitted before has been written."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            batch, last = self._take()
            if batch:
                self._write(batch)
            if last:
                return

    def _take(self) -> tuple[list[_Job], bool]:
        batch: list[_Job] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == BATCH:
                return batch, False
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _write(self, batch: list[_Job]) -> None:
        if len(batch) > 1:
            try:
                self._tell(self._commit(batch), batch)
                return
            except StorageAway as error:
                for job in batch:
                    job.error = error
                self._tell([], batch)
                return
            except Exception as error:  # noqa: BLE001 - whose fault it was shows when each runs alone
                log.warning("a batch of %d writes failed and is tried one by one: %s", len(batch), error)
        for job in batch:
            self._write_alone(job)

    def _write_alone(self, job: _Job) -> None:
        for tried in range(1, TRIES + 1):
            try:
                self._tell(self._commit([job]), [job])
                return
            except Exception as error:  # noqa: BLE001 - it rises where the job came from
                if tried == TRIES or not _passes(error):
                    job.error = error
                    break
                time.sleep(0.01 * tried)
        self._tell([], [job])

    def _commit(self, batch: Sequence[_Job]) -> list[list[Event]]:
        """Runs the jobs, then numbers their events. The head row is locked last, and so for the shortest time."""
        pending: list[events.Pending] = []
        with self._engine.connect() as connection, connection.begin() as transaction:
            for job in batch:
                job.error, job.queues = None, []
                pending += self._run_job(connection, job, alone=len(batch) == 1)
            if len(batch) == 1 and batch[0].error:
                transaction.rollback()
                return []
            before, new = events.append(connection, pending) if pending else (self._published, [])
            gap = self._others(connection, before) if before > self._published else []
            try:
                transaction.commit()
            except DBAPIError as error:
                if error.connection_invalidated:
                    # Whether it was carried out is not known, so it is not done again.
                    raise StorageAway(say("storage.unknown")) from error
                raise
        self.commits += 1
        if new:
            self._published = new[-1].seq
            return [*gap, new]
        return gap

    def _run_job(self, connection: Connection, job: _Job, *, alone: bool) -> list[events.Pending]:
        tx = Tx(connection, self._clock.now())
        try:
            if alone:
                job.result = job.run(tx)
            else:
                with connection.begin_nested():
                    job.result = job.run(tx)
        except DBAPIError as error:
            if not isinstance(error, IntegrityError):
                raise  # the transaction itself may be gone: SQLite ends it when the disk is full
            job.error = error
            return []
        except BaseException as error:  # noqa: BLE001 - it rises where the job came from
            job.error = error
            return []
        job.queues = tx.queues
        return tx.emitted

    def _others(self, connection: Connection, before: int) -> list[list[Event]]:
        """Events that other processes wrote since our last one: listeners hear everything in order."""
        pages: list[list[Event]] = []
        seq = self._published
        while seq < before and (page := events.after(connection, seq, min(GAP_PAGE, before - seq))):
            pages.append(page)
            seq = page[-1].seq
        return pages

    def _tell(self, pages: list[list[Event]], jobs: Sequence[_Job]) -> None:
        def deliver() -> None:
            for page in pages:
                self._publish(page)
            for change in (change for job in jobs if not job.error for change in job.queues):
                self._stir(change)
            for job in jobs:
                if job.future.done():
                    continue
                if job.error:
                    job.future.set_exception(job.error)
                else:
                    job.future.set_result(job.result)

        try:
            self._loop.call_soon_threadsafe(deliver)
        except RuntimeError:
            log.warning("the event loop is gone; %d writes were not reported back", len(jobs))


def _passes(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _TRY_AGAIN
