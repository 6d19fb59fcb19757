"""Projects, workspaces and sessions, and the table of moves between a session's statuses."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Container
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from pilothouse.domain.task.checks import Check
from pilothouse.errors import IllegalTransition
from pilothouse.words import say

SLUG_LIMIT = 60
SLUG_DIGITS = 9
"""Of the longest number that tells slugs apart."""
UNTITLED = "New chat"


class SessionKind(StrEnum):
    CHAT = "chat"
    FEATURE = "feature"
    SPEC = "spec"


class SessionStatus(StrEnum):
    ACTIVE = "active"
    WAITING = "waiting"
    PAUSED = "paused"
    INTERRUPTED = "interrupted"
    COMPLETED = "completed"
    EXPIRED = "expired"
    ERROR = "error"
    ROLLED_BACK = "rolled_back"


class WorkspaceKind(StrEnum):
    DIRECTORY = "directory"
    """The project's own."""
    WORKTREE = "worktree"


class SessionAction(StrEnum):
    CLOSE = "close"
    """The person is done with it; what stands in the tree stays."""
    REOPEN = "reopen"
    """A message in a session that was closed."""
    PAUSE = "pause"
    """What its workflow does next waits for the person."""
    RESUME = "resume"


_S, _A = SessionStatus, SessionAction
_OPEN = (_S.ACTIVE, _S.WAITING, _S.PAUSED, _S.INTERRUPTED, _S.ERROR, _S.EXPIRED)
SESSION_MOVES: dict[tuple[SessionAction, SessionStatus], SessionStatus] = {
    **{(_A.CLOSE, status): _S.COMPLETED for status in _OPEN},
    (_A.REOPEN, _S.COMPLETED): _S.ACTIVE,
    (_A.PAUSE, _S.ACTIVE): _S.PAUSED,
    (_A.RESUME, _S.PAUSED): _S.ACTIVE,
}


def session_after(status: SessionStatus, action: SessionAction) -> SessionStatus:
    """Returns the status after `action`, or raises `IllegalTransition`."""
    target = SESSION_MOVES.get((action, status))
    if target is None:
        words = say(
            "session.not_possible", status=say(f"session_status.{status}"), action=say(f"session_action.{action}")
        )
        raise IllegalTransition(words, {"status": status, "action": action})
    return target


@dataclass(frozen=True, slots=True)
class Project:
    id: str
    path: str
    name: str
    added_at: datetime
    agent: str | None = None
    sample: bool = False
    checks: tuple[Check, ...] | None = None
    """The checks as the person edited them; `agent.yaml` wins over them."""
    programs: tuple[str, ...] | None = None
    """Digests of those of the repository's own hooks and filters that the person lets a commit run."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """One working tree; the unit of the queue."""

    id: str
    project_id: str
    path: str
    host: str
    """Id of the server on whose machine it lies; that one alone works in it."""
    kind: WorkspaceKind = WorkspaceKind.DIRECTORY
    branch: str | None = None
    """A worktree's own; None in the project's directory, where whatever is checked out counts."""
    held: bool = False
    held_reason: str = ""
    held_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    project_id: str
    workspace_id: str
    slug: str
    kind: SessionKind
    title: str
    agent: str | None
    created_at: datetime
    updated_at: datetime
    status: SessionStatus = SessionStatus.ACTIVE
    archived: bool = False
    deleted: bool = False
    base_branch: str | None = None
    base_commit: str | None = None
    checkpoint: str | None = None
    """Commit of the checkpoint taken when the session's first task began."""


def project_id(path: Path) -> str:
    """MD5 of the resolved absolute path. It names a place and is no secret."""
    return hashlib.md5(str(path.resolve()).encode(), usedforsecurity=False).hexdigest()


_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain_title(title: str) -> str:
    """The title without marks that turn the direction of writing: they would turn the words around it too."""
    return " ".join(_DIRECTIONS.sub("", title).split()) or UNTITLED


def slugify(title: str) -> str:
    """The title in lower-case ASCII with dashes; empty if nothing of it is left."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")[:SLUG_LIMIT].strip("-")


def wanted_slug(title: str, kind: SessionKind, number: Callable[[], int]) -> str:
    """The slug a new session should get. `number` counts the project's sessions of this kind, if that is needed."""
    return slugify(title) or f"{kind}-{number()}"


def free_slug(wanted: str, taken: Container[str]) -> str:
    """The wanted slug, or the first numbered form of it that is not in `taken`."""
    slug, n = wanted, 2
    while slug in taken:
        suffix = f"-{n}"
        slug, n = wanted[: SLUG_LIMIT - len(suffix)] + suffix, n + 1
    return slug


def slug_stems(wanted: str) -> list[str]:
    """What stands before the number in the numbered forms of a slug: a longer number leaves less of it."""
    return sorted({wanted[: SLUG_LIMIT - 1 - digits] + "-" for digits in range(1, SLUG_DIGITS + 1)})
