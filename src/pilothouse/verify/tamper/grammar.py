"""Loads each grammar when the first file of its language is read."""

from __future__ import annotations

import importlib
from enum import StrEnum
from functools import cache
from pathlib import PurePosixPath

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser


class Language(StrEnum):
    PYTHON = "python"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    TSX = "tsx"
    GO = "go"
    RUST = "rust"
    JAVA = "java"

    @property
    def is_script(self) -> bool:
        return self in (Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX)


SUFFIXES = {
    ".py": Language.PYTHON,
    ".js": Language.JAVASCRIPT,
    ".jsx": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT,
    ".cjs": Language.JAVASCRIPT,
    ".ts": Language.TYPESCRIPT,
    ".mts": Language.TYPESCRIPT,
    ".cts": Language.TYPESCRIPT,
    ".tsx": Language.TSX,
    ".go": Language.GO,
    ".rs": Language.RUST,
    ".java": Language.JAVA,
}

# Module, and the function in it that gives the grammar.
GRAMMARS = {
    Language.PYTHON: ("tree_sitter_python", "language"),
    Language.JAVASCRIPT: ("tree_sitter_javascript", "language"),
    Language.TYPESCRIPT: ("tree_sitter_typescript", "language_typescript"),
    Language.TSX: ("tree_sitter_typescript", "language_tsx"),
    Language.GO: ("tree_sitter_go", "language"),
    Language.RUST: ("tree_sitter_rust", "language"),
    Language.JAVA: ("tree_sitter_java", "language"),
}


def language_of(path: str) -> Language | None:
    return SUFFIXES.get(PurePosixPath(path).suffix.lower())


@cache
def _grammar(language: Language) -> Grammar:
    module, function = GRAMMARS[language]
    return Grammar(getattr(importlib.import_module(module), function)())


def parse(language: Language, content: bytes) -> Node:
    """Parses anything: what is no source becomes ERROR nodes, with the rest parsed around them."""
    return Parser(_grammar(language)).parse(content).root_node
