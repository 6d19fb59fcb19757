"""What a build runs: Pilothouse's own, a project's, and the trial that comes before a restart."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pilothouse
from pilothouse.domain.task.checks import Check
from pilothouse.errors import NothingToBuild
from pilothouse.settings import Settings
from pilothouse.words import say

BuildChecks = Callable[[Path, tuple[Check, ...] | None], Sequence[Check]]
"""The checks that build a project, of those in its folder or of what the person made of them."""


@dataclass(frozen=True, slots=True)
class Command:
    argv: tuple[str, ...]
    folder: Path
    shown: str
    timeout_seconds: float
    env: Mapping[str, str] = field(default_factory=dict)


def sources() -> Path | None:
    """Where this very package is built from; None when it was installed from a wheel."""
    root = Path(pilothouse.__file__).resolve().parents[2]
    needed = ("pyproject.toml", "web/package.json", "tools/frontend.py")
    return root if all((root / name).is_file() for name in needed) else None


class Builds:
    def __init__(self, settings: Settings, root: Path | None, build_checks: BuildChecks) -> None:
        self._settings, self._root, self._build_checks = settings, root, build_checks

    @property
    def problem(self) -> str | None:
        """Why Pilothouse itself cannot be built."""
        return None if self._settings.pilothouse_build_command or self._root else say("build.no_sources")

    def own(self) -> Command:
        chosen, limit = self._settings.pilothouse_build_command, self._settings.build_timeout_seconds
        if chosen:
            return Command(("sh", "-c", chosen), self._root or Path.cwd(), chosen, limit)
        if self._root is None:
            raise NothingToBuild(say("build.no_sources"))
        # The Makefile's environment is .venv; run from another, the sources are used as they are but for the pages.
        if Path(sys.prefix).resolve() == self._root / ".venv" and shutil.which("make"):
            return Command(("make", "install"), self._root, "make install", limit)
        return Command((sys.executable, "-m", "tools.frontend"), self._root, "python -m tools.frontend", limit)

    def trial(self) -> Command:
        """Whether what was built starts at all: after the stop it would be too late to find out."""
        found_at = str(Path(pilothouse.__file__).resolve().parents[1])
        return Command(
            (sys.executable, "-m", "pilothouse.cli", "trial"),
            self._settings.data_dir,
            "pilothouse trial",
            self._settings.build_timeout_seconds,
            {"PYTHONPATH": found_at},
        )

    def of_project(self, root: Path, edited: tuple[Check, ...] | None) -> list[Command]:
        checks = self._build_checks(root, edited)
        if not checks:
            raise NothingToBuild(say("build.no_check"))
        return [Command(check.argv, root / check.folder, check.shown, check.timeout_seconds) for check in checks]
