"""A step that an agent planned to take, and whether it ticked it off."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    title: str
    done: bool = False
    note: str = ""
