"""Finds every file of a working tree that git does not ignore, at about the cost of a `git status`."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from pilothouse.errors import GitFailed, GitStuck
from pilothouse.git import obstacles
from pilothouse.git.checkpoint import indexfile, permissions
from pilothouse.git.checkpoint.modes import Modes
from pilothouse.git.checkpoint.rules import ignored, is_rules
from pilothouse.git.checkpoint.seed import seed
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.commands import split_zero
from pilothouse.git.trees import MOST_PATHS, directories

# Also lists ignore files that ignore themselves, as those of caches and virtual environments do.
SHOW_RULES = "--exclude=!.gitignore"
OTHERS = ("ls-files", "-zo", "--exclude-standard", SHOW_RULES)
CHANGED = ("diff-files", "--name-only", "-z", "--ignore-submodules=all")
IGNORED = ("ls-files", "-zci", "--exclude-standard")
"""Lists what an index has though it is ignored."""


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
    """Ignore files that are themselves ignored."""
    sparse_rules: dict[bytes, bytes]
    """Ignore files that only the repository's index has."""
    excludes: dict[str, str]
    """Ignore rules outside the tree."""
    usual_directory: int
    directories: dict[bytes, int]
    """Permission bits of the directories that do not have the usual ones."""
    links: dict[bytes, bytes]
    """Symbolic links that git takes into no index, and where they lead."""


@dataclass(slots=True)
class _Others:
    """What the private index does not know."""

    files: set[bytes] = field(default_factory=set)
    nested: set[bytes] = field(default_factory=set)
    empty: set[bytes] = field(default_factory=set)
    hidden: dict[bytes, bytes] = field(default_factory=dict)


class Scanner:
    """Scans one working tree again and again. What a scan learns makes the next one cheap."""

    def __init__(self, shadow: Shadow) -> None:
        self._shadow = shadow
        self._git = shadow.scanning
        self._root = os.fsencode(shadow.repository.root)
        indexfile.drop_damaged(shadow)
        self.pool = ThreadPoolExecutor(6, thread_name_prefix="pilothouse-git")
        self._modes = Modes(shadow)
        self._known_tree: tuple[bytes | None, str] | None = None
        self._rules_key: tuple[object, ...] | None = None
        """The state of the repository's index and of the rules that what follows was learned from."""
        self._tracked_ignored: set[bytes] = set()
        self._links: set[bytes] = set()
        self._untracked_directories: set[bytes] = set()
        self._sparse_rules: dict[bytes, bytes] = {}
        self._absent: set[bytes] = set()
        self._folders: set[bytes] | None = None
        """The directories above the files of the private index."""
        self._opened: dict[bytes, int] = {}
        """Directories that their owner may enter only while a scan lasts, and their bits before."""

    def close(self) -> None:
        self.pool.shutdown()

    def forget(self) -> None:
        """Trusts nothing it learned: objects may have been pruned."""
        self._shadow.index.unlink(missing_ok=True)
        self._known_tree = self._rules_key = self._folders = None

    def files(self) -> Files:
        try:
            return self._files()
        except GitStuck:
            raise
        except GitFailed:
            # The private index may name an object that was pruned with a forgotten checkpoint.
            self.forget()
            return self._files()
        finally:
            for path, bits in sorted(self._opened.items(), reverse=True):
                with contextlib.suppress(FileNotFoundError):
                    os.chmod(self._at(path), bits)
            self._opened = {}

    def add(self, paths: Iterable[bytes]) -> str:
        """The tree of the last scan's files and of `paths`, ignored or not."""
        add = sorted(paths)
        before = self._index_key()
        self._update(add, [])
        self._note_modes(add, [], before)
        self._rules_key = None
        return self._tree()

    def without(self, files: Files, paths: Iterable[bytes]) -> Files:
        """The same files without these paths."""
        self._update([], sorted(paths))
        return replace(files, tree=self._tree())

    def modes(self) -> dict[bytes, int]:
        return dict(self._modes.unusual)

    def _files(self) -> Files:
        excludes = self._shadow.excludes()
        seed(self._shadow)
        before = self._index_key()
        changed, listed = self._listing()
        # Git does not look into a directory where its index has a file.
        replaced = [path for path in changed if self._is_directory(path)]
        if replaced:
            self._update([], replaced)
            changed, listed = self._listing()
        others = self._others(listed)
        key = (self._real_index_key(), tuple(excludes.items()), tuple(others.hidden.items()))
        moved = key != self._rules_key or any(is_rules(path) for path in changed | others.files)
        tracked = self._read_real_index() if moved else set()
        swallowed = self._swallowed(changed)
        if swallowed:
            self._update([], swallowed)
            return self._files()
        self._judge_sparse(others)
        others.nested |= {path for path in self._links if os.path.lexists(self._at(path) + b"/.git")}
        add, remove = self._sort(changed | others.files, self._tracked_ignored if moved else self._absent)
        self._update(add, remove)
        others.empty |= self._left_empty(remove)
        if moved:
            listed_now = self.pool.submit(self._git.run, *IGNORED)
            # Most often nothing is dropped, and the tree made meanwhile stays.
            self._tree()
            remove += self._drop_ignored(split_zero(listed_now.result()), tracked)
        self._note_modes(add, remove + replaced, before)
        self._absent = {path for path in self._tracked_ignored if not self._is_file(path)}
        self._rules_key = key
        self._untracked_directories |= directories(others.files)
        usual, folders = self._directory_modes(add, remove, others)
        return Files(
            tree=self._tree(),
            modes=self.modes(),
            usual=self._modes.usual,
            empty_directories=tuple(sorted(others.empty)),
            nested=tuple(sorted(others.nested)),
            hidden_rules=others.hidden,
            sparse_rules=dict(self._sparse_rules),
            excludes=excludes,
            usual_directory=usual,
            directories=folders,
            links={path: os.readlink(self._at(path)) for path in changed | others.files if self._is_left_out(path)},
        )

    def _directory_modes(self, add: list[bytes], remove: list[bytes], others: _Others) -> tuple[int, dict[bytes, int]]:
        if self._folders is None or remove:
            self._folders = directories(split_zero(self._git.run("ls-files", "-z")))
        self._folders |= directories(add)
        every = self._folders | others.empty | directories(others.empty | others.nested)
        return permissions.of_directories(self._root, {b"", *every}, self._opened)

    def _is_left_out(self, path: bytes) -> bool:
        """Git ignores such a path without a word."""
        return os.path.basename(path) == b".gitmodules" and os.path.islink(self._at(path))

    def _read_real_index(self) -> set[bytes]:
        """Learns what only the repository's own index knows; returns all paths it tracks.

        It knows submodules, files that are tracked though ignored, and ignore files that a sparse checkout leaves out:
        git still obeys those.
        """
        # Until the scan is complete, what is learned here belongs to no state.
        self._rules_key = None
        user = self._shadow.repository.git
        tracked_ignored = self.pool.submit(user.run, *IGNORED)
        private = self.pool.submit(self._git.run, "ls-files", "-z")
        self._links, self._sparse_rules = set(), {}
        tracked = set()
        for row in split_zero(user.run("ls-files", "-stz")):
            about, path = row.split(b"\t", 1)
            tag, mode, name, _ = about.split(b" ")
            tracked.add(path)
            if mode == b"160000":
                self._links.add(path)
            elif tag == b"S" and is_rules(path) and not os.path.lexists(self._at(path)):
                self._sparse_rules[path] = user.run("cat-file", "blob", name)
        self._tracked_ignored = set(split_zero(tracked_ignored.result()))
        self._untracked_directories = directories(path for path in split_zero(private.result()) if path not in tracked)
        return tracked

    def _swallowed(self, changed: set[bytes]) -> list[bytes]:
        """Files in the private index that lie in another repository by now: git overlooks one where it has files."""
        places = self._untracked_directories | directories(changed)
        below = tuple(path + b"/" for path in places if os.path.lexists(self._at(path) + b"/.git"))
        if not below:
            return []
        tracked = split_zero(self._shadow.repository.git.run("ls-files", "-z"))
        below = tuple(place for place in below if not any(path.startswith(place) for path in tracked))
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
        """Paths that differ from the private index, and paths it does not know."""
        while True:
            changed = self.pool.submit(self._git.run, *CHANGED)
            listed, complaints = self._git.both(*OTHERS, "--directory")
            found = set(split_zero(changed.result()))
            closed = [path for path in permissions.closed(complaints) if path not in self._opened]
            if not closed:
                return found, split_zero(listed)
            for path in closed:
                self._opened[path] = permissions.open_up(self._root, path)

    def _others(self, listed: list[bytes]) -> _Others:
        """Sorts what the private index does not know. Git lists a directory as one path, so it looks into it."""
        folders = [path for path in listed if path.endswith(b"/")]
        found = [path for path in listed if not path.endswith(b"/")]
        if folders:
            inside: list[str | bytes] = ["--", *folders] if len(folders) <= MOST_PATHS else []
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
        """The empty directories that are not ignored, level by level; never enters an ignored one."""
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
        # Below an ignored directory with a tracked file, git lists paths it would not list elsewhere.
        return empty - ignored(self._git, sorted(empty))

    def _left_empty(self, removed: list[bytes]) -> set[bytes]:
        """Directories that lost their last file; the scan still counted them as tracked."""
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
        """The paths that are files now, and those that are not any more."""
        add, remove = [], []
        links: dict[bytes, bool] = {}
        for path in sorted(found | perhaps):
            is_ours = self._is_file(path) and not self._is_left_out(path)
            if is_ours and not self._beyond_link(os.path.dirname(path), links):
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
            with permissions.readable(self._root, add):
                run("update-index", "-z", "--add", "--remove", "--replace", "--stdin", stdin=b"\0".join(add))

    def _drop_ignored(self, listed: list[bytes], tracked: set[bytes]) -> list[bytes]:
        if self._sparse_rules:
            listed += self._ignored_by_real_index(set(split_zero(self._git.run("ls-files", "-z"))))
        drop = [path for path in listed if path not in tracked]
        self._update([], drop)
        return drop

    def _tree(self) -> str:
        key = self._index_key()
        if self._known_tree is None or self._known_tree[0] != key:
            tree = self._git.text("write-tree")
            self._known_tree = (self._index_key(), tree)
        return self._known_tree[1]

    def _note_modes(self, add: list[bytes], remove: list[bytes], before: bytes | None) -> None:
        if not self._modes.belong_to(before):
            add = split_zero(self._git.run("ls-files", "-z"))
            self._modes.start_over(add)
        self._modes.follow(add, remove)
        self._tree()
        self._modes.save(self._index_key())

    def _is_file(self, path: bytes) -> bool:
        try:
            mode = os.lstat(self._at(path)).st_mode
        except OSError:
            return False
        return stat.S_ISREG(mode) or stat.S_ISLNK(mode)

    def _is_directory(self, path: bytes) -> bool:
        return os.path.isdir(self._at(path)) and not os.path.islink(self._at(path))

    def _content(self, path: bytes) -> bytes:
        return obstacles.content(self._at(path))

    def _at(self, path: bytes) -> bytes:
        return self._root + b"/" + path

    def _index_key(self) -> bytes | None:
        return indexfile.checksum(self._shadow.index, self._shadow.repository.id_length)

    def _real_index_key(self) -> bytes | None:
        repository = self._shadow.repository
        return indexfile.checksum(repository.git_dir / "index", repository.id_length)
