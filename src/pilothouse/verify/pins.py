"""What the checks of a working tree rest on, and how that differs from what a person accepted.

The checks are their commands, the configuration of their runners, and the scripts that they run. A difference is what
changes the checks: a manifest that got another dependency is not one.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pilothouse.domain.task.checks import Check
from pilothouse.domain.task.pins import Pin, PinnedFile
from pilothouse.verify.detection.folder import SIZE_LIMIT, Folder
from pilothouse.verify.tamper.configuration import changes, reader_of
from pilothouse.verify.tamper.paths import is_test

MOST = 500
"""How many files are pinned; nobody configures checks in more."""
_ELSEWHERE = re.compile(r"(^|/)(\.github|\.circleci)/|(^|/)(\.gitlab-ci|azure-pipelines|\.travis)\.ya?ml$")
_SHELLS = r"sh|bash|dash|zsh"
_LANGUAGES = r"python[\d.]*|node|ruby|perl|php|deno|bun|tsx|ts-node"
# The file that a command runs: by itself, or as what a shell or an interpreter is given.
_RUN = re.compile(
    rf"(?:^|[\s;&|(\"'@])(?:(?P<with>{_SHELLS}|{_LANGUAGES})\s+(?:-\w+\s+)*)?(?P<file>[\w.@~+-]*/?[\w./@+-]+)"
)
_OF_CHECKS = re.compile(r"(?:^|[/_.-])(scripts?|tools?|ci|bin|hack|build|checks?|tests?|lint|verif\w+)(?:[/_.-]|$)")


@dataclass(frozen=True, slots=True)
class Difference:
    """A file of the checks that is not as it was accepted; None where there was or is none."""

    path: str
    was: bytes | None
    now: bytes | None
    executable: bool = False
    """Whether the accepted one is."""

    @property
    def is_script(self) -> bool:
        return reader_of(self.path) is None


def files_of(root: Path, checks: Sequence[Check]) -> tuple[PinnedFile, ...]:
    """The files that these checks rest on, as they are in the working tree."""
    found = dict(_configuration(root, checks))
    bodies = [check.shown for check in checks]
    for path, content in found.items():
        if re.search(r"(package\.json|[Mm]akefile|\.mk|[Jj]ustfile|tox\.ini|agent\.ya?ml)$", path):
            bodies.append(content.decode("utf-8", "replace"))
    folders = sorted({"", *(check.folder for check in checks), *(str(PurePosixPath(path).parent) for path in found)})
    for path in _scripts(root, bodies, folders):
        if path not in found and (script := _content(root, path)) is not None:
            found[path] = script
    return tuple(_pinned(root, path, content) for path, content in sorted(found.items())[:MOST])


def differences(pin: Pin, root: Path, checks: Sequence[Check]) -> list[Difference]:
    """The pinned files that say something else about the checks by now, and new ones that leave something out."""
    pinned = {file.path: file for file in pin.files}
    now = {file.path: file.content for file in files_of(root, checks)}
    found = []
    for path in sorted({*pinned, *now}):
        file = pinned.get(path)
        was, present = file.content if file else None, now.get(path) if path in now else _content(root, path)
        if was != present and _differs(path, was, present):
            found.append(Difference(path, was, present, file.executable if file else False))
    return found


def gone(pin: Pin, checks: Iterable[Check]) -> tuple[Check, ...]:
    """The accepted checks that the project no longer has: a further one takes nothing away."""
    present = {(check.shown, check.folder) for check in checks}
    return tuple(check for check in pin.checks if (check.shown, check.folder) not in present)


def overlay(found: Iterable[Difference]) -> Mapping[str, bytes | None]:
    """What to write over the new tree, so that the accepted checks run there."""
    return {one.path: one.was for one in found}


def digest(root: Path, checks: Sequence[Check]) -> str:
    """Names this very state of the checks, so that a person accepts what they saw."""
    summed = hashlib.sha256()
    for check in checks:
        summed.update(f"{check.name}\0{check.shown}\0{check.folder}\0".encode("utf-8", "replace"))
    for file in files_of(root, checks):
        summed.update(f"{file.path}\0{file.sha256}\0".encode("utf-8", "replace"))
    return summed.hexdigest()


def _differs(path: str, was: bytes | None, now: bytes | None) -> bool:
    if reader_of(path) is None:
        # A script that is new belongs to a check that is new.
        return was is not None
    return any(True for _ in changes(path, path, was, now))


def _configuration(root: Path, checks: Sequence[Check]) -> Iterator[tuple[str, bytes]]:
    folder = Folder(root, "", lambda _: None)
    beside = {"", *(check.folder for check in checks)}
    hidden = {
        f"{where}/{name}" if where else name for where in beside for name in Folder(root, where, lambda _: None).names
    }
    for path in sorted({*folder.files(), *hidden}):
        if reader_of(path) is None or _ELSEWHERE.search(path):
            continue
        content = _content(root, path)
        if content is not None:
            yield path, content


def _scripts(root: Path, bodies: Iterable[str], folders: Iterable[str]) -> Iterator[str]:
    for body in bodies:
        for match in _RUN.finditer(_plain(body)):
            for folder in folders:
                path = os.path.normpath(PurePosixPath(folder) / match["file"])
                if path.startswith(("..", "/")) or is_test(path) or not _is_script(root / path, match["with"], path):
                    continue
                yield path


def _plain(body: str) -> str:
    try:
        return body if "\n" in body else " ".join(shlex.split(body))
    except ValueError:
        return body


def _is_script(file: Path, runner: str | None, path: str) -> bool:
    """What a shell is given, what is run by itself, and what an interpreter runs where its name tells of checks."""
    if not file.is_file():
        return False
    if runner is not None and not re.fullmatch(_SHELLS, runner):
        return bool(_OF_CHECKS.search(path))
    return runner is not None or os.access(file, os.X_OK)


def _content(root: Path, path: str) -> bytes | None:
    file = root / path
    try:
        if not file.is_file() or file.stat().st_size > SIZE_LIMIT:
            return None
        if not file.resolve().is_relative_to(root.resolve()):
            return None
        return file.read_bytes()
    except OSError:
        return None


def _pinned(root: Path, path: str, content: bytes) -> PinnedFile:
    return PinnedFile(path, hashlib.sha256(content).hexdigest(), content, os.access(root / path, os.X_OK))
