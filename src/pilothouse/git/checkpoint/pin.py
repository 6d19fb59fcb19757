"""Keeps the objects of checkpoints from being pruned, where no push or fetch can see them.

Refs in the user's repository would be safe from `git gc`. But `git push --mirror` sends all refs, and no setting stops
it, so uncommitted work would leave the machine; and a mirror fetch with pruning deletes them. So the refs are in our
private git directory, and one commit holds the objects: the detached HEAD of a locked entry below the repository's
`worktrees/`. `git gc`, `prune` and `repack` respect it, and no transfer offers it. The commit's tree holds the top tree
of each checkpoint; its parents are the commits the checkpoints name.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from concurrent.futures import Executor
from pathlib import Path

from pilothouse.git import durable
from pilothouse.git.objects import TREE, ObjectStore, parse_tree
from pilothouse.git.repository import Repository

NOTE = "Pilothouse keeps its checkpoints alive with this entry; it is not a working tree.\n"
MESSAGE = "Pilothouse checkpoints\n\nKeeps what a rollback needs from being pruned; part of no branch.\n"
PREFIX = "pilothouse-"


class Pin:
    """The pin of one workspace for one `state_dir`: two servers may keep checkpoints of the same repository.

    The repository has the last word; its entry is read again when it changed.
    """

    def __init__(self, repository: Repository, state_dir: Path, pool: Executor) -> None:
        self._repository = repository
        self._pool = pool
        self._store = ObjectStore(repository.objects, repository.algorithm)
        whose = os.fsencode(repository.root) + b"\0" + os.fsencode(os.path.realpath(state_dir))
        key = hashlib.sha256(whose).hexdigest()[:16]
        self._place = repository.common_dir / "worktrees" / (PREFIX + key)
        self._read: str | None = None
        self._fans: dict[str, dict[str, None]] = {}
        self._fan_ids: dict[str, str] = {}
        self._commits: set[str] = set()

    @property
    def commit(self) -> str | None:
        try:
            return (self._place / "HEAD").read_text().strip() or None
        except FileNotFoundError:
            return None

    def holds(self, top: str) -> bool:
        self._load()
        return top in self._fans.get(top[:2], {})

    def add(self, tops: Iterable[str], commits: Iterable[str]) -> None:
        """From now on nothing that `tops` and `commits` reach can be pruned."""
        self._load()
        new_tops = [top for top in tops if top not in self._fans.get(top[:2], {})]
        new_commits = set(commits) - self._commits
        if not new_tops and not new_commits:
            return
        for top in new_tops:
            self._fans.setdefault(top[:2], {})[top] = None
            self._fan_ids.pop(top[:2], None)
        self._commits |= new_commits
        self._write()

    def replace(self, tops: Iterable[str], commits: Iterable[str]) -> None:
        """Pins these and no others."""
        self._fans, self._fan_ids, self._commits = {}, {}, set(commits)
        for top in tops:
            self._fans.setdefault(top[:2], {})[top] = None
        if self._fans:
            self._write()
        else:
            shutil.rmtree(self._place, ignore_errors=True)
            self._read = None

    def _load(self) -> None:
        head = self.commit
        if head == self._read:
            return
        self._fans, self._fan_ids, self._commits, self._read = {}, {}, set(), head
        if head is None:
            return
        git = self._repository.git
        header, _, _ = git.run("cat-file", "commit", head).partition(b"\n\n")
        self._commits = {line[7:].decode() for line in header.split(b"\n") if line.startswith(b"parent ")}
        for _, fan, name in parse_tree(git.run("cat-file", "tree", head), self._repository.id_length):
            rows = parse_tree(git.run("cat-file", "tree", name), self._repository.id_length)
            self._fans[fan] = dict.fromkeys(top for _, _, top in rows)
            self._fan_ids[fan] = name

    def _write(self) -> None:
        # If a write fails, the next use reads again what the repository has.
        self._read = ""
        who = "Pilothouse <pilothouse@localhost> 0 +0000"
        with self._store.side_by_side(self._pool) as objects:
            for fan, tops in self._fans.items():
                if fan not in self._fan_ids:
                    self._fan_ids[fan] = objects.write_tree((TREE, top, top) for top in tops)
            tree = objects.write_tree((TREE, fan, name) for fan, name in self._fan_ids.items())
            parents = "".join(f"parent {name}\n" for name in sorted(self._commits))
            data = f"tree {tree}\n{parents}author {who}\ncommitter {who}\n\n{MESSAGE}"
            commit = objects.write("commit", data.encode())
        durable.make_directories(self._place)
        for name, text in (("locked", NOTE), ("commondir", "../..\n"), ("gitdir", f"{self._place}/none/.git\n")):
            if not (self._place / name).exists():
                durable.write(self._place / name, text)
        durable.write(self._place / "HEAD", commit + "\n")
        self._read = commit
