from pathlib import Path

import pytest

from tools import ledger
from tools.node import ROOT


def repository(folder: Path, listed: str, test: str) -> Path:
    (folder / "docs").mkdir()
    (folder / "docs" / "ledger.txt").write_text(listed)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_it.py").write_text(test)
    return folder


def test_no_test_of_this_repository_names_an_unknown_requirement() -> None:
    assert ledger.unknown(ROOT) == {}


def test_every_requirement_has_a_title() -> None:
    listed = ledger.requirements(ROOT)
    assert len(listed) > 90
    assert all(title.strip() for title in listed.values())


def test_ids_in_tests_are_told_apart_as_known_and_unknown(tmp_path: Path) -> None:
    # Put together here, so that this file does not itself name requirements.
    known, missing, mistyped = (f"ABC-{number}" for number in (1, 2, 19))
    text = f'"""{known}, {mistyped}, and UTF-8, which is no requirement"""'
    root = repository(tmp_path, f"# comment\n\n{known}  One\n{missing}  Two\n", text)
    assert set(ledger.named(root)) == {known, mistyped}
    assert ledger.unknown(root) == {mistyped: [Path("tests/test_it.py")]}


def test_front_end_tests_count_too(tmp_path: Path) -> None:
    root = repository(tmp_path, "ABC-1  One\n", "")
    (root / "web" / "src").mkdir(parents=True)
    (root / "web" / "src" / "box.test.tsx").write_text('it("ABC-1 sends")')
    assert set(ledger.named(root)) == {"ABC-1"}


def test_an_id_listed_twice_is_refused(tmp_path: Path) -> None:
    root = repository(tmp_path, "ABC-1  One\nABC-1  Again\n", "")
    with pytest.raises(ValueError, match="twice"):
        ledger.requirements(root)
