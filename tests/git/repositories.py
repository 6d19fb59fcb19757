"""Real repositories for the tests of `pilothouse.git`, and everything that can be observed of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@localhost",
    "GIT_COMMITTER_NAME": "Test",
    "GIT_COMMITTER_EMAIL": "test@localhost",
    "GIT_EDITOR": "true",
    "LC_ALL": "C",
}
KEPT_FLAGS = 1 << 29 | 1 << 30 | 1 << 15
"""Intent to add, skip worktree, assume unchanged; git shows bits that live only in its memory as well."""
UNDER_WAY = (
    "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "BISECT_LOG",
    "BISECT_START", "BISECT_TERMS", "BISECT_EXPECTED_REV", "info/sparse-checkout",
)  # fmt: skip


def git(root: Path, *args: str | bytes, check: bool = True) -> bytes:
    command = ["git", "-c", "protocol.file.allow=always", "-c", "core.protectNTFS=false", *args]
    done = subprocess.run(command, cwd=root, env=ENVIRONMENT, capture_output=True, check=False)
    if check and done.returncode:
        raise AssertionError(f"git {args}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def run_python(program: str, *args: Path | str, wrapper: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, with the modules of this one."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*wrapper, sys.executable, "-c", program, *args]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def as_anybody(root: Path, state: Path, *steps: str) -> subprocess.CompletedProcess[str]:
    """The steps in a process that permissions bind, which they do not bind root."""
    program = (
        "import os, sys, pathlib\nfrom pilothouse.git.checkpoints import Checkpoints\n"
        "root, state = map(pathlib.Path, sys.argv[1:])\ntree = Checkpoints(root, state)\n" + "\n".join(steps)
    )
    bound = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search,-fowner"] if os.geteuid() == 0 else []
    return run_python(program, root, state, wrapper=bound)


def make_repository(root: Path, files: dict[str, str] | None = None) -> Path:
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for name, text in (files if files is not None else {"a.txt": "a\n", "b.txt": "b\n", "d/c.txt": "c\n"}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    if files != {}:
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "base")
    return root


@dataclass(frozen=True)
class Observed:
    files: dict[bytes, tuple[str, int, bytes]]
    """Every file, git directories apart: kind, permission bits, content. Empty directories end in /."""
    git: dict[str, object]
    ours: frozenset[bytes]
    """What git does not ignore, nested repositories included."""
    directories: dict[bytes, int]
    """Permission bits of every directory, git directories apart."""


def observe(root: Path) -> Observed:
    files = _files(os.fsencode(root))
    state: dict[str, object] = {}
    ours: set[bytes] = set()
    for place in _repositories(root):
        prefix = b"" if place == root else os.fsencode(place.relative_to(root)) + b"/"
        state |= {f"{os.fsdecode(prefix)}:{name}": value for name, value in _git_state(place).items()}
        if prefix and not {prefix, prefix[:-1]} & ours:
            continue
        listed = git(place, "ls-files", "-zco", "--exclude-standard", check=False).split(b"\0")
        ours |= {prefix + path for path in listed if path}
    return Observed(files, state, frozenset(ours), _directories(os.fsencode(root)))


def _repositories(root: Path) -> list[Path]:
    found = [root]
    for where, directories, _ in os.walk(root):
        if ".git" in directories:
            directories.remove(".git")
        nested = [Path(where) / name for name in directories if os.path.lexists(os.path.join(where, name, ".git"))]
        found += [place for place in nested if not place.is_symlink()]
    return found


def _files(root: bytes) -> dict[bytes, tuple[str, int, bytes]]:
    found = {}
    for where, directories, files in os.walk(root):
        if b".git" in directories:
            directories.remove(b".git")
        links = [name for name in directories if os.path.islink(os.path.join(where, name))]
        for name in [*files, *links]:
            if name == b".git":
                continue
            place = os.path.join(where, name)
            path = os.path.relpath(place, root)
            if os.path.islink(place):
                found[path] = ("link", 0, os.readlink(place))
            elif not os.path.isfile(place):
                found[path] = ("special", os.lstat(place).st_mode, b"")
            else:
                with open(place, "rb") as file:
                    found[path] = ("file", os.lstat(place).st_mode & 0o7777, file.read())
        if not directories and not files:
            found[os.path.relpath(where, root) + b"/"] = ("directory", 0, b"")
    return found


def _directories(root: bytes) -> dict[bytes, int]:
    found = {}
    for where, directories, _ in os.walk(root):
        directories[:] = [name for name in directories if name != b".git"]
        found[os.path.relpath(where, root)] = os.lstat(where).st_mode & 0o7777
    return found


def _git_state(root: Path) -> dict[str, object]:
    """Nothing where there is no repository, or a broken one."""
    try:
        git_dir = root / os.fsdecode(git(root, "rev-parse", "--git-dir")).strip()
        debug = git(root, "ls-files", "--debug").split(b"\n")
    except AssertionError:
        return {}
    return {
        "head": git(root, "symbolic-ref", "-q", "HEAD", check=False)
        + git(root, "rev-parse", "-q", "--verify", "HEAD", check=False),
        "index": git(root, "ls-files", "-stvz"),
        "flags": [int(line.rsplit(b"flags: ", 1)[1], 16) & KEPT_FLAGS for line in debug if b"\tflags: " in line],
        "staged": _staged(root),
        "under way": {name: (git_dir / name).read_bytes() for name in UNDER_WAY if (git_dir / name).is_file()},
        "rebase": sorted(path.name for path in (git_dir / "rebase-merge").glob("*")),
        # Its objects may be lost.
        "bisect": git(root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/bisect"),
    }


def _staged(root: Path) -> bytes | None:
    """None where the repository lost what HEAD names: git cannot tell then, or takes all for staged."""
    head = git(root, "rev-parse", "-q", "--verify", "HEAD", check=False)
    try:
        if head:
            git(root, "ls-tree", "-r", "-t", "HEAD")
        return git(root, "diff", "--cached", "--raw", "-z", "--no-ext-diff")
    except AssertionError:
        return None
