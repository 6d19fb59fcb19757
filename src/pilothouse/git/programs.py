"""The programs that a repository's own hooks and configuration name, which git would run.

An agent can write them, and a person who commits would run them. So they run only as the person accepted them, each by
a digest of what it says. The person's global configuration is not looked at: what it names is the person's own.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pilothouse.git import obstacles
from pilothouse.git.commands import Git, split_zero
from pilothouse.git.repository import Repository

COMMIT_HOOKS = frozenset(
    {"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change", "reference-transaction"}
)
"""The hooks that a commit runs."""
COMMIT_SETTINGS = re.compile(r"filter\..+\.(clean|process)|gpg\.(.+\.)?program|gpg\.ssh\.defaultkeycommand|hook\..+")
FETCH_SETTINGS = re.compile(
    r"core\.(sshcommand|gitproxy|askpass)|credential\.(.+\.)?helper|protocol\..+"
    r"|remote\..+\.(url|uploadpack|vcs|proxy|promisor|partialclonefilter)"
)
"""What a partial clone uses to fetch what it lacks."""
SETTINGS = re.compile(
    r"core\.(hookspath|fsmonitor|sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand)|sequence\.editor"
    r"|pager\..+|alias\..+|include(if)?\..+|credential\.(.+\.)?helper|filter\..+\.(clean|smudge|process)"
    r"|diff\.external|diff\..+\.(command|textconv)|merge\..+\.driver|interactive\.difffilter|protocol\..+"
    r"|remote\..+\.(uploadpack|receivepack|vcs|promisor)|submodule\..+\.update|trailer\..+\.(command|cmd)"
    r"|(difftool|mergetool|guitool|browser|man|sendemail)\..+|gc\.recentobjectshook|uploadpack\.packobjectshook"
    r"|" + COMMIT_SETTINGS.pattern
)
SHOWN = 2000
OWN = ("local", "worktree")
"""The scopes of a repository's own configuration."""


@dataclass(frozen=True, slots=True)
class Program:
    """Something that git would run."""

    kind: str
    """`hook` or `setting`."""
    name: str
    """The hook, or the setting's key; below the directory of a nested repository."""
    text: str
    """What it says, as far as a person can be shown it."""
    digest: str


def every(root: Path) -> tuple[Program, ...]:
    """All that the repositories of a working tree name: its own, and those nested in it."""
    found: list[Program] = []
    for where, directories, files in os.walk(root):
        if ".git" in directories + files:
            place = Path(where)
            prefix = "" if place == root else f"{place.relative_to(root)}: "
            repository = Repository.open(place)
            found += _hooks(repository, None, prefix)
            found += settings(_settings(repository), prefix)
        if ".git" in directories:
            directories.remove(".git")
    return tuple(found)


def planted(then: Collection[Program], now: Collection[Program]) -> tuple[Program, ...]:
    """What is named now and was not then, or says something else."""
    known = {program.digest for program in then}
    return tuple(program for program in now if program.digest not in known)


def hooks(contents: Mapping[str, bytes]) -> Iterator[Program]:
    """Of hooks that can run, by name."""
    return (_program("hook", name, content) for name, content in contents.items())


def read(git: Git, configuration: bytes) -> Iterator[tuple[str, str]]:
    """Key and value of what a file of configuration says. What it includes is not read: the include itself counts."""
    output = git.run("config", "-z", "--list", "--no-includes", "--file", "-", stdin=configuration)
    return (os.fsdecode(row).partition("\n")[::2] for row in split_zero(output))


def settings(rows: Iterable[tuple[str, str]], prefix: str = "", keys: re.Pattern[str] = SETTINGS) -> Iterator[Program]:
    """Those that name a program."""
    for key, value in rows:
        if keys.fullmatch(key.lower()) and value:
            yield _program("setting", prefix + key, os.fsencode(value))


def of_commit(repository: Repository) -> tuple[Program, ...]:
    """What a commit would run."""
    settings = _settings(repository)
    partial = any(re.fullmatch(r"extensions\.partialclone|remote\..+\.promisor", key) for key, _ in settings)
    found = [*_hooks(repository, COMMIT_HOOKS), *_named(repository, COMMIT_SETTINGS)]
    return (*found, *_named(repository, FETCH_SETTINGS)) if partial else tuple(found)


def _hooks(repository: Repository, names: Collection[str] | None, prefix: str = "") -> Iterator[Program]:
    folder = _folder_of_hooks(repository)
    try:
        entries = sorted(folder.iterdir()) if folder else []
    except OSError:
        return
    for place in entries:
        wanted = place.suffix != ".sample" if names is None else place.name in names
        if wanted and _runs(place):
            content = obstacles.content(place)
            yield _program("hook", prefix + place.name, content)


def _folder_of_hooks(repository: Repository) -> Path | None:
    """None: git looks for hooks in a directory of the person's own."""
    named = [(scope, path) for scope, key, path in _every_setting(repository) if key == "core.hookspath"]
    if not named:
        return repository.common_dir / "hooks"
    scope, path = named[-1]
    return repository.root / Path(path).expanduser() if scope in OWN else None


def _named(repository: Repository, keys: re.Pattern[str]) -> Iterator[Program]:
    return settings(_settings(repository), keys=keys)


def _settings(repository: Repository) -> list[tuple[str, str]]:
    return [(key, value) for scope, key, value in _every_setting(repository) if scope in OWN]


def _every_setting(repository: Repository) -> list[tuple[str, str, str]]:
    """Scope, key and value; the last of a key holds. Without what we give git on its command line."""
    rows = iter(os.fsdecode(repository.git.run("config", "-z", "--list", "--show-scope")).split("\0"))
    found = [(scope, *row.partition("\n")[::2]) for scope, row in zip(rows, rows, strict=False)]
    return [(scope, key, value) for scope, key, value in found if scope != "command"]


def _runs(place: Path) -> bool:
    try:
        return stat.S_ISREG(place.stat().st_mode) and os.access(place, os.X_OK)
    except OSError:
        return False


def _program(kind: str, name: str, content: bytes) -> Program:
    about = f"{kind}\0{name}\0".encode(errors="surrogateescape")
    text = content[:SHOWN].decode(errors="replace")
    return Program(kind, name, text, hashlib.sha256(about + content).hexdigest())
