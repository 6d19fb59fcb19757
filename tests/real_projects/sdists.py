"""Source archives of published packages: pinned by hash, fetched once by pip, kept for the next run."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tools.node import ROOT

PINS = Path(__file__).with_name("packages.txt")
CACHE = ROOT / ".make" / "sdists"
MISSING = "NOT PROVEN ON REAL PROJECTS: pip could not fetch the packages of tests/real_projects/packages.txt. It said: "


class Unreachable(Exception):
    """There is no index here that has them."""


def pins() -> dict[str, str]:
    """Name and SHA-256 of every package."""
    text = PINS.read_text().replace("\\\n", "")
    return dict(re.findall(r"^([\w.-]+)==\S+\s+--hash=sha256:([0-9a-f]{64})$", text, re.MULTILINE))


def archives() -> dict[str, Path]:
    """Every pinned archive, by the package's name."""
    found = _cached()
    if found.keys() != pins().keys():
        _fetch()
        found = _cached()
    return found


def unpack(archive: Path, into: Path) -> Path:
    """The folder that the archive holds."""
    with tarfile.open(archive) as opened:
        opened.extractall(into, filter="data")
    (folder,) = into.iterdir()
    return folder


def _cached() -> dict[str, Path]:
    """By what is in the files, so that a damaged or replaced one is never used."""
    by_hash = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in CACHE.glob("*.tar.gz")}
    return {name: by_hash[pin] for name, pin in pins().items() if pin in by_hash}


def _fetch() -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        options = ["--no-deps", "--no-binary", ":all:", "--require-hashes", "--retries", "1", "--quiet"]
        command = [sys.executable, "-m", "pip", "download", *options, "-r", str(PINS), "-d", folder]
        pip = subprocess.run(command, capture_output=True, text=True, check=False)
        if "DO NOT MATCH THE HASHES" in pip.stderr:
            raise ValueError(pip.stderr)
        if pip.returncode != 0:
            lines = [line for line in pip.stderr.splitlines() if line.startswith("ERROR")] or pip.stderr.splitlines()
            raise Unreachable(lines[-1] if lines else f"exit code {pip.returncode}")
        # Workers fetch side by side: each moves whole files into place.
        for path in Path(folder).iterdir():
            path.replace(CACHE / path.name)
