"""What stands in a working tree: every file git does not ignore, found at about the cost of a `git status`."""

from __future__ import annotations

import json
import os
import stat
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from pilothouse.errors import GitFailed
from pilothouse.git.checkpoint import indexfile
from pilothouse.git.checkpoint.asked import IGNORED, Asked, Asking
from pilothouse.git.checkpoint.rules import ignored, is_rules
from pilothouse.git.checkpoint.seed import seed
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.commands import split_zero
from pilothouse.git.trees import directories

# Shows us ignore files that ignore themselves, as caches and virtual environments have them.
SHOW_RULES = "--exclude=!.gitignore"
OTHERS = ("ls-files", "-zo", "--exclude-standard", SHOW_RULES)
CHANGED = ("diff-files", "--name-only", "-z", "--ignore-submodules=all")
MOST_PATHSPECS = 400
FRESH_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a working tree. Paths are bytes, relative to its root."""

    tree: str
    modes: dict[bytes, int]
    """Permission bits of the files that do not have the usual ones."""
    usual: tuple[int, int]
    """The usual bits of a plain and of an executable file."""
    empty_directories: tuple[bytes, ...]
    nested: tuple[bytes, ...]
    """Working trees of other repositories, submodules among them."""
    hidden_rules: dict[bytes, bytes]
    """Ignore files that are ignored themselves."""
    sparse_rules: dict[bytes, bytes]
    """Ignore files that stand in the repository's index alone."""
    excludes: dict[str, str]
    """Ignore rules that stand outside the tree."""


@dataclass(slots=True)
class _Others:
    files: set[bytes] = field(default_factory=set)
    nested: set[bytes] = field(default_factory=set)
    empty: set[bytes] = field(default_factory=set)
    hidden: dict[bytes, bytes] = field(default_factory=dict)


class Scanner:
    """Scans one workspace again and again; what it learned the last time makes the next time cheap."""

    def __init__(self, shadow: Shadow) -> None:
        self._shadow = shadow
        self._git = shadow.scanning
        self._root = os.fsencode(shadow.repository.root)
        indexfile.drop_damaged(shadow)
        self.pool = ThreadPoolExecutor(6, thread_name_prefix="pilothouse-git")
        self._asking = Asking(self.pool, shadow.repository.git, self._git)
        self._modes_file = shadow.path / "modes.json"
        self._known_tree: tuple[bytes | None, str] | None = None
        self._rules_key: tuple[object, ...] | None = None
        self._said = b""
        """Digest of the entries of the repository's own index, as of `_rules_key`."""
        self._tracked_ignored: set[bytes] = set()
        self._links: set[bytes] = set()
        self._untracked_directories: set[bytes] = set()
        self._sparse_rules: dict[bytes, bytes] = {}
        self._absent: set[bytes] = set()
        self._modes: dict[bytes, int] = {}
        self._usual = (0o644, 0o755)
        self._modes_key: str | None = None
        self._fresh: set[bytes] = set()

    def close(self) -> None:
        self.pool.shutdown()

    def forget(self) -> None:
        """Objects may have been pruned: trust nothing that was learned."""
        self._shadow.index.unlink(missing_ok=True)
        self._known_tree = self._rules_key = None

    def files(self) -> Files:
        try:
            return self._files()
        except GitFailed:
            # The private index may name an object that was pruned with a forgotten checkpoint.
            self.forget()
            return self._files()

    def add(self, paths: Iterable[bytes]) -> str:
        """The tree of the files of the last scan and of `paths`, ignored or not."""
        add = sorted(paths)
        before = self._index_key()
        self._update(add, [])
        self._note_modes(add, [], before)
        self._rules_key = None
        return self._tree()

    def without(self, files: Files, paths: Iterable[bytes]) -> Files:
        """What `files` found, less these paths."""
        self._update([], sorted(paths))
        return replace(files, tree=self._tree())

    def modes(self) -> dict[bytes, int]:
        return dict(self._modes)

    def _files(self) -> Files:
        shadow = self._shadow
        excludes = shadow.excludes()
        seed(shadow)
        before = self._index_key()
        real = self._real_index_key()
        then = self._rules_key
        early = self._asking.early(self._said) if then and then[0] != real else None
        changed, listed = self._listing()
        # Git does not look into a directory that stands where its index has a file.
        replaced = [path for path in changed if self._is_directory(path)]
        if replaced:
            self._update([], replaced)
            changed, listed = self._listing()
            early = None
        others = self._others(listed)
        key = (self._real_index_key(), tuple(excludes.items()), tuple(others.hidden.items()))
        rewritten = any(is_rules(path) for path in changed | others.files)
        asked = None
        if key != self._rules_key or rewritten:
            # What was asked before the files were looked at may not know of rules that came in between.
            in_time = then and not rewritten and key == (real, *then[1:])
            asked = early.result() if early and in_time else self._asking.now()
            if asked:
                self._take_in(asked)
        rules_moved = asked is not None
        swallowed = self._swallowed(changed)
        if swallowed:
            self._update([], swallowed)
            return self._files()
        self._judge_sparse(others)
        others.nested |= {path for path in self._links if os.path.lexists(self._at(path) + b"/.git")}
        add, remove = self._sort(changed | others.files, self._tracked_ignored if rules_moved else self._absent)
        self._update(add, remove)
        others.empty |= self._left_empty(remove)
        if rules_moved:
            listed_now = self.pool.submit(self._git.run, *IGNORED)
            # Most often none is, and the tree that is made meanwhile stays.
            self._tree()
            remove += self._drop_newly_ignored(split_zero(listed_now.result()))
        self._note_modes(add, remove + replaced, before)
        self._absent = {path for path in self._tracked_ignored if not self._is_file(path)}
        self._rules_key, self._said = key, asked.digest if asked else self._said
        self._untracked_directories |= directories(others.files)
        return Files(
            tree=self._tree(),
            modes=dict(self._modes),
            usual=self._usual,
            empty_directories=tuple(sorted(others.empty)),
            nested=tuple(sorted(others.nested)),
            hidden_rules=others.hidden,
            sparse_rules=dict(self._sparse_rules),
            excludes=excludes,
        )

    def _take_in(self, asked: Asked) -> None:
        """What only the repository's own index knows: files it tracks though they are ignored, and submodules.

        An ignore file that a sparse checkout leaves out still rules; git reads it from the index.
        """
        # Until the scan has come to its end, what is known belongs to no state.
        self._rules_key = None
        user = self._shadow.repository.git
        self._links, self._sparse_rules = set(), {}
        real = set()
        for row in split_zero(asked.real):
            about, path = row.split(b"\t", 1)
            tag, mode, name, _ = about.split(b" ")
            real.add(path)
            if mode == b"160000":
                self._links.add(path)
            elif tag == b"S" and is_rules(path) and not os.path.lexists(self._at(path)):
                self._sparse_rules[path] = user.run("cat-file", "blob", name)
        self._tracked_ignored = set(split_zero(asked.ignored.result()))
        private = split_zero(asked.private.result())
        self._untracked_directories = directories(path for path in private if path not in real)

    def _swallowed(self, changed: set[bytes]) -> list[bytes]:
        """Files of ours that lie in another repository by now: git does not see one where its index has files."""
        places = self._untracked_directories | directories(changed)
        below = tuple(path + b"/" for path in places if os.path.lexists(self._at(path) + b"/.git"))
        if not below:
            return []
        real = split_zero(self._shadow.repository.git.run("ls-files", "-z"))
        tracked = {place for place in below if any(path.startswith(place) for path in real)}
        below = tuple(place for place in below if place not in tracked)
        return [path for path in split_zero(self._git.run("ls-files", "-z")) if path.startswith(below)]

    def _judge_sparse(self, others: _Others) -> None:
        if self._sparse_rules:
            out = self._ignored_by_real_index(others.files | others.nested | others.empty)
            others.files -= out
            others.nested -= out
            others.empty -= out

    def _ignored_by_real_index(self, paths: set[bytes]) -> set[bytes]:
        return ignored(self._shadow.repository.git, sorted(paths), index=True)

    def _listing(self) -> tuple[set[bytes], list[bytes]]:
        """What differs from the private index, and what it does not know; two scans side by side."""
        changed = self.pool.submit(self._git.run, *CHANGED)
        listed = split_zero(self._git.run(*OTHERS, "--directory"))
        return set(split_zero(changed.result())), listed

    def _others(self, listed: list[bytes]) -> _Others:
        """Sort what the private index does not know; a directory is listed as one, so look into it."""
        folders = [path for path in listed if path.endswith(b"/")]
        found = [path for path in listed if not path.endswith(b"/")]
        if folders:
            inside: list[str | bytes] = ["--", *folders] if len(folders) <= MOST_PATHSPECS else []
            for path in split_zero(self._git.run(*OTHERS, *inside)):
                if inside or path.startswith(tuple(folders)):
                    found.append(path)
        others = _Others(nested={path[:-1] for path in found if path.endswith(b"/")})
        others.files = {path for path in found if not path.endswith(b"/")}
        for path in sorted(ignored(self._git, [path for path in others.files if is_rules(path)])):
            others.files.discard(path)
            if not os.path.islink(self._at(path)):
                others.hidden[path] = self._content(path)
        others.empty = self._empty_below({path[:-1] for path in folders} - others.nested, others.nested)
        return others

    def _empty_below(self, level: set[bytes], nested: set[bytes]) -> set[bytes]:
        """The empty directories that are not ignored, level by level, without a look into ignored ones."""
        empty = set()
        while level:
            below = set()
            for directory in level:
                with os.scandir(self._at(directory)) as rows:
                    entries = list(rows)
                if not entries:
                    empty.add(directory)
                below |= {directory + b"/" + e.name for e in entries if e.is_dir(follow_symlinks=False)}
            below = {path for path in below - nested if not path.endswith(b"/.git")}
            level = below - ignored(self._git, sorted(below))
        # Below an ignored directory that has a tracked file, git lists what it would not list elsewhere.
        return empty - ignored(self._git, sorted(empty))

    def _left_empty(self, removed: list[bytes]) -> set[bytes]:
        """Directories that lost their last file: the scan still took them for tracked ones."""
        found: set[bytes] = set()
        for path in removed:
            above = os.path.dirname(path)
            while above and not os.path.lexists(self._at(above)):
                above = os.path.dirname(above)
            if above and self._is_directory(above) and not os.listdir(self._at(above)):
                found.add(above)
        found = {path for path in found if not self._beyond_link(path, {})}
        return found - ignored(self._git, sorted(found))

    def _sort(self, found: set[bytes], perhaps: set[bytes]) -> tuple[list[bytes], list[bytes]]:
        """Which paths stand there as files, and which do not any more."""
        add, remove = [], []
        links: dict[bytes, bool] = {}
        for path in sorted(found | perhaps):
            if self._is_file(path) and not self._beyond_link(os.path.dirname(path), links):
                add.append(path)
            elif path in found:
                remove.append(path)
        return add, remove

    def _beyond_link(self, directory: bytes, links: dict[bytes, bool]) -> bool:
        if not directory:
            return False
        if directory not in links:
            above = os.path.dirname(directory)
            links[directory] = os.path.islink(self._at(directory)) or self._beyond_link(above, links)
        return links[directory]

    def _update(self, add: list[bytes], remove: list[bytes]) -> None:
        run = self._git.run
        if remove:
            run("update-index", "-z", "--force-remove", "--stdin", stdin=b"\0".join(remove))
        if add:
            run("update-index", "-z", "--add", "--remove", "--replace", "--stdin", stdin=b"\0".join(add))

    def _drop_newly_ignored(self, listed: list[bytes]) -> list[bytes]:
        if self._sparse_rules:
            listed += self._ignored_by_real_index(set(split_zero(self._git.run("ls-files", "-z"))))
        drop = [path for path in listed if path not in self._tracked_ignored]
        self._update([], drop)
        return drop

    def _tree(self) -> str:
        key = self._index_key()
        if self._known_tree is None or self._known_tree[0] != key:
            tree = self._git.text("write-tree")
            self._known_tree = (self._index_key(), tree)
        return self._known_tree[1]

    def _note_modes(self, add: list[bytes], remove: list[bytes], before: bytes | None) -> None:
        """Follow the permission bits: a change of them changes the ctime, so the scan names the path."""
        if self._modes_key is None:
            self._load_modes()
        if before is None or self._modes_key != before.hex():
            add = split_zero(self._git.run("ls-files", "-z"))
            self._modes = {}
            if self._modes_key is None:
                self._usual = self._most_usual(add)
        for path in remove:
            self._modes.pop(path, None)
        noted = {*add, *self._fresh}.difference(remove)
        for path in noted:
            bits = self._bits(path)
            if bits is None or bits == self._usual[bool(bits & stat.S_IXUSR)]:
                self._modes.pop(path, None)
            else:
                self._modes[path] = bits
        # Git compares times by the second: a change of mode right after this scan would not be seen by the next.
        soon = time.time() - FRESH_SECONDS
        fresh = {path for path in noted if self._changed_at(path) >= soon}
        self._tree()
        now = self._index_key()
        key = now.hex() if now else ""
        if key != self._modes_key or fresh != self._fresh:
            self._modes_key, self._fresh = key, fresh
            modes = {os.fsdecode(path): bits for path, bits in self._modes.items()}
            temporary = self._modes_file.with_suffix(".new")
            temporary.write_text(
                json.dumps(
                    {"index": key, "usual": self._usual, "modes": modes, "fresh": [os.fsdecode(p) for p in fresh]}
                )
            )
            temporary.replace(self._modes_file)

    def _load_modes(self) -> None:
        try:
            saved = json.loads(self._modes_file.read_text())
        except (FileNotFoundError, ValueError):
            return
        self._modes_key = saved["index"]
        self._usual = (saved["usual"][0], saved["usual"][1])
        self._modes = {os.fsencode(path): bits for path, bits in saved["modes"].items()}
        self._fresh = {os.fsencode(path) for path in saved["fresh"]}

    def _most_usual(self, paths: list[bytes]) -> tuple[int, int]:
        seen = Counter(self._bits(path) for path in paths)
        plain = [(n, bits) for bits, n in seen.items() if bits is not None and not bits & stat.S_IXUSR]
        runs = [(n, bits) for bits, n in seen.items() if bits is not None and bits & stat.S_IXUSR]
        return max(plain, default=(0, 0o644))[1], max(runs, default=(0, 0o755))[1]

    def _bits(self, path: bytes) -> int | None:
        """The permission bits of a regular file."""
        try:
            mode = os.lstat(self._at(path)).st_mode
        except OSError:
            return None
        return stat.S_IMODE(mode) if stat.S_ISREG(mode) else None

    def _changed_at(self, path: bytes) -> float:
        try:
            return os.lstat(self._at(path)).st_ctime
        except OSError:
            return 0.0

    def _is_file(self, path: bytes) -> bool:
        try:
            mode = os.lstat(self._at(path)).st_mode
        except OSError:
            return False
        return stat.S_ISREG(mode) or stat.S_ISLNK(mode)

    def _is_directory(self, path: bytes) -> bool:
        return os.path.isdir(self._at(path)) and not os.path.islink(self._at(path))

    def _content(self, path: bytes) -> bytes:
        with open(self._at(path), "rb") as file:
            return file.read()

    def _at(self, path: bytes) -> bytes:
        return self._root + b"/" + path

    def _index_key(self) -> bytes | None:
        return indexfile.checksum(self._shadow.index, self._shadow.repository.id_length)

    def _real_index_key(self) -> bytes | None:
        repository = self._shadow.repository
        return indexfile.checksum(repository.git_dir / "index", repository.id_length)
