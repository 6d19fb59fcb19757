"""Makes the first private index from the repository's own, because its stat cache saves hashing every file."""

from __future__ import annotations

import re

from pilothouse.errors import GitFailed, GitStuck
from pilothouse.git.checkpoint import indexfile
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.commands import split_zero

SIZE_CHANGING = ("filter.lfs.",)
CONVERTING = ("text", "eol", "filter", "ident", "working-tree-encoding", "crlf")


def seed(shadow: Shadow) -> None:
    if shadow.index.exists():
        return
    try:
        if indexfile.portable_copy(shadow, shadow.index):
            drop = _unfit(shadow)
            if drop:
                shadow.git.run("update-index", "-z", "--force-remove", "--stdin", stdin=b"\0".join(drop))
    except GitStuck:
        raise
    except GitFailed:
        # Without an index to start from, the first scan hashes every file.
        shadow.index.unlink(missing_ok=True)


def _unfit(shadow: Shadow) -> set[bytes]:
    """Paths whose blob may differ from the bytes on disk, or that have a flag that hides changes.

    A file may have been written under other attributes than it has now. Line endings, `$Id$` and encodings change its
    size, which shows. A filter may not, so with a filter nothing is taken over.
    """
    user = shadow.repository.git
    names = split_zero(shadow.git.run("ls-files", "-z"))
    filters = user.text("config", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$", ok=(0, 1)).split(
        "\n"
    )
    converts = user.text("config", "core.autocrlf", ok=(0, 1)).lower() not in ("", "false")
    if converts or any(name and not name.startswith(SIZE_CHANGING) for name in filters):
        return set(names)
    answer = user.run("check-attr", "-z", "--stdin", *CONVERTING, stdin=b"\0".join(names)).split(b"\0")
    pairs = zip(answer[0::3], answer[2::3], strict=False)
    drop = {path for path, value in pairs if value not in (b"unspecified", b"unset")}
    return drop | _flagged(shadow) | _resized(shadow, set(names))


def _flagged(shadow: Shadow) -> set[bytes]:
    found = set()
    for row in split_zero(shadow.git.run("ls-files", "-stvz")):
        about, path = row.split(b"\t", 1)
        tag, mode = about.split(b" ")[:2]
        if tag.islower() or tag in (b"S", b"M") or mode == b"160000":
            found.add(path)
    return found


def _resized(shadow: Shadow, names: set[bytes]) -> set[bytes]:
    """Paths whose size in the stat cache is not that of their blob."""
    rows = [row.split(b"\t", 1) for row in split_zero(shadow.git.run("ls-files", "-sz"))]
    blobs = {path: about.split(b" ")[1].decode() for about, path in rows}
    cached = re.findall(rb"\n  size: (\d+)\tflags: ", shadow.git.run("ls-files", "-z", "--debug"))
    if len(cached) != len(rows):
        return names
    objects = shadow.git.objects(blobs.values())
    sizes = {path: int(size) for (_, path), size in zip(rows, cached, strict=True)}
    return {path for path, name in blobs.items() if name not in objects or objects[name][1] != sizes[path]}
