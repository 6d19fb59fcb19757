"""What may not be read or done, by the deny rules of the person's, the project's and the machine's Claude settings.

Of settings files nothing else is loaded (`launch`), so their deny rules are handed to the program with ours. It
enforces them for every tool, also for what a command reads. A file that cannot be understood lets nothing run: it may
deny.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pilothouse.domain.task.scope import expression
from pilothouse.errors import BadConfiguration
from pilothouse.words import say

MANAGED = Path("/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code")
_OF_FOLDER = (".claude/settings.json", ".claude/settings.local.json")
_ABOUT_PATHS = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS"})
_RULE = re.compile(r"(\w+)\((.*)\)\s*", re.DOTALL)
_WILD = re.compile(r"[\\*?\[\]]")


@dataclass(frozen=True, slots=True)
class DenyRules:
    """Where the rules are found, and what they are about."""

    home: Path
    config: Path
    """The person's own folder of settings."""
    workspace: Path
    folders: tuple[Path, ...] = ()
    """Those whose settings hold too: what `workspace` is a copy or another worktree of."""
    managed: Path = MANAGED

    @property
    def roots(self) -> list[Path]:
        return list(dict.fromkeys((*self.folders, self.workspace)))

    def rules(self) -> tuple[str, ...]:
        """As the program is to be told them; raises `BadConfiguration` where a file cannot be understood."""
        files = [(self.config / "settings.json", self.config)]
        files += [(root / name, root) for root in self.roots for name in _OF_FOLDER]
        machine = [
            self.managed / "managed-settings.json",
            *sorted((self.managed / "managed-settings.d").glob("*.json")),
        ]
        files += [(path, self.workspace) for path in machine]
        found = [rule for path, root in files for rule in self._placed(_denied(path), root)]
        return tuple(dict.fromkeys(found))

    def withheld(self, paths: Iterable[Path]) -> frozenset[Path]:
        """Those of these files that may not be read, by their own name or by where their links lead."""
        patterns = [pattern for rule in self.rules() if (pattern := _of_reading(rule)) is not None]
        return frozenset(path for path in paths if any(self._covers(p, path) for p in patterns))

    def _placed(self, rules: Iterable[str], root: Path) -> Iterable[str]:
        for rule in rules:
            parts = _RULE.fullmatch(rule.strip())
            if parts is None or parts[1] not in _ABOUT_PATHS:
                yield rule.strip()
                continue
            for pattern in self._patterns(parts[2], root):
                yield f"{parts[1]}({pattern})"

    def _patterns(self, pattern: str, root: Path) -> list[str]:
        """From the file's own folder where it begins with a slash; a copy is protected like what it is a copy of."""
        if pattern.startswith("/") and not pattern.startswith("//"):
            pattern = f"/{_plain(root)}{pattern}"
        whole = f"/{_plain(self.home)}{pattern[1:]}" if pattern.startswith("~/") else pattern
        found = [pattern]
        for folder in self.folders:
            if folder == self.workspace:
                continue
            if whole.startswith(f"/{_plain(folder)}/"):
                found.append(f"/{_plain(self.workspace)}{whole.removeprefix(f'/{_plain(folder)}')}")
            elif not whole.startswith("//"):
                named = pattern.removeprefix("./")
                found.append(f"/{_plain(folder)}/{named if '/' in named.rstrip('/') else f'**/{named}'}")
        return found

    def _covers(self, pattern: str, path: Path) -> bool:
        return any(self._matches(pattern, one) for one in {path, path.resolve()})

    def _matches(self, pattern: str, path: Path) -> bool:
        if pattern.startswith("//"):
            return bool(expression(pattern[1:]).match(str(path)[1:]))
        base = self.home if pattern.startswith("~/") else self.workspace
        if not path.is_relative_to(base):
            return False
        return bool(expression(pattern.removeprefix("~").removeprefix(".")).match(str(path.relative_to(base))))


def _of_reading(rule: str) -> str | None:
    """The pattern of a rule that denies reading; all files where it has none."""
    if rule == "Read":
        return "//**"
    parts = _RULE.fullmatch(rule)
    return parts[2] if parts and parts[1] == "Read" and not parts[2].startswith("!") else None


def _plain(path: Path) -> str:
    """The path so that nothing in it is read as a wildcard."""
    return _WILD.sub(lambda found: f"\\{found[0]}", str(path))


def _denied(path: Path) -> Sequence[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise _broken(path, str(error)) from error
    if not text.strip():
        return ()
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _broken(path, str(error)) from error
    permissions = found.get("permissions", {}) if isinstance(found, dict) else None
    denied = permissions.get("deny", []) if isinstance(permissions, dict) else None
    if not isinstance(denied, list) or not all(isinstance(rule, str) for rule in denied):
        raise _broken(path, "permissions.deny")
    return denied


def _broken(path: Path, problem: str) -> BadConfiguration:
    return BadConfiguration(say("claude.settings_broken", path=str(path), problem=problem), {"path": str(path)})
