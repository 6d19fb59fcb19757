"""Start-up checks name what is wrong and what to do."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from pydantic import SecretStr

from pilothouse.server import data_lock, requirements
from pilothouse.settings import Settings
from tests.disk import filled, small_disk


def test_everything_is_well_on_a_good_machine(tmp_path: Path) -> None:
    """PLT-3"""
    found = requirements.before_start(Settings(data_dir=tmp_path / "data", port=0))
    assert {check.name for check in found} == {"python", "git", "data_dir", "disk", "token", "port"}
    assert [check for check in found if not check.ok] == []
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_a_token_that_can_be_guessed_is_warned_of(tmp_path: Path) -> None:
    """BYD-12: wrong guesses never lock out the right one."""
    short = requirements.token(Settings(data_dir=tmp_path, pilothouse_token=SecretStr("secret")))
    assert (short.ok, short.needed) == (False, False)
    assert "secret" not in short.detail + short.fix
    assert requirements.token(Settings(data_dir=tmp_path, pilothouse_token=SecretStr("s" * 16))).ok


def test_a_port_in_use_is_named_with_the_option(tmp_path: Path) -> None:
    """PLT-3"""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        check = requirements.port(Settings(data_dir=tmp_path, port=port))
    assert not check.ok
    assert str(port) in check.detail
    assert "--port" in check.fix


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    """PLT-3"""
    check = requirements.port(Settings(data_dir=tmp_path, host="192.0.2.1", port=0))
    assert not check.ok
    assert "192.0.2.1" in check.detail
    assert "HOST" in check.fix


def test_a_data_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """PLT-3"""
    (tmp_path / "file").write_text("")
    check = requirements.data_dir(tmp_path / "file" / "data")
    assert not check.ok
    assert "DATA_DIR" in check.fix


def test_a_start_on_a_full_disk_is_refused_with_the_reason(tmp_path: Path) -> None:
    """PLT-3"""
    with small_disk(tmp_path / "disk", 1 << 20) as disk:
        (disk / "data").mkdir()
        with filled(disk):
            check = requirements.data_dir(disk / "data")
        assert not check.ok
        assert "No space left" in check.detail
        assert requirements.data_dir(disk / "data").ok


def test_without_git_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PLT-3"""
    monkeypatch.setenv("PATH", str(tmp_path))
    check = requirements.git()
    assert not check.ok
    assert "Install git" in check.fix
    old = tmp_path / "git"
    old.write_text("#!/bin/sh\necho git version 1.8.3\n")
    old.chmod(0o755)
    assert not requirements.git().ok


def test_two_servers_never_share_a_data_directory(tmp_path: Path) -> None:
    """PLT-4 TSK-17"""
    first = data_lock.take(tmp_path)
    assert first is not None
    assert data_lock.take(tmp_path) is None
    os.close(first)
    second = data_lock.take(tmp_path)
    assert second is not None
    os.close(second)
