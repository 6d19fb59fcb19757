"""Chooses the checks of a task: those of agent.yaml, else those a person edited, else those that are detected."""

from __future__ import annotations

from dataclasses import dataclass, field
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
