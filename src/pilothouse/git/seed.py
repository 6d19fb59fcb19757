"""The first private index: the repository's own, for its stat cache, without what raw bytes may differ for."""

from __future__ import annotations

from pilothouse.errors import GitFailed
from pilothouse.git import indexfile
from pilothouse.git.commands import split_zero
from pilothouse.git.shadow import Shadow

CONVERTING = ("text", "eol", "filter", "ident", "working-tree-encoding", "crlf")


def seed(shadow: Shadow) -> None:
    if shadow.index.exists():
        return
    try:
        if indexfile.portable_copy(shadow, shadow.index):
            drop = _unfit(shadow)
            if drop:
                shadow.git.run("update-index", "-z", "--force-remove", "--stdin", stdin=b"\0".join(drop))
    except GitFailed:
        # An index this git cannot take over costs one full hashing of the tree, nothing else.
        shadow.index.unlink(missing_ok=True)


def _unfit(shadow: Shadow) -> set[bytes]:
    """Paths whose blob need not be the bytes on disk, or that carry a flag that would hide a change."""
    user = shadow.repository.git
    names = split_zero(shadow.git.run("ls-files", "-z"))
    if user.text("config", "core.autocrlf", ok=(0, 1)).lower() not in ("", "false"):
        return set(names)
    answer = user.run("check-attr", "-z", "--stdin", *CONVERTING, stdin=b"\0".join(names)).split(b"\0")
    drop = {
        path for path, value in zip(answer[0::3], answer[2::3], strict=False) if value not in (b"unspecified", b"unset")
    }
    for row in split_zero(shadow.git.run("ls-files", "-vz")):
        tag, path = row.split(b" ", 1)
        if tag.islower() or tag in (b"S", b"M"):
            drop.add(path)
    for row in split_zero(shadow.git.run("ls-files", "-sz")):
        about, path = row.split(b"\t", 1)
        if about.startswith(b"160000"):
            drop.add(path)
    return drop
