"""Changes a working tree, one file at a time: each change is complete or absent, and all of it can be repeated."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import IO

from pilothouse.errors import CheckpointFailed, RestoreIncomplete
from pilothouse.git.checkpoint import indexfile, permissions, progress
from pilothouse.git.checkpoint.rewind import FileRewind
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoint.snapshot import Meta, Snapshot, Snapshots
from pilothouse.git.diffs import Entry
from pilothouse.git.names import spelled
from pilothouse.git.trees import EXECUTABLE, LINK, directories, names
from pilothouse.words import chained, say

CHUNK = 1 << 20
NAMED = 5
"""So many paths stand in the words of an error; its details have all."""
PER_FILE = frozenset(
    getattr(errno, name)
    for name in ("EPERM", "EACCES", "EBUSY", "EROFS", "ETXTBSY", "EISDIR", "ENOTDIR", "ENOTEMPTY", "EEXIST")
)
"""What keeps one file from being changed. Anything else, such as a full disk, ends the restore."""
NOTE = "pilothouse: restore a checkpoint"


class Restorer:
    """Changes one working tree, without the repositories nested in it."""

    def __init__(self, shadow: Shadow, snapshots: Snapshots, patience: float, on_change: Callable[[], None]) -> None:
        self._shadow = shadow
        self._snapshots = snapshots
        self._patience = patience
        self._on_change = on_change
        self._root = os.fsencode(shadow.repository.root)
        self._temporary = self._temporary_directory()
        self._opened: dict[bytes, int] = {}
        self.failed: set[bytes] = set()
        """Paths that could not be written, removed or given their mode; the rest was."""

    def refs(self, target: Snapshot) -> None:
        """Sets HEAD, its branch and this working tree's own refs. Comes first, because git may refuse."""
        git, meta = self._shadow.repository.git, target.meta
        branch, head = self._shadow.repository.head()
        if meta.branch:
            now = git.text("rev-parse", "-q", "--verify", meta.branch, ok=(0, 1)) or None
            if meta.head and now != meta.head:
                git.run("update-ref", "-m", NOTE, meta.branch, meta.head)
                self._on_change()
            if branch != meta.branch:
                git.run("symbolic-ref", "-m", NOTE, "HEAD", meta.branch)
                self._on_change()
            if meta.head is None and now:
                git.run("update-ref", "-d", meta.branch)
                self._on_change()
        elif meta.head and (branch or head != meta.head):
            git.run("update-ref", "--no-deref", "-m", NOTE, "HEAD", meta.head)
            self._on_change()
        self._private_refs(meta.private_refs)

    def _private_refs(self, wanted: dict[str, str]) -> None:
        git = self._shadow.repository.git
        rows = git.text("for-each-ref", "--format=%(refname) %(objectname)", *progress.REFS).splitlines()
        present = dict(row.split(" ") for row in rows)
        lines = [f"delete {name}" for name in present.keys() - wanted.keys()]
        lines += [f"update {name} {commit}" for name, commit in wanted.items() if present.get(name) != commit]
        if lines:
            git.run("update-ref", "--stdin", stdin="\n".join(sorted(lines)).encode() + b"\n")
            self._on_change()

    def index_and_state(self, target: Snapshot, present: Snapshot | None) -> None:
        """`present`: None if nothing is known of what stands there."""
        mtime = target.meta.index_mtime_ns
        if present is None or (target.index, mtime) != (present.index, present.meta.index_mtime_ns):
            content = self._snapshots.index_file(target)
            indexfile.replace(self._shadow.repository, content, mtime, self._patience)
            self._on_change()
        progress.write(self._shadow.repository.git_dir, target.meta.state_files, self._on_change)
        if present is None or target.meta.excludes["info"] != present.meta.excludes["info"]:
            info = self._shadow.repository.common_dir / "info"
            info.mkdir(exist_ok=True)
            (info / "exclude.pilothouse").write_bytes(target.meta.excludes["info"].encode("latin-1"))
            (info / "exclude.pilothouse").replace(info / "exclude")
            self._on_change()

    def files(self, rewind: FileRewind, target: Snapshot, present: Snapshot) -> None:
        self.failed |= rewind.blocked
        try:
            self._put(rewind.write, rewind.remove, target.meta, rewind.modes)
            for path, data in rewind.rules.items():
                self._attempt(path, partial(self._write_rules, path, data, target.meta.usual[0]))
            self._directories(target, present)
        finally:
            self._close()
        self._links(target, present)
        self._directory_modes(target.meta, present.meta, target.files)

    def _links(self, target: Snapshot, present: Snapshot) -> None:
        then, now = target.meta.links, present.meta.links
        for name in now.keys() - then.keys():
            if not os.path.islink(self._at(os.fsencode(name))):
                continue
            self._attempt(os.fsencode(name), partial(self.remove, os.fsencode(name)))
        for name, leads_to in then.items():
            if now.get(name) != leads_to:
                self._attempt(os.fsencode(name), partial(self._link, os.fsencode(name), os.fsencode(leads_to)))

    def _link(self, path: bytes, leads_to: bytes) -> None:
        place = self._at(path)
        self._make_room(path)
        if os.path.lexists(place):
            os.unlink(place)
        os.symlink(leads_to, place)
        self._on_change()

    def _directory_modes(self, then: Meta, now: Meta, files: str) -> None:
        """Comes last, deepest first: a directory may be closed to us afterwards."""
        if then.directories is None:
            return
        of_then = directories(names(self._shadow.git, files)) | {os.fsencode(name) for name in then.empty_directories}
        wanted = {os.fsencode(name): bits for name, bits in (now.directories or {}).items()}
        wanted |= dict.fromkeys({b"", *of_then}, then.usual_directory)
        wanted |= {os.fsencode(name): bits for name, bits in then.directories.items()}
        for path, bits in sorted(wanted.items(), reverse=True):
            if permissions.bits_of(self._at(path)) not in (None, bits):
                self._attempt(path, partial(self._set_mode, path, bits))

    def put(self, write: Iterable[Entry], remove: Iterable[bytes], meta: Meta, modes: Mapping[bytes, int]) -> None:
        """Writes and removes these files and no others. `meta` has the permission bits of those written."""
        try:
            self._put(write, remove, meta, modes)
        finally:
            self._close()
        if self.failed:
            unwritten = incomplete(self.failed)
            raise CheckpointFailed(unwritten.message, unwritten.details)

    def _put(self, write: Iterable[Entry], remove: Iterable[bytes], meta: Meta, modes: Mapping[bytes, int]) -> None:
        for path in remove:
            self._attempt(path, partial(self.remove, path))
        self._write(write, meta)
        for path, bits in modes.items():
            self._attempt(path, partial(self._set_mode, path, bits))

    def _set_mode(self, path: bytes, bits: int) -> None:
        self._permitted(self._at(path), partial(os.chmod, self._at(path), bits))
        self._on_change()

    def _attempt(self, path: bytes, change: Callable[[], None]) -> None:
        try:
            change()
        except OSError as error:
            if error.errno not in PER_FILE:
                raise
            self.failed.add(path)

    def _close(self) -> None:
        for directory, bits in reversed(self._opened.items()):
            with contextlib.suppress(OSError):
                os.chmod(directory, bits)
        shutil.rmtree(self._temporary, ignore_errors=True)

    def remove(self, path: bytes) -> None:
        place = self._at(path)
        above = os.path.dirname(place)
        if os.path.realpath(above) != above or not os.path.lexists(place):
            return
        if os.path.isdir(place) and not os.path.islink(place):
            return
        self._permitted(place, lambda: os.unlink(place))
        self._on_change()
        self._prune(above)

    def prune(self, directory: str) -> None:
        """Removes a directory, relative to the root, and those above it, while they are empty."""
        self._prune(self._at(os.fsencode(directory)) if directory else self._root)

    def _prune(self, directory: bytes) -> None:
        """Git has no directories without files, so those that a removal left empty go, up to the root."""
        while directory != self._root:
            try:
                os.rmdir(directory)
            except OSError:
                return
            self._on_change()
            directory = os.path.dirname(directory)

    def _write(self, entries: Iterable[Entry], meta: Meta) -> None:
        entries = list(entries)
        if not entries:
            return
        with self._shadow.git.open("cat-file", "--batch") as batch:
            for entry in entries:
                self._write_one(batch, entry, meta)

    def _write_one(self, batch: subprocess.Popen[bytes], entry: Entry, meta: Meta) -> None:
        source, size = _ask(batch, entry.new)
        temporary = self._temporary + b"/new"
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        if entry.new_mode == LINK:
            os.symlink(source.read(size), temporary)
        else:
            _pour(source, size, temporary)
            os.chmod(temporary, meta.bits(entry.path, entry.new_mode == EXECUTABLE))
        source.read(1)
        self._attempt(entry.path, partial(self._move_into_place, temporary, entry.path))

    def _write_rules(self, path: bytes, data: bytes, usual: int) -> None:
        if not os.path.isdir(os.path.dirname(self._at(path))):
            return
        temporary, place = self._temporary + b"/new", self._at(path)
        with open(temporary, "wb") as file:
            file.write(data)
        exists = os.path.isfile(place) and not os.path.islink(place)
        os.chmod(temporary, os.stat(place).st_mode & 0o7777 if exists else usual)
        self._move_into_place(temporary, path)

    def _move_into_place(self, temporary: bytes, path: bytes) -> None:
        self._make_room(path)
        self._permitted(self._at(path), lambda: _move(temporary, self._at(path)))
        self._on_change()

    def _make_room(self, path: bytes) -> None:
        """Makes the directories above the path and removes what is in its place; the undo checkpoint has all that."""
        place = self._root
        for part in path.split(b"/")[:-1]:
            place = place + b"/" + part
            if os.path.islink(place) or os.path.isfile(place):
                self._permitted(place, partial(os.unlink, place))
                self._on_change()
            if not os.path.isdir(place):
                self._permitted(place, partial(os.mkdir, place))
                self._on_change()
        place = self._at(path)
        if os.path.isdir(place) and not os.path.islink(place):
            shutil.rmtree(place)
            self._on_change()

    def _directories(self, target: Snapshot, present: Snapshot) -> None:
        then, now = set(target.meta.empty_directories), set(present.meta.empty_directories)
        for name in sorted(now - then, reverse=True):
            self._prune(self._at(os.fsencode(name)))
        for name in sorted(then):
            place = self._at(os.fsencode(name))
            if not os.path.isdir(place):
                self._attempt(os.fsencode(name), partial(self._make_directory, place))

    def _make_directory(self, place: bytes) -> None:
        self._permitted(place, partial(os.makedirs, place, exist_ok=True))
        self._on_change()

    def _permitted(self, place: bytes, change: Callable[[], None]) -> None:
        """Makes a change. If its directory is read-only, it is writable until the restore ends."""
        try:
            change()
        except PermissionError:
            above = os.path.dirname(place)
            bits = os.stat(above).st_mode & 0o7777
            if bits & 0o300 == 0o300:
                raise
            self._opened.setdefault(above, bits)
            os.chmod(above, bits | 0o300)
            change()

    def _temporary_directory(self) -> bytes:
        """Files are completed here, where git never looks, and then renamed into place."""
        repository = self._shadow.repository
        place = repository.git_dir / "pilothouse.new"
        if repository.git_dir.stat().st_dev != repository.root.stat().st_dev:
            place = repository.root / ".git.pilothouse.new"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        return os.fsencode(place)

    def _at(self, path: bytes) -> bytes:
        return self._root + b"/" + path


def incomplete(failed: Collection[bytes]) -> RestoreIncomplete:
    paths = sorted(map(spelled, failed))
    return RestoreIncomplete(
        say("checkpoint.incomplete", count=len(paths), paths=chained(paths[:NAMED])), {"failed": paths}
    )


def _ask(batch: subprocess.Popen[bytes], name: str) -> tuple[IO[bytes], int]:
    if batch.stdin is None or batch.stdout is None:
        raise CheckpointFailed(say("git.no_pipes"))
    batch.stdin.write(name.encode() + b"\n")
    batch.stdin.flush()
    answer = batch.stdout.readline().split()
    if len(answer) != 3:
        raise CheckpointFailed(say("checkpoint.object_unreadable", name=name), {"missing": [name]})
    return batch.stdout, int(answer[2])


def _pour(source: IO[bytes], size: int, place: bytes) -> None:
    with open(place, "wb") as out:
        while size:
            chunk = source.read(min(size, CHUNK))
            if not chunk:
                raise CheckpointFailed(say("git.cut_short"))
            out.write(chunk)
            size -= len(chunk)


def _move(temporary: bytes, place: bytes) -> None:
    try:
        os.replace(temporary, place)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # There is a mount inside the workspace: complete the file beside its place.
        beside = place + b".pilothouse"
        shutil.copy2(temporary, beside, follow_symlinks=False)
        os.replace(beside, place)
