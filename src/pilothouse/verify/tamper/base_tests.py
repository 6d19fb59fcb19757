"""Works out which files to put back so that the tests of the base run against the new code."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from pilothouse.verify.tamper.configuration import facts, reader_of
from pilothouse.verify.tamper.grammar import Language, language_of, parse
from pilothouse.verify.tamper.paths import is_snapshot, is_test, is_test_data
from pilothouse.verify.tamper.syntax import part, text

Files = Mapping[str, bytes | None]


def base_tests_overlay(
    before: Files, after: Files, renames: Mapping[str, str] | None = None
) -> dict[str, bytes | None]:
    """What to write over the new tree, by path; None means that the file is not there.

    Tests, what they read, snapshots and configuration of checks come back as they were; new ones go. Tests of Rust that
    are beside the code come back inside the new file, whose code stays. A file that also has other content, such as
    package.json, comes back only if it says something else about the checks.
    """
    overlay: dict[str, bytes | None] = {}
    for path in sorted({*before, *after, *(renames or {}).values()}):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        if _belongs_to_tests(path) or _reconfigured(path, old, new):
            overlay[path] = old
        elif language_of(path) is Language.RUST and old is not None and new is not None:
            spliced = _with_tests_of(old, new)
            if spliced != new:
                overlay[path] = spliced
    return overlay


def _belongs_to_tests(path: str) -> bool:
    return is_test(path) or is_snapshot(path) or is_test_data(path)


def _reconfigured(path: str, old: bytes | None, new: bytes | None) -> bool:
    return reader_of(path) is not None and facts(path, old) != facts(path, new)


def _test_modules(content: bytes) -> dict[str, tuple[int, int]]:
    """Where the `#[cfg(test)]` modules stand, by name."""
    found = {}
    attribute: Node | None = None
    for node in parse(Language.RUST, content).named_children:
        if node.type == "attribute_item" and "cfg(test)" in text(node).replace(" ", ""):
            attribute = node
        elif node.type == "mod_item" and attribute is not None and part(node, "body") is not None:
            found[text(part(node, "name"))] = (attribute.start_byte, node.end_byte)
            attribute = None
        elif node.type != "attribute_item":
            attribute = None
    return found


def _with_tests_of(old: bytes, new: bytes) -> bytes:
    modules, present = _test_modules(old), _test_modules(new)
    spliced = new
    for name, (start, end) in sorted(present.items(), key=lambda item: -item[1][0]):
        kept = modules.get(name)
        spliced = spliced[:start] + (old[kept[0] : kept[1]] if kept is not None else b"") + spliced[end:]
    for name, (start, end) in modules.items():
        if name not in present:
            spliced = spliced.rstrip() + b"\n\n" + old[start:end] + b"\n"
    return spliced
