"""A repository in which everything that git can be made to run leaves a mark."""

from __future__ import annotations

import os
from pathlib import Path

from tests.git.repositories import git

HOOKS = (
    "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg",
    "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "reference-transaction",
    "pre-auto-gc", "post-rewrite", "post-index-change", "fsmonitor-watchman", "sendemail-validate",
)  # fmt: skip


def plant(root: Path, marks: Path) -> None:
    """Plants every trap in a repository and in the repositories nested in it."""
    marks.mkdir(exist_ok=True)
    for where, directories, files in os.walk(root):
        if ".git" in directories + files:
            _plant(Path(where), marks)
        if ".git" in directories:
            directories.remove(".git")


def program(marks: Path, name: str, then: str = "cat") -> str:
    """The path of a program that leaves a mark."""
    place = marks.parent / "programs" / name.replace("/", "-")
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n# a person sees this\n: > '{marks / place.name}'\n{then}\n")
    place.chmod(0o755)
    return str(place)


def _plant(root: Path, marks: Path) -> None:
    git_dir = root / os.fsdecode(git(root, "rev-parse", "--git-dir")).strip()
    for hook in HOOKS:
        place = git_dir / "hooks" / hook
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(program(marks, f"{root.name}-hook-{hook}", "exit 0"))
    (root / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n")
    settings = {
        "core.hooksPath": str(git_dir / "hooks"),
        "filter.trap.clean": program(marks, f"{root.name}-clean"),
        "filter.trap.smudge": program(marks, f"{root.name}-smudge"),
        "filter.other.process": program(marks, f"{root.name}-process"),
        "diff.trap.command": program(marks, f"{root.name}-diff"),
        "diff.trap.textconv": program(marks, f"{root.name}-textconv"),
        "diff.external": program(marks, f"{root.name}-external"),
        "merge.trap.driver": program(marks, f"{root.name}-driver"),
        "core.fsmonitor": program(marks, f"{root.name}-fsmonitor"),
        "core.sshCommand": program(marks, f"{root.name}-ssh"),
        "core.gitProxy": program(marks, f"{root.name}-proxy"),
        "core.askPass": program(marks, f"{root.name}-askpass"),
        "core.pager": program(marks, f"{root.name}-pager"),
        "core.editor": program(marks, f"{root.name}-editor"),
        "credential.helper": program(marks, f"{root.name}-credential"),
        "gpg.program": program(marks, f"{root.name}-gpg"),
        "commit.gpgSign": "true",
        "alias.status": "!" + program(marks, f"{root.name}-alias"),
        "status.submoduleSummary": "true",
        "core.alternateRefsCommand": program(marks, f"{root.name}-alternates"),
        "protocol.ext.allow": "always",
        "remote.origin.url": f"ext::{program(marks, f'{root.name}-remote', 'exit 1')}",
        "remote.origin.uploadpack": program(marks, f"{root.name}-uploadpack"),
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "extensions.partialClone": "origin",
        "core.repositoryformatversion": "1",
    }
    for key, value in settings.items():
        git(root, "config", key, value)
    included = git_dir / "included"
    included.write_text(f'[filter "more"]\n\tclean = {program(marks, f"{root.name}-included")}\n')
    git(root, "config", "include.path", str(included))


def sprung(marks: Path) -> list[str]:
    return sorted(mark.name for mark in marks.iterdir())
