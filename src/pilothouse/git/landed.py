"""Finds a commit that was begun and not heard of any more."""

from __future__ import annotations

from pathlib import Path

from pilothouse.git.repository import Repository


def head(workspace: Path) -> str | None:
    return Repository.open(workspace).head()[1]


def landed(workspace: Path, parent: str | None, message: str) -> str | None:
    """The commit on HEAD's line that was made on `parent` with this message, if it was made.

    A hook may have added to the message, so its first line decides.
    """
    repository = Repository.open(workspace)
    if (tip := repository.head()[1]) is None:
        return None
    since = (f"^{parent}",) if parent else ()
    line = repository.git.text("rev-list", "--first-parent", "--reverse", tip, *since).splitlines()
    if not line:
        return None
    made, *parents = repository.git.text("rev-list", "--parents", "--max-count=1", line[0]).split()
    subject = repository.git.text("show", "--no-patch", "--format=%B", made).strip().split("\n")[0]
    wanted = message.strip().split("\n")[0].rstrip()
    return made if parents == ([parent] if parent else []) and subject.rstrip() == wanted else None
