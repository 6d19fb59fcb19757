"""The suite finds the browser and the database server where systems keep them, or says what to do."""

from pathlib import Path

import pytest

from tools import chromium, debian, postgres


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def nowhere() -> str | None:
    return None


def test_the_named_chromium_wins(tmp_path: Path) -> None:
    named = program(tmp_path / "my-chrome")
    assert chromium.find({chromium.VARIABLE: str(named)}, nowhere) == str(named)


def test_a_named_chromium_that_cannot_start_is_an_error_and_no_reason_to_take_another(tmp_path: Path) -> None:
    with pytest.raises(chromium.ChromiumMissing, match="no program"):
        chromium.find({chromium.VARIABLE: str(tmp_path / "gone")}, nowhere)


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_chromium_is_found_on_the_path_under_its_usual_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.on_path() is None
    program(tmp_path / name)
    assert chromium.find({}, nowhere) == str(tmp_path / name)


def test_playwrights_own_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if any(Path(path).is_file() for path in chromium.APPLICATIONS):
        pytest.skip("this machine has a browser among its applications, which comes first")
    assert chromium.find({}, lambda: "/playwrights/own") == "/playwrights/own"


def test_what_to_do_names_each_way_out() -> None:
    for way in ("apt install chromium", "playwright install chromium", chromium.VARIABLE):
        assert way in chromium.WHAT_TO_DO
    for way in ("apt install postgresql", postgres.VARIABLE):
        assert way in postgres.WHAT_TO_DO


def test_nothing_is_installed_without_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not debian.can_install()
    assert not debian.install("chromium")


def test_postgres_is_found_behind_a_link_on_the_path(tmp_path: Path) -> None:
    for name in postgres.PROGRAMS:
        program(tmp_path / "pg" / "bin" / name)
    links = tmp_path / "links"
    links.mkdir()
    (links / "initdb").symlink_to(tmp_path / "pg" / "bin" / "initdb")
    assert postgres.find({"PATH": str(links)}) == tmp_path / "pg" / "bin"


def test_a_folder_without_the_server_is_not_taken_for_postgres(tmp_path: Path) -> None:
    program(tmp_path / "initdb")
    assert postgres.find({postgres.VARIABLE: str(tmp_path)}) is None


def test_the_newest_postgres_comes_first() -> None:
    folders = [Path("/usr/lib/postgresql/9/bin"), Path("/usr/lib/postgresql/16/bin")]
    assert postgres.newest_first(folders) == [folders[1], folders[0]]
