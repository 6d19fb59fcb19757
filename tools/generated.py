"""Writes what is generated: the TypeScript types of the HTTP interface from the server's own OpenAPI document, and the
JSON Schema of agent.yaml from what its parser knows.

With `--check` nothing is written: it fails when a file in the repository is not what would be generated.
"""

import difflib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pilothouse.verify.agent_yaml import schema
from tools import node

SCHEMA = Path("web/src/api/schema.ts")
AGENT_YAML = Path("docs/agent.schema.json")


def generate(target: Path, folder: Path) -> None:
    document = folder / "openapi.json"
    command = [sys.executable, "-m", "pilothouse.cli", "openapi"]
    with document.open("wb") as output:
        if subprocess.run(command, stdout=output, check=False).returncode != 0:
            raise SystemExit("`pilothouse openapi` failed; the messages are above.")
    if node.install_modules() or node.npm(["run", "--silent", "generate", "--", str(document), str(target)]):
        raise SystemExit("The types could not be generated; the messages are above.")


def stale_lines(committed: Path, current: Path) -> list[str]:
    """The difference as a reader wants it, empty when there is none."""
    before = committed.read_text(encoding="utf-8").splitlines() if committed.is_file() else []
    after = current.read_text(encoding="utf-8").splitlines()
    return list(difflib.unified_diff(before, after, "in the repository", "generated now", n=1, lineterm=""))


def main(arguments: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        types, agent_yaml = Path(folder, "schema.ts"), Path(folder, "agent.schema.json")
        generate(types, Path(folder))
        agent_yaml.write_text(schema.text(), encoding="utf-8")
        current = {SCHEMA: types, AGENT_YAML: agent_yaml}
        if "--check" in arguments:
            return max([report(committed, made) for committed, made in current.items()])
        for committed, made in current.items():
            (node.ROOT / committed).write_bytes(made.read_bytes())
    return 0


def report(committed: Path, current: Path) -> int:
    difference = stale_lines(node.ROOT / committed, current)
    if not difference:
        print(f"{committed} is up to date")
        return 0
    print("\n".join(difference[:40]))
    print(f"{committed} is stale. Run `make generate` and commit the result.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
