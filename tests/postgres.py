"""A throw-away PostgreSQL cluster on a Unix socket, for tests and benches."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from tools import postgres

MISSING = f"NOT PROVEN ON POSTGRESQL. {postgres.WHAT_TO_DO}"
START_SECONDS = 60


class Cluster:
    def __init__(self, folder: Path, user: str, server: _Server) -> None:
        self.folder, self.user = folder, user
        self.stop, self.start = server.stop, server.start

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{self.user}@/{database}?host={self.folder}"

    def create(self, template: str = "template1") -> str:
        """A fresh database; returns its URL."""
        name = f"d{uuid4().hex}"
        self.sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.url(name)

    def drop(self, url: str) -> None:
        self.sql(f'DROP DATABASE "{database_of(url)}" WITH (FORCE)')

    def sql(self, statement: str, database: str = "postgres") -> list[Any]:
        with psycopg.connect(self.url(database), autocommit=True) as c:
            cursor = c.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


def database_of(url: str) -> str:
    return url.rpartition("?")[0].rpartition("/")[2]


@contextmanager
def cluster() -> Iterator[Cluster | None]:
    """None where PostgreSQL is not installed."""
    bin_dir = postgres.find()
    if bin_dir is None:
        yield None
        return
    account = _account()
    folder = Path(tempfile.mkdtemp(prefix="store-pg-"))
    try:
        options: dict[str, Any] = {"cwd": folder}
        if account.pw_uid != os.geteuid():
            os.chown(folder, account.pw_uid, account.pw_gid)
            options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        subprocess.run(
            [bin_dir / "initdb", "-D", folder / "data", "-U", account.pw_name, "-A", "trust", "-E", "UTF8", "-N"],
            check=True,
            capture_output=True,
            **options,
        )
        server = _Server(bin_dir / "postgres", folder, options)
        server.start()
        try:
            yield Cluster(folder, account.pw_name, server)
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _account() -> pwd.struct_passwd:
    """initdb refuses root, so root lends the cluster to an account that owns nothing of ours."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise LookupError("root has no account to run PostgreSQL as: neither postgres nor nobody exists")


class _Server:
    """Can be stopped and started again."""

    def __init__(self, program: Path, folder: Path, options: dict[str, Any]) -> None:
        settings = ("fsync=off", "full_page_writes=off", "max_connections=60")
        fast = [part for setting in settings for part in ("-c", setting)]
        self._command: list[str | Path] = [program, "-D", folder / "data", "-k", folder, "-h", "", *fast]
        self._options = options

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stderr=subprocess.PIPE, text=True, **self._options)
        ready, said = threading.Event(), list[str]()
        self._reader = threading.Thread(target=_listen, args=(self._process, ready.set, said), daemon=True)
        self._reader.start()
        if not ready.wait(START_SECONDS) or self._process.poll() is not None:
            self.stop()
            raise RuntimeError("PostgreSQL did not start:\n" + "".join(said))

    def stop(self) -> None:
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()
        self._reader.join()
        if self._process.stderr:
            self._process.stderr.close()


def _listen(process: subprocess.Popen[str], ready: Callable[[], None], said: list[str]) -> None:
    assert process.stderr
    for line in process.stderr:
        said.append(line)
        if "ready to accept connections" in line:
            ready()
    ready()
