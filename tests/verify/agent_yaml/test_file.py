from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.errors import BadAgentYaml, Conflict
from pilothouse.verify.agent_yaml.file import load, save
from pilothouse.verify.chosen_checks import checks_of

OLD, NEW = "agent: old\n", "agent: new\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def test_a_new_file_is_written_whole_and_nothing_else_is_left(root: Path) -> None:
    """TSK-12"""
    save(root, NEW, None)
    assert (root / "agent.yaml").read_text() == NEW
    assert (root / "agent.yaml").stat().st_mode & 0o777 == 0o644
    assert [path.name for path in root.rglob("*") if path.name != ".git"] == ["agent.yaml"]


def test_the_file_that_was_seen_is_replaced_and_keeps_its_mode(root: Path) -> None:
    """TSK-12"""
    (root / "agent.yaml").write_text(OLD)
    (root / "agent.yaml").chmod(0o600)
    save(root, NEW, OLD)
    assert (root / "agent.yaml").read_text() == NEW
    assert (root / "agent.yaml").stat().st_mode & 0o777 == 0o600


def test_line_ends_are_part_of_what_was_seen(root: Path) -> None:
    """TSK-12"""
    (root / "agent.yaml").write_bytes(b"agent: old\r\n")
    with pytest.raises(Conflict):
        save(root, NEW, OLD)
    save(root, NEW, "agent: old\r\n")


def test_what_is_there_already_need_not_be_seen(root: Path) -> None:
    """TSK-12"""
    (root / "agent.yaml").write_text(NEW)
    save(root, NEW, None)
    assert (root / "agent.yaml").read_text() == NEW


@pytest.mark.parametrize(("present", "seen"), [(OLD, None), (OLD, NEW), (None, OLD)])
def test_anything_else_is_left_alone(root: Path, present: str | None, seen: str | None) -> None:
    """TSK-12"""
    if present is not None:
        (root / "agent.yaml").write_text(present)
    with pytest.raises(Conflict):
        save(root, "agent: other\n", seen)
    assert present is None or (root / "agent.yaml").read_text() == present
    assert (root / "agent.yaml").exists() == (present is not None)


def test_a_link_is_not_replaced_by_a_file(root: Path) -> None:
    """TSK-12"""
    (root / "shared.yaml").write_text(OLD)
    (root / "agent.yaml").symlink_to("shared.yaml")
    with pytest.raises(Conflict, match="link"):
        save(root, NEW, OLD)
    assert (root / "agent.yaml").is_symlink()
    assert (root / "shared.yaml").read_text() == OLD


def test_a_text_that_could_not_be_read_back_is_refused(root: Path) -> None:
    """TSK-11"""
    with pytest.raises(BadAgentYaml, match="no folder"):
        save(root, "package: nowhere\n", None)
    assert load(root) is None


def test_the_repository_decides_before_the_person_and_the_person_before_detection(root: Path) -> None:
    """TSK-11 TSK-12"""
    (root / "Makefile").write_text("test:\n\t./run\n")
    found = checks_of(root, None)
    assert (found.origin, [check.command for check in found.checks]) == ("detected", ["make test"])
    assert (checks_of(root, ()).origin, checks_of(root, ()).checks) == ("edited", ())
    save(root, "scouts: true\n", None)
    assert (checks_of(root, ()).origin, checks_of(root, ()).config.scouts) == ("edited", True)
    save(root, "verification: [{name: t, command: x}]\n", "scouts: true\n")
    assert (checks_of(root, ()).origin, len(checks_of(root, ()).checks)) == ("agent.yaml", 1)
    (root / "agent.yaml").write_text("verification: []\n")
    assert (checks_of(root, None).origin, checks_of(root, None).checks) == ("agent.yaml", ())
    (root / "agent.yaml").write_text("verification: 3\n")
    with pytest.raises(BadAgentYaml):
        checks_of(root, ())
