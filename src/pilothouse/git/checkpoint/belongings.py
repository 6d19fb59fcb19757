"""What makes a `.git` whole beside branches, HEAD, index and objects: read for a checkpoint, and written anew."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

from pilothouse.git.checkpoint import progress
from pilothouse.git.checkpoint.standing import Problem
from pilothouse.git.repository import Repository

STASH = "logs/refs/stash"
SHARED = ("config", "description", "info/attributes", "shallow", STASH)
"""Files in the directory that working trees share."""
CONFIGURATION = ("config", "config.worktree")
OWN = ("commondir", "gitdir", "config.worktree")
"""Files in a working tree's own directory; the first two only where it is a linked one."""
SYMBOLIC = re.compile(rb"ref: (refs/\S.*?)\n?")
T = TypeVar("T")
LOGGED = re.compile(r"^[0-9a-f]+ ([0-9a-f]+) [^\t\n]*(?:\t([^\n]*))?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Stashed:
    commit: str
    message: str


@dataclass(frozen=True, slots=True)
class Belongings:
    """Contents are latin-1 strings; paths are relative to the working tree's root."""

    standing: Problem = ""
    """Whether there was a repository at all."""
    git_dir: str = ".git"
    common_dir: str = ".git"
    gitfile: str | None = None
    """The content of `.git`, if that is a file."""
    refs: dict[str, str] = field(default_factory=dict)
    """Tags, remote branches, the stash and all others that are neither branches nor a working tree's own."""
    symbolic: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    hooks: dict[str, tuple[int, str]] = field(default_factory=dict)

    def encode(self) -> bytes:
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def decode(cls, data: bytes) -> Belongings:
        fields = json.loads(data)
        hooks = {name: (int(bits), text) for name, (bits, text) in fields.pop("hooks").items()}
        return cls(**fields, hooks=hooks)

    @property
    def stashes(self) -> tuple[Stashed, ...]:
        """Newest first, as git counts them."""
        rows = [Stashed(commit, message) for commit, message in LOGGED.findall(self.files.get(STASH, ""))]
        return tuple(reversed(rows))

    @property
    def tips(self) -> set[str]:
        return {*self.refs.values(), *(stash.commit for stash in self.stashes)}

    @property
    def linked(self) -> bool:
        """Whether it is a linked working tree, whose repository is another's too."""
        return self.git_dir != self.common_dir


def read(repository: Repository) -> Belongings:
    root, common, git_dir = repository.root, repository.common_dir, repository.git_dir
    files = {name: common / name for name in SHARED} | {name: git_dir / name for name in OWN}
    refs, symbolic = _refs(repository)
    dot = root / ".git"
    return Belongings(
        git_dir=os.path.relpath(git_dir, root),
        common_dir=os.path.relpath(common, root),
        gitfile=_text(dot),
        refs=refs,
        symbolic=symbolic,
        files={name: text for name, place in files.items() if (text := _text(place)) is not None},
        hooks=_hooks(common / "hooks"),
    )


def _text(place: Path) -> str | None:
    try:
        return place.read_bytes().decode("latin-1")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _hooks(place: Path) -> dict[str, tuple[int, str]]:
    files = sorted(place.iterdir()) if place.is_dir() else []
    hooks = [file for file in files if file.is_file() and file.suffix != ".sample"]
    return {file.name: (file.stat().st_mode & 0o7777, _text(file) or "") for file in hooks}


def _refs(repository: Repository) -> tuple[dict[str, str], dict[str, str]]:
    """Reads files, as `heads` does. Where git keeps refs otherwise, it is asked."""
    if (repository.common_dir / "reftable").exists():
        rows = repository.git.text("for-each-ref", "--format=%(objectname) %(refname)").splitlines()
        return dict(_others((ref, name) for name, ref in (row.split(" ", 1) for row in rows))), {}
    refs = dict(_others(_packed(repository.common_dir / "packed-refs")))
    symbolic = {}
    for name, content in _others(_single(repository.common_dir)):
        found = SYMBOLIC.fullmatch(content)
        if found:
            symbolic[name] = os.fsdecode(found[1])
            refs.pop(name, None)
        elif re.fullmatch(rb"[0-9a-f]{%d}\n?" % (repository.id_length * 2), content):
            refs[name] = content.decode().strip()
    return refs, symbolic


def _others(rows: Iterable[tuple[str, T]]) -> Iterable[tuple[str, T]]:
    skip = tuple(f"{name}/" for name in ("refs/heads", *progress.REFS))
    return ((name, value) for name, value in rows if not name.startswith(skip))


def _packed(place: Path) -> Iterable[tuple[str, str]]:
    try:
        rows = place.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for row in rows:
        if not row.startswith((b"#", b"^")):
            name, _, ref = row.partition(b" ")
            yield os.fsdecode(ref), name.decode()


def _single(common: Path) -> Iterable[tuple[str, bytes]]:
    top = common / "refs"
    for where, directories, names in os.walk(top, followlinks=True):
        if Path(where) == top:
            directories[:] = [name for name in directories if f"refs/{name}" not in ("refs/heads", *progress.REFS)]
        for name in names:
            file = Path(where, name)
            if not name.endswith(".lock"):
                try:
                    yield str(file.relative_to(common)), file.read_bytes()
                except (FileNotFoundError, NotADirectoryError):
                    continue
