"""How a person wants to be told of things when they are not looking."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from pilothouse.domain.notifications import Channel, NotificationSettings
from pilothouse.errors import InvalidInput, NotFound
from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.notify import channels
from pilothouse.server.notify.notifier import BROWSER, DESKTOP, Delivery
from pilothouse.server.routes.parameters import FOUND
from pilothouse.server.schemas.notifications import (
    ChannelOut,
    DeliveryOut,
    DesktopOut,
    NotificationsIn,
    NotificationsOut,
    TryIn,
)
from pilothouse.server.services import AppServices, Services
from pilothouse.store import notifications
from pilothouse.words import say

router = APIRouter(prefix="/api/notifications", tags=["notifications"], generate_unique_id_function=operation_id)


@router.get("", responses=documented())
async def get_notifications(services: AppServices) -> NotificationsOut:
    return await _shown(services, await services.store.read(notifications.settings))


@router.put("", responses=documented())
async def change_notifications(body: NotificationsIn, services: AppServices) -> NotificationsOut:
    kept = {channel.id: channel for channel in (await services.store.read(notifications.settings)).channels}
    chosen = NotificationSettings(
        kinds=tuple(dict.fromkeys(body.kinds)),
        browser=body.browser,
        desktop=body.desktop,
        channels=tuple([await _channel(given.id, given.url, kept) for given in body.channels]),
        quiet_from=body.quiet_from,
        quiet_until=body.quiet_until,
        batch_seconds=body.batch_seconds,
    )
    await services.store.write(lambda tx: notifications.save(tx, chosen))
    services.notifier.changed()
    return await _shown(services, chosen)


@router.post("/test", responses=FOUND)
async def test_notification(body: TryIn, services: AppServices) -> DeliveryOut:
    """Send something now; what the channel itself says of it comes back."""
    known = {channel.id for channel in (await services.store.read(notifications.settings)).channels}
    if body.channel not in {BROWSER, DESKTOP} | known:
        raise NotFound(say("channel.unknown"))
    return DeliveryOut.model_validate(await services.notifier.try_out(body.channel))


async def _channel(id: str | None, url: str | None, kept: dict[str, Channel]) -> Channel:
    if url is not None:
        return await asyncio.to_thread(channels.channel, url)
    if id not in kept:
        raise InvalidInput(say("channel.gone"), "channels")
    return kept[id]


async def _shown(services: Services, chosen: NotificationSettings) -> NotificationsOut:
    screen = await asyncio.to_thread(channels.desktop)
    return NotificationsOut(
        kinds=list(chosen.kinds),
        browser=chosen.browser,
        desktop=chosen.desktop,
        desktop_status=DesktopOut(
            available=screen.available, why_not=screen.why_not, last=_last(services.notifier.last.get(DESKTOP))
        ),
        channels=[
            ChannelOut(id=channel.id, shown=channel.shown, last=_last(services.notifier.last.get(channel.id)))
            for channel in chosen.channels
        ],
        quiet_from=chosen.quiet_from,
        quiet_until=chosen.quiet_until,
        batch_seconds=chosen.batch_seconds,
    )


def _last(delivery: Delivery | None) -> DeliveryOut | None:
    return DeliveryOut.model_validate(delivery) if delivery else None
