"""How each agent failed last, until it works again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from pilothouse.domain.task.task import ErrorKind
from pilothouse.store.rows import build_all, columns, values
from pilothouse.store.tables.agent import agent_errors
from pilothouse.store.writer import Tx


@dataclass(frozen=True, slots=True)
class AgentError:
    agent: str
    at: datetime
    message: str
    kind: ErrorKind | None = None


def note(tx: Tx, error: AgentError) -> None:
    clear(tx, error.agent)
    tx.conn.execute(insert(agent_errors).values(values(error)))


def clear(tx: Tx, agent: str) -> None:
    tx.conn.execute(delete(agent_errors).where(agent_errors.c.agent == agent))


def all(c: Connection) -> dict[str, AgentError]:
    found = build_all(AgentError, c.execute(select(*columns(agent_errors, AgentError))))
    return {error.agent: error for error in found}
