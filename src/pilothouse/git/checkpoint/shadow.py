"""The private git directory of a workspace, below `DATA_DIR`. Checkpoint refs and commits are kept in it.

It has its own objects (see `Vault`), configuration, attributes and index, and reads no object of the repository. The
index has the raw bytes of every file git does not ignore: the repository's filters, line-ending rules and flags do not
apply.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import Executor
from pathlib import Path

from pilothouse.git import durable, obstacles
from pilothouse.git.checkpoint.vault import Vault
from pilothouse.git.commands import QUIET, WORKING_SECONDS, Git
from pilothouse.git.objects import ObjectStore
from pilothouse.git.repository import Repository

ATTRIBUTES = "* -text -eol -filter -ident -working-tree-encoding !diff !merge\n"
CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = false
\tfilemode = true
\tsymlinks = true
\tignorecase = {ignorecase}
\tautocrlf = false
\tsafecrlf = false
\tprotectNTFS = false
\tprotectHFS = false
\tsplitIndex = false
\tuntrackedCache = false
\tquotePath = false
\tlogAllRefUpdates = false
\tbigFileThreshold = 16m
\tcheckStat = default
\ttrustctime = true
[index]
\tversion = 2
\tsparse = false
\tthreads = true
{extensions}"""
# Compressing is the slowest part of a checkpoint, and checkpoints are rarely kept for long.
FAST = ("-c", "core.looseCompression=1", "-c", "pack.compression=1")
# Git only hands its objects to the disk. The snapshot's own tree is written after them into the same directory, and
# its flush makes them all last (see `ObjectStore`). A flush per git command costs twice as much.
WRITE_OUT = ("-c", "core.fsyncMethod=writeout-only")
# Git writes only what changed of a large index; the rest stays in a file beside it until too much of that is old.
SPLIT = ("-c", "core.splitIndex=true", "-c", "splitIndex.sharedIndexExpire=1.hour.ago")


class Shadow:
    def __init__(self, repository: Repository, state_dir: Path, objects: Path | None = None) -> None:
        """`objects`: those of another shadow, to be used instead of its own."""
        self.repository = repository
        self.path = state_dir / "git"
        self.index = self.path / "index"
        self.blobs = ObjectStore(objects or self.path / "objects", repository.algorithm)
        self._settings: tuple[tuple[object, ...], Path | None] | None = None
        self._prepare()
        self.env = {
            "GIT_DIR": str(self.path),
            "GIT_WORK_TREE": str(repository.root),
            "GIT_OBJECT_DIRECTORY": str(self.blobs.path),
            "GIT_INDEX_FILE": str(self.index),
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.git = Git(repository.root, self.env, QUIET + FAST + WRITE_OUT, WORKING_SECONDS)
        self.scanning = Git(repository.root, self.env, QUIET + FAST + WRITE_OUT + SPLIT, WORKING_SECONDS)
        """Keeps the private index up to date. Any other index is written whole, with `git`."""
        self.vault = Vault(self.path, self.git)

    def secure(self, pool: Executor, objects: Path) -> None:
        """Makes what is in an object directory of the repository independent of it."""
        self.vault.secure(objects, pool)
        self._follow_shallow()

    def _follow_shallow(self) -> None:
        """Where a history was cut off, git must not look for its earlier commits."""
        try:
            told = obstacles.content(self.repository.common_dir / "shallow").decode()
        except FileNotFoundError:
            return
        known = self.shallow.read_text() if self.shallow.exists() else ""
        new = set(told.split()) - set(known.split())
        if new:
            durable.write(self.shallow, known + "".join(f"{commit}\n" for commit in sorted(new)))

    def keep(self, names: Iterable[str]) -> None:
        """Git is to free nothing that these reach; they and our refs are all that it knows."""
        there = sorted(self.git.objects(names))
        durable.write(self.path / "packed-refs", "".join(f"{name} refs/kept/{name}\n" for name in there))
        self._forget_shallow()

    def _forget_shallow(self) -> None:
        """Where the earlier commits have come since, git may look for them."""
        if not self.shallow.exists():
            return
        cut = []
        for commit in self.shallow.read_text().split():
            if self.git.objects([commit]):
                header = self.git.run("cat-file", "commit", commit).partition(b"\n\n")[0].split(b"\n")
                parents = {line[7:].decode() for line in header if line.startswith(b"parent ")}
                if parents - self.git.objects(parents).keys():
                    cut.append(commit)
        durable.write(self.shallow, "".join(f"{commit}\n" for commit in cut))

    @property
    def shallow(self) -> Path:
        return self.path / "shallow"

    def scratch(self, name: str) -> Path:
        return self.path / "scratch" / name

    def _prepare(self) -> None:
        for name in ("info", "refs", "objects", "scratch"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        # Only our own git works here; one that was killed leaves its lock, or half an index.
        for left in (*self.path.glob("*.lock"), *self.path.glob("sharedindex_*")):
            left.unlink()
        # The file system says so, not the setting: an agent can change that, and two files would be taken for one.
        ignorecase = str((self.repository.git_dir / "head").exists()).lower()
        sha256 = self.repository.algorithm != "sha1"
        extensions = f"[extensions]\n\tobjectFormat = {self.repository.algorithm}\n" if sha256 else ""
        config = CONFIG.format(version=int(sha256), ignorecase=ignorecase, extensions=extensions)
        # Somebody may be reading stored checkpoints, so nothing is written without need.
        for name, text in (("config", config), ("HEAD", "ref: refs/heads/none\n"), ("info/attributes", ATTRIBUTES)):
            place = self.path / name
            if not place.exists() or place.read_text() != text:
                durable.write(place, text)

    def excludes(self) -> dict[str, str]:
        """Copies the ignore rules outside the tree to the private directory, and returns them."""
        rules = {}
        for name, source in (
            ("info", self.repository.common_dir / "info" / "exclude"),
            ("user", self._user_excludes()),
        ):
            try:
                data = obstacles.content(source) if source else b""
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                data = b""
            rules[name] = data.decode("latin-1")
        self.write_excludes(self.path / "info", rules)
        return rules

    @staticmethod
    def write_excludes(info: Path, rules: dict[str, str]) -> None:
        """The lines of `info/exclude` come last, because they outrank the user's own file."""
        data = (rules["user"] + "\n" + rules["info"]).encode("latin-1")
        place = info / "exclude"
        if not place.exists() or place.read_bytes() != data:
            place.write_bytes(data)

    def _user_excludes(self) -> Path | None:
        """core.excludesFile. Asks git again only when a configuration file changed."""
        home = Path(os.environ.get("HOME", "/"))
        standard = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
        files = (
            self.repository.common_dir / "config", self.repository.git_dir / "config.worktree",
            home / ".gitconfig", standard / "config", Path("/etc/gitconfig"),
        )  # fmt: skip
        key = tuple(_signature(file) for file in files)
        if self._settings is None or self._settings[0] != key:
            named = self.repository.git.text("config", "--path", "core.excludesFile", ok=(0, 1))
            path = self.repository.root / named if named else standard / "ignore"
            self._settings = (key, path)
        return self._settings[1]


def _signature(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
