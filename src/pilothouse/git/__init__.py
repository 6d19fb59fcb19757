"""Exact checkpoints and diffs of a workspace, and what a person does with its changes.

Everything here is synchronous: callers run it in a thread, several workspaces at once.
"""

from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.committing import commit, status
from pilothouse.git.model import (
    BranchMove,
    ChangedFile,
    Checkpoint,
    DiffStat,
    FileChange,
    Patch,
    Preview,
    RepositoryInfo,
    Restored,
)
from pilothouse.git.repository import inspect

__all__ = [
    "BranchMove",
    "ChangedFile",
    "Checkpoint",
    "Checkpoints",
    "DiffStat",
    "FileChange",
    "Patch",
    "Preview",
    "RepositoryInfo",
    "Restored",
    "commit",
    "inspect",
    "status",
]
