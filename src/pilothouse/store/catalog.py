"""The whole schema: modules of tables add theirs to one metadata, and are all imported here."""

from __future__ import annotations

from pilothouse.store import agent_tables as agent_tables
from pilothouse.store import talk_tables as talk_tables
from pilothouse.store.tables import metadata as metadata
