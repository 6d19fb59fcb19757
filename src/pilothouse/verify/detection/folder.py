"""The folder that is searched for checks, and what is found. Runs no program and follows no link out."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from pilothouse.words import say

SIZE_LIMIT = 1024 * 1024
LOOKED_AT = 4000
"""Directory entries; more would be slow in a huge tree."""
PASSED_OVER = {"node_modules", "vendor", "target", "build", "dist", "venv", "env", "__pycache__", "site-packages"}
SLOW_SECONDS = 1800.0
"""For tools that compile the world the first time."""

Table = dict[str, Any]


class Kind(IntEnum):
    """In the order they run: fast ones first, and the build before the tests."""

    LINT = 1
    TYPES = 2
    BUILD = 3
    TESTS = 4

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class FoundCheck:
    kind: Kind
    tool: str
    command: str
    source: str
    """Where it was found, in words."""
    folder: str = ""
    seconds: float = 600.0
    runs: frozenset[str] = frozenset()
    """For a target of a Makefile and its like: the tools that it runs in the end."""
    is_target: bool = False


@dataclass
class Folder:
    root: Path
    relative: str
    """To the root; empty is the root itself."""
    which: Callable[[str], str | None]
    notes: list[str] = field(default_factory=list)

    @cached_property
    def path(self) -> Path:
        return self.root / self.relative if self.relative else self.root

    @property
    def up(self) -> str:
        """The way from the folder to the root, as the beginning of a path."""
        return "../" * len(Path(self.relative).parts)

    @cached_property
    def names(self) -> frozenset[str]:
        try:
            return frozenset(os.listdir(self.path))  # noqa: PTH208 - a Path each would only be asked for its name
        except OSError:
            return frozenset()

    def above(self) -> Iterator[Folder]:
        """This folder, then each one over it up to the root."""
        yield self
        parts = Path(self.relative).parts
        for count in range(len(parts) - 1, -1, -1):
            yield Folder(self.root, "/".join(parts[:count]), self.which, self.notes)

    def has(self, *names: str) -> str | None:
        """The first of the names that exists here."""
        return next((name for name in names if name in self.names), None)

    def exists(self, path: str) -> bool:
        return (self.path / path).exists()

    def executable(self, path: str) -> bool:
        return os.access(self.path / path, os.X_OK) and (self.path / path).is_file()

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def text(self, name: str) -> str:
        """Empty where there is no such file of a sensible size."""
        if "/" not in name and name not in self.names:
            return ""
        file = self.path / name
        try:
            if not file.is_file() or file.stat().st_size > SIZE_LIMIT:
                return ""
            return file.read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            return ""

    def json(self, name: str) -> Table:
        return self._table(name, lambda text: json.loads(text))

    def jsonc(self, name: str) -> Table:
        return self._table(name, lambda text: json.loads(_without_comments(text)))

    def toml(self, name: str) -> Table:
        return self._table(name, tomllib.loads)

    def ini(self, name: str) -> configparser.RawConfigParser:
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        try:
            parser.read_string(self.text(name))
        except configparser.Error as error:
            self.note(say("detected.unreadable_because", file=self.shown(name), problem=str(error).splitlines()[0]))
        return parser

    def _table(self, name: str, read: Callable[[str], Any]) -> Table:
        text = self.text(name)
        if not text.strip():
            return {}
        try:
            found = read(text)
        except (ValueError, RecursionError) as error:
            self.note(say("detected.unreadable_because", file=self.shown(name), problem=str(error).splitlines()[0]))
            return {}
        return found if isinstance(found, dict) else {}

    def shown(self, name: str) -> str:
        return f"{self.relative}/{name}" if self.relative else name

    def files(self) -> Iterator[str]:
        """Paths below the folder, nearest first, without what is hidden, installed or built; bounded."""
        left, waiting = LOOKED_AT, [""]
        while waiting and left > 0:
            here = waiting.pop(0)
            try:
                listed = sorted(os.scandir(self.path / here), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in listed:
                left -= 1
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if not entry.is_dir():
                    yield here + entry.name
                elif entry.name not in PASSED_OVER:
                    waiting.append(f"{here}{entry.name}/")

    def found(self, kind: Kind, tool: str, command: str, source: str, seconds: float = 600.0) -> FoundCheck:
        return FoundCheck(kind, tool, command, source, self.relative, seconds)


def table(value: Any, *keys: str) -> Table:
    """The table below these keys, empty where there is none; manifests hold whatever people wrote."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def texts(value: Any) -> dict[str, str]:
    return {str(key): text for key, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}


_BUILT_IN = {"export", "cd", "set", ".", ":", "exec", "command", "test", "[", "true", "false", "if", "for", "while"}


def program(command: str) -> str | None:
    """The program that a command starts with, past `NAME=value`; None where a shell must decide."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    word = next((word for word in words if not re.match(r"\w+=", word)), None)
    return None if word is None or word in _BUILT_IN or re.search(r"[$`()<>|&;]", word) else word


_STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def _without_comments(text: str) -> str:
    plain = _STRING_OR_COMMENT.sub(lambda part: part[1] or " ", text)
    return re.sub(r",(\s*[}\]])", r"\1", plain)
