"""The steps an agent said it would take, as it ticks them off."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    title: str
    done: bool = False
    note: str = ""
