from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.store.mirror import files


def test_a_file_is_replaced_whole_and_the_last_good_one_kept(tmp_path: Path) -> None:
    """PLT-1"""
    file = tmp_path / "a" / "b" / "session.json"
    files.write(file, b"[1]", keep=True)
    files.write(file, b"[2]", keep=True)
    files.write(file, b"[3]", keep=False)
    assert (file.read_bytes(), file.with_name("session.json.bak").read_bytes()) == (b"[3]", b"[1]")
    assert sorted(path.name for path in file.parent.iterdir()) == ["session.json", "session.json.bak"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """PLT-1"""
    file = tmp_path / "session.json"
    file.mkdir()
    with pytest.raises(OSError, match="directory"):
        files.write(file, b"[1]", keep=False)
    assert list(tmp_path.iterdir()) == [file]


def test_only_whole_json_counts_as_a_good_file(tmp_path: Path) -> None:
    """PLT-1"""
    file = tmp_path / "session.json"
    assert files.read(file) is None
    for body, good in ((b"", False), (b'{"a": 1', False), (b'{"a": 1}\n', True)):
        file.write_bytes(body)
        assert files.read(file) == (body if good else None)


def test_a_link_in_place_of_the_new_file_is_not_followed(tmp_path: Path) -> None:
    """BYD-12"""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / ".session.json.new").symlink_to(victim)
    with pytest.raises(OSError, match="symbolic"):
        files.write(tmp_path / "session.json", b"[1]", keep=False)
    assert victim.read_text() == "precious"
