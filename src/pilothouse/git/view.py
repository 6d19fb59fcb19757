"""A repository seen without its own configuration, so that looking at it runs no program that it names.

Git is told that its common directory is a new one: with links to everything in the real one but the configuration and
the hooks. The settings that decide what git sees are copied; filters, remotes and the rest are not there. Those of the
person's global configuration still hold.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pilothouse.git.commands import QUIET, WORKING_SECONDS, Git
from pilothouse.git.repository import Repository

PLAIN_SETTINGS = frozenset(
    f"core.{name}"
    for name in (
        "filemode", "symlinks", "ignorecase", "precomposeunicode", "autocrlf", "eol", "excludesfile", "attributesfile",
        "sparsecheckout", "sparsecheckoutcone", "trustctime", "checkstat", "protecthfs", "protectntfs",
    )
) | {"status.renames", "status.renamelimit", "diff.renames", "diff.renamelimit", "index.skiphash"}  # fmt: skip
LEFT_OUT = frozenset({"config", "config.worktree", "hooks", "commondir"})


@contextlib.contextmanager
def plain(repository: Repository) -> Iterator[Git]:
    """A git that sees the repository's tree, index and refs, and runs no program that the repository names."""
    with tempfile.TemporaryDirectory(prefix="pilothouse-view-") as folder:
        view = Path(folder)
        for entry in os.scandir(repository.common_dir):
            if entry.name not in LEFT_OUT:
                (view / entry.name).symlink_to(entry.path)
        sha256 = repository.algorithm != "sha1"
        extensions = f"[extensions]\n\tobjectFormat = {repository.algorithm}\n" if sha256 else ""
        (view / "config").write_text(f"[core]\n\trepositoryformatversion = {int(sha256)}\n{extensions}")
        env = {
            "GIT_DIR": str(repository.git_dir),
            "GIT_COMMON_DIR": str(view),
            "GIT_WORK_TREE": str(repository.root),
            **_settings(repository),
        }
        yield Git(repository.root, env, QUIET, WORKING_SECONDS)


def _settings(repository: Repository) -> dict[str, str]:
    rows = iter(os.fsdecode(repository.git.run("config", "-z", "--list", "--show-scope")).split("\0"))
    found = []
    for scope, row in zip(rows, rows, strict=False):
        key, has_value, value = row.partition("\n")
        if scope in ("local", "worktree") and key in PLAIN_SETTINGS:
            found.append((key, value if has_value else "true"))
    settings = {"GIT_CONFIG_COUNT": str(len(found))}
    for number, (key, value) in enumerate(found):
        settings |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return settings
