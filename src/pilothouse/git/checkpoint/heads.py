"""Reads a repository's refs from its files: a git process for them would take longer than scanning a small tree."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pilothouse.git import obstacles
from pilothouse.git.commands import Git
from pilothouse.git.repository import Repository

HEADS = "refs/heads"


def read(
    repository: Repository, private: tuple[str, ...], known: Mapping[str, str], kept: Git | None = None
) -> dict[str, str]:
    """Commits by full ref name: all branches, and this working tree's own refs below `private`.

    `known` is what git said before. If the files say more than that, git is asked: it checks that the name is valid and
    the commit exists. `kept`: a git that has the repository's commits, also those that the repository lost since.
    """
    found = _from_files(repository, private)
    if found is None or not found.items() <= known.items():
        return _from_git(repository, private, kept or repository.git)
    return found


def _from_files(repository: Repository, private: tuple[str, ...]) -> dict[str, str] | None:
    """None if only git can tell: another kind of storage, a ref that names another ref, a damaged file."""
    common = repository.common_dir
    if (common / "reftable").exists():
        return None
    commit = re.compile(rb"[0-9a-f]{%d}\n?" % (repository.id_length * 2))
    loose: dict[str, str] = {}
    # The single files first: git moves them into the packed file, and they outrank it.
    for place, prefix in [(common, HEADS), *((repository.git_dir, prefix) for prefix in private)]:
        for name, content in _files(place, prefix):
            if not commit.fullmatch(content):
                return None
            loose[name] = content.decode().strip()
    own = private if repository.git_dir == common else ()
    return _packed(common / "packed-refs", (HEADS, *own)) | loose


def _files(place: Path, prefix: str) -> Iterator[tuple[str, bytes]]:
    for directory, _, names in os.walk(place / prefix, followlinks=True):
        for name in names:
            path = Path(directory, name)
            if not name.endswith(".lock"):
                try:
                    yield str(path.relative_to(place)), obstacles.content(path)
                except (FileNotFoundError, NotADirectoryError):
                    # It was deleted or packed a moment ago.
                    continue


def _packed(place: Path, prefixes: tuple[str, ...]) -> dict[str, str]:
    try:
        rows = obstacles.content(place).splitlines()
    except FileNotFoundError:
        return {}
    wanted = tuple(f" {prefix}/".encode() for prefix in prefixes)
    found = {}
    for row in rows:
        name, space, ref = row.partition(b" ")
        if not row.startswith((b"#", b"^")) and (space + ref).startswith(wanted):
            found[os.fsdecode(ref)] = name.decode()
    return found


def _from_git(repository: Repository, private: tuple[str, ...], kept: Git) -> dict[str, str]:
    """Leaves out refs whose commit is lost: they must not stop a checkpoint, and there is nothing to keep."""
    rows = repository.git.text("for-each-ref", "--format=%(objectname) %(refname)", HEADS, *private).splitlines()
    refs = {name: commit for commit, name in (row.split(" ", 1) for row in rows)}
    there = kept.objects(refs.values())
    return {name: commit for name, commit in refs.items() if commit in there}
