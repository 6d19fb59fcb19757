"""Builds web/ into src/pilothouse/static, when the sources differ from those of the last build.

A server may be serving static/ meanwhile. So the build goes elsewhere, and what succeeded is taken over file by file.

Standard library only: the build hook runs it in an environment that holds nothing but the build requirements.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

from tools import node

STATIC = Path("src/pilothouse/static")
ASSETS = STATIC / "assets"
FINGERPRINT = Path(".make/frontend")
# Where Vite builds to, as its configuration says.
NEW = Path(".make/pages.new")
# The last build that succeeded, alone: what a wheel carries.
BUILT = Path(".make/pages")
INDEX = "index.html"
# The words of the page stand beside those of the server.
WORDS = Path("src/pilothouse/words")
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
    return sorted([*found, *(web.parent / WORDS).glob("*.json")])


def fingerprint(web: Path) -> str:
    digest = hashlib.sha256()
    for path in sources(web):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(web.parent).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_fresh(root: Path) -> bool:
    stamp = root / FINGERPRINT
    if not all(path.is_file() for path in (root / STATIC / INDEX, root / BUILT / INDEX, stamp)):
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
    shutil.rmtree(root / NEW, ignore_errors=True)
    found = node.find()
    if node.install_modules(root / "web", found) != 0:
        raise BuildFailed("npm could not install the front end's packages; its messages are above.")
    if node.npm(["run", "build"], root / "web", found) != 0:
        raise BuildFailed("The front end did not build; the messages are above.")
    if not (root / NEW / INDEX).is_file():
        raise BuildFailed(f"The build left no {INDEX} behind.")
    publish(root)
    (root / FINGERPRINT).parent.mkdir(exist_ok=True)
    (root / FINGERPRINT).write_text(made_from)
    return True


def publish(root: Path) -> None:
    """Static/ becomes the new build. The assets of the one before stay, for pages that are open and load them later."""
    static, new = root / STATIC, root / NEW
    files = _files(new)
    before = _files(root / BUILT) or _files(static)
    # The page comes last: until then every file it names has to be there.
    for name in sorted(files, key=lambda name: (name.name.startswith(INDEX), name)):
        _take(new / name, static / name)
    kept = files | {name for name in before if (STATIC / name).is_relative_to(ASSETS)}
    for name in _files(static) - kept:
        (static / name).unlink()
    shutil.rmtree(root / BUILT, ignore_errors=True)
    new.rename(root / BUILT)


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def _take(source: Path, target: Path) -> None:
    """Whoever reads the target meanwhile gets the old file or the new one, never half of one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_file() and target.read_bytes() == source.read_bytes():
        return
    half = target.with_name(f".{target.name}.new")
    shutil.copyfile(source, half)
    half.replace(target)


def main() -> int:
    try:
        build(node.ROOT)
    except (BuildFailed, node.NodeMissing) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
