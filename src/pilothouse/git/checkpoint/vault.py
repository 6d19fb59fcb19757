"""The objects that checkpoints need, in the private git directory: they stay whatever happens to the repository.

objects   what checkpoints add, and what could only be copied
mirror    hard links to the repository's object files; they take no room while the repository has them too

`mirror` is an alternate of `objects`, so git reads both and writes nothing twice.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from pilothouse.errors import GitFailed
from pilothouse.git import durable
from pilothouse.git.commands import QUIET, Git
from pilothouse.git.repository import Repository

FAN = re.compile(r"[0-9a-f]{2}")
LOOSE = re.compile(r"[0-9a-f]{38}|[0-9a-f]{62}")
PACK = re.compile(r"(pack-[0-9a-f]+)\.(pack|rev|idx)")
EMPTY_TREES = frozenset(
    hashlib.new(algorithm, b"tree 0\0", usedforsecurity=False).hexdigest() for algorithm in ("sha1", "sha256")
)
FRESH_NS = 2_000_000_000
"""A directory that changed this short a time ago may change again without a new time."""


@dataclass(slots=True)
class _Found:
    """What a look at the repository's object directories found to be new."""

    flush: set[Path] = field(default_factory=set)
    loose: set[str] = field(default_factory=set)
    """Objects that cannot be linked."""
    indexes: list[Path] = field(default_factory=list)
    """Of packs that cannot be linked."""


class Vault:
    def __init__(self, git_dir: Path, git: Git) -> None:
        self.objects = git_dir / "objects"
        self._mirror = git_dir / "mirror"
        self._copied = git_dir / "copied"
        """Exists once something had to be copied."""
        self._git = Git(git.cwd, git.env, QUIET)
        self._seen: dict[Path, tuple[int, int]] = {}
        for place in (self.objects / "info", self.objects / "pack", self._mirror / "pack"):
            durable.make_directories(place)
        # Whole, because git takes no relative one in a repository that borrows from this one.
        alternates, told = self.objects / "info" / "alternates", f"{os.path.realpath(self._mirror)}\n"
        if not alternates.exists() or alternates.read_text() != told:
            durable.write(alternates, told)

    def secure(self, objects: Path, pool: Executor) -> None:
        """From now on, what an object directory and those it borrows from have is here too, and on the disk."""
        sources, found = borrowed(objects), _Found()
        for source in sources:
            # The single objects first: git packs them before it removes them.
            for place in (*_fans(source), source / "pack"):
                while not self._secure(place, found):
                    """A pack was replaced meanwhile by another."""
        if found.loose or found.indexes:
            self._copy(sources, found)
        list(pool.map(durable.sync, found.flush))

    def misses(self, objects: Path) -> bool:
        """Whether files that the repository had are gone from it: packed anew, pruned or deleted."""
        return any(True for _ in self._gone(borrowed(objects)))

    @property
    def has_copies(self) -> bool:
        """Whether it is made of copies, which do not tell what the repository lost."""
        return self._copied.exists()

    def lacking(self, repository: Repository, tips: Iterable[str]) -> set[str]:
        """The objects that `tips` reach and the repository does not have."""
        known = self._git.objects(tips)
        if not known:
            return set()
        rows = self._git.run(
            "rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--stdin",
            stdin="".join(f"{name}\n" for name in known).encode(),
        )  # fmt: skip
        names = set(rows.decode().split())
        lacking = names - repository.git.objects(names).keys()
        # Git says of the empty tree that it is everywhere.
        return lacking | (names & EMPTY_TREES) if lacking else lacking

    def give_back(self, repository: Repository, names: Iterable[str]) -> None:
        self._pack(names, self._between(repository.objects, [self.objects]), repository.objects)

    def link_into(self, objects: Path) -> None:
        """Gives a new object directory every file of the mirror; where that is impossible, see `give_back`."""
        for place in self._mirror_directories():
            there = objects / place.name
            there.mkdir(parents=True, exist_ok=True)
            for name in _complete(place):
                try:
                    os.link(place / name, there / name)
                except FileExistsError:
                    continue
                except OSError:
                    return

    def size(self, objects: Path) -> int:
        """The bytes that nobody but us keeps."""
        own = (Path(where) / name for where, _, names in os.walk(self.objects) for name in names)
        return sum(_size(file) for file in (*own, *self._gone(borrowed(objects))))

    def tidy(self, repository: Repository | None) -> None:
        """Frees what no ref of ours and no index reaches. The caller has made sure that the refs reach all we need.

        What a repository that is damaged or gone lost stays in the mirror until it is whole again.
        """
        gone = list(self._gone(borrowed(repository.objects))) if repository else []
        if repository and gone and _is_sound(repository):
            for file in gone:
                there = self.objects / file.parent.name / file.name
                there.parent.mkdir(exist_ok=True)
                with contextlib.suppress(FileExistsError):
                    os.link(file, there)
            for file in reversed(gone):
                file.unlink()
        self._seen = {}
        self._git.run("repack", "-a", "-d", "-l", "-n", "-q")
        self._git.run("prune", "--expire=now")

    def _secure(self, place: Path, found: _Found) -> bool:
        """Links what is new in one directory. False: look again."""
        age = _age(place)
        if age is None or self._seen.get(place) == age:
            return True
        there = self._mirror / place.name
        have = set(_names(there))
        for name in _complete(place):
            if name in have:
                continue
            try:
                self._link(place / name, there / name, found)
            except FileNotFoundError:
                if place.name == "pack":
                    return False
        if time.time_ns() - age[0] > FRESH_NS:
            self._seen[place] = age
        return True

    def _link(self, file: Path, there: Path, found: _Found) -> None:
        if not there.parent.is_dir():
            there.parent.mkdir()
            found.flush.add(self._mirror)
        try:
            if file.is_symlink():
                raise OSError(errno.ELOOP, "a link to a link protects nothing", str(file))
            os.link(file, there)
            found.flush.add(there.parent)
        except (FileNotFoundError, FileExistsError):
            if not file.exists():
                raise
        except OSError:
            # Another file system, too many links, or not permitted.
            if file.suffix == ".idx":
                found.indexes.append(file)
            elif not file.suffix:
                found.loose.add(file.parent.name + file.name)

    def _copy(self, sources: list[Path], found: _Found) -> None:
        """Copies the objects that we lack, as one pack."""
        ids = set(found.loose)
        for index in found.indexes:
            rows = self._git.run("show-index", stdin=index.read_bytes()).decode().splitlines()
            ids |= {row.split(" ")[1] for row in rows}
        lacking = ids - self._git.objects(ids).keys()
        reading = self._between(self.objects, sources)
        self._copied.touch()
        self._pack(reading.objects(lacking), reading, self.objects)

    def _between(self, objects: Path, sources: Iterable[Path]) -> Git:
        """A git that writes to one object directory and reads others too."""
        beside = ":".join(f'"{source}"' for source in sources)
        env = {"GIT_OBJECT_DIRECTORY": str(objects), "GIT_ALTERNATE_OBJECT_DIRECTORIES": beside}
        return Git(self._git.cwd, {**self._git.env, **env}, QUIET)

    @staticmethod
    def _pack(names: Iterable[str], git: Git, objects: Path) -> None:
        listed = "".join(f"{name}\n" for name in names)
        if listed:
            (objects / "pack").mkdir(parents=True, exist_ok=True)
            git.run("pack-objects", "-q", str(objects / "pack" / "pack"), stdin=listed.encode())
            durable.sync(objects / "pack")

    def _mirror_directories(self) -> list[Path]:
        return [*_fans(self._mirror), self._mirror / "pack"]

    def _gone(self, sources: list[Path]) -> Iterator[Path]:
        """The files of the mirror that the repository no longer has; a pack's index after the pack."""
        for place in self._mirror_directories():
            there: set[str] = set()
            for source in sources:
                there |= set(_names(source / place.name))
            for name in _complete(place):
                if name not in there:
                    yield place / name


def borrowed(objects: Path) -> list[Path]:
    """An object directory, and those that its `info/alternates` names."""
    found: list[Path] = []
    rest = [objects]
    while rest:
        place = Path(os.path.realpath(rest.pop(0)))
        if place in found or not place.is_dir():
            continue
        found.append(place)
        try:
            lines = (place / "info" / "alternates").read_bytes().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            continue
        rest += [place / os.fsdecode(line.strip(b'"')) for line in lines if line and not line.startswith(b"#")]
    return found


def _is_sound(repository: Repository) -> bool:
    try:
        repository.git.run("rev-list", "--objects", "--all", "--quiet")
    except GitFailed:
        return False
    return True


def _fans(objects: Path) -> list[Path]:
    return sorted(objects / name for name in _names(objects) if FAN.fullmatch(name))


def _complete(place: Path) -> list[str]:
    """The single objects of a directory, or its packs: a pack's index comes last, as git expects it."""
    names = _names(place)
    if place.name != "pack":
        return [name for name in names if LOOSE.fullmatch(name)]
    parts = [(found[1], found[2], name) for name in names if (found := PACK.fullmatch(name))]
    whole = {stem for stem, kind, _ in parts if kind == "pack"} & {stem for stem, kind, _ in parts if kind == "idx"}
    return [name for stem, kind, name in sorted(parts, key=lambda part: part[1] == "idx") if stem in whole]


def _names(place: Path) -> list[str]:
    try:
        with os.scandir(place) as rows:
            return [row.name for row in rows]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _age(place: Path) -> tuple[int, int] | None:
    try:
        found = place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_mtime_ns, found.st_ino


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
