"""Writes the server's log, rotated and without secrets, and tidies up the logs of spawns."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import re
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from pilothouse.domain.clock import Clock
from pilothouse.domain.session.session import SessionStatus
from pilothouse.settings import Settings
from pilothouse.store.session import sessions

if TYPE_CHECKING:
    from pilothouse.store.database import Store

log = logging.getLogger(__name__)

_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_HEADERS = re.compile(r"(?i)\b(authorization|cookie|set-cookie)(['\"]?\s*[:=,]\s*['\"]?)([^\r\n'\"]+)")
_BEARER = re.compile(r"(?i)\b(bearer\s+)[\w.~+/=-]{4,}")
_FRAGMENT = re.compile(r"(#token=)[^\s'\"&]+")
_COOKIE = re.compile(r"(pilothouse_[0-9a-f]{8}=)[^\s;'\"]+")
_URL_PASSWORD = re.compile(r"(?<=://)([^\s:/@]*):([^\s/@]+)@")
_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|credential|auth")
_SHORTEST = 6
_FINISHED = frozenset({SessionStatus.COMPLETED, SessionStatus.EXPIRED, SessionStatus.ROLLED_BACK})


class Mask(logging.Formatter):
    """Masks after formatting, so that tracebacks and arguments are covered too."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__(_LINE)
        known = sorted({secret for secret in secrets if len(secret) >= _SHORTEST}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known))) if known else None

    def format(self, record: logging.LogRecord) -> str:
        return self.masked(super().format(record))

    def masked(self, text: str) -> str:
        if self._known:
            text = self._known.sub("***", text)
        text = _HEADERS.sub(r"\1\2***", text)
        for pattern in (_BEARER, _FRAGMENT, _COOKIE):
            text = pattern.sub(r"\1***", text)
        return _URL_PASSWORD.sub(r"\1:***@", text)


def secrets_of(settings: Settings, token: str, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The token, and the values of all variables whose names sound secret."""
    named = [value for name, value in environment.items() if _SECRET_NAME.search(name)]
    configured = [environment.get(name, "") for name in settings.pilothouse_agent_env if _SECRET_NAME.search(name)]
    return [token, *named, *configured]


def configure(settings: Settings, token: str) -> None:
    settings.logs.mkdir(parents=True, exist_ok=True)
    file = RotatingFileHandler(
        settings.logs / "server.log",
        maxBytes=settings.log_max_size_mb * 1024 * 1024,
        backupCount=settings.log_max_files,
        encoding="utf-8",
        delay=True,
    )
    screen = logging.StreamHandler(sys.stderr)
    screen.setLevel(logging.DEBUG if settings.debug else logging.WARNING)
    mask = Mask(secrets_of(settings, token))
    root = logging.getLogger()
    close()
    for handler in root.handlers[:]:
        root.removeHandler(handler)
        handler.close()
    for handler in (file, screen):
        handler.setFormatter(mask)
    # A disk or a terminal may be slow, so a thread writes, not the event loop.
    waiting: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    writing = QueueListener(waiting, file, screen, respect_handler_level=True)
    root.addHandler(_Handed(waiting))
    writing.start()
    _listeners.append(writing)
    root.setLevel(logging.WARNING)
    for name in ("pilothouse", "uvicorn"):
        logging.getLogger(name).setLevel(logging.DEBUG if settings.debug else logging.INFO)


class _Handed(QueueHandler):
    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """Passes the record on. The original would format it here, without the mask."""
        return record


_listeners: list[QueueListener] = []


def close() -> None:
    """Writes what is waiting, then stops."""
    while _listeners:
        listener = _listeners.pop()
        listener.stop()
        for handler in listener.handlers:
            handler.close()


class Tidying:
    """Moves the spawn logs of finished sessions to `archive/<session>/` once a day, and removes old ones."""

    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        self._logs, self._days = settings.logs, settings.log_retention_days
        self._store, self._clock = store, clock

    async def run(self) -> None:
        while True:
            await self.once()
            now = self._clock.now().astimezone()
            midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
            await self._clock.sleep((midnight - now).total_seconds())

    async def once(self) -> None:
        try:
            await self._archive()
            await asyncio.to_thread(self._remove_old, self._clock.now())
        except OSError:
            log.exception("the logs could not be tidied")

    async def _archive(self) -> None:
        files = await asyncio.to_thread(self._spawn_logs)
        ids = {_session_of(file) for file in files}
        if not ids:
            return
        finished = await self._store.read(lambda c: {id_ for id_ in ids if _is_finished(c, id_)})
        await asyncio.to_thread(self._put_away, [file for file in files if _session_of(file) in finished])

    def _spawn_logs(self) -> list[Path]:
        return [file for file in self._logs.glob("*_*_*.log") if file.is_file()]

    def _put_away(self, files: list[Path]) -> None:
        for file in files:
            folder = self._logs / "archive" / _session_of(file)
            folder.mkdir(parents=True, exist_ok=True)
            file.replace(folder / file.name)

    def _remove_old(self, now: datetime) -> None:
        oldest = (now - timedelta(days=self._days)).timestamp()
        for file in (*self._logs.glob("*_*_*.log"), *self._logs.glob("archive/*/*.log")):
            if file.stat().st_mtime < oldest:
                file.unlink()
        for folder in self._logs.glob("archive/*"):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def _session_of(file: Path) -> str:
    return file.stem.rsplit("_", 2)[1]


def _is_finished(c: Connection, session_id: str) -> bool:
    session = sessions.get(c, session_id)
    return session is None or session.archived or session.deleted or session.status in _FINISHED
