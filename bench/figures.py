"""What a benchmark hands on: figures as one line of JSON, and an exit code that says whether its promises held."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence

from bench import promises


def report(bench: str, figures: Mapping[str, float]) -> None:
    """Print the figures; end with a failure naming those above their promise."""
    print(json.dumps({"bench": bench, **figures}), flush=True)
    over = [p.figure for p in promises.of(bench) if (value := p.measured(figures)) is None or value > p.limit]
    if over:
        raise SystemExit(f"over the promise: {', '.join(over)}")


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], hundredths: int) -> float:
    """The smallest value that at least so many hundredths of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * hundredths // 100) - 1)]
