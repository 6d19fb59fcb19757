"""What this package returns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ChangeStatus = Literal["added", "modified", "deleted", "renamed", "type"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The exact state of a workspace. `ref` stands in the workspace's private git directory."""

    commit: str
    ref: str
    head: str | None
    branch: str | None
    tree: str
    """Id of the tree of the files, as raw bytes."""


@dataclass(frozen=True, slots=True)
class FileChange:
    path: str
    status: ChangeStatus
    insertions: int | None
    """None for a binary file."""
    deletions: int | None
    old_path: str | None = None
    binary: bool = False


@dataclass(frozen=True, slots=True)
class DiffStat:
    files: tuple[FileChange, ...]
    insertions: int
    deletions: int


@dataclass(frozen=True, slots=True)
class Patch:
    text: str
    truncated: bool


@dataclass(frozen=True, slots=True)
class BranchMove:
    """A branch other than the checkpoint's own, a tag or a stash that moved. None: there was, or is, none."""

    branch: str
    """Its short name; of a stash, its message."""
    then: str | None
    now: str | None
    kind: Literal["branch", "tag", "stash"] = "branch"


@dataclass(frozen=True, slots=True)
class Loss:
    """What became of a repository since the checkpoint; a restore makes it again."""

    path: str
    """Of its working tree, relative to the workspace; empty for the workspace's own."""
    what: Literal["gone", "broken", "replaced", "objects"]
    """`objects`: some that the checkpoint needs are not in it any more."""


@dataclass(frozen=True, slots=True)
class Preview(DiffStat):
    """What a restore would take away."""

    commits: tuple[str, ...]
    """Commits that HEAD has now and the checkpoint's HEAD has not, newest first."""
    branch_then: str | None
    branch_now: str | None
    other_branches_moved: tuple[BranchMove, ...]
    lost: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    undo: Checkpoint
    other_branches_moved: tuple[BranchMove, ...]
    stat: DiffStat
    """What the rollback took away."""
    lost: tuple[Loss, ...] = ()
    """Repositories that were made again."""


@dataclass(frozen=True, slots=True)
class FileClash:
    path: str
    reason: str
    """One sentence: why the proposal cannot be written there."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How a proposal fits on the workspace as it is now."""

    clashes: tuple[FileClash, ...]
    """Files where it does not fit. If there are any, nothing can be written."""
    merge: str | None = None
    """Names the three-way merge a person has to confirm. None: the proposal can be written as it is."""
    stat: DiffStat | None = None
    """`stat` and `patch`: what the merge would change."""
    patch: Patch | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    undo: Checkpoint
    """The workspace before the first byte was written."""


@dataclass(frozen=True, slots=True)
class RepositoryInfo:
    root: Path
    """Absolute, symbolic links resolved."""
    git_dir: Path
    common_dir: Path
    branch: str | None
    head: str | None
    """None in a repository without a commit."""
    worktree: bool
    """A linked worktree of another repository."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    path: str
    status: ChangeStatus | Literal["untracked", "conflict"]
    staged: bool
    old_path: str | None = None
