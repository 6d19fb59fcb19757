"""What a task will be verified with: the repository's word, else the person's, else what is found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pilothouse.domain.checks import Check
from pilothouse.verify.config import FILE, Config, load
from pilothouse.verify.detect import detect

Origin = Literal["agent.yaml", "edited", "detected"]


@dataclass(frozen=True, slots=True)
class Plan:
    origin: Origin
    checks: tuple[Check, ...]
    package: str | None = None
    config: Config | None = None
    """What agent.yaml says besides; None where there is none."""
    notes: tuple[str, ...] = ()


def checks_of(root: Path, edited: tuple[Check, ...] | None = None) -> Plan:
    """Raises BadAgentYaml where agent.yaml is broken: nothing is run on half a configuration."""
    config = load(root)
    package = config.package if config else None
    if config and config.checks is not None:
        return Plan(FILE, config.checks, package, config)
    if edited is not None:
        return Plan("edited", edited, package, config)
    found = detect(root, package)
    return Plan("detected", found.checks, package, config, found.notes)
