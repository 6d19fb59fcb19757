"""A place where an agent can do what it likes: the state of a checkpoint in a repository of its own.

Nothing there reaches back. Git works on refs, index and configuration of its own and only reads the objects of the
workspace's repository; what it writes stays in the scratch. What stands there can be saved as a checkpoint of the
workspace, of which it is then a proposal. That reading leans on nothing the agent could have changed: the ignore
rules, HEAD and index it is judged by are a second copy, out of its sight.

Repositories nested in the workspace, submodules among them, are there as repositories of their own. Not covered: one
that the agent makes or deletes (`Scratch.left_out` names them), and objects that a partial clone has not fetched.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pilothouse.errors import CheckpointFailed
from pilothouse.git import durable
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.commands import split_zero
from pilothouse.git.layout import private_git_dir, repository_of, write_files
from pilothouse.git.model import Checkpoint
from pilothouse.git.scan import Scanner
from pilothouse.git.shadow import Shadow
from pilothouse.git.snapshot import Snapshot, Snapshots
from pilothouse.git.workspace import Present, WorkingTree
from pilothouse.words import say

IGNORED = ("ls-files", "-zoi", "--exclude-standard", "--directory")
# A test run would write into these through the link, for a tree at another place.
CACHES = frozenset({b"__pycache__", b".pytest_cache", b".mypy_cache", b".ruff_cache"})


@dataclass(frozen=True, slots=True)
class _Part:
    """One working tree of the scratch: its own, or one nested in it."""

    root: Path
    state: Path

    def make(self, tree: WorkingTree, snapshot: Snapshot) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.state.mkdir(parents=True)
        private_git_dir(self.state / "repository", tree, snapshot, linked=True)
        private_git_dir(self.root / ".git", tree, snapshot, linked=False)
        write_files(self.shadow(tree), snapshot)

    def shadow(self, tree: WorkingTree) -> Shadow:
        return Shadow(repository_of(self.root, self.state / "repository", tree.repository.algorithm), self.state)

    def nested(self, path: str) -> _Part:
        return _Part(self.root / path, self.state / "nested" / os.fsencode(path).hex()[:180])


class Scratch:
    def __init__(self, tree: Checkpoints, folder: Path, base: str, links: Sequence[str], left_out: set[str]) -> None:
        self._tree = tree
        folder = Path(os.path.realpath(folder))
        self._folder = folder
        self.base = base
        """The checkpoint it was made of."""
        self._links = tuple(links)
        self._left_out = left_out
        self._part = _Part(_place(folder, tree), folder / "state")
        self.root = self._part.root

    @classmethod
    def make(cls, tree: Checkpoints, commit: str, folder: Path, *, link_ignored: bool = False) -> Scratch:
        """The state of a checkpoint below `folder`, in the place of whatever stands there.

        `link_ignored`: what the workspace has and git ignores (node_modules, .venv, target) is there as symbolic links,
        for running its tests. Writing through one changes the workspace: not for an agent.
        """
        _remove(folder)
        folder.mkdir(parents=True, mode=0o700)
        scratch = cls(tree, folder, commit, (), set())
        with tree.opened("laid_out") as source:
            snapshot = source.load(commit)
            scratch._make(scratch._part, source, snapshot, "")
            links = scratch._link(source) if link_ignored else []
        scratch._links = tuple(links)
        about = {"base": commit, "links": links, "left_out": sorted(scratch._left_out)}
        durable.write(folder / "made.json", json.dumps(about))
        return scratch

    @classmethod
    def open(cls, tree: Checkpoints, folder: Path) -> Scratch | None:
        """The scratch that was made there, with all that was done in it since; None where none was made whole."""
        try:
            about = json.loads((folder / "made.json").read_text())
        except (OSError, ValueError):
            return None
        return cls(tree, folder, about["base"], about["links"], set(about["left_out"]))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Nested repositories of which no change is in a checkpoint of the scratch; known after `save`."""
        return tuple(sorted(self._left_out))

    def save(self, ref: str) -> Checkpoint:
        """What stands there now, committed or not, as a checkpoint of the workspace: its files are the scratch's.

        HEAD, index and branches are those of the base, whatever the agent did to its own.
        """
        with self._tree.opened("taken") as source:
            base = source.load(self.base)
            found = self._present(self._part, source, base, "")
            return source.checkpoint(source.adopt(found, ref), ref)

    def remove(self) -> None:
        _remove(self._folder)

    @staticmethod
    def clear(folder: Path) -> None:
        """Remove a scratch that nobody has open, made whole or not."""
        _remove(folder)

    def _make(self, part: _Part, tree: WorkingTree, snapshot: Snapshot, prefix: str) -> None:
        part.make(tree, snapshot)
        for path, about in snapshot.meta.nested.items():
            if os.path.lexists(tree.repository.root / path / ".git"):
                child = tree.child(path)
                self._make(part.nested(path), child, child.snapshots.load(about["top"]), f"{prefix}{path}/")
            else:
                self._left_out.add(prefix + path)

    def _link(self, source: WorkingTree) -> list[str]:
        """Git takes a link for a file, which a rule for directories does not ignore: each is excluded by its name."""
        links = []
        for listed in split_zero(source.shadow.git.run(*IGNORED)):
            path = listed.rstrip(b"/")
            place = self._part.root / os.fsdecode(path)
            if os.path.basename(path) in CACHES or path.endswith(b".pyc"):
                continue
            if listed.endswith(b"/") and _only_rules(place):
                shutil.rmtree(place)
            if not os.path.lexists(place) and place.parent.is_dir():
                place.symlink_to(source.repository.root / os.fsdecode(path))
                links.append(os.fsdecode(path))
        rules = "".join(f"/{_literal(link)}\n" for link in links)
        for git_dir in (self._part.root / ".git", self._part.state / "repository"):
            with (git_dir / "info" / "exclude").open("a", errors="surrogateescape") as exclude:
                exclude.write("\n" + rules)
        return links

    def _present(self, part: _Part, tree: WorkingTree, base: Snapshot, prefix: str) -> Present:
        part.root.mkdir(parents=True, exist_ok=True)
        kept = {path for path in base.meta.nested if self._stands(part, path, prefix)}
        with _scanning(part.shadow(tree)) as (scanner, snapshots):
            files = scanner.files()
            if not prefix:
                files = scanner.without(files, [os.fsencode(link) for link in self._links])
            nested = {
                path: self._present(
                    part.nested(path),
                    tree.child(path),
                    tree.child(path).snapshots.load(base.meta.nested[path]["top"]),
                    f"{prefix}{path}/",
                )
                for path in sorted(kept)
            }
            made = {os.fsdecode(path) for path in files.nested} - base.meta.nested.keys()
            self._left_out |= {prefix + path for path in made}
            about = {path: dict(row) for path, row in base.meta.nested.items()}
            for path, child in nested.items():
                about[path]["top"] = child.snapshot.top
            return Present(snapshots.take(about, files), nested)

    def _stands(self, part: _Part, path: str, prefix: str) -> bool:
        """Whether a nested working tree is there; one that only lost its `.git` gets it back, to be told apart."""
        child = part.nested(path)
        if not child.state.is_dir() or not child.root.is_dir() or child.root.is_symlink():
            self._left_out.add(prefix + path)
            return False
        if not os.path.lexists(child.root / ".git"):
            (child.root / ".git").write_text(f"gitdir: {child.state / 'repository'}\n")
        return True


@contextlib.contextmanager
def _scanning(shadow: Shadow) -> Iterator[tuple[Scanner, Snapshots]]:
    scanner = Scanner(shadow)
    try:
        yield scanner, Snapshots(shadow, scanner)
    finally:
        scanner.close()


def _place(folder: Path, tree: Checkpoints) -> Path:
    """Under the workspace's own name: tools call a project by its directory."""
    return folder / "tree" / tree.workspace.name


def _only_rules(place: Path) -> bool:
    return place.is_dir() and all(path.is_dir() or path.name == ".gitignore" for path in place.rglob("*"))


def _literal(path: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?[ " else letter for letter in path)


def _remove(folder: Path) -> None:
    """All of it, also what stands in directories that were made read-only; links are not followed."""
    if folder.is_symlink() or folder.is_file():
        raise CheckpointFailed(say("checkpoint.not_ours", folder=str(folder)))
    while folder.is_dir():
        # Whoever else removes it at the same time takes things away under us.
        with contextlib.suppress(FileNotFoundError):
            _open_up(folder)
            shutil.rmtree(folder)


def _open_up(folder: Path) -> None:
    for where, directories, _ in os.walk(folder, followlinks=False):
        for name in directories:
            place = os.path.join(where, name)
            found = os.lstat(place)
            if stat.S_ISDIR(found.st_mode) and found.st_mode & 0o700 != 0o700:
                os.chmod(place, 0o700)
