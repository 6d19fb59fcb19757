"""Prints the requirements of docs/ledger.txt that no test names."""

import re
import sys
from pathlib import Path

from tools.node import ROOT

LEDGER = Path("docs/ledger.txt")
SUFFIXES = frozenset({".py", ".ts", ".tsx"})


def requirements(root: Path) -> dict[str, str]:
    """Id and title of every line; `#` starts a comment line."""
    listed: dict[str, str] = {}
    for line in (root / LEDGER).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        identifier, title = line.split(maxsplit=1)
        if identifier in listed:
            raise ValueError(f"{LEDGER} lists {identifier} twice")
        listed[identifier] = title
    return listed


def test_files(root: Path) -> list[Path]:
    """The tests of the server, and those of the front end, which stand beside its sources."""
    found = [path for path in (root / "tests").rglob("*") if path.suffix in SUFFIXES]
    found += [path for path in (root / "web" / "src").rglob("*.test.*") if path.suffix in SUFFIXES]
    return sorted(found)


def named(root: Path) -> dict[str, list[Path]]:
    """Every id that a test names, known or not, with the files that name it."""
    areas = "|".join(sorted({identifier.split("-")[0] for identifier in requirements(root)}))
    pattern = re.compile(rf"\b(?:{areas})-\d+\b")
    found: dict[str, list[Path]] = {}
    for path in test_files(root):
        for identifier in set(pattern.findall(path.read_text(encoding="utf-8"))):
            found.setdefault(identifier, []).append(path.relative_to(root))
    return found


def unknown(root: Path) -> dict[str, list[Path]]:
    listed = requirements(root)
    return {identifier: paths for identifier, paths in named(root).items() if identifier not in listed}


def main() -> int:
    listed, tested = requirements(ROOT), named(ROOT)
    for identifier, title in listed.items():
        if identifier not in tested:
            print(f"{identifier:<8}{title}")
    covered = sum(identifier in tested for identifier in listed)
    print(f"{covered} of {len(listed)} requirements are named by a test", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
