"""What a benchmark hands on: figures as one line of JSON, and an exit code that says whether the promises held."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence


def report(figures: Mapping[str, float], promises: Mapping[str, float]) -> None:
    """Print the figures; end with a failure naming those above their promise."""
    print(json.dumps(figures), flush=True)
    if over := missed(figures, promises):
        raise SystemExit(f"over the promise: {', '.join(over)}")


def missed(figures: Mapping[str, float], promises: Mapping[str, float]) -> list[str]:
    return [name for name, limit in promises.items() if name in figures and figures[name] > limit]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], hundredths: int) -> float:
    """The smallest value that at least so many hundredths of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * hundredths // 100) - 1)]
