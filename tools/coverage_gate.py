"""Fails when a part of the code is tested less than pyproject.toml asks for in [tool.pilothouse.coverage]."""

import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.node import ROOT


@dataclass(frozen=True)
class Group:
    name: str
    paths: tuple[str, ...]
    at_least: float

    def holds(self, file: str) -> bool:
        return any(file == path or file.startswith(f"{path}/") for path in self.paths)


@dataclass(frozen=True)
class Result:
    group: Group
    covered: int
    statements: int
    worst: tuple[str, ...]

    @property
    def percent(self) -> float:
        return 100.0 * self.covered / self.statements if self.statements else 100.0

    @property
    def passed(self) -> bool:
        return self.percent >= self.group.at_least


def read_groups(pyproject: Path) -> list[Group]:
    settings = tomllib.loads(pyproject.read_text())["tool"]["pilothouse"]["coverage"]
    return [Group(name, tuple(entry["paths"]), float(entry["at_least"])) for name, entry in settings.items()]


def measure(group: Group, files: Mapping[str, Any]) -> Result:
    summaries = {name: entry["summary"] for name, entry in files.items() if group.holds(name)}
    worst = sorted(summaries, key=lambda name: summaries[name]["missing_lines"], reverse=True)[:5]
    return Result(
        group,
        covered=sum(summary["covered_lines"] for summary in summaries.values()),
        statements=sum(summary["num_statements"] for summary in summaries.values()),
        worst=tuple(f"{name}: {summaries[name]['missing_lines']} lines not run" for name in worst),
    )


def main(arguments: Sequence[str]) -> int:
    files = json.loads(Path(arguments[0]).read_text())["files"]
    results = [measure(group, files) for group in read_groups(ROOT / "pyproject.toml")]
    for result in results:
        verdict = "ok" if result.passed else f"TOO LOW, {result.group.at_least:g} % is asked for"
        print(f"Coverage of {result.group.name}: {result.percent:.1f} %, {verdict}")
        if not result.passed:
            print("\n".join(f"  {line}" for line in result.worst))
    return 0 if all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
