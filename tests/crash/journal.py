"""What a person was promised before the kill, and what the tree was like: lines that outlive the process."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

State = dict[str, Any]
IGNORED = frozenset({".git", ".pilothouse", "ignored"})


def state_of(repo: Path) -> State:
    """HEAD, branch, index and every file git does not ignore, found without the product's own git code."""
    files = {}
    for path in sorted(repo.rglob("*")):
        name = path.relative_to(repo)
        if name.parts[0] in IGNORED or path.is_dir():
            continue
        files[str(name)] = f"{path.stat().st_mode & 0o777:o} {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
    return {
        "head": _git(repo, "rev-parse", "HEAD"),
        "branch": (repo / ".git" / "HEAD").read_text(),
        "index": _git(repo, "ls-files", "--stage"),
        "files": files,
    }


def _git(repo: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=repo, check=True, capture_output=True, text=True).stdout


class Journal:
    """One write per line, so that a line is there whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def note(self, kind: str, **values: Any) -> None:
        line = json.dumps({"kind": kind, **values}) + "\n"
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)

    def lines(self, kind: str, **wanted: Any) -> list[dict[str, Any]]:
        if not self._path.exists():
            return []
        found = (json.loads(line) for line in self._path.read_text().splitlines())
        return [row for row in found if row["kind"] == kind and all(row.get(k) == v for k, v in wanted.items())]

    def promised(self, action: str, **wanted: Any) -> list[dict[str, Any]]:
        """Actions that returned to the person."""
        return self.lines("did", action=action, **wanted)

    def tried(self, action: str, **wanted: Any) -> list[dict[str, Any]]:
        """Actions that began; the last one may not have returned."""
        return self.lines("try", action=action, **wanted)

    def first_state(self, ref: str) -> State | None:
        """The tree right before the checkpoint `ref` was first taken."""
        found = self.lines("state", ref=ref)
        state: State | None = found[0]["state"] if found else None
        return state
