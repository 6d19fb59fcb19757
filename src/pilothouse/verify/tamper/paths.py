"""What a file is, by its path: a test, something a test reads, a snapshot, code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from pilothouse.verify.tamper.grammar import Language, language_of

_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "e2e", "testing", "integration-tests", "it"})
_DATA_FOLDERS = frozenset({"testdata", "fixtures", "__fixtures__", "__mocks__", "test-data", "test_data"})
_SNAPSHOT_FOLDERS = frozenset({"__snapshots__", "golden", "goldens", "__image_snapshots__", "snapshots"})
_SNAPSHOT_NAME = re.compile(r"\.(snap|ambr|golden|snapshot)$|\.(approved|golden|snap)\.[^.]+$|\.snap\.new$")
_SCRIPT_TEST = re.compile(r"([.\-_](test|spec|cy|e2e)|^(test|spec))\.[cm]?[jt]sx?$")
_PYTHON_TEST = re.compile(r"^(test_.*|.*_test|tests?)\.py$")
_JAVA_TEST = re.compile(r"(^Test.+|Tests?|TestCase|IT)\.java$")

_CODE = re.compile(
    r"\.(py|pyx|[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|scala|rb|php|c|h|cc|cpp|hpp|cxx|mm?|cs|fs|swift|exs?|erl|clj|hs"
    r"|lua|dart|sh|bash|sql|pl|r|jl|zig|nim)$",
    re.IGNORECASE,
)
_NO_CODE = frozenset({"setup.py", "conftest.py", "noxfile.py", "build.rs"})


def folders(path: str) -> set[str]:
    return {part.lower() for part in PurePosixPath(path).parts[:-1]}


def is_named_as_test(path: str) -> bool:
    """Whether its name makes a framework collect it."""
    name = PurePosixPath(path).name
    language = language_of(path)
    if language is Language.PYTHON:
        return bool(_PYTHON_TEST.match(name))
    if language is Language.GO:
        return name.endswith("_test.go")
    if language is Language.JAVA:
        return bool(_JAVA_TEST.search(name)) or "src/test/" in f"/{path}"
    if language is Language.RUST:
        return "tests" in folders(path) or name in ("tests.rs", "test.rs")
    if language is not None:
        return bool(_SCRIPT_TEST.search(name)) or "__tests__" in folders(path)
    return False


def is_test(path: str) -> bool:
    """A test, or code that only tests use."""
    if is_snapshot(path):
        return False
    inside = bool(folders(path) & _TEST_FOLDERS) or "src/test/" in f"/{path}"
    return is_named_as_test(path) or (inside and language_of(path) is not None)


def test_paths(paths: Iterable[str]) -> list[str]:
    """Those of the paths that are tests. Misses Rust's tests beside the code, which only the content shows."""
    return [path for path in paths if is_test(path)]


def is_snapshot(path: str) -> bool:
    where = folders(path)
    name = PurePosixPath(path).name.lower()
    if _SNAPSHOT_NAME.search(name) or where & {"__snapshots__", "__image_snapshots__"}:
        return True
    if any(folder.endswith("-snapshots") for folder in where):
        return True
    near_tests = bool(where & (_TEST_FOLDERS | _DATA_FOLDERS)) or "golden" in where
    return bool(where & _SNAPSHOT_FOLDERS) and near_tests and not is_named_as_test(path)


def is_test_data(path: str) -> bool:
    """Whether tests read it: fixtures, and everything else among the tests."""
    where = folders(path)
    return not is_snapshot(path) and (bool(where & (_DATA_FOLDERS | _TEST_FOLDERS)) or "src/test/" in f"/{path}")


def is_code(path: str) -> bool:
    """Whether it is code that should have a test."""
    pure = PurePosixPath(path)
    if not _CODE.search(pure.name) or pure.name in _NO_CODE or pure.name.endswith(".d.ts"):
        return False
    if re.search(r"\.config\.[cm]?[jt]s$|\.stories\.[jt]sx?$", pure.name):
        return False
    return not is_test(path) and not is_test_data(path) and not is_snapshot(path)
