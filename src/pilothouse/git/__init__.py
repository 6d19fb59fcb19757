"""Exact checkpoints and diffs of a workspace, and what a person does with its changes.

Everything here is synchronous: callers run it in a thread, several workspaces at once.
"""

from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.committing import commit, status
from pilothouse.git.model import (
    Applied,
    BranchMove,
    ChangedFile,
    Checkpoint,
    DiffStat,
    FileChange,
    FileClash,
    Fit,
    Patch,
    Preview,
    RepositoryInfo,
    Restored,
)
from pilothouse.git.repository import inspect
from pilothouse.git.scratch import Scratch

__all__ = [
    "Applied",
    "BranchMove",
    "ChangedFile",
    "Checkpoint",
    "Checkpoints",
    "DiffStat",
    "FileChange",
    "FileClash",
    "Fit",
    "Patch",
    "Preview",
    "RepositoryInfo",
    "Restored",
    "Scratch",
    "commit",
    "inspect",
    "status",
]
