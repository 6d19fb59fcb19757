"""Lists the changes of a workspace, and commits them for a person."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from pilothouse.errors import InvalidInput, ProgramsNotAccepted
from pilothouse.git import programs, view
from pilothouse.git.checkpoint import indexfile
from pilothouse.git.commands import as_person
from pilothouse.git.diffs import STATUS
from pilothouse.git.model import ChangedFile
from pilothouse.git.names import raw, spelled
from pilothouse.git.programs import Program
from pilothouse.git.repository import Repository
from pilothouse.words import chained, say


def status(workspace: Path) -> list[ChangedFile]:
    """Every file that differs from HEAD; untracked files one by one, not by directory.

    For a submodule its commit counts. To see its files git would start another git there, under its configuration.
    """
    shown = ("--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=dirty")
    with view.plain(Repository.open(workspace)) as git:
        rows = iter(git.run("status", *shown).split(b"\0"))
    found = []
    for row in rows:
        kind = row[:1]
        if kind == b"?":
            found.append(ChangedFile(spelled(row[2:]), "untracked", staged=False))
        elif kind == b"u":
            found.append(ChangedFile(spelled(row.split(b" ", 10)[10]), "conflict", staged=False))
        elif kind in (b"1", b"2"):
            fields = row.split(b" ", 8 if kind == b"1" else 9)
            index, tree = fields[1][:1].decode(), fields[1][1:].decode()
            old = spelled(next(rows)) if kind == b"2" else None
            letter = index if index != "." else tree
            found.append(ChangedFile(spelled(fields[-1]), STATUS[letter], staged=index != ".", old_path=old))
    return found


def commit(workspace: Path, message: str, paths: Sequence[str] | None = None, accepted: Collection[str] = ()) -> str:
    """Commits these files as they are now, or every change, in the person's name and with their hooks.

    `accepted`: digests of those of the repository's own programs that may run; if it has others, raises
    `ProgramsNotAccepted`. Returns the new commit. When git or a hook refuses, raises its words and puts the index back.
    """
    if not message.strip():
        raise InvalidInput(say("commit.no_message"), field="message")
    if paths is not None and not paths:
        raise InvalidInput(say("commit.no_file"), field="paths")
    repository = Repository.open(workspace)
    refused = [program for program in programs.of_commit(repository) if program.digest not in accepted]
    if refused:
        raise not_accepted(refused)
    index = repository.git_dir / "index"
    before = repository.git_dir / "pilothouse.before-commit"
    existed = index.exists()
    if existed:
        shutil.copy2(index, before)
    try:
        _stage_and_commit(repository, message, paths)
    except BaseException:
        mtime = before.stat().st_mtime_ns if existed else 0
        indexfile.replace(repository, before if existed else None, mtime, patience=5.0)
        raise
    finally:
        before.unlink(missing_ok=True)
    return repository.git.text("rev-parse", "HEAD")


def _stage_and_commit(repository: Repository, message: str, paths: Sequence[str] | None) -> None:
    if paths is None:
        _stage(repository, [path for file in status(repository.root) for path in (file.path, file.old_path) if path])
        as_person(repository.root, "commit", "-q", "-F", "-", message=message)
        return
    # `commit --only` refuses files that git does not know.
    names = [raw(path) for path in paths]
    known = set(repository.git.run("ls-files", "-z").split(b"\0"))
    unknown = [name for name in names if name not in known and (repository.root / os.fsdecode(name)).exists()]
    if unknown:
        chosen = ("--pathspec-from-file=-", "--pathspec-file-nul")
        repository.git.run("add", "-N", *chosen, stdin=b"\0".join(unknown))
    with _listed(repository, names) as only:
        as_person(repository.root, "commit", "-q", "--only", "-F", "-", *only, message=message)


def _stage(repository: Repository, paths: Sequence[str]) -> None:
    """By name: without names git would look into each submodule, with the programs of its configuration."""
    if paths:
        with _listed(repository, [raw(path) for path in paths]) as only:
            as_person(repository.root, "add", "-A", *only)


@contextlib.contextmanager
def _listed(repository: Repository, names: Sequence[bytes]) -> Iterator[tuple[str, str]]:
    """The arguments that name these paths; there may be more than fit into a command."""
    listing = repository.git_dir / "pilothouse.commit-paths"
    listing.write_bytes(b"\0".join(names))
    try:
        yield f"--pathspec-from-file={listing}", "--pathspec-file-nul"
    finally:
        listing.unlink()


def not_accepted(refused: Sequence[Program]) -> ProgramsNotAccepted:
    named = chained(program.name for program in refused[:5])
    return ProgramsNotAccepted(
        say("commit.programs", count=len(refused), names=named),
        {"programs": [asdict(program) for program in refused]},
    )
