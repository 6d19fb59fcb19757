"""A scratch: the state of a checkpoint in a repository of its own, where an agent can do what it likes.

Nothing it does reaches the workspace. Git there has its own refs, index and configuration; it only reads the objects
of the workspace's checkpoints, and what it writes stays in the scratch. The state of a scratch can be saved as a
checkpoint of the workspace, as a proposal. Saving does not rely on anything the agent could change: ignore rules, HEAD
and index come from a second copy that the agent does not see.

Repositories nested in the workspace, submodules among them, are repositories of their own here too. Not covered:
nested repositories that the agent makes or deletes (`Scratch.left_out` names them), and objects that a partial clone
has not fetched.
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
from pilothouse.git.checkpoint.rewind import IGNORED
from pilothouse.git.checkpoint.scan import Scanner
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoint.snapshot import Present, Snapshot, Snapshots
from pilothouse.git.checkpoint.standing import repository_of
from pilothouse.git.checkpoint.working_tree import WorkingTree
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.commands import split_zero
from pilothouse.git.layout import private_git_dir, write_files
from pilothouse.git.model import Checkpoint
from pilothouse.words import say

# A test run would write into these through the link, with paths of the scratch.
CACHES = frozenset({b"__pycache__", b".pytest_cache", b".mypy_cache", b".ruff_cache"})


@dataclass(frozen=True, slots=True)
class _Part:
    """One working tree: the scratch's own, or one nested in it."""

    root: Path
    state: Path

    def make(self, tree: WorkingTree, snapshot: Snapshot) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.state.mkdir(parents=True)
        private_git_dir(self.state / "repository", tree, snapshot, linked=True)
        private_git_dir(self.root / ".git", tree, snapshot, linked=False)
        write_files(self.shadow(tree), snapshot)

    def shadow(self, tree: WorkingTree) -> Shadow:
        repository = repository_of(self.root, self.state / "repository", tree.repository.algorithm)
        return Shadow(repository, self.state, tree.shadow.blobs.path)

    def nested(self, path: str) -> _Part:
        return _Part(self.root / path, self.state / "nested" / os.fsencode(path).hex()[:180])


class Scratch:
    def __init__(self, tree: Checkpoints, folder: Path, base: str, links: Sequence[str], left_out: set[str]) -> None:
        self._tree = tree
        folder = Path(os.path.realpath(folder))
        self._folder = folder
        self.base = base
        """The checkpoint that it was made from."""
        self._links = tuple(links)
        self._left_out = left_out
        self._part = _Part(_place(folder, tree), folder / "state")
        self.root = self._part.root

    @classmethod
    def make(cls, tree: Checkpoints, commit: str, folder: Path, *, link_ignored: bool = False) -> Scratch:
        """Makes a scratch below `folder`; replaces what is there.

        `link_ignored`: links to what the workspace has and git ignores (node_modules, .venv, target), to run its tests.
        Writing through a link changes the workspace, so this is not for an agent.
        """
        _remove(folder)
        folder.mkdir(parents=True, mode=0o700)
        scratch = cls(tree, folder, commit, (), set())
        with tree.opened("laid_out") as source:
            # It has the tags of the present.
            source.secure()
            snapshot = source.load(commit)
            scratch._make(scratch._part, source, snapshot, "")
            links = scratch._link(source) if link_ignored else []
        scratch._links = tuple(links)
        about = {"base": commit, "links": links, "left_out": sorted(scratch._left_out)}
        durable.write(folder / "made.json", json.dumps(about))
        return scratch

    @classmethod
    def open(cls, tree: Checkpoints, folder: Path) -> Scratch | None:
        """Opens the scratch in `folder` as it is now. None: there is no complete one."""
        try:
            about = json.loads((folder / "made.json").read_text())
        except (OSError, ValueError):
            return None
        return cls(tree, folder, about["base"], about["links"], set(about["left_out"]))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Nested repositories whose changes `save` leaves out; known after `save`."""
        return tuple(sorted(self._left_out))

    def save(self, ref: str) -> Checkpoint:
        """Saves the scratch's files, committed or not, as a checkpoint of the workspace.

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
        """Removes a scratch that nobody has open, complete or not."""
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
        """Excludes each link by name: git sees a file, and a rule for directories does not ignore that."""
        links = []
        for listed in split_zero(source.shadow.git.run(*IGNORED, "--directory")):
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
            return Present(snapshots.take(about, files, tree.snapshots.belongings(base)), nested)

    def _stands(self, part: _Part, path: str, prefix: str) -> bool:
        """Whether a nested working tree still exists. If only its `.git` is gone, it gets that back."""
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
    """The directory has the workspace's name, because tools name a project after its directory."""
    return folder / "tree" / tree.workspace.name


def _only_rules(place: Path) -> bool:
    return place.is_dir() and all(path.is_dir() or path.name == ".gitignore" for path in place.rglob("*"))


def _literal(path: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?[ " else letter for letter in path)


def _remove(folder: Path) -> None:
    """Removes everything, also in read-only directories; follows no links."""
    if folder.is_symlink() or folder.is_file():
        raise CheckpointFailed(say("checkpoint.not_ours", folder=str(folder)))
    while folder.is_dir():
        # Somebody else may be removing it at the same time.
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
