"""Puts another `.git` into a working tree: the one that stood there at a checkpoint, or a new one made from it.

What stands there now is moved aside, never deleted, under the name of the snapshot that an undo restores. Every step
can be cut short: until the last one, the next look still finds that the repository is not the one it should be.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from pilothouse.git import durable
from pilothouse.git.checkpoint.belongings import OWN, Belongings
from pilothouse.git.checkpoint.nested import move
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoint.snapshot import Snapshot
from pilothouse.git.checkpoint.standing import UNFINISHED

OF_OTHERS = ("worktrees", "modules")
"""What a git directory holds for other working trees."""
UNSAVED = ("lfs", "rr-cache", "annex", "logs/HEAD", "logs/refs/heads", "logs/refs/remotes")
"""What no checkpoint has of a git directory."""
DOT, DIRECTORY = "dot-git", "git-directory"


class GitDirectory:
    def __init__(self, shadow: Shadow, state_dir: Path, on_change: Callable[[], None]) -> None:
        self._shadow = shadow
        self._on_change = on_change
        self._root = shadow.repository.root
        self._asides = state_dir / "repositories"

    def exchange(self, target: Snapshot, belongings: Belongings, key: str) -> None:
        """`key`: names what is moved aside."""
        git_dir = _at(self._root, belongings.git_dir)
        elsewhere = git_dir if git_dir != self._root / ".git" else None
        self._set_aside(key, elsewhere)
        if not self._bring_back(target.top, git_dir) and not belongings.standing:
            self._make(target, belongings, git_dir)
        self._durable()

    def has(self, top: str) -> bool:
        """Whether the git directory of a snapshot was moved aside, and is still there."""
        return any(
            (aside / name).exists() or (aside / name).is_symlink()
            for aside in self._find(top)
            for name in (DIRECTORY, DOT)
        )

    def lodge(self, key: str, names: Iterable[str]) -> None:
        """Gives a git directory what only the one that was moved aside has, or takes it back."""
        for aside in self._find(key):
            for name in names:
                source, there = aside / DOT / name, self._root / ".git" / name
                if source.exists() and (self._root / ".git").is_dir() and not there.exists():
                    there.parent.mkdir(parents=True, exist_ok=True)
                    move(source, there)
                    self._on_change()

    def _set_aside(self, key: str, elsewhere: Path | None) -> None:
        place = self._asides / f"{key}-{time.time_ns()}"
        # The directory first: without it, the file that names it does not count.
        for source, name in ((elsewhere, DIRECTORY), (self._root / ".git", DOT)):
            if source is not None and os.path.lexists(source):
                durable.make_directories(place)
                move(source, place / name)
                self._on_change()

    def _find(self, key: str) -> list[Path]:
        """Oldest first: one restore that was cut short and repeated may have left two."""
        return sorted(self._asides.glob(f"{key}-*"), key=lambda place: int(place.name.rpartition("-")[2]))

    def _bring_back(self, top: str, git_dir: Path) -> bool:
        found = self._find(top)
        for aside in found:
            for name, there in ((DIRECTORY, git_dir), (DOT, self._root / ".git")):
                if os.path.lexists(aside / name) and not os.path.lexists(there):
                    there.parent.mkdir(parents=True, exist_ok=True)
                    move(aside / name, there)
                    self._on_change()
        return os.path.lexists(self._root / ".git")

    def _make(self, target: Snapshot, belongings: Belongings, git_dir: Path) -> None:
        common = _at(self._root, belongings.common_dir)
        if belongings.linked and (common / "objects").is_dir():
            self._make_linked(target, belongings, git_dir)
            return
        if belongings.linked:
            # The repository that it shared is gone as well, so it gets one of its own.
            git_dir = self._root / ".git"
        git_dir.parent.mkdir(parents=True, exist_ok=True)
        unfinished = git_dir.with_name(UNFINISHED)
        shutil.rmtree(unfinished, ignore_errors=True)
        for name in ("info", "refs/heads", "refs/tags", "objects/info", "objects/pack"):
            (unfinished / name).mkdir(parents=True)
        self._shadow.vault.link_into(unfinished / "objects")
        self._write_shared(unfinished, target, belongings)
        self._write_head(unfinished, target)
        self._on_change()
        unfinished.rename(git_dir)
        self._on_change()
        if git_dir != self._root / ".git":
            self._write_gitfile(belongings)

    def _make_linked(self, target: Snapshot, belongings: Belongings, git_dir: Path) -> None:
        git_dir.mkdir(parents=True, exist_ok=True)
        for name in OWN:
            if name in belongings.files:
                (git_dir / name).write_bytes(belongings.files[name].encode("latin-1"))
        self._write_head(git_dir, target)
        self._on_change()
        self._write_gitfile(belongings)

    def _write_gitfile(self, belongings: Belongings) -> None:
        told = belongings.gitfile or f"gitdir: {belongings.git_dir}\n"
        (self._root / ".git").write_bytes(told.encode("latin-1"))

    def _write_head(self, git_dir: Path, target: Snapshot) -> None:
        meta = target.meta
        (git_dir / "HEAD").write_text(f"ref: {meta.branch}\n" if meta.branch else f"{meta.head}\n")

    def _write_shared(self, git_dir: Path, target: Snapshot, belongings: Belongings) -> None:
        files = {"config": _plain_config(self._shadow.repository.algorithm)} | belongings.files
        for name, text in files.items():
            if name not in ("gitdir", "commondir"):
                place = git_dir / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(text.encode("latin-1"))
        for name, (bits, text) in belongings.hooks.items():
            (git_dir / "hooks").mkdir(exist_ok=True)
            (git_dir / "hooks" / name).write_bytes(text.encode("latin-1"))
            (git_dir / "hooks" / name).chmod(bits)
        for name, ref in belongings.symbolic.items():
            (git_dir / name).parent.mkdir(parents=True, exist_ok=True)
            (git_dir / name).write_text(f"ref: {ref}\n")
        (git_dir / "info" / "exclude").write_bytes(target.meta.excludes["info"].encode("latin-1"))
        refs = belongings.refs | target.meta.branches
        there = self._shadow.git.objects(refs.values())
        lines = [f"{name} {ref}\n" for ref, name in sorted(refs.items()) if name in there]
        (git_dir / "packed-refs").write_text("".join(lines), errors="surrogateescape")

    def _durable(self) -> None:
        for place in (self._root, self._root / ".git", self._root / ".git" / "objects"):
            if place.is_dir():
                durable.sync(place)


def _at(root: Path, path: str) -> Path:
    return Path(os.path.normpath(root / path))


def _plain_config(algorithm: str) -> str:
    extension = f"[extensions]\n\tobjectFormat = {algorithm}\n" if algorithm != "sha1" else ""
    return f"[core]\n\trepositoryformatversion = {int(bool(extension))}\n\tbare = false\n{extension}"
