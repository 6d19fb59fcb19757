"""A repository with something of everything, and the ways to lose it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.git.repositories import Observed, git, observe


@dataclass(frozen=True)
class Whole:
    """All that a repository is, apart from reflogs."""

    observed: Observed
    refs: bytes
    stashes: bytes
    files: dict[str, bytes]


def whole(root: Path) -> Whole:
    common = root / os.fsdecode(git(root, "rev-parse", "--git-common-dir")).strip()
    places = [common / "config", common / "info" / "exclude", common / "hooks" / "pre-commit", root / ".git"]
    return Whole(
        observe(root),
        git(root, "for-each-ref"),
        git(root, "stash", "list", "--format=%H %gs"),
        {place.name: place.read_bytes() for place in places if place.is_file()},
    )


def furnish(root: Path) -> None:
    """Packed and single objects, two branches, tags, stashes, a hook, a remote branch, and uncommitted work."""
    git(root, "branch", "other")
    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    git(root, "gc", "-q")
    (root / "a.txt").write_text("third\n")
    git(root, "commit", "-q", "-a", "-m", "third")
    git(root, "tag", "light")
    git(root, "tag", "-a", "heavy", "-m", "heavy", "HEAD~1")
    git(root, "update-ref", "refs/remotes/origin/main", "HEAD~1")
    git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    git(root, "config", "user.name", "Configured")
    for number in range(2):
        (root / "b.txt").write_text(f"stashed {number}\n")
        git(root, "stash", "-q", *(["-u"] if number else []))
    hooks = Path(os.fsdecode(git(root, "rev-parse", "--git-path", "hooks")).strip())
    (root / hooks).mkdir(exist_ok=True)
    (root / hooks / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
    (root / hooks / "pre-commit").chmod(0o755)
    (root / ".gitignore").write_text("*.o\n")
    (root / "x.o").write_text("ignored\n")
    (root / "d" / "c.txt").write_text("staged\n")
    git(root, "add", "d/c.txt", ".gitignore")
    (root / "d" / "c.txt").write_text("changed after\n")
    (root / "new.txt").write_text("untracked\n")
    with (root / ".git" / "info" / "exclude").open("a") if (root / ".git").is_dir() else open(os.devnull, "a") as file:
        file.write("*.key\n")
    (root / "mine.key").write_text("secret\n")


def remove(root: Path) -> None:
    shutil.rmtree(root / ".git")


def init_over(root: Path) -> None:
    remove(root)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "another beginning")
    git(root, "tag", "theirs")


def init_empty(root: Path) -> None:
    remove(root)
    git(root, "init", "-q", "-b", "trunk")


def put(root: Path, name: str, content: bytes) -> None:
    (root / ".git" / name).write_bytes(content)


def cut(root: Path, name: str) -> None:
    place = root / ".git" / name
    put(root, name, place.read_bytes()[: place.stat().st_size // 2])


def drop_loose(root: Path) -> None:
    for fan in (root / ".git" / "objects").glob("??"):
        shutil.rmtree(fan)


def drop_packs(root: Path) -> None:
    shutil.rmtree(root / ".git" / "objects" / "pack")


LOSSES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "removed": ("gone", remove),
    "another with commits": ("replaced", init_over),
    "another without commits": ("replaced", init_empty),
    "HEAD overwritten": ("broken", lambda root: put(root, "HEAD", b"junk\0")),
    "HEAD removed": ("broken", lambda root: (root / ".git" / "HEAD").unlink()),
    "index cut": ("broken", lambda root: cut(root, "index")),
    "index overwritten": ("broken", lambda root: put(root, "index", b"junk")),
    "config overwritten": ("broken", lambda root: put(root, "config", b"[core\njunk")),
    "refs removed": ("broken", lambda root: shutil.rmtree(root / ".git" / "refs")),
    "objects removed": ("broken", lambda root: shutil.rmtree(root / ".git" / "objects")),
    "single objects removed": ("objects", drop_loose),
    "packs removed": ("objects", drop_packs),
}


def work(root: Path) -> None:
    """What an agent does to the files beside."""
    (root / "a.txt").write_text("agent\n")
    (root / "new.txt").unlink()
    (root / "agent.txt").write_text("agent\n")
