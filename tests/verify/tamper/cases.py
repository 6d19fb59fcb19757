"""Reads the corpus; its README says what the files mean."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


@dataclass
class Case:
    id: str
    kinds: frozenset[str]
    language: str
    before: dict[str, bytes | None] = field(default_factory=dict)
    after: dict[str, bytes | None] = field(default_factory=dict)
    renames: dict[str, str] = field(default_factory=dict)

    @property
    def honest(self) -> bool:
        return not self.kinds

    @property
    def held_back(self) -> bool:
        return int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 3 == 0


def _add_file(case: Case, head: str, lines: list[str]) -> None:
    verb, _, rest = head.partition(" ")
    old_path, _, new_path = rest.partition(" -> ")
    while lines and not lines[-1]:
        lines.pop()
    old = "".join(line[1:] + "\n" for line in lines if line[:1] != "+").encode()
    new = "".join(line[1:] + "\n" for line in lines if line[:1] != "-").encode()
    case.before[old_path] = None if verb == "new" else old
    if new_path:
        case.renames[new_path] = old_path
        case.after[old_path] = None
    case.after[new_path or old_path] = None if verb == "gone" else new


def read_case(block: str, language: str) -> Case:
    head, *lines = block.splitlines()
    name, _, label = head.partition(": ")
    kinds = frozenset() if label == "honest" else frozenset(kind.strip().lower() for kind in label.split(","))
    case = Case(name, kinds, language)
    file, body = "", list[str]()
    for line in [*lines, "file "]:
        if line.startswith(("file ", "new ", "gone ")):
            if file:
                _add_file(case, file, body)
            file, body = line, []
        else:
            body.append(line)
    return case


def corpus() -> list[Case]:
    return [
        read_case(block, path.stem)
        for path in sorted(CORPUS.glob("*.diff"))
        for block in ("\n" + path.read_text(encoding="utf-8")).split("\ncase ")[1:]
    ]
