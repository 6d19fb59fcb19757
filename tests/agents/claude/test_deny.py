"""The deny rules that settings files bring, and what they keep from the provider."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pilothouse.agents.claude.deny import DenyRules
from pilothouse.errors import BadConfiguration


def deny(path: Path, *rules: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"permissions": {"deny": [*rules], "allow": ["Bash"]}, "hooks": {"Stop": []}}))


def rules_of(tmp_path: Path, folders: Sequence[Path] = ()) -> DenyRules:
    home = tmp_path / "home"
    return DenyRules(home, home / ".claude", tmp_path / "work", tuple(folders), tmp_path / "managed")


def test_rules_of_every_file_count_and_begin_where_their_file_does(tmp_path: Path) -> None:
    """BYD-18"""
    deny(tmp_path / "home" / ".claude" / "settings.json", "Bash(curl *)", "Read(/mine)", "Read(~/.ssh/**)")
    deny(tmp_path / "work" / ".claude" / "settings.json", "Read(./.env)", "Read(/secrets/**)", "WebFetch")
    deny(tmp_path / "work" / ".claude" / "settings.local.json", "Read(./.env)", "Edit(//etc/**)")
    deny(tmp_path / "managed" / "managed-settings.json", "Bash(/bin/rm *)")
    deny(tmp_path / "managed" / "managed-settings.d" / "10.json", "Bash(sudo *)")
    assert rules_of(tmp_path).rules() == (
        "Bash(curl *)",
        f"Read(/{tmp_path}/home/.claude/mine)",
        "Read(~/.ssh/**)",
        "Read(./.env)",
        f"Read(/{tmp_path}/work/secrets/**)",
        "WebFetch",
        "Edit(//etc/**)",
        "Bash(/bin/rm *)",
        "Bash(sudo *)",
    )


def test_a_copy_is_protected_like_what_it_is_a_copy_of(tmp_path: Path) -> None:
    """BYD-18: and from within it, so is the original"""
    original = tmp_path / "home" / "project"
    deny(original / ".claude" / "settings.local.json", "Read(/secrets/**)", "Read(.env)", "Read(./a/b)")
    deny(tmp_path / "home" / ".claude" / "settings.json", "Read(~/project/keys)")
    rules = rules_of(tmp_path, [original]).rules()
    assert set(rules) == {
        "Read(~/project/keys)",
        f"Read(/{tmp_path}/work/keys)",
        f"Read(/{original}/secrets/**)",
        f"Read(/{tmp_path}/work/secrets/**)",
        "Read(.env)",
        f"Read(/{original}/**/.env)",
        "Read(./a/b)",
        f"Read(/{original}/a/b)",
    }


BROKEN = ["{", "[]", '{"permissions": []}', '{"permissions": {"deny": "Read"}}', '{"permissions": {"deny": [1]}}']


@pytest.mark.parametrize("broken", BROKEN)
def test_a_file_that_cannot_be_understood_lets_nothing_run(tmp_path: Path, broken: str) -> None:
    """BYD-18"""
    path = tmp_path / "work" / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text(broken)
    with pytest.raises(BadConfiguration, match="cannot be understood"):
        rules_of(tmp_path).rules()


def test_without_rules_nothing_is_denied(tmp_path: Path) -> None:
    """BYD-18"""
    path = tmp_path / "work" / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    for text in ("", '{"permissions": {"allow": ["Bash"]}}', "{}"):
        path.write_text(text)
        assert rules_of(tmp_path).rules() == ()


@pytest.mark.parametrize(
    ("rule", "withheld"),
    [
        ("Read", True),
        ("Read(./CLAUDE.md)", True),
        ("Read(CLAUDE.md)", True),
        ("Read(*.md)", True),
        ("Read(/CLAUDE.md)", True),
        ("Read(//**/CLAUDE.md)", True),
        ("Read(docs/**)", False),
        ("Read(./docs/CLAUDE.md)", False),
        ("Edit(CLAUDE.md)", False),
        ("Bash(cat CLAUDE.md)", False),
    ],
)
def test_our_own_parts_leave_out_what_may_not_be_read(tmp_path: Path, rule: str, withheld: bool) -> None:
    """BYD-18"""
    deny(tmp_path / "work" / ".claude" / "settings.json", rule)
    file = tmp_path / "work" / "CLAUDE.md"
    assert (file in rules_of(tmp_path).withheld([file])) is withheld


def test_a_link_to_what_may_not_be_read_is_left_out_too(tmp_path: Path) -> None:
    """BYD-18"""
    deny(tmp_path / "work" / ".claude" / "settings.json", "Read(secret.md)")
    (tmp_path / "work" / "secret.md").touch()
    link = tmp_path / "work" / "CLAUDE.md"
    link.symlink_to("secret.md")
    assert rules_of(tmp_path).withheld([link]) == {link}
