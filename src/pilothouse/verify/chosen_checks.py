"""Chooses the checks of a task: those of agent.yaml, else those a person edited, else those that are detected."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from pilothouse.domain.task.checks import Check
from pilothouse.verify.agent_yaml.config import Config
from pilothouse.verify.agent_yaml.file import load
from pilothouse.verify.detection.detect import detect

Origin = Literal["agent.yaml", "edited", "detected"]


@dataclass(frozen=True, slots=True)
class ChosenChecks:
    origin: Origin = "detected"
    checks: tuple[Check, ...] = ()
    package: str | None = None
    config: Config = field(default_factory=Config)
    notes: tuple[str, ...] = ()


def checks_of(root: Path, edited: tuple[Check, ...] | None) -> ChosenChecks:
    """Raises `BadAgentYaml`, rather than guess what a broken file means."""
    config = load(root) or Config()
    if config.checks is not None:
        return ChosenChecks("agent.yaml", config.checks, config.package, config)
    if edited is not None:
        return ChosenChecks("edited", edited, config.package, config)
    found = detect(root, config.package)
    return ChosenChecks("detected", found.checks, config.package, config, found.notes)


def with_new(checks: tuple[Check, ...], now: tuple[Check, ...]) -> tuple[Check, ...]:
    """These checks, then those of `now` that run something else, under names that are not taken."""
    known, names = {(check.shown, check.folder) for check in checks}, {check.name for check in checks}
    new = [check for check in now if (check.shown, check.folder) not in known]
    named = [replace(check, name=f"{check.name} (new)") if check.name in names else check for check in new]
    return (*checks, *named)
