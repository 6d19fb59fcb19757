"""What a person sets at run time."""

from __future__ import annotations

from fastapi import APIRouter

from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.schemas.settings import SettingsOut, SettingsPatch
from pilothouse.server.services import AppServices
from pilothouse.server.views.settings import settings_out

router = APIRouter(prefix="/api/settings", tags=["settings"], generate_unique_id_function=operation_id)


@router.get("", responses=documented())
async def get_settings(services: AppServices) -> SettingsOut:
    return settings_out(services, await services.switchboard.stored())


@router.patch("", responses=documented(409))
async def change_settings(body: SettingsPatch, services: AppServices) -> SettingsOut:
    """Holds from the next spawn on; what runs is left alone."""
    sections = body.sections()
    stored = await services.switchboard.change(sections) if sections else await services.switchboard.stored()
    return settings_out(services, stored)
