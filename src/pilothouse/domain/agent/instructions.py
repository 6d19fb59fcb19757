"""Instructions files: what the person, and then the project, wants every agent to know.

Each goes into the agent's system prompt as it is. Imports (`@path`) are not followed: an agent can read what they name,
and a file that pulls in others would make it unclear what was sent.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pilothouse.words import say, sentences
from pilothouse.words.fields import Words

NAMES = ("AGENTS.md", "CLAUDE.md")
FILE_LIMIT = 40_000
TOTAL_LIMIT = 96_000
"""Bytes. Linux takes 128 KiB in one argument of a program, and some agents get their system prompt that way."""

Level = Literal["global", "project"]
_IMPORT = re.compile(r"^\s*(?:[-*]\s+)?@[\w.~/\\-]+\s*$", re.MULTILINE)
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class InstructionsFile:
    """One file that was found, as the step's detail shows it."""

    path: str
    level: Level
    size: int
    """Bytes in the file."""
    sha256: str = ""
    """Of the whole file; empty where it was not read."""
    included: int = 0
    """How many bytes of it the agent got."""
    note: Words = ""
    """Why it was left out or cut, in words."""


@dataclass(frozen=True, slots=True)
class InstructionsText:
    """A file as it was read: its content, or why there is none."""

    path: str
    level: Level
    content: bytes = b""
    problem: str = ""


def combine(found: Sequence[InstructionsText]) -> tuple[str, tuple[InstructionsFile, ...]]:
    """The text for the system prompt, and what became of each file. Of those with the same content one is enough."""
    parts: list[str] = []
    files: list[InstructionsFile] = []
    seen: dict[str, str] = {}
    left = TOTAL_LIMIT
    for file in found:
        digest = hashlib.sha256(file.content).hexdigest() if not file.problem else ""
        if file.problem or digest in seen:
            note = file.problem or say("instructions.same", file=seen[digest])
            files.append(InstructionsFile(file.path, file.level, len(file.content), digest, 0, note))
            continue
        seen[digest] = file.path
        text, included, note = _cut(file.content, min(left, FILE_LIMIT))
        left -= included
        files.append(InstructionsFile(file.path, file.level, len(file.content), digest, included, note))
        if text.strip():
            parts.append(_titled(file, text, included))
    return "\n".join(parts), tuple(files)


def _titled(file: InstructionsText, text: str, included: int) -> str:
    whose = "the person, for every project" if file.level == "global" else "this project"
    size = len(file.content)
    end = f"\n[Cut here: {included} of {size} bytes. Read the rest in the file itself.]" if included < size else ""
    return f"# Instructions of {whose}: {file.path}\n\n{text.strip()}{end}\n"


def _cut(content: bytes, limit: int) -> tuple[str, int, str]:
    """At the end of a line where there is one in the last part, else at a whole character."""
    notes: list[str] = []
    if len(content) > limit:
        kept = content[:limit]
        line = kept.rfind(b"\n") + 1
        kept = kept[:line] if line > limit // 2 else kept.decode(errors="ignore").encode()
        notes.append(say("instructions.cut", sent=len(kept), size=len(content)))
    else:
        kept = content
    text = kept.decode(errors="replace")
    if _IMPORT.search(_FENCED.sub("", text)):
        notes.append(say("instructions.imports"))
    return text, len(kept), sentences(*notes)
