"""Looks whether the programs of the checks are there, without running anything.

Only what is certain is told: a program by its plain name that no folder of the PATH has, named by the check itself, by
the target that make is given, or by the script that a package manager is given. Everything else the first run shows.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pilothouse.domain.task.checks import Check
from pilothouse.verify.detection.folder import Folder, program, texts
from pilothouse.verify.detection.targets import makefile_targets, recipe_of

_PLAIN = re.compile(r"[A-Za-z0-9][\w.+-]*")
_OF_SHELLS = re.compile(
    "alias|bg|break|builtin|case|continue|declare|disown|do|done|elif|else|enable|esac|eval|exit|fc|fg|fi|function|getopts|"
    "hash|help|history|jobs|let|local|logout|popd|pushd|read|readonly|return|select|shift|shopt|source|then|times?|trap|"
    "type|typeset|ulimit|umask|unalias|unset|until|wait"
)
# Whatever comes after one of these may be there only then.
_BRINGS = re.compile(r"\b(?:install|sync|bootstrap|setup|restore|ci|add|activate|venv|PATH)\b")
_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})


@dataclass(frozen=True, slots=True)
class Missing:
    check: Check
    program: str


def missing(root: Path, checks: tuple[Check, ...], path: str | None) -> Missing | None:
    for check in checks:
        if not (root / check.folder).is_dir() or _BRINGS.search(check.shown):
            return None
        lacking = next((name for name in _called(root, check, path) if shutil.which(name, path=path) is None), None)
        if lacking:
            return Missing(check, lacking)
    return None


def _called(root: Path, check: Check, path: str | None) -> Iterator[str]:
    """The programs that it is sure to call."""
    words = list(check.command) if isinstance(check.command, tuple) else _words(check.command)
    first = words[0] if isinstance(check.command, tuple) else program(check.command)
    if not first or not _is_plain(first):
        return
    yield first
    if shutil.which(first, path=path) is None or not words or words[0] != first:
        return
    folder = Folder(root, check.folder, lambda _: None)
    if first == "make":
        yield from _of_target(folder, words[1:])
    elif first in _MANAGERS:
        yield from _of_script(folder, words[1:])


def _of_target(folder: Folder, words: list[str]) -> Iterator[str]:
    """Of a single target, without options that lead elsewhere."""
    named = [word for word in words if not word.startswith("-")]
    file = folder.has("GNUmakefile", "makefile", "Makefile")
    if len(named) != 1 or len(words) > 1 or file is None:
        return
    text = folder.text(file)
    if re.search(r"\bPATH\b|^SHELL\b|^\.ONESHELL", text, re.MULTILINE):
        return
    targets = makefile_targets(text, folder.text)
    if named[0] not in targets:
        return
    recipe = recipe_of(targets, targets[named[0]])
    if _BRINGS.search(recipe):
        return
    for line in recipe.splitlines():
        bare = line.strip().lstrip("@+ ")
        if not bare.startswith("-") and (name := program(bare)) and _is_plain(name):
            yield name


def _of_script(folder: Folder, words: list[str]) -> Iterator[str]:
    """Of a script whose packages are installed: before that nobody knows what will be there."""
    name = words[-1] if words[:-1] in ([], ["run"]) else ""
    bodies = texts(folder.json("package.json").get("scripts"))
    bins = [above.path / "node_modules" / ".bin" for above in folder.above()]
    body = bodies.get(name, "")
    if f"pre{name}" in bodies or _BRINGS.search(body) or not any(each.is_dir() for each in bins):
        return
    first = program(body)
    if first and _is_plain(first) and not any((each / first).exists() for each in bins):
        yield first


def _is_plain(name: str) -> bool:
    return bool(_PLAIN.fullmatch(name)) and not _OF_SHELLS.fullmatch(name)


def _words(command: str) -> list[str]:
    """Empty where more than one command is run."""
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [] if re.search(r"[;&|<>$`()\n]", command) else words
