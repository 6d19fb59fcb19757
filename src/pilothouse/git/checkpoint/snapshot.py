"""A snapshot: everything a checkpoint holds, as one git tree.

files     the tree of the files, raw bytes
scanned   the same without `Meta.extras`, if there are any
meta      what a git tree cannot say, as JSON with sorted keys, so that the same state gives the same tree
index     the repository's index, byte for byte
keep      a tree that names every blob of that index
git       what else makes the repository's `.git` whole, as JSON; not in checkpoints of earlier versions
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pilothouse.errors import CheckpointFailed, GitFailed
from pilothouse.git import diffs, obstacles
from pilothouse.git.checkpoint import heads, indexfile, progress
from pilothouse.git.checkpoint.belongings import Belongings
from pilothouse.git.checkpoint.scan import Files, Scanner
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.objects import FILE, TREE, parse_tree
from pilothouse.words import say


@dataclass(frozen=True, slots=True)
class Meta:
    """Paths are strings made by `os.fsdecode`; the content of files is a latin-1 string."""

    head: str | None
    branch: str | None
    """Full name of the ref HEAD is on; None when detached."""
    branches: dict[str, str]
    private_refs: dict[str, str]
    """Refs that only this working tree has, such as those of a bisect."""
    index_mtime_ns: int
    state: dict[str, str]
    modes: dict[str, int]
    usual: tuple[int, int]
    empty_directories: tuple[str, ...]
    hidden_rules: dict[str, str]
    sparse_rules: dict[str, str]
    excludes: dict[str, str]
    nested: dict[str, dict[str, str]]
    """By the path of a nested working tree: its snapshot (`top`), and its `.git` if that is a file (`gitfile`)."""

    usual_directory: int = 0o755
    directories: dict[str, int] | None = None
    """Permission bits of the directories that do not have the usual ones; None: it did not note them."""
    links: dict[str, str] = field(default_factory=dict)
    """Symbolic links that git takes into no index."""

    # These three are for undo checkpoints: what the restore was about to change beyond what a scan finds.
    extras: tuple[str, ...] = ()
    """Ignored files and nested trees."""
    plain: tuple[str, ...] = ()
    """Plain directories, perhaps with ignored files only, that were to become repositories."""
    absent: tuple[str, ...] = ()
    """Ignored paths where there was nothing, and a file was to be written."""

    @property
    def state_files(self) -> dict[str, bytes]:
        """The files of `progress`."""
        return {name: text.encode("latin-1") for name, text in self.state.items()}

    def bits(self, path: bytes, executable: bool) -> int:
        """The permission bits of a file."""
        return self.modes.get(os.fsdecode(path), self.usual[executable])

    def encode(self) -> bytes:
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def decode(cls, data: bytes) -> Meta:
        fields = json.loads(data)
        tuples = ("usual", "empty_directories", "extras", "plain", "absent")
        return cls(**fields | {name: tuple(fields[name]) for name in tuples})


@dataclass(frozen=True, slots=True)
class Snapshot:
    top: str
    files: str
    """The tree of the files."""
    scanned: str
    """The same without `Meta.extras`."""
    index: str | None
    keep: str | None
    meta: Meta
    git: str | None = None
    """What else makes a `.git` whole: see `Belongings`."""


Refs = tuple[str | None, str | None, dict[str, str], dict[str, str]]
IndexParts = tuple[str | None, str | None, int]
"""The index as a blob, the tree that keeps its blobs, and its modification time."""


@dataclass(frozen=True, slots=True)
class Present:
    """A snapshot and those of the working trees nested in it, by path."""

    snapshot: Snapshot
    nested: dict[str, Present] = field(default_factory=dict)


class Snapshots:
    """Takes and loads the snapshots of one workspace."""

    def __init__(self, shadow: Shadow, scanner: Scanner) -> None:
        self._shadow = shadow
        self._scanner = scanner
        self._index: tuple[bytes | None, IndexParts] | None = None
        self._known_refs: dict[str, str] = {}

    def forget_index(self) -> None:
        """What was made from the repository's index may have been freed."""
        self._index = None

    def take(self, nested: Mapping[str, dict[str, str]], files: Files, belongings: Belongings) -> Snapshot:
        """The present, with the snapshots of nested working trees."""
        repository = self._shadow.repository
        branch, head, branches, private = self._refs()
        index, keep, mtime = self._index_parts()
        state = progress.read(repository.git_dir)
        meta = Meta(
            head=head,
            branch=branch,
            branches=branches,
            private_refs=private,
            index_mtime_ns=mtime,
            state={name: data.decode("latin-1") for name, data in sorted(state.items())},
            modes={os.fsdecode(path): bits for path, bits in files.modes.items()},
            usual=files.usual,
            empty_directories=tuple(os.fsdecode(path) for path in files.empty_directories),
            hidden_rules={os.fsdecode(path): data.decode("latin-1") for path, data in files.hidden_rules.items()},
            sparse_rules={os.fsdecode(path): data.decode("latin-1") for path, data in files.sparse_rules.items()},
            excludes=files.excludes,
            nested=dict(nested),
            usual_directory=files.usual_directory,
            directories={os.fsdecode(path): bits for path, bits in files.directories.items()},
            links={os.fsdecode(path): os.fsdecode(target) for path, target in files.links.items()},
        )
        if belongings.standing:
            # The branch that our stand-in is on says nothing.
            meta = replace(meta, branch=None)
        git = self._shadow.blobs.write("blob", belongings.encode())
        return self.store(Snapshot("", files.tree, files.tree, index, keep, meta, git))

    def store(self, made: Snapshot) -> Snapshot:
        """Writes it; returns it with its name."""
        files, scanned, index, keep = made.files, made.scanned, made.index, made.keep
        with self._shadow.blobs.side_by_side(self._scanner.pool) as objects:
            rows = [(TREE, "files", files), (FILE, "meta", objects.write("blob", made.meta.encode()))]
            if index and keep:
                rows += [(FILE, "index", index), (TREE, "keep", keep)]
            if scanned != files:
                rows.append((TREE, "scanned", scanned))
            if made.git:
                rows.append((FILE, "git", made.git))
            return replace(made, top=objects.write_tree(rows))

    def load(self, top: str) -> Snapshot:
        try:
            rows = parse_tree(self.object("tree", top), self._shadow.repository.id_length)
            names = {name: id for _, name, id in rows}
            meta = Meta.decode(self.object("blob", names["meta"]))
            scanned = names.get("scanned", names["files"])
            index, keep = names.get("index"), names.get("keep")
            return Snapshot(top, names["files"], scanned, index, keep, meta, names.get("git"))
        except (GitFailed, KeyError, ValueError, TypeError, zlib.error) as error:
            raise CheckpointFailed(say("checkpoint.unreadable", problem=str(error)), {"tree": top}) from error

    def object(self, kind: str, name: str) -> bytes:
        """Most objects are still loose, and reading those takes no git process."""
        found = self._shadow.blobs.read(name)
        return found[1] if found else self._shadow.git.run("cat-file", kind, name)

    def belongings(self, snapshot: Snapshot) -> Belongings:
        return Belongings.decode(self.object("blob", snapshot.git)) if snapshot.git else Belongings()

    def needed(self, snapshot: Snapshot) -> set[str]:
        """The commits and tags that the snapshot names."""
        meta = snapshot.meta
        found = progress.named_commits(self._shadow.git, self._shadow.repository.id_length, meta.state_files)
        found |= {*meta.branches.values(), *meta.private_refs.values()} | self.belongings(snapshot).tips
        return found | ({meta.head} if meta.head else set())

    def staged(self, snapshot: Snapshot) -> set[str]:
        """The blobs of its index that its HEAD does not have."""
        if snapshot.keep is None:
            return set()
        head = snapshot.meta.head
        tree = f"{head}^{{tree}}" if head else self._shadow.blobs.write("tree", b"")
        return {entry.new for entry in diffs.entries(self._shadow.git, tree, snapshot.keep) if entry.new_mode}

    def same_index(self, one: Snapshot, other: Snapshot) -> bool:
        """Whether two indexes are the same apart from their stat caches."""
        if one.index == other.index:
            return True
        if one.index is None or other.index is None:
            return False
        return self._index_entries(one) == self._index_entries(other)

    def _index_entries(self, snapshot: Snapshot) -> bytes:
        place = self.index_file(snapshot)
        return indexfile.entries(self._shadow.git, place) if place else b""

    def index_file(self, snapshot: Snapshot) -> Path | None:
        if snapshot.index is None:
            return None
        place = self._shadow.scratch("index-then")
        place.write_bytes(self._shadow.git.run("cat-file", "blob", snapshot.index))
        return place

    def _refs(self) -> Refs:
        repository = self._shadow.repository
        refs = self._known_refs = heads.read(repository, progress.REFS, self._known_refs, self._shadow.git)
        branches = {name: commit for name, commit in refs.items() if name.startswith("refs/heads/")}
        private = {name: commit for name, commit in refs.items() if name not in branches}
        text = obstacles.content(repository.git_dir / "HEAD").decode()
        branch = text[5:].strip() if text.startswith("ref: ") else None
        if branch in branches:
            return branch, branches[branch], branches, private
        branch, head = repository.head()
        return branch, head or (None if branch else self._lost_head()), branches, private

    def _lost_head(self) -> str | None:
        """The commit of a detached HEAD that the repository lost; the vault may have it."""
        name = self._shadow.repository.git.text("rev-parse", "-q", "--verify", "HEAD", ok=(0, 1))
        return name if name and self._shadow.git.objects([name]) else None

    def _index_parts(self) -> IndexParts:
        """Makes them again only when the index changed."""
        repository = self._shadow.repository
        key = indexfile.checksum(repository.git_dir / "index", repository.id_length)
        if self._index is None or self._index[0] != key:
            copy = indexfile.portable_copy(self._shadow, self._shadow.scratch("index-now"))
            if copy is None:
                self._index = None, (None, None, 0)
            else:
                mtime = (repository.git_dir / "index").stat().st_mtime_ns
                # Writing the tree enters it in the copy too, and the repository does not have it.
                index = self._shadow.blobs.write("blob", copy.read_bytes())
                keep = indexfile.reachable_tree(self._shadow, copy, self._shadow.scratch("keep"))
                self._index = key, (index, keep, mtime)
        return self._index[1]
