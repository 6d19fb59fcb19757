"""OpenCode as it is published: one build of it, pinned by hash, fetched once by npm, kept for the next run."""

from __future__ import annotations

import base64
import hashlib
import platform
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tools import node

VERSION = "1.18.33"
BUILDS = {
    ("linux", "x86_64"): (
        "opencode-linux-x64-baseline",
        "1KQGBiiDDeL/VHHbHkOvvFo8Jr97WT5+C1tear+p7IcDTnXgVHXqIjU4O4jM4mHQzykTP2i884FCnW5LDa+zCA==",
    ),
}
CACHE = node.ROOT / ".make" / f"opencode-{VERSION}"
MISSING = "NOT PROVEN WITH A REAL ACP AGENT: OpenCode could not be fetched. "
_LIMIT = 300


class Unreachable(Exception):
    """There is no registry here that has it, or no build for this machine."""


def program() -> Path:
    found = CACHE / "package" / "bin" / "opencode"
    if not found.is_file():
        _fetch()
    return found


def _fetch() -> None:
    build = BUILDS.get((sys.platform, platform.machine()))
    if build is None:
        raise Unreachable(f"No build is pinned for {sys.platform} on {platform.machine()}.")
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE.parent) as folder:
        archive = _packed(build[0], Path(folder))
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if digest != build[1]:
            raise ValueError(f"{archive.name} is not what was pinned.")
        into = Path(folder) / "unpacked"
        with tarfile.open(archive) as opened:
            opened.extractall(into, filter="data")
        # Workers fetch side by side: the first one's is kept.
        if not CACHE.exists():
            into.rename(CACHE)


def _packed(name: str, folder: Path) -> Path:
    try:
        found = node.find()
    except node.NodeMissing as missing:
        raise Unreachable(str(missing)) from None
    command = [*found.npm, "pack", f"{name}@{VERSION}", "--pack-destination", str(folder), "--loglevel=error"]
    npm = subprocess.run(
        command, cwd=folder, env=found.environment(), capture_output=True, text=True, timeout=_LIMIT, check=False
    )
    archives = list(folder.glob("*.tgz"))
    if npm.returncode != 0 or not archives:
        lines = npm.stderr.strip().splitlines() or [f"exit code {npm.returncode}"]
        raise Unreachable(f"npm said: {lines[0]}")
    return archives[0]


def environment(home: Path) -> dict[str, str]:
    """Nothing of the person's, and no word to anybody but the provider it is told of."""
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    alone = ("OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_DEFAULT_PLUGINS", "OPENCODE_DISABLE_LSP_DOWNLOAD")
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    return {"HOME": str(home), "NO_PROXY": "127.0.0.1", **nowhere, **folders, **dict.fromkeys(alone, "1")}
