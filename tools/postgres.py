"""Finds PostgreSQL's server programs, with which store tests start a throw-away cluster.

`python -m tools.postgres` prints the folder that holds `initdb` and `pg_ctl`.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools import debian

VARIABLE = "PILOTHOUSE_POSTGRES_BIN"
PROGRAMS = ("initdb", "pg_ctl", "postgres")
# Debian and its kin keep the server programs off PATH, in a folder for each version.
FOLDERS = ("/usr/lib/postgresql", "/usr/pgsql-*", "/opt/homebrew/opt/postgresql@*", "/usr/local/opt/postgresql@*")
WHAT_TO_DO = f"""\
PostgreSQL's server programs were not found: the store tests will run on SQLite only.
To run them on both: install your system's package (Debian, Ubuntu: apt install postgresql), or set
{VARIABLE} to the folder that holds initdb and pg_ctl."""


def is_complete(folder: Path) -> bool:
    return all(os.access(folder / program, os.X_OK) for program in PROGRAMS)


def installed() -> list[Path]:
    """The folders where packages put them, newest version first."""
    roots = [path for pattern in FOLDERS for path in Path("/").glob(pattern.removeprefix("/"))]
    return newest_first([folder for root in roots for folder in (root / "bin", *root.glob("*/bin"))])


def newest_first(folders: Iterable[Path]) -> list[Path]:
    def version(folder: Path) -> int:
        numbers = re.findall(r"\d+", folder.as_posix())
        return int(numbers[-1]) if numbers else 0

    return sorted(folders, key=version, reverse=True)


def find(environment: Mapping[str, str] = os.environ) -> Path | None:
    named = environment.get(VARIABLE)
    if named:
        return Path(named) if is_complete(Path(named)) else None
    on_path = shutil.which("initdb", path=environment.get("PATH"))
    candidates = [Path(on_path).resolve().parent] if on_path else []
    return next((folder for folder in [*candidates, *installed()] if is_complete(folder)), None)


def ensure() -> Path | None:
    found = find()
    if not found and debian.install("postgresql"):
        found = find()
    return found


def main() -> int:
    found = ensure()
    print(found or WHAT_TO_DO, file=sys.stdout if found else sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
