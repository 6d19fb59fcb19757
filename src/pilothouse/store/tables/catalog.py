"""The whole schema: modules of tables add theirs to one metadata, and are all imported here."""

from __future__ import annotations

from pilothouse.store.tables import agent as agent
from pilothouse.store.tables import talk as talk
from pilothouse.store.tables.task import metadata as metadata
