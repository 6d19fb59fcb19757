"""What a task will be verified with: what the repository says, else what the person made of it, else what is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pilothouse.domain.task.checks import Check
from pilothouse.verify.config import Config, load
from pilothouse.verify.detect import detect

Origin = Literal["agent.yaml", "edited", "detected"]


@dataclass(frozen=True, slots=True)
class Plan:
    origin: Origin = "detected"
    checks: tuple[Check, ...] = ()
    package: str | None = None
    config: Config = field(default_factory=Config)
    notes: tuple[str, ...] = ()


def checks_of(root: Path, edited: tuple[Check, ...] | None) -> Plan:
    """Raises `BadAgentYaml` rather than guess what a broken file meant."""
    config = load(root) or Config()
    if config.checks is not None:
        return Plan("agent.yaml", config.checks, config.package, config)
    if edited is not None:
        return Plan("edited", edited, config.package, config)
    found = detect(root, config.package)
    return Plan("detected", found.checks, config.package, config, found.notes)
