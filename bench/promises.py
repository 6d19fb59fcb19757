"""Everything Pilothouse promises about speed: which figure of which benchmark, and how much it may be."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple


class Promise(NamedTuple):
    bench: str
    figure: str
    """Name of a figure; where it is a pattern, the worst of those it matches counts."""
    words: str
    limit: float
    unit: str

    def measured(self, figures: Mapping[str, object]) -> float | None:
        """None when the benchmark did not measure it."""
        found = [
            value
            for name, value in figures.items()
            if isinstance(value, int | float) and fnmatchcase(name, self.figure)
        ]
        return max(found, default=None)


PROMISES = (
    Promise("task", "whole_task_ratio", "a whole task ÷ the same agent by hand", 1.05, "×"),
    Promise("verify", "verify_ratio", "a verification ÷ the same commands by hand", 1.05, "×"),
    Promise("relay", "p50_ms", "an agent's text to a socket client, p50", 5, "ms"),
    Promise("first_text", "kept_ratio", "a message to Claude's first text at a client, kept ÷ claude -p", 0.35, "×"),
    Promise("first_text", "prepared_ratio", "a new chat to Claude's first text, prepared ÷ claude -p", 0.6, "×"),
    Promise("browser_text", "kept_ratio", "a message to Claude's first text in Chromium, kept ÷ claude -p", 0.45, "×"),
    Promise("agent", "kept_ratio", "Claude's first text on a kept process ÷ claude -p", 0.25, "×"),
    Promise("agent", "prepared_ratio", "Claude's first text on a prepared process ÷ claude -p", 0.5, "×"),
    Promise("agent", "relay_p50_ms", "the provider's text to the agent's event, p50", 5, "ms"),
    Promise("fanout", "p99_ms", "500 events/s to 200 socket clients, p99", 25, "ms"),
    Promise("checkpoint", "unchanged_ratio", "checkpoint of 50,000 files, nothing changed ÷ git status", 1.5, "×"),
    Promise("checkpoint", "changed_ratio", "checkpoint of 50,000 files, 100 changed ÷ git status", 2, "×"),
    Promise("store", "list*_p95_ms", "list 10,000 sessions over 1,000,000 events, p95", 50, "ms"),
    Promise("store", "search*_p95_ms", "search 10,000 sessions over 1,000,000 events, p95", 50, "ms"),
    Promise("text", "*_doubled", "reading twice the text ÷ reading it", 3, "×"),
    Promise("restart", "second_start_s", "a second start, until the runner takes work", 2, "s"),
    Promise("restart", "restart_with_queue_s", "a restart with 10,000 tasks queued", 2, "s"),
    Promise("idle", "idle_cpu_percent", "idle: share of a core", 0.5, "%"),
    Promise("idle", "idle_memory_mb", "idle: memory", 120, "MB"),
    Promise("web", "first_load_script_kb", "first load: compressed script", 200, "KB"),
    Promise("web", "scroll_frame_ms_p95", "100,000 log lines: frame while scrolling, p95", 33, "ms"),
    Promise("web", "rows_in_page_most", "100,000 log lines: rows in the page", 200, ""),
    Promise("web", "tab_memory_mb", "100,000 log lines: memory of the tab", 300, "MB"),
)


def of(bench: str) -> list[Promise]:
    return [promise for promise in PROMISES if promise.bench == bench]
