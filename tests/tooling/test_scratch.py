"""Where the tests of the suite keep their files."""

from pathlib import Path

import pytest

from tools import scratch

KIB = 1024


def meminfo(folder: Path, available: int) -> Path:
    file = folder / "meminfo"
    file.write_text(f"MemTotal: 1 kB\nMemAvailable:  {available // KIB} kB\n")
    return file


def test_a_folder_of_their_own_goes_with_everything_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(scratch.VARIABLE, raising=False)
    place = tmp_path / "memory"
    place.mkdir()
    with scratch.environment(place, KIB, meminfo(tmp_path, 2 * KIB)) as more:
        (folder,) = map(Path, more.values())
        assert folder.parent == place
        assert folder.stat().st_mode & 0o005 == 0o005
        (folder / "left").touch()
    assert list(place.iterdir()) == []


def test_who_names_a_folder_for_temporary_files_gets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(scratch.VARIABLE, str(tmp_path))
    with scratch.environment(tmp_path, KIB, meminfo(tmp_path, 2 * KIB)) as more:
        assert more == {}


def test_short_memory_and_other_systems_leave_it_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(scratch.VARIABLE, raising=False)
    assert scratch.has_room(tmp_path, KIB, meminfo(tmp_path, 2 * KIB))
    assert not scratch.has_room(tmp_path, KIB, meminfo(tmp_path, KIB))
    assert not scratch.has_room(tmp_path, 2**70, meminfo(tmp_path, 2**71))
    assert not scratch.has_room(tmp_path, KIB, tmp_path / "no-such-file")
    assert not scratch.has_room(tmp_path / "no-such-folder", KIB, meminfo(tmp_path, 2 * KIB))
    with scratch.environment(tmp_path / "no-such-folder") as more:
        assert more == {}
