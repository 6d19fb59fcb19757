"""Compiles the requirement locks: every version and hash, for all platforms, without any download address."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.node import ROOT

HEADER = "# Written by `make lock`; do not edit. Platforms and Python versions differ by marker.\n"
COMPILE = ["uv", "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes"]
QUIET = ["--quiet", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]

# What each lock is compiled from, and the lock whose versions it has to share.
LOCKS: dict[str, list[str]] = {
    "build": ["requirements/build.in"],
    "node": ["requirements/node.in"],
    "run": ["pyproject.toml", "--constraint", "requirements/build.txt"],
    "dev": ["pyproject.toml", "--all-extras", "-c", "requirements/run.txt", "-c", "requirements/build.txt"],
}


def compile_lock(name: str, options: Sequence[str]) -> None:
    target = ROOT / "requirements" / f"{name}.txt"
    uv = str(Path(sys.executable).with_name(COMPILE[0]))
    command = [uv, *COMPILE[1:], *QUIET, *LOCKS[name], *options, "--output-file", str(target)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    target.write_text(HEADER + target.read_text().removeprefix(HEADER))


def main(options: Sequence[str]) -> int:
    """Options such as `--upgrade` or `--upgrade-package NAME` go to the resolver."""
    for name in LOCKS:
        compile_lock(name, options)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
