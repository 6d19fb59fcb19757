"""Makes a private repository in the state of a snapshot. It borrows the objects; everything else is its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pilothouse.git.checkpoint import progress
from pilothouse.git.checkpoint.modes import Modes
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoint.snapshot import Snapshot
from pilothouse.git.checkpoint.working_tree import WorkingTree
from pilothouse.git.commands import split_zero
from pilothouse.git.repository import Repository

# The settings that decide how git reads and writes files and who commits; no remotes, hooks or credentials.
SECTIONS = ("user.", "author.", "committer.", "i18n.", "filter.", "diff.", "merge.")
CORE = frozenset(
    f"core.{name}"
    for name in (
        "autocrlf", "eol", "safecrlf", "ignorecase", "precomposeunicode", "quotepath", "abbrev", "excludesfile",
        "attributesfile", "sparsecheckout", "sparsecheckoutcone",
    )
)  # fmt: skip
OUTSIDE = ("refs/tags", "refs/remotes")


def private_git_dir(place: Path, tree: WorkingTree, snapshot: Snapshot, *, linked: bool) -> None:
    """Makes a git directory with the snapshot's HEAD, branches, index and whatever git has under way.

    `linked`: new objects go to those of the checkpoints. Otherwise they stay here, and the others are only read.
    """
    source, meta = tree.repository, snapshot.meta
    for name in ("info", "refs/heads", "refs/tags"):
        (place / name).mkdir(parents=True, exist_ok=True)
    if linked:
        (place / "objects").symlink_to(tree.shadow.blobs.path)
    else:
        (place / "objects" / "info").mkdir(parents=True)
        (place / "objects" / "pack").mkdir()
        (place / "objects" / "info" / "alternates").write_bytes(os.fsencode(tree.shadow.blobs.path) + b"\n")
    (place / "HEAD").write_text(f"ref: {meta.branch}\n" if meta.branch else f"{meta.head}\n")
    (place / "config").write_text(_config(source), errors="surrogateescape")
    (place / "packed-refs").write_text(_packed_refs(source, snapshot))
    (place / "info" / "exclude").write_bytes(meta.excludes["info"].encode("latin-1"))
    for name in ("shallow", "info/attributes"):
        if (source.common_dir / name).is_file():
            (place / name).write_bytes((source.common_dir / name).read_bytes())
    index = tree.snapshots.index_file(snapshot)
    if index:
        (place / "index").write_bytes(index.read_bytes())
        os.utime(place / "index", ns=(meta.index_mtime_ns, meta.index_mtime_ns))
    progress.write(place, {k: v for k, v in meta.state_files.items() if k != "config.worktree"}, lambda: None)


def write_files(shadow: Shadow, snapshot: Snapshot) -> None:
    """Writes the files of the snapshot, as raw bytes, into an empty directory, and enters them in the private index."""
    meta, root = snapshot.meta, shadow.repository.root
    shadow.git.run("read-tree", snapshot.scanned)
    # Creating the files takes most of the time, so several processes do it.
    shadow.git.run("-c", "checkout.workers=0", "checkout-index", "-a", "-u", "-q")
    _set_modes(shadow, snapshot)
    for name in meta.empty_directories:
        (root / name).mkdir(parents=True, exist_ok=True)
    for name, text in meta.hidden_rules.items():
        place = root / name
        if not os.path.lexists(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode("latin-1"))
    Modes(shadow).begin(meta.usual)


def _set_modes(shadow: Shadow, snapshot: Snapshot) -> None:
    meta, root = snapshot.meta, os.fsencode(shadow.repository.root)
    for row in split_zero(shadow.git.run("ls-files", "-sz")):
        about, path = row.split(b"\t", 1)
        mode = about.split(b" ")[0]
        if mode == b"120000":
            continue
        place = root + b"/" + path
        wanted = meta.bits(path, mode == b"100755")
        if os.lstat(place).st_mode & 0o7777 != wanted:
            os.chmod(place, wanted)


def _packed_refs(source: Repository, snapshot: Snapshot) -> str:
    meta = snapshot.meta
    rows = source.git.text("for-each-ref", "--format=%(refname) %(objectname)", *OUTSIDE).splitlines()
    refs = dict(row.split(" ") for row in rows) | meta.branches | meta.private_refs
    if meta.branch and meta.head:
        refs[meta.branch] = meta.head
    return "".join(f"{commit} {name}\n" for name, commit in sorted(refs.items()))


def _config(source: Repository) -> str:
    sha256 = source.algorithm != "sha1"
    core = {"repositoryformatversion": str(int(sha256)), "bare": "false", "filemode": "true", "symlinks": "true"}
    text = _section("core", "", core.items())
    if sha256:
        text += _section("extensions", "", [("objectFormat", source.algorithm)])
    rows = iter(os.fsdecode(source.git.run("config", "-z", "--list", "--show-scope")).split("\0"))
    for scope, row in zip(rows, rows, strict=False):
        key, _, value = row.partition("\n")
        if scope in ("local", "worktree") and (key.startswith(SECTIONS) or key in CORE):
            section, _, name = key.rpartition(".")
            section, _, part = section.partition(".")
            text += _section(section, part, [(name, value if "\n" in row else "true")])
    return text


def _section(name: str, part: str, values: Iterable[tuple[str, str]]) -> str:
    head = f"[{name} {_quoted(part)}]\n" if part else f"[{name}]\n"
    return head + "".join(f"\t{key} = {_quoted(value)}\n" for key, value in values)


def _quoted(value: str) -> str:
    escapes: Mapping[str, str] = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(letter, letter) for letter in value) + '"'
