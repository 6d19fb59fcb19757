"""Why a guard stopped a task, and what a person may decide about it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from pilothouse.domain.task.task import Awaiting, Task
from pilothouse.engine.guard.decisions import choices
from pilothouse.server.schemas.guards import BreakerOut, BudgetLimits, LimitOut, SpentOut
from pilothouse.store.guard import holds

_GUARDED = (Awaiting.USAGE_LIMIT, Awaiting.BUDGET, Awaiting.BREAKER)


def guarded(c: Connection, task: Task) -> dict[str, Any]:
    """The fields of a task that its guards fill in."""
    fields: dict[str, Any] = {"budgets": BudgetLimits.model_validate(task.options.budget)}
    hold = holds.of_task(c, task.id) if task.awaiting in _GUARDED else None
    if hold is None:
        return fields
    fields["choices"] = list(choices(task, hold))
    match hold.kind:
        case "hourly" | "provider":
            fields["limit"] = LimitOut(
                kind=hold.kind, message=hold.message, at=hold.at, until=hold.until, waiting=hold.waiting
            )
        case "money" | "tokens" | "time":
            fields["budget"] = SpentOut(
                kind=hold.kind,
                scope=hold.scope,
                message=hold.message,
                spent=hold.spent or 0.0,
                limit=hold.limit or 0.0,
            )
        case "breaker":
            fields["breaker"] = BreakerOut.of(holds.of_session(c, task.session_id).breaker)
    return fields
