"""Random histories of a workspace: every way a person or an agent is known to leave one."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from tests.git.checkpoint.losses import LOSSES
from tests.git.repositories import git, make_repository

NAMES = (
    b"a.txt", b"b.txt", b"c.crlf", b"d.lfs", b"e.id", b"dir/f.txt", b"dir/sub/g.txt", b"sp ace.txt", b"new\nline",
    b"-dash", b'q"uote', b"tab\tx", b"\xff\xfe.bin", "日本.txt".encode(), b":(glob)x", b"*.txt", b"A.TXT", b"x.o",
    b"keep.log", b".env", b"build/out.o", b"build", b"dir", b"git~1", b"trail ", b"dir/.gitignore", b"secret.key",
    b"u16.txt", b"back\\slash", b"cache/.gitignore", b"cache/data", b"cache/deep/x", b"dir.txt", b"dir-x/y",
)  # fmt: skip
ATTRIBUTES = b"""\
* text=auto
*.crlf text eol=crlf
*.lfs filter=fake -text
*.id ident
u16.txt text working-tree-encoding=UTF-16
"""
RULES = (
    b"*.o\n.env\nbuild/\n*.key\n", b"*.log\n", b"", b"*.txt\n!a.txt\n", b".env\n*.key\n*.o\n*.log\nbuild/\n",
    b"*\n", b".gitignore\n*.key\n", b"dir/\n", b"/cache/*\n!/cache/data\n",
)  # fmt: skip
CONTENTS = (
    b"", b"\0\1\2binary\xff", b"one\r\ntwo\r\n", b"mixed\r\nlf\n", b"$Id: junk$\n", b"line\nline\n", b"other\n",
    "hällo\n".encode("utf-16"), b"no newline", bytes(range(256)),
)  # fmt: skip
MODES = (0o644, 0o755, 0o600, 0o700, 0o640, 0o444, 0o664, *([0] if os.geteuid() == 0 else []))
"""Who compares must be able to read them."""
DIRECTORY_MODES = (0o755, 0o700, 0o2775, 0o555)
SPARSE = (("set", "dir"), ("disable",), ("set", "--no-cone", "a*"))
BRANCHES = ("main", "other", "b1", "b2")


@dataclass(frozen=True)
class Op:
    name: str
    a: int
    b: int
    c: int


class History:
    """A workspace and the operations that can happen to it. Whatever git refuses just does not happen."""

    def __init__(self, root: Path, kind: str, upstream: Path) -> None:
        self.root = make_repository(root, {})
        self._bytes = os.fsencode(root)
        self._configure(kind)
        if kind in ("filters", "safecrlf", "required", "all"):
            self.put(b".gitattributes", ATTRIBUTES)
        if kind != "empty":
            self.put(b".gitignore", RULES[0])
            for number, name in enumerate(NAMES[:14]):
                self.put(name, CONTENTS[number % len(CONTENTS)])
            self.git("add", "-A")
            git(root, "commit", "-q", "--allow-empty", "-m", "base")
            git(root, "branch", "other")
        if kind == "sparse":
            git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "dir/sub")
        if kind == "submodule":
            git(root, "submodule", "add", "-q", str(upstream), "sub")
            git(root, "commit", "-q", "-m", "submodule")

    def _configure(self, kind: str) -> None:
        # The filter tells on us: no program of the repository may run.
        script = self.root.parent / "filter"
        script.write_text(f"#!/bin/sh\necho filter >> '{self.root.parent}/programs-ran'\nexec rev\n")
        script.chmod(0o755)
        filters = {f"filter.fake.{side}": str(script) for side in ("clean", "smudge")}
        broken = {"filter.fake.clean": "false", "filter.fake.smudge": "false", "filter.fake.required": "true"}
        of_kind = {
            "required": broken,
            "safecrlf": {"core.autocrlf": "true", "core.safecrlf": "true"},
            "split": {"core.splitIndex": "true"},
            "untracked-cache": {"core.untrackedCache": "true"},
        }
        for name, value in {**filters, **of_kind.get(kind, {})}.items():
            git(self.root, "config", name, value)

    def apply(self, op: Op) -> None:
        with contextlib.suppress(OSError):
            (OPERATIONS | LOSING)[op.name](self, op)

    def git(self, *args: str | bytes) -> None:
        git(self.root, "-c", "core.safecrlf=false", "-c", "core.protectNTFS=false", *args, check=False)

    def at(self, name: bytes) -> bytes:
        return os.path.join(self._bytes, name)

    def put(self, name: bytes, content: bytes) -> None:
        place = self._bytes
        for part in name.split(b"/")[:-1]:
            place = os.path.join(place, part)
            if os.path.islink(place) or os.path.isfile(place):
                os.unlink(place)
            if not os.path.isdir(place):
                os.mkdir(place)
        place = self.at(name)
        self.clear(place)
        with open(place, "wb") as file:
            file.write(content)

    def clear(self, place: bytes) -> None:
        if os.path.isdir(place) and not os.path.islink(place):
            shutil.rmtree(place)
        elif os.path.lexists(place):
            os.unlink(place)

    def existing(self, number: int) -> bytes:
        found = []
        for where, directories, files in os.walk(self._bytes):
            repositories = [d for d in directories if os.path.lexists(os.path.join(where, d, b".git"))]
            directories[:] = sorted(d for d in directories if d != b".git" and d not in repositories)
            places = [os.path.join(where, name) for name in [*directories, *files]]
            plain = [p for p in places if os.path.islink(p) or os.path.isfile(p)]
            found += [os.path.relpath(place, self._bytes) for place in plain]
        found = sorted(path for path in found if path not in (b".gitattributes", b".git"))
        return found[number % len(found)] if found else b"a.txt"


def _edit(h: History, op: Op) -> None:
    h.put(h.existing(op.a), CONTENTS[op.b % len(CONTENTS)] + b"%d\n" % op.c)


def _append(h: History, op: Op) -> None:
    place = h.at(h.existing(op.a))
    if not os.path.islink(place):
        with open(place, "ab") as file:
            file.write(b"%d\n" % op.b)


def _new(h: History, op: Op) -> None:
    h.put(NAMES[op.a % len(NAMES)], CONTENTS[op.b % len(CONTENTS)] + b"%d\n" % op.c)


def _chmod(h: History, op: Op) -> None:
    place = h.at(h.existing(op.a))
    if not os.path.islink(place):
        os.chmod(place, MODES[op.b % len(MODES)])


def _chmod_directory(h: History, op: Op) -> None:
    place = os.path.dirname(h.at(h.existing(op.a)))
    if place != h.at(b"").rstrip(b"/"):
        os.chmod(place, DIRECTORY_MODES[op.b % len(DIRECTORY_MODES)])


def _pipe(h: History, op: Op) -> None:
    os.mkfifo(h.at((b"pipe", b"hollow-pipe", b"x.o-pipe")[op.a % 3]))


def _link_modules(h: History, op: Op) -> None:
    h.clear(h.at(b".gitmodules"))
    os.symlink((b"a.txt", b"nowhere")[op.a % 2], h.at(b".gitmodules"))


def _link(h: History, op: Op) -> None:
    name = NAMES[op.a % len(NAMES)]
    h.put(name, b"")
    os.unlink(h.at(name))
    os.symlink((b"a.txt", b"nowhere", b"dir", b"../out")[op.b % 4], h.at(name))


def _directory_to_link(h: History, op: Op) -> None:
    h.clear(h.at(b"dir"))
    os.symlink((b"build", b"cache", b"nowhere")[op.a % 3], h.at(b"dir"))


def _swap(h: History, op: Op) -> None:
    names = (b"a.txt/in", b"dir", b"build", b"b.txt/x/y", b"a.txt", b"build/q.txt", b"x.o/y", b"nest", b"cache")
    h.put(names[op.a % len(names)], CONTENTS[op.b % len(CONTENTS)])


def _empty_directory(h: History, op: Op) -> None:
    names = (b"hollow", b"hollow2/in", b"dir/hollow", b"build/hollow", b"cache/hollow")
    os.makedirs(h.at(names[op.a % len(names)]), exist_ok=True)


def _stage_part(h: History, op: Op) -> None:
    name = h.existing(op.a)
    h.git("add", "--", b":(literal)" + name)
    _append(h, Op("", op.a, op.b, 0))


def _intent_to_add(h: History, op: Op) -> None:
    h.put(b"ita.txt", b"ita %d\n" % op.a)
    h.git("add", "-N", "ita.txt")


def _commit(h: History, op: Op) -> None:
    if op.a % 2:
        h.git("add", "-A")
    h.git("commit", "-q", "--allow-empty", "-m", f"commit {op.b}")


def _rules(h: History, op: Op) -> None:
    name = (b".gitignore", b".gitignore", b"dir/.gitignore", b"cache/.gitignore")[op.a % 4]
    if op.c % 5 == 0:
        h.clear(h.at(name))
    else:
        h.put(name, RULES[op.b % len(RULES)])


def _exclude(h: History, op: Op) -> None:
    (h.root / ".git" / "info" / "exclude").write_bytes((b"*.key\n", b"", b"a.txt\n*.o\n")[op.a % 3])


def _rebase(h: History, op: Op) -> None:
    h.put(b"a.txt", b"mine %d\n" % op.b)
    h.git("commit", "-q", "-a", "-m", "mine")
    h.git("rebase", "-q", BRANCHES[op.a % len(BRANCHES)])


def _conflict(h: History, op: Op) -> None:
    """Two branches that changed the same line, and the merge that stops at it."""
    h.git("switch", "-q", "-f", "-C", "theirs")
    h.put(b"a.txt", b"theirs %d\n" % op.a)
    h.git("commit", "-q", "-a", "-m", "theirs")
    h.git("switch", "-q", "-f", "-C", "ours", "HEAD~1")
    h.put(b"a.txt", b"ours %d\n" % op.b)
    h.git("commit", "-q", "-a", "-m", "ours")
    h.git(*(("merge", "-q"), ("cherry-pick",), ("rebase", "-q"), ("merge", "-q", "--no-commit"))[op.c % 4], "theirs")


def _bisect(h: History, op: Op) -> None:
    h.git("bisect", *(("start",), ("bad",), ("good", "HEAD~1"), ("reset",))[op.a % 4])


def _nested(h: History, op: Op) -> None:
    place = h.root / ("nest", "nest0", "dir/nest")[op.a % 3]
    if not os.path.lexists(place):
        make_repository(place, {"n.txt": "n\n", ".gitignore": "*.o\n"} if op.a % 3 != 1 else {})
        (place / "m.txt").write_text("m\n")


def _change_nested(h: History, op: Op) -> None:
    place = h.root / ("nest", "nest0", "dir/nest", "sub")[op.a % 4]
    if os.path.lexists(place / ".git"):
        (place / ("n.txt", "m.txt", "x.o", "a.txt")[op.b % 4]).write_bytes(CONTENTS[op.c % len(CONTENTS)])
        if op.c % 3 == 0:
            git(place, "add", "-A", check=False)
            git(place, "commit", "-q", "-m", "nested", check=False)


def _remove_nested(h: History, op: Op) -> None:
    place = h.at((b"nest", b"nest0", b"dir/nest", b"sub")[op.a % 4])
    if op.b % 3 == 0:
        h.clear(os.path.join(place, b".git"))
    elif os.path.lexists(os.path.join(place, b".git")):
        h.clear(place)


def _prune(h: History, op: Op) -> None:
    h.git("reflog", "expire", "--expire=now", "--all")
    h.git("gc", "-q", "--prune=now")


def _drop_branches(h: History, op: Op) -> None:
    h.git("switch", "-q", "-f", "--orphan", "elsewhere")
    for name in BRANCHES:
        h.git("branch", "-D", name)
    _prune(h, op)


OPERATIONS: dict[str, Callable[[History, Op], None]] = {
    "edit": _edit,
    "append": _append,
    "new": _new,
    "delete": lambda h, op: h.clear(h.at(h.existing(op.a))),
    "move": lambda h, op: h.git("mv", "-f", h.existing(op.a), NAMES[op.b % len(NAMES)]),
    "rename": lambda h, op: os.rename(h.at(h.existing(op.a)), h.at(NAMES[op.b % len(NAMES)])),
    "chmod": _chmod,
    "chmod directory": _chmod_directory,
    "pipe": _pipe,
    "ignore case": lambda h, op: h.git("config", "core.ignorecase", ("true", "false")[op.a % 2]),
    "link modules": _link_modules,
    "link": _link,
    "directory to link": _directory_to_link,
    "swap": _swap,
    "empty directory": _empty_directory,
    "stage": lambda h, op: h.git("add", "--", b":(literal)" + h.existing(op.a)),
    "force-stage": lambda h, op: h.git("add", "-f", "--", b":(literal)" + h.existing(op.a)),
    "stage part": _stage_part,
    "untrack": lambda h, op: h.git("rm", "--cached", "-q", "--", b":(literal)" + h.existing(op.a)),
    "commit": _commit,
    "amend": lambda h, op: h.git("commit", "-q", "--amend", "-m", "amended"),
    "branch": lambda h, op: h.git("switch", "-q", "-c", BRANCHES[op.a % len(BRANCHES)]),
    "switch": lambda h, op: h.git("switch", "-q", *(["-f"] if op.b % 2 else []), BRANCHES[op.a % len(BRANCHES)]),
    "detach": lambda h, op: h.git("checkout", "-q", "--detach"),
    "delete branch": lambda h, op: h.git("branch", "-D", BRANCHES[op.a % len(BRANCHES)]),
    "rules": _rules,
    "exclude": _exclude,
    "attributes": lambda h, op: h.put(b".gitattributes", (ATTRIBUTES, b"", b"* -text\n", b"* text\n")[op.a % 4]),
    "intent to add": _intent_to_add,
    "assume unchanged": lambda h, op: h.git("update-index", "--assume-unchanged", "--", h.existing(op.a)),
    "skip worktree": lambda h, op: h.git("update-index", "--skip-worktree", "--", h.existing(op.a)),
    "split index": lambda h, op: h.git("update-index", "--split-index" if op.a % 2 else "--no-split-index"),
    "sparse": lambda h, op: h.git("sparse-checkout", *SPARSE[op.a % 3]),
    "merge": lambda h, op: h.git("merge", "-q", "--no-commit", BRANCHES[op.a % len(BRANCHES)]),
    "cherry-pick": lambda h, op: h.git("cherry-pick", BRANCHES[op.a % len(BRANCHES)]),
    "conflict": _conflict,
    "rebase": _rebase,
    "give up": lambda h, op: h.git(("merge", "rebase", "cherry-pick")[op.a % 3], "--abort"),
    "bisect": _bisect,
    "stash": lambda h, op: h.git("stash", *(["-u"] if op.a % 2 else [])),
    "reset": lambda h, op: h.git("reset", "-q", "--hard"),
    "clean": lambda h, op: h.git("clean", "-q", "-fd", *(["-x"] if op.a % 2 else [])),
    "nested": _nested,
    "change nested": _change_nested,
    "remove nested": _remove_nested,
    "prune": _prune,
}  # fmt: skip
LOSING: dict[str, Callable[[History, Op], None]] = {
    "lose": lambda h, op: LOSSES[sorted(LOSSES)[op.a % len(LOSSES)]][1](h.root),
    "drop branches": _drop_branches,
}
"""Where no checkpoint was taken yet, nothing could bring the repository back."""
OFTEN = ["edit", "append", "new", "new", "swap", "rules", "chmod", "change nested", "conflict"]
KINDS = (
    "plain",
    "filters",
    "safecrlf",
    "required",
    "split",
    "sparse",
    "empty",
    "submodule",
    "all",
    "untracked-cache",
)


def operations(least: int, most: int, losing: bool = False) -> st.SearchStrategy[list[Op]]:
    number = st.integers(0, 29)
    op = st.builds(Op, st.sampled_from([*OPERATIONS, *OFTEN, *(LOSING if losing else ())]), number, number, number)
    return st.lists(op, min_size=least, max_size=most)
