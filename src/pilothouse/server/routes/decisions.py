"""What a person decides about a task that a guard holds."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.schemas.guards import DecisionIn, DecisionOut
from pilothouse.server.services import AppServices

router = APIRouter(prefix="/api/tasks/{task_id}", tags=["tasks"], generate_unique_id_function=operation_id)


@router.post("/decision", responses=documented(404, 409))
async def decide(task_id: Annotated[str, Path(max_length=64)], body: DecisionIn, services: AppServices) -> DecisionOut:
    """Wait for a limit or not, give a budget more or end it there, reset the breaker."""
    before, after = await services.controls.decide(task_id, body.choice, body.amount, body.attempt)
    return DecisionOut(task_id=before.id, choice=body.choice, old_status=before.status, new_status=after.status)
