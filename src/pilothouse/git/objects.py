"""Writes git objects in this process: a checkpoint needs a few small ones, and a git process for each costs more."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path

from pilothouse.git import durable

_HEADER = 512
"""Bytes that always hold an object's kind and size, compressed or not."""
TREE = "40000"
FILE = "100644"


@dataclass(frozen=True, slots=True)
class ObjectStore:
    """Loose objects of one object directory."""

    path: Path
    algorithm: str = "sha1"

    def write(self, kind: str, data: bytes) -> str:
        """Writes an object and flushes it; returns its id."""
        name, content = self.named(kind, data)
        self.keep(name, content)
        return name

    @contextlib.contextmanager
    def side_by_side(self, pool: Executor) -> Iterator[Batch]:
        """Flushes several objects at the same time, which takes a disk hardly longer than one.

        Their ids are known at once; the objects are on the disk when the context ends.
        """
        batch = Batch(self, pool)
        try:
            yield batch
        finally:
            batch.settle()

    def named(self, kind: str, data: bytes) -> tuple[str, bytes]:
        """The object's id, and the bytes that are kept under it."""
        content = b"%s %d\0" % (kind.encode(), len(data)) + data
        return hashlib.new(self.algorithm, content, usedforsecurity=False).hexdigest(), content

    def keep(self, name: str, content: bytes) -> None:
        place = self._place(name)
        if not place.exists():
            self._put(place, zlib.compress(content, 1))

    def read(self, name: str, limit: int | None = None) -> tuple[str, bytes] | None:
        """Kind and content. None when there is no such loose object, or it has more than `limit` bytes."""
        try:
            with self._place(name).open("rb") as file:
                packed = zlib.decompressobj()
                header, _, data = packed.decompress(file.read(_HEADER), _HEADER).partition(b"\0")
                kind, size = header.split(b" ")
                if limit is not None and int(size) > limit:
                    return None
                data += packed.decompress(packed.unconsumed_tail + file.read()) + packed.flush()
        except FileNotFoundError:
            return None
        if len(data) != int(size):
            raise zlib.error(f"object {name} is cut short")
        return kind.decode(), data

    def holds(self, name: str) -> bool:
        return self._place(name).exists()

    def remove(self, name: str) -> None:
        self._place(name).unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        return self.path / name[:2] / name[2:]

    def _put(self, place: Path, packed: bytes) -> None:
        if not place.parent.is_dir():
            with contextlib.suppress(FileExistsError):
                place.parent.mkdir()
                # In a repository shared by a group, the mode of the object directory says so.
                place.parent.chmod(self.path.stat().st_mode & 0o7777)
                durable.sync(self.path)
        handle, temporary = tempfile.mkstemp(prefix="tmp_obj_", dir=place.parent)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(packed)
                os.fchmod(out.fileno(), 0o444)
                out.flush()
                os.fsync(out.fileno())
            Path(temporary).replace(place)
            durable.sync(place.parent)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


class Batch:
    """Objects that are being written."""

    def __init__(self, store: ObjectStore, pool: Executor) -> None:
        self._store = store
        self._pool = pool
        self._writes: list[Future[None]] = []

    def write(self, kind: str, data: bytes) -> str:
        name, content = self._store.named(kind, data)
        self._writes.append(self._pool.submit(self._store.keep, name, content))
        return name

    def write_tree(self, entries: Iterable[tuple[str, str, str]]) -> str:
        """`entries`: mode, name, id."""
        rows = sorted(entries, key=lambda row: row[1] + ("/" if row[0] == TREE else ""))
        return self.write("tree", b"".join(f"{m} {n}\0".encode() + bytes.fromhex(i) for m, n, i in rows))

    def settle(self) -> None:
        wait(self._writes)
        for write in self._writes:
            write.result()


def parse_tree(data: bytes, id_length: int) -> list[tuple[str, str, str]]:
    """Mode, name and id of each entry of a raw tree."""
    rows, at = [], 0
    while at < len(data):
        space, end = data.index(b" ", at), data.index(b"\0", at)
        row = (
            data[at:space].decode(),
            os.fsdecode(data[space + 1 : end]),
            data[end + 1 : end + 1 + id_length].hex(),
        )
        rows.append(row)
        at = end + 1 + id_length
    return rows
