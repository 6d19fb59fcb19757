"""The ways back: everything that was rolled back, and whether it can still be undone."""

from __future__ import annotations

from fastapi import APIRouter

from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.schemas.ways import WayBackList
from pilothouse.server.services import AppServices
from pilothouse.server.views import ways

router = APIRouter(prefix="/api", tags=["tasks"], generate_unique_id_function=operation_id)


@router.get("/ways-back", responses=documented())
async def list_ways_back(services: AppServices) -> WayBackList:
    """Of every workspace, newest first."""
    kept = await services.runner.undo_refs()
    return await services.store.read(lambda c: ways.ways_back(c, kept))
