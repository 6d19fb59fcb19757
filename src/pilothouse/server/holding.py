"""Why a guard holds a task, for the screens."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection

from pilothouse.domain.task.task import Awaiting, Task
from pilothouse.engine.guard.limits import Choice, choices
from pilothouse.server.schemas.guards import BreakerOut, LimitOut, SpentOut
from pilothouse.store.guard import limits

_GUARDED = (Awaiting.USAGE_LIMIT, Awaiting.BUDGET, Awaiting.BREAKER)


@dataclass(frozen=True, slots=True)
class Held:
    limit: LimitOut | None = None
    budget: SpentOut | None = None
    breaker: BreakerOut | None = None
    choices: list[Choice] = field(default_factory=list)


def held(c: Connection, task: Task) -> Held:
    hold = limits.held(c, task.id) if task.awaiting in _GUARDED else None
    if hold is None:
        return Held()
    offered = list(choices(task, hold))
    match hold.kind:
        case "hourly" | "provider":
            limit = LimitOut(kind=hold.kind, message=hold.message, at=hold.at, until=hold.until, waiting=hold.waiting)
            return Held(limit=limit, choices=offered)
        case "money" | "tokens" | "time":
            spent, most = hold.spent or 0.0, hold.limit or 0.0
            over = SpentOut(kind=hold.kind, scope=hold.scope, message=hold.message, spent=spent, limit=most)
            return Held(budget=over, choices=offered)
        case "breaker":
            breaker = limits.of_session(c, task.session_id).breaker
            return Held(breaker=BreakerOut.of(breaker), choices=offered)
