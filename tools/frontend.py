"""Builds web/ into src/pilothouse/static, when the sources differ from those of the last build.

Standard library only: the build hook runs it in an environment that holds nothing but the build requirements.
"""

import hashlib
import os
import sys
from pathlib import Path

from tools import node

STATIC = Path("src/pilothouse/static")
# Outside static/, whose every file goes into the wheel.
FINGERPRINT = Path(".make/frontend")
NOT_SOURCES = frozenset({"node_modules", "dist", "coverage", ".vite", "test-results"})
SKIP = "PILOTHOUSE_SKIP_WEB"


class BuildFailed(Exception):
    pass


def sources(web: Path) -> list[Path]:
    """Every file the build may read, in a stable order. Tests are left out: editing one changes no page."""
    found = []
    for folder, folders, files in os.walk(web):
        folders[:] = sorted(set(folders) - NOT_SOURCES)
        found += [Path(folder, name) for name in files if ".test." not in name]
    return sorted(found)


def fingerprint(web: Path) -> str:
    digest = hashlib.sha256()
    for path in sources(web):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(web).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_fresh(root: Path) -> bool:
    stamp = root / FINGERPRINT
    if not (root / STATIC / "index.html").is_file() or not stamp.is_file():
        return False
    return stamp.read_text() == fingerprint(root / "web")


def build(root: Path) -> bool:
    """Makes static/ current; tells whether that needed a build."""
    if os.environ.get(SKIP) == "1":
        return False
    if not (root / "web" / "package.json").is_file():
        raise BuildFailed(f"web/package.json is missing; set {SKIP}=1 to build without the front end.")
    if is_fresh(root):
        return False
    made_from = fingerprint(root / "web")
    (root / FINGERPRINT).unlink(missing_ok=True)
    found = node.find()
    if node.install_modules(root / "web", found) != 0:
        raise BuildFailed("npm could not install the front end's packages; its messages are above.")
    if node.npm(["run", "build"], root / "web", found) != 0:
        raise BuildFailed("The front end did not build; the messages are above.")
    if not (root / STATIC / "index.html").is_file():
        raise BuildFailed(f"The build left no {STATIC}/index.html behind.")
    (root / FINGERPRINT).parent.mkdir(exist_ok=True)
    (root / FINGERPRINT).write_text(made_from)
    return True


def main() -> int:
    try:
        build(node.ROOT)
    except (BuildFailed, node.NodeMissing) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
