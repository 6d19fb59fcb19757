"""Writes the TypeScript types of the HTTP interface from the server's own OpenAPI document.

With `--check` nothing is written: it fails when the file in the repository is not what would be generated.
"""

import difflib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools import node

SCHEMA = Path("web/src/api/schema.ts")


def generate(target: Path, folder: Path) -> None:
    document = folder / "openapi.json"
    pilothouse = Path(sys.executable).with_name("pilothouse")
    with document.open("wb") as output:
        if subprocess.run([pilothouse, "openapi"], stdout=output, check=False).returncode != 0:
            raise SystemExit("`pilothouse openapi` failed; the messages are above.")
    if node.install_modules() or node.npm(["run", "--silent", "generate", "--", str(document), str(target)]):
        raise SystemExit("The types could not be generated; the messages are above.")


def stale_lines(committed: Path, current: Path) -> list[str]:
    """The difference as a reader wants it, empty when there is none."""
    before = committed.read_text(encoding="utf-8").splitlines() if committed.is_file() else []
    after = current.read_text(encoding="utf-8").splitlines()
    return list(difflib.unified_diff(before, after, "in the repository", "generated now", n=1, lineterm=""))


def main(arguments: Sequence[str]) -> int:
    committed = node.ROOT / SCHEMA
    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder, "schema.ts")
        generate(current, Path(folder))
        if "--check" not in arguments:
            committed.write_bytes(current.read_bytes())
            return 0
        difference = stale_lines(committed, current)
    if not difference:
        print(f"{SCHEMA} is what the server describes")
        return 0
    print("\n".join(difference[:40]))
    print(f"{SCHEMA} is stale. Run `make generate` and commit the result.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
