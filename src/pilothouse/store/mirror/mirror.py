"""Keeps JSON files under DATA_DIR that follow the database, for people and agents to read.

Nothing waits for them: commits mark sessions, one thread of the mirror's own writes them a moment later, and a burst
is written once. After each round the mirror rests nine times as long as the round took, so it never takes more than
a tenth of a core. A file that is missing, is not JSON or was changed by someone else is drawn again from the
database, and that is told as an event. A disk that refuses is a notice, never an error of a task.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, select

from pilothouse.domain.clock import Clock
from pilothouse.domain.event.log import Event
from pilothouse.domain.event.storage import StorageMirrorRebuilt
from pilothouse.store import notices
from pilothouse.store.database import Store
from pilothouse.store.mirror import documents, files
from pilothouse.store.session import sessions
from pilothouse.store.tables.session import sessions as sessions_table
from pilothouse.store.writer import Tx
from pilothouse.words import say

log = logging.getLogger(__name__)
T = TypeVar("T")

SETTLE_SECONDS = 0.2
REST = 9
PROGRESS_SECONDS = 2.0
SCAN_SECONDS = 30.0
SCAN_FOLDERS = 500
RETRY_SECONDS = 30.0
NAMES_TOLD = 50
PER_SESSION = ("session.json", "questions.json", "events.json", "status.json", "progress.json")
_LISTED = ("session.", "project.")


class _SessionFolder(NamedTuple):
    """Where a session's files are."""

    id: str
    project_id: str
    slug: str


class _Trace(NamedTuple):
    """A file as we left it, in hashes: there may be very many."""

    stat: int
    body: int


class Mirror:
    def __init__(self, store: Store, data_dir: Path, clock: Clock, *, max_calls_per_hour: int = 100) -> None:
        self._store, self._dir, self._clock, self._max_calls = store, data_dir, clock, max_calls_per_hour
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mirror")
        self._dirty: set[str] = set()
        self._listing = False
        self._running: set[str] = set()
        self._woken, self._executing = asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._written: dict[int, _Trace] = {}
        self._failing = False
        self.checked = asyncio.Event()
        """Set once the files of an earlier run were checked."""

    def start(self) -> None:
        """Follows commits from now on, and checks the files of an earlier run in the background."""
        self._store.on_commit(self._note)
        for work in (self._follow, self.check, self._scan, self._show_progress):
            self._tasks.append(asyncio.create_task(self._keep_up(work), name=f"mirror {work.__name__}"))

    async def stop(self) -> None:
        """Writes what waits, then ends. Call it before the store is closed."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        await self.flush()
        self._thread.shutdown()

    async def flush(self) -> None:
        """Writes everything that waits now."""
        dirty, self._dirty = self._dirty, set()
        listing, self._listing = self._listing, False
        try:
            await self._draw(dirty, listing=listing, checking=False)
        except BaseException:  # also when `stop` cancels it: what was not written is still to be written
            self._dirty |= dirty
            self._listing = self._listing or listing
            raise

    async def check(self) -> None:
        """Compares every file with the database, and draws it again if it is missing, damaged or behind."""
        await self._draw((), listing=True, checking=bool(await self._store.read(partial(_folders, after="", limit=1))))
        last = ""
        while folders := await self._store.read(partial(_folders, after=last, limit=50)):
            began = self._clock.monotonic()
            await self._draw({session.id for session in folders} - self._dirty, listing=False, checking=True)
            await self._clock.sleep(REST / 3 * (self._clock.monotonic() - began))
            last = folders[-1].id
        self.checked.set()

    async def scan(self, after: str = "") -> str:
        """Looks in the next folders for files that someone removed or changed. Returns where to go on."""
        folders = await self._store.read(partial(_folders, after=after, limit=SCAN_FOLDERS))
        wrong, lists = await self._in_thread(self._foreign, folders)
        if wrong or lists:
            await self._draw(wrong, listing=lists, checking=True)
        return folders[-1].id if len(folders) == SCAN_FOLDERS else ""

    def _note(self, events: list[Event]) -> None:
        self._dirty.update(event.session_id for event in events if event.session_id)
        self._listing = self._listing or any(event.type.startswith(_LISTED) for event in events)
        if self._dirty or self._listing:
            self._woken.set()

    async def _follow(self) -> None:
        while True:
            await self._woken.wait()
            await self._clock.sleep(SETTLE_SECONDS)
            self._woken.clear()
            began = self._clock.monotonic()
            await self.flush()
            rest = RETRY_SECONDS if self._failing else REST * (self._clock.monotonic() - began)
            await self._clock.sleep(rest)
            if self._dirty or self._listing:
                self._woken.set()

    async def _keep_up(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        while True:
            try:
                return await work()
            except Exception:
                log.exception("the mirror stumbled and goes on in %d s", RETRY_SECONDS)
            await self._clock.sleep(RETRY_SECONDS)

    async def _scan(self) -> None:
        after = ""
        while True:
            await self._clock.sleep(SCAN_SECONDS)
            after = await self.scan(after)

    async def _show_progress(self) -> None:
        while True:
            await self._executing.wait()
            await self._clock.sleep(PROGRESS_SECONDS)
            if self._running:
                await self._in_thread(self._write_progress, sorted(self._running))

    async def _draw(self, session_ids: Iterable[str], *, listing: bool, checking: bool) -> None:
        """`checking`: these files ought to be there already."""
        ids = sorted(session_ids)
        rebuilt, failed, unlisted, problem = await self._in_thread(self._write_all, ids, listing, checking)
        if rebuilt:
            await self._store.write(partial(_tell_rebuilt, names=rebuilt))
        self._dirty |= failed
        self._listing = self._listing or unlisted
        if self._dirty or self._listing:
            self._woken.set()
        if problem and not self._failing:
            await self._store.write(partial(_tell_failing, problem=problem, folder=self._dir))
        self._failing = bool(problem)
        (self._executing.set if self._running else self._executing.clear)()

    async def _in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *arguments))

    def _write_all(self, ids: list[str], listing: bool, checking: bool) -> tuple[list[str], set[str], bool, str]:
        """Returns what was rebuilt, which sessions failed, whether the lists failed, and why."""
        rebuilt: list[str] = []
        failed: set[str] = set()
        problem, unlisted = "", False
        projects: set[str] = set()
        for id in ids:
            try:
                projects |= self._write_session(id, rebuilt, checking)
            except OSError as error:
                log.exception("the mirror of session %s was not written", id)
                failed.add(id)
                problem = str(error)
        try:
            self._write_lists(listing, projects, rebuilt, checking)
        except OSError as error:
            log.exception("the lists of the mirror were not written")
            problem = str(error)
            unlisted = True
        return rebuilt, failed, unlisted, problem

    def _write_session(self, id: str, rebuilt: list[str], checking: bool) -> set[str]:
        now = self._clock.now()

        def draw(c: Connection) -> tuple[_SessionFolder, documents.Documents, dict[str, str]] | None:
            session = sessions.get(c, id)
            if session is None:
                return None
            drawn = documents.of_session(c, session, self._max_calls, now)
            return _SessionFolder(session.id, session.project_id, session.slug), drawn, documents.texts(c, id)

        found = self._store.snapshot(draw)
        if found is None:
            return set()
        session, drawn, texts = found
        (self._running.add if drawn["progress.json"]["isExecuting"] else self._running.discard)(id)
        folder = self._folder(session)
        expected = checking or folder.exists()
        for name, document in drawn.items():
            self._put(folder / name, documents.encode(document), rebuilt, expected=expected)
        files.write_texts(folder, texts, "context_*.md", "stuck_*.md")
        return set() if (folder.parent / "index.json").exists() else {session.project_id}

    def _write_lists(self, listing: bool, projects: set[str], rebuilt: list[str], checking: bool) -> None:
        overall = self._store.snapshot(documents.all_projects)
        if listing or not (self._dir / "projects.json").exists():
            self._put(self._dir / "projects.json", documents.encode(overall), rebuilt, expected=checking)
        for project_id in sorted(set(overall["projects"]) if listing else projects):
            file = self._dir / project_id / "index.json"
            body = documents.encode(self._store.snapshot(partial(documents.index, project_id=project_id)))
            self._put(file, body, rebuilt, expected=checking)

    def _write_progress(self, ids: list[str]) -> None:
        for id in ids:
            session = self._store.snapshot(partial(sessions.get, id=id))
            if session is None:
                continue
            document = self._store.snapshot(partial(documents.progress, session=session, now=self._clock.now()))
            folder = self._folder(_SessionFolder(session.id, session.project_id, session.slug))
            try:
                self._put(folder / "progress.json", documents.encode(document), [], expected=False)
            except OSError:
                log.exception("the progress of session %s was not written", id)

    def _put(self, file: Path, body: bytes, rebuilt: list[str], *, expected: bool) -> None:
        """`expected`: a good file ought to be there, and it is told when it is not."""
        seen, known = _look(file), self._written.get(hash(file))
        touched = known is not None and seen != known.stat
        if known is not None and not touched and known.body == hash(body):
            return
        present = files.read(file) if known is None or touched else None
        if touched or (known is None and expected and present is None):
            rebuilt.append(str(file.relative_to(self._dir)))
        if present != body:
            files.write(file, body, keep=not touched and (known is not None or present is not None))
        self._written[hash(file)] = _Trace(_look(file) or 0, hash(body))

    def _foreign(self, folders: list[_SessionFolder]) -> tuple[set[str], bool]:
        """Whose files someone changed, and whether a list is among what was changed."""
        wrong = {one.id for one in folders if any(self._wrong(self._folder(one) / name) for name in PER_SESSION)}
        lists = {self._dir / "projects.json", *(self._dir / session.project_id / "index.json" for session in folders)}
        return wrong, any(map(self._wrong, lists))

    def _wrong(self, file: Path) -> bool:
        known = self._written.get(hash(file))
        return known is not None and _look(file) != known.stat

    def _folder(self, session: _SessionFolder) -> Path:
        return self._dir / session.project_id / session.slug


def _folders(c: Connection, after: str, limit: int) -> list[_SessionFolder]:
    t = sessions_table.c
    query = select(t.id, t.project_id, t.slug).where(t.id > after).order_by(t.id).limit(limit)
    return [_SessionFolder(*row) for row in c.execute(query)]


def _look(file: Path) -> int | None:
    try:
        found = file.stat(follow_symlinks=False)
    except OSError:
        return None
    return hash((found.st_ino, found.st_size, found.st_mtime_ns))


def _tell_rebuilt(tx: Tx, names: list[str]) -> None:
    more = [f"and {len(names) - NAMES_TOLD} more"] if len(names) > NAMES_TOLD else []
    tx.emit(StorageMirrorRebuilt(files=[*names[:NAMES_TOLD], *more]))


def _tell_failing(tx: Tx, problem: str, folder: Path) -> None:
    notices.add(tx, "mirror_failed", say("mirror.failed", folder=str(folder), problem=problem), [])
