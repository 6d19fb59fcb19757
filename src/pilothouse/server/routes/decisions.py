"""What a person decides about a task that a guard holds."""

from __future__ import annotations

from fastapi import APIRouter

from pilothouse.server.contract import operation_id
from pilothouse.server.routes.parameters import CHANGED, Id
from pilothouse.server.schemas.guards import DecisionIn, DecisionOut
from pilothouse.server.services import AppServices

router = APIRouter(prefix="/api/tasks/{task_id}", tags=["tasks"], generate_unique_id_function=operation_id)


@router.post("/decision", responses=CHANGED)
async def decide(task_id: Id, body: DecisionIn, services: AppServices) -> DecisionOut:
    """Wait for a limit or not, give a budget more or end it there, reset the breaker."""
    before, after = await services.controls.decide(task_id, body.choice, body.amount, body.attempt)
    return DecisionOut(task_id=before.id, choice=body.choice, old_status=before.status, new_status=after.status)
