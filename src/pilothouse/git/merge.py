"""Merges three versions of one file, as raw bytes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from pilothouse.errors import GitFailed, GitStuck
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.trees import LINK
from pilothouse.words import say

BINARY_WITHIN = 8_000
"""Git calls a file binary when it finds a zero byte in its first 8,000."""


class Side(NamedTuple):
    """One of the three versions: git's mode, and the id of the blob."""

    mode: int
    name: str


class Clash(Exception):
    """Two changes of one file cannot both be kept; the message says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def three_way(shadow: Shadow, base: Side | None, now: Side | None, proposed: Side | None) -> Side | None:
    """The file with both changes, or None when it is removed. Raises `Clash`."""
    if now in (base, proposed):
        return proposed
    if now is None:
        raise Clash(say("clash.removed"))
    if proposed is None:
        raise Clash(say("clash.changed"))
    if base is None:
        raise Clash(say("clash.made"))
    if LINK in (base.mode, now.mode, proposed.mode):
        raise Clash(say("clash.link"))
    mode = proposed.mode if now.mode in (base.mode, proposed.mode) else now.mode
    if base.name in (now.name, proposed.name) or now.name == proposed.name:
        return Side(mode, proposed.name if now.name == base.name else now.name)
    return Side(mode, _merged(shadow, base.name, now.name, proposed.name))


def _merged(shadow: Shadow, base: str, now: str, proposed: str) -> str:
    texts = [shadow.git.run("cat-file", "blob", name) for name in (now, base, proposed)]
    if any(b"\0" in text[:BINARY_WITHIN] for text in texts):
        raise Clash(say("clash.binary"))
    with tempfile.TemporaryDirectory(dir=shadow.path) as folder:
        places = [Path(folder) / name for name in ("now", "base", "proposed")]
        for place, text in zip(places, texts, strict=True):
            place.write_bytes(text)
        try:
            merged = shadow.git.run("merge-file", "-p", "-q", *(os.fspath(place) for place in places))
        except GitStuck:
            raise
        except GitFailed as refused:
            raise Clash(say("clash.same_lines")) from refused
    return shadow.blobs.write("blob", merged)
