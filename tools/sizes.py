"""Keeps files and functions small: a file has one subject, a function can be read in one sitting.

Exceptions stand in pyproject.toml under [tool.pilothouse.sizes.exceptions], each with its reason; one that is no
longer needed is an error too, so that the list cannot rot.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tools.node import ROOT

FILE_LINES = 400
FUNCTION_LINES = 60
SUFFIXES = frozenset({".py", ".ts", ".tsx", ".js", ".mjs", ".css"})
# Written by programs, or frozen once released.
NOT_OURS = ("web/src/api/schema.ts", "src/pilothouse/store/migrations/versions/*")


def measured(path: str) -> bool:
    pure = PurePosixPath(path)
    return pure.suffix in SUFFIXES and not any(pure.match(pattern) for pattern in NOT_OURS)


def repository_files(root: Path) -> list[str]:
    """What git tracks or would track, so that nothing installed or built is measured."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return sorted({path for path in listed.split("\0") if path and (root / path).is_file()})


def long_functions(source: str) -> Iterator[tuple[str, int]]:
    for found in ast.walk(ast.parse(source)):
        if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (found.end_lineno or found.lineno) - found.lineno + 1
            if lines > FUNCTION_LINES:
                yield found.name, lines


def findings(root: Path, path: str) -> dict[str, str]:
    """What is too long in one file: its name in the list of exceptions, and the sentence that says so."""
    source = (root / path).read_text(encoding="utf-8")
    found = {}
    lines = len(source.splitlines())
    if lines > FILE_LINES:
        found[path] = f"{path}: {lines} lines, {FILE_LINES} at most"
    if path.endswith(".py"):
        for name, length in long_functions(source):
            found[f"{path}::{name}"] = f"{path}: {name}() has {length} lines, {FUNCTION_LINES} at most"
    return found


def violations(root: Path, exceptions: Mapping[str, str]) -> list[str]:
    found: dict[str, str] = {}
    for path in filter(measured, repository_files(root)):
        found |= findings(root, path)
    wrong = [sentence for name, sentence in found.items() if name not in exceptions]
    wrong += [f"{name}: the exception is not needed any more" for name in exceptions if name not in found]
    wrong += [f"{name}: the exception gives no reason" for name, reason in exceptions.items() if not reason.strip()]
    return wrong


def main() -> int:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pilothouse"]["sizes"]
    wrong = violations(ROOT, settings["exceptions"])
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if not wrong:
        print("Sizes: all files and functions are within their limits")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
