"""A folder in memory for the files of tests: a disk makes them wait for every commit, up to a quarter of their time."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VARIABLE = "TMPDIR"
MEMORY = Path("/dev/shm")  # noqa: S108 - a file system in memory, not a file
# A part of the tests leaves less than a third of this.
ROOM = 4 * 2**30
MEMINFO = Path("/proc/meminfo")


def has_room(place: Path, needed: int, meminfo: Path) -> bool:
    """Whether this much fits, and as much memory again stays free for the programs."""
    try:
        fits = shutil.disk_usage(place).free >= needed
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines())
        available = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return False
    return fits and available >= 2 * needed and os.access(place, os.W_OK)


@contextmanager
def environment(place: Path = MEMORY, needed: int = ROOM, meminfo: Path = MEMINFO) -> Iterator[dict[str, str]]:
    """What to add to the environment of the tests; nothing where memory is short or no such place is known."""
    if VARIABLE in os.environ or not has_room(place, needed, meminfo):
        yield {}
        return
    folder = Path(tempfile.mkdtemp(prefix="pilothouse-tests-", dir=place))
    # PostgreSQL runs as another account than root.
    folder.chmod(0o755)
    try:
        yield {VARIABLE: str(folder)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
