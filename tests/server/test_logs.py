"""No secret in a log, and no log without an end."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.server.logs import Mask, Tidying, close, configure, secrets_of
from pilothouse.settings import Settings
from pilothouse.store.session import sessions
from tests.workbench import Workbench


@pytest.fixture
def _logging_restored() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    close()
    for handler in root.handlers[:]:
        if handler not in before:
            root.removeHandler(handler)
            handler.close()
    root.handlers[:] = before
    root.setLevel(level)


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("token is s3cr3t-token", "s3cr3t-token"),
        ("Authorization: Bearer abcdef123", "abcdef123"),
        ("headers {'authorization': 'Bearer abcdef123'}", "abcdef123"),
        ("[(b'cookie', b'pilothouse_0011aabb=17.ffff')]", "17.ffff"),
        ("Cookie: pilothouse_0011aabb=17.ffff; other=1", "17.ffff"),
        ("open http://127.0.0.1:3333/#token=abc-def", "abc-def"),
        ("postgresql://user:hunter22@localhost/db", "hunter22"),
        ("the key sk-ant-999999 was used", "sk-ant-999999"),
    ],
)
def test_secrets_are_masked(line: str, secret: str) -> None:
    """PLT-5"""
    mask = Mask(["s3cr3t-token", "sk-ant-999999", "", "x"])
    shown = mask.masked(line)
    assert secret not in shown
    assert "***" in shown


def test_a_secret_in_a_traceback_is_masked_too() -> None:
    """PLT-5"""
    mask = Mask(["s3cr3t-token"])
    try:
        raise ValueError("wrong: s3cr3t-token")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed %s", ("s3cr3t-token",), sys.exc_info())
    assert "s3cr3t-token" not in mask.format(record)


def test_what_agents_may_see_is_masked_when_its_name_sounds_secret() -> None:
    """PLT-5"""
    settings = Settings(pilothouse_agent_env=("MY_API_KEY", "EDITOR"))
    environment = {"MY_API_KEY": "value-of-key", "EDITOR": "vi-the-editor"}
    assert secrets_of(settings, "the-token", environment) == ["the-token", "value-of-key", "value-of-key"]


@pytest.mark.usefixtures("_logging_restored")
def test_the_server_log_rotates_by_size_and_count(tmp_path: Path) -> None:
    """PLT-5"""
    settings = Settings(data_dir=tmp_path, log_max_size_mb=1, log_max_files=2)
    configure(settings, "s3cr3t-token")
    log = logging.getLogger("pilothouse.test")
    for _ in range(45):
        log.info("s3cr3t-token %s", "x" * 100_000)
    log.debug("not shown without DEBUG")
    close()
    files = sorted(file.name for file in settings.logs.iterdir())
    assert files == ["server.log", "server.log.1", "server.log.2"]
    assert all(file.stat().st_size <= 1024 * 1024 for file in settings.logs.iterdir())
    text = (settings.logs / "server.log").read_text()
    assert "INFO pilothouse.test: ***" in text
    assert "s3cr3t-token" not in text
    assert "not shown" not in text


@pytest.mark.usefixtures("_logging_restored")
def test_debug_shows_more(tmp_path: Path) -> None:
    """PLT-5"""
    configure(Settings(data_dir=tmp_path, debug=True), "s3cr3t-token")
    logging.getLogger("pilothouse.test").debug("verbose")
    close()
    assert "verbose" in (tmp_path / "logs" / "server.log").read_text()


async def test_finished_sessions_logs_are_archived_and_old_ones_removed(bench: Workbench) -> None:
    """PLT-5"""
    session, task = await bench.begin("Fix it. [[fix-add]]")
    await bench.rest(task)
    logs, clock = bench.settings.logs, ManualClock(bench.clock.now())
    (log,) = logs.glob(f"rehearsal_{session.id}_*.log")
    tidying = Tidying(bench.settings, bench.store, clock)
    await tidying.once()
    assert log.exists(), "the session is still open"
    await bench.sessions.change(session.id, archived=True)
    await tidying.once()
    archived = logs / "archive" / session.id / log.name
    assert archived.exists()
    (logs / "server.log").write_text("kept")
    await clock.advance(timedelta(days=bench.settings.log_retention_days, hours=1).total_seconds())
    await tidying.once()
    assert not archived.exists()
    assert not archived.parent.exists()
    assert (logs / "server.log").exists()
    assert (await bench.store.read(lambda c: sessions.get(c, session.id))) is not None


async def test_an_old_log_of_a_session_nobody_knows_is_removed(bench: Workbench) -> None:
    """PLT-5"""
    clock = ManualClock(bench.clock.now())
    old = bench.settings.logs / "rehearsal_gone_1.log"
    old.write_text("old")
    long_ago = (clock.now() - timedelta(days=bench.settings.log_retention_days + 1)).timestamp()
    os.utime(old, (long_ago, long_ago))
    await Tidying(bench.settings, bench.store, clock).once()
    assert list(bench.settings.logs.rglob("*gone*")) == []
