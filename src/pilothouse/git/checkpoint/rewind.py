"""Finds out what a restore has to do, and what it has to save first, before it changes anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from pilothouse.errors import CheckpointFailed, GitFailed
from pilothouse.git import diffs, obstacles
from pilothouse.git.checkpoint.rules import RulesOfThen, ignored, is_rules
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoint.snapshot import Present, Snapshot, Snapshots
from pilothouse.git.commands import split_zero
from pilothouse.git.names import spelled
from pilothouse.git.repository import short_name
from pilothouse.git.trees import LINK, ancestors, names
from pilothouse.words import say

IGNORED = ("ls-files", "-zoi", "--exclude-standard")
"""Lists the ignored files that an index does not have."""


@dataclass(frozen=True, slots=True)
class FileRewind:
    write: tuple[diffs.Entry, ...]
    remove: tuple[bytes, ...]
    modes: dict[bytes, int]
    """Permission bits of files that are not written."""
    rules: dict[bytes, bytes]
    """Ignore files that were themselves ignored: they decide what is ignored, so they come back too."""
    blocked: frozenset[bytes] = frozenset()
    """Files that cannot be written: a pipe, a socket or a device stands in the way, which no checkpoint holds."""


@dataclass(frozen=True, slots=True)
class Rewind:
    """What a restore has to do."""

    target: Snapshot
    saved: Present
    """The undo checkpoint: the present with all that the restore takes away."""
    files: FileRewind
    nested: dict[str, Rewind]
    """Nested working trees that exist now and at the target."""
    aside: tuple[str, ...]
    """Nested working trees that do not exist at the target."""
    plain: tuple[str, ...]
    """Nested working trees that are plain directories at the target."""


class Losses(Protocol):
    """What a change of the tree takes away and no scan finds, because git ignores it."""

    def save_first(self) -> frozenset[bytes]:
        """Ignored files."""

    def ignored_and_absent(self) -> list[bytes]:
        """Ignored paths where there is nothing, and a file will be written."""

    def ignored_empty_directories(self) -> set[bytes]: ...


class Comparison:
    """Compares the present of one working tree with the snapshot to restore."""

    def __init__(self, shadow: Shadow, snapshots: Snapshots, present: Snapshot, target: Snapshot) -> None:
        self._shadow = shadow
        self._snapshots = snapshots
        self._root = os.fsencode(shadow.repository.root)
        self._present = present
        self._target = target
        self._differing = diffs.entries(shadow.git, present.files, target.files)
        self._rules = self._rules_of_then() if self._rules_moved() else None

    def save_first(self) -> frozenset[bytes]:
        """Ignored files that are in the way, or that were not ignored at the checkpoint."""
        rules = {path for path in self._hidden_rules() if os.path.lexists(self._at(path))}
        return frozenset(self._in_the_way() | self._not_ignored_then() | rules)

    def ignored_and_absent(self) -> list[bytes]:
        """Ignored paths where there is nothing now and the restore will write a file."""
        new = {entry.path for entry in self._differing if entry.new_mode and not entry.old_mode}
        free = sorted(path for path in self._real(new) if not os.path.lexists(self._at(path)))
        return sorted(ignored(self._shadow.git, free))

    def ignored_then(self, nested: bytes) -> bool:
        """Whether the rules of the checkpoint ignore a nested working tree."""
        return self._rules is not None and bool(self._rules.ignored([nested], [nested]))

    def rewind(self, saved: Snapshot) -> FileRewind:
        """`saved`: the present with everything in `save_first`."""
        if saved.files != self._present.files:
            self._differing = diffs.entries(self._shadow.git, saved.files, self._target.files)
        blocked = frozenset(entry.path for entry in self._differing if entry.new_mode and self._is_blocked(entry.path))
        write = tuple(sorted(e for e in self._differing if e.new_mode and e.path not in blocked))
        self._check_complete(write)
        gone = {entry.path for entry in self._differing if not entry.new_mode}
        remove = gone - self._left_alone(gone, {entry.path for entry in write})
        modes = self._mode_changes(saved, gone, write)
        written = {entry.path for entry in write}
        rules = {path: data for path, data in self._hidden_rules().items() if path not in written}
        # Deepest first, so that a directory is empty when its turn comes.
        return FileRewind(write, tuple(sorted(remove, reverse=True)), modes, rules, blocked)

    def _hidden_rules(self) -> dict[bytes, bytes]:
        """The hidden ignore files that are different now, if their directory still exists."""
        found = {}
        for name, text in self._target.meta.hidden_rules.items():
            path, data = os.fsencode(name), text.encode("latin-1")
            place = self._at(path)
            directory = os.path.dirname(place)
            real = os.path.isdir(directory) and os.path.realpath(directory) == directory
            if real and (os.path.islink(place) or not os.path.isfile(place) or obstacles.content(place) != data):
                found[path] = data
        return found

    def _check_complete(self, write: Iterable[diffs.Entry]) -> None:
        needed = {entry.new for entry in write} | ({self._target.index} if self._target.index else set())
        missing = sorted(needed - self._shadow.git.objects(needed).keys())
        if missing:
            raise CheckpointFailed(
                say("checkpoint.objects_missing", count=len(missing)),
                {"missing": missing[:20]},
            )

    def _in_the_way(self) -> set[bytes]:
        """Ignored files where the restore needs the place for a file or for a directory."""
        found: set[bytes] = set()
        # A nested tree has an undo checkpoint of its own and is moved aside whole.
        nested = tuple(os.fsencode(path) + b"/" for path in self._present.meta.nested)
        for entry in self._differing:
            if not entry.new_mode or entry.path.startswith(nested) or self._is_blocked(entry.path):
                continue
            place = self._at(entry.path)
            if os.path.isdir(place) and not os.path.islink(place):
                found |= self._files_below(place)
            elif not entry.old_mode and os.path.lexists(place):
                found.add(entry.path)
            for above in ancestors(entry.path):
                place = self._at(above)
                if os.path.islink(place) or os.path.isfile(place):
                    found.add(above)
        return found

    def _is_blocked(self, path: bytes) -> bool:
        if any(_is_special(self._at(place)) for place in (*ancestors(path), path)):
            return True
        place = self._at(path)
        if os.path.islink(place) or not os.path.isdir(place):
            return False
        return any(_is_special(os.path.join(where, name)) for where, _, files in os.walk(place) for name in files)

    def _files_below(self, directory: bytes) -> set[bytes]:
        found = set()
        for where, directories, files in os.walk(directory):
            if b".git" in directories + files:
                self._refuse_uncovered(os.path.relpath(where, self._root))
                directories.clear()
                continue
            links = [name for name in directories if os.path.islink(os.path.join(where, name))]
            found |= {os.path.relpath(os.path.join(where, name), self._root) for name in files + links}
        return found

    def _refuse_uncovered(self, directory: bytes) -> None:
        """No checkpoint has a repository that git ignores, so nothing may replace it."""
        if os.fsdecode(directory) not in self._present.meta.nested:
            name = spelled(directory)
            raise CheckpointFailed(
                say("checkpoint.ignored_repository", path=name),
                {"path": name},
            )

    def _rules_moved(self) -> bool:
        now, then = self._present.meta, self._target.meta
        outside = now.hidden_rules != then.hidden_rules or now.excludes != then.excludes
        sparse = bool(now.sparse_rules or then.sparse_rules)
        return outside or sparse or any(is_rules(entry.path) for entry in self._differing)

    def _rules_of_then(self) -> RulesOfThen:
        git = self._shadow.git
        meta = self._target.meta
        beside = {**meta.hidden_rules, **meta.sparse_rules}
        rules = {os.fsencode(path): text.encode("latin-1") for path, text in beside.items()}
        for row in split_zero(git.run("ls-tree", "-rz", self._target.files)):
            about, path = row.split(b"\t", 1)
            mode, _, name = about.decode().split(" ")
            if is_rules(path) and int(mode, 8) != LINK:
                rules[path] = git.run("cat-file", "blob", name)
        return RulesOfThen(self._shadow, rules, self._target.meta.excludes)

    def _not_ignored_then(self) -> set[bytes]:
        """Files that are ignored now but not by the rules of the checkpoint."""
        if self._rules is None:
            return set()
        listed, opened = self._opened()
        files = [path for path in listed if not path.endswith(b"/")]
        if opened:
            below = tuple(path + b"/" for path in opened if not self._is_repository(path))
            inside = split_zero(self._shadow.git.run(*IGNORED))
            files += [path for path in inside if path.startswith(below) and not path.endswith(b"/")]
        return set(files) - self._rules.ignored(files)

    def _opened(self) -> tuple[list[bytes], list[bytes]]:
        """The paths ignored now, a directory as one path; and those directories that were not ignored then."""
        listed = split_zero(self._shadow.git.run(*IGNORED, "--directory"))
        folders = [path[:-1] for path in listed if path.endswith(b"/")]
        ignored_then = self._rules.ignored(folders, folders) if self._rules else set(folders)
        return listed, [path for path in folders if path not in ignored_then]

    def ignored_repositories(self) -> set[bytes]:
        """Nested working trees that are ignored now but not by the rules of the checkpoint."""
        found: set[bytes] = set()
        for directory in self._opened()[1] if self._rules is not None else []:
            for where, directories, files in os.walk(self._at(directory)):
                if b".git" in directories or b".git" in files:
                    found.add(os.path.relpath(where, self._root))
                    directories.clear()
        return found - self._rules.ignored(sorted(found), sorted(found)) if self._rules else found

    def ignored_empty_directories(self) -> set[bytes]:
        """Ignored empty directories that the restore would fill or remove."""
        new = [entry.path for entry in self._differing if entry.new_mode and not entry.old_mode]
        found = {above for above in map(os.path.dirname, new) if above and self._is_empty(above)}
        if self._rules is not None:
            below = set()
            for directory in self._opened()[1]:
                for where, directories, files in os.walk(self._at(directory)):
                    if b".git" in directories:
                        directories.clear()
                    elif not directories and not files:
                        below.add(os.path.relpath(where, self._root))
            found |= below - self._rules.ignored(sorted(below), sorted(below))
        return found - {os.fsencode(name) for name in self._present.meta.empty_directories}

    def _is_empty(self, path: bytes) -> bool:
        place = self._at(path)
        return os.path.realpath(place) == place and os.path.isdir(place) and not os.listdir(place)

    def _left_alone(self, gone: set[bytes], written: set[bytes]) -> set[bytes]:
        """Files that stay: the rules of the checkpoint ignore them, and its index did not track them."""
        then = self._rules.ignored(sorted(gone)) if self._rules else ignored(self._shadow.git, sorted(self._real(gone)))
        index = self._snapshots.index_file(self._target) if then else None
        if index:
            env = {"GIT_INDEX_FILE": str(index)}
            then -= set(split_zero(self._shadow.repository.git.run("ls-files", "-z", env=env)))
        then -= {os.fsencode(path) for path in self._target.meta.absent}
        return {path for path in then if written.isdisjoint(ancestors(path))}

    def _real(self, paths: set[bytes]) -> set[bytes]:
        """Leaves out paths below a symbolic link, which git refuses to judge."""
        return {p for p in paths if not any(os.path.islink(self._at(above)) for above in ancestors(p))}

    def _mode_changes(self, saved: Snapshot, gone: set[bytes], write: Iterable[diffs.Entry]) -> dict[bytes, int]:
        now, then = saved.meta, self._target.meta
        skip = gone | {entry.path for entry in write}
        if now.usual == then.usual:
            paths = {p for p in now.modes.keys() | then.modes.keys() if now.modes.get(p) != then.modes.get(p)}
        else:
            paths = {os.fsdecode(path) for path in names(self._shadow.git, self._target.files)}
        changes = {}
        for name in paths:
            path = os.fsencode(name)
            place = self._at(path)
            if path in skip or os.path.islink(place) or not os.path.isfile(place):
                continue
            bits = os.stat(place).st_mode & 0o7777
            wanted = then.bits(path, bool(bits & 0o100))
            if wanted != bits:
                changes[path] = wanted
        return changes

    def _is_repository(self, path: bytes) -> bool:
        return os.path.lexists(self._at(path) + b"/.git")

    def _at(self, path: bytes) -> bytes:
        return self._root + b"/" + path


def _is_special(place: bytes) -> bool:
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def check_branch_is_free(shadow: Shadow, target: Snapshot) -> None:
    """Refuses to move a branch that another working tree has checked out by now."""
    meta, repository = target.meta, shadow.repository
    if meta.branch is None or meta.head is None:
        return
    try:
        now = repository.git.text("rev-parse", "-q", "--verify", meta.branch, ok=(0, 1))
    except GitFailed:
        return
    if not now or now == meta.head:
        return
    # For a submodule, git names its git directory instead of its working tree.
    own = (str(repository.root), str(repository.git_dir))
    place = ""
    for line in repository.git.text("worktree", "list", "--porcelain").splitlines():
        if line.startswith("worktree "):
            place = line[9:]
        elif line == f"branch {meta.branch}" and os.path.realpath(place) not in own:
            branch = short_name(meta.branch) or ""
            raise CheckpointFailed(say("checkpoint.branch_elsewhere", branch=branch, place=place))
