"""Notifies a person who is not looking. Commits wake it; it remembers what it told, also across a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from pilothouse.domain import notifications as telling
from pilothouse.domain.notifications import Kind, Message, Notification, NotificationSettings
from pilothouse.domain.task.task import TaskStatus
from pilothouse.server.notify import channels
from pilothouse.server.notify.channels import Undelivered
from pilothouse.store import notifications
from pilothouse.store.database import Tx
from pilothouse.store.session import sessions
from pilothouse.store.task import tasks
from pilothouse.words import aside, of_this_machine, say, words

if TYPE_CHECKING:
    from pilothouse.domain.clock import Clock
    from pilothouse.domain.event.log import Event
    from pilothouse.engine.broadcast import Broadcast
    from pilothouse.store.database import Store

log = logging.getLogger(__name__)

STALE = timedelta(hours=24)
KEPT = timedelta(days=30)
AT_ONCE = 4
_OVER = frozenset({Kind.STUCK, Kind.ERROR, Kind.FINISHED})
BROWSER, DESKTOP = "browser", "desktop"


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the last notification of a channel went."""

    at: datetime
    error: str = ""


class Notifier:
    def __init__(self, store: Store, broadcast: Broadcast, clock: Clock) -> None:
        self._store, self._broadcast, self._clock = store, broadcast, clock
        self._wake = asyncio.Event()
        # A service that does not answer must not occupy the threads that git and storage need.
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="notify")
        self._sleeping: asyncio.Task[None] | None = None
        self.last: dict[str, Delivery] = {}
        store.on_commit(self._heard)

    async def run(self) -> None:
        try:
            await self._store.write(self._begin)
            # Something may have happened while the server was down, or wait for the end of quiet hours.
            self._wake.set()
            while True:
                await self._wake.wait()
                self._wake.clear()
                chosen = await self._store.read(notifications.settings)
                await self._clock.sleep(chosen.batch_seconds)
                await self._deliver_safely()
        finally:
            self._leave()
            self._threads.shutdown(wait=False, cancel_futures=True)

    def changed(self) -> None:
        """Tells it that the settings changed."""
        self._wake.set()

    async def try_out(self, channel: str) -> Delivery:
        """Sends a test through one channel now, whatever the hour."""
        chosen = await self._store.read(notifications.settings)
        return await self._send(channel, chosen, Message("Pilothouse", say("notify.test"), ("test",)))

    def _heard(self, events: list[Event]) -> None:
        if any(event.type in telling.WATCHED for event in events):
            self._wake.set()

    def _begin(self, tx: Tx) -> None:
        notifications.begin(tx)
        notifications.forget(tx, tx.now - KEPT)

    async def _deliver_safely(self) -> None:
        try:
            await self._deliver()
        except Exception:
            log.exception("notifications could not be sent")

    async def _deliver(self) -> None:
        await self._store.write(self._note)
        now = self._clock.now()
        chosen, (worth, past) = await self._store.read(lambda c: (notifications.settings(c), _still_true(c, now)))
        quiet = telling.quiet_seconds(chosen, now.astimezone())
        if quiet and worth:
            self._wake_in(quiet)
            return
        wanted = [one for one in worth if one.kind in chosen.kinds]
        # Marked before it is sent: if the server dies in between, better miss one than tell it twice.
        if worth or past:
            await self._store.write(lambda tx: notifications.sent(tx, [one.key for one in (*worth, *past)]))
        if wanted:
            message = telling.joined(wanted)
            target = await self._store.read(lambda c: _click_target(c, wanted))
            await asyncio.gather(*(self._send(name, chosen, message, target) for name in _channels(chosen)))

    def _note(self, tx: Tx) -> None:
        found, head = notifications.unseen(tx.conn)
        for event in found:
            occasion = telling.occasion_of(event)
            if occasion and event.task_id:
                session = sessions.get(tx.conn, event.session_id) if event.session_id else None
                title = session.title if session else say("notify.a_task")
                if occasion.doubts:
                    title = say("notify.doubtful", title=title, count=occasion.doubts)
                key = f"{event.task_id}:{occasion.thing}"
                task = tasks.get(tx.conn, event.task_id)
                asks = task is not None and occasion.kind in (Kind.QUESTION, Kind.BLOCKER)
                text = (task.question if task and asks else "") or occasion.text
                notifications.add(
                    tx, Notification(key, occasion.kind, title, text, event.at, event.session_id, event.task_id)
                )
        notifications.seen(tx, head)

    def _wake_in(self, seconds: float) -> None:
        async def wake() -> None:
            await self._clock.sleep(seconds)
            self._wake.set()

        self._leave()
        self._sleeping = asyncio.create_task(wake(), name="quiet hours")

    def _leave(self) -> None:
        if self._sleeping:
            self._sleeping.cancel()

    async def _send(
        self, name: str, chosen: NotificationSettings, message: Message, target: dict[str, str] | None = None
    ) -> Delivery:
        error = ""
        try:
            await self._sent(name, chosen, message, target or {})
        except Undelivered as failure:
            error = failure.why
            log.warning("a notification did not get through: %s", error)
        delivery = self.last[name] = Delivery(self._clock.now(), error)
        return delivery

    async def _sent(self, name: str, chosen: NotificationSettings, message: Message, target: dict[str, str]) -> None:
        if name == BROWSER:
            item = {"tag": message.keys[-1], "title": message.title, "body": message.body}
            self._broadcast.item({"type": "notification", **item, "said": aside(item), **target})
            return
        language = of_this_machine()
        title, body = words(message.title, language), words(message.body, language)
        if name == DESKTOP:
            await self._in_thread(lambda: channels.send_to_desktop(title, body))
        else:
            url = next((channel.url for channel in chosen.channels if channel.id == name), "")
            await self._in_thread(lambda: channels.send(url, title, body))

    async def _in_thread(self, work: Callable[[], None]) -> None:
        sending = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            # The call has a limit of its own; this one is for a library that does not keep it.
            await asyncio.wait_for(asyncio.shield(sending), channels.SECONDS + 5)
        except TimeoutError:
            raise Undelivered(say("agent.health.silent", seconds=str(round(channels.SECONDS)))) from None


def _channels(chosen: NotificationSettings) -> list[str]:
    on = [name for name, wanted in ((BROWSER, chosen.browser), (DESKTOP, chosen.desktop)) if wanted]
    return [*on, *(channel.id for channel in chosen.channels)]


def _still_true(c: Connection, now: datetime) -> tuple[list[Notification], list[Notification]]:
    """Notifications that are due, and those that are obsolete: already answered, or too old."""
    worth: list[Notification] = []
    past: list[Notification] = []
    for one in notifications.due(c):
        task = tasks.get(c, one.task_id) if one.task_id else None
        waits = task is not None and task.status is TaskStatus.AWAITING_RESPONSE
        known = task is not None and (one.kind in _OVER or waits)
        same = task is not None and one.key.endswith(f":{task.attempt}")
        (worth if known and same and now - one.at < STALE else past).append(one)
    return worth, past


def _click_target(c: Connection, told: list[Notification]) -> dict[str, str]:
    """Where a click leads: to the session, if all of it is about one."""
    about = {one.session_id for one in told if one.session_id}
    session = sessions.get(c, about.pop()) if len(about) == 1 else None
    if session is None:
        return {}
    return {"project_id": session.project_id, "session_slug": session.slug}
