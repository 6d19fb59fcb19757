"""Notifications, sent through real Apprise to a service on a loopback port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

import httpx
import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.notifications import Channel, Kind, NotificationSettings
from pilothouse.domain.task.task import TaskStatus
from pilothouse.server.notify.notifier import Notifier
from pilothouse.store import notifications
from tests.server.notify.service import Service, service
from tests.workbench import WAIT, Workbench

ASKED = "Asks you: Ask"


@pytest.fixture
def inbox() -> Iterator[Service]:
    with service() as opened:
        yield opened


@asynccontextmanager
async def notifying(bench: Workbench, clock: ManualClock, inbox: Service, **changes: Any) -> AsyncIterator[Notifier]:
    """A notifier at work, with that service as its only channel."""
    chosen = NotificationSettings(browser=False, channels=(Channel("inbox", inbox.url, "json://…"),), **changes)
    await bench.store.write(lambda tx: notifications.save(tx, chosen))
    notifier = Notifier(bench.store, bench.broadcast, clock)
    running = asyncio.create_task(notifier.run())
    try:
        yield notifier
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def taken(inbox: Service, clock: ManualClock) -> dict[str, Any]:
    """What the service took, with the clock moved on meanwhile."""

    async def move() -> None:
        while True:
            await clock.advance(1)
            await asyncio.sleep(0.01)

    moving = asyncio.create_task(move())
    try:
        return await asyncio.to_thread(inbox.next)
    finally:
        moving.cancel()


async def until_marked(bench: Workbench, clock: ManualClock) -> None:
    """Until nothing is left to be told."""
    async with asyncio.timeout(WAIT):
        while True:
            await clock.advance(10)
            left = await bench.store.read(notifications.unseen), await bench.store.read(notifications.due)
            if not left[0][0] and not left[1]:
                return
            await asyncio.sleep(0.01)


async def test_a_question_reaches_the_service_once_also_after_a_restart(bench: Workbench, inbox: Service) -> None:
    """PLT-7"""
    clock = ManualClock(datetime.now(UTC))
    async with notifying(bench, clock, inbox):
        _, task = await bench.begin("Ask. [[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        first = await taken(inbox, clock)
        assert first["title"].startswith(ASKED)
        assert "Which structure do you prefer?" in first["message"]
        await until_marked(bench, clock)
    async with notifying(bench, clock, inbox):
        await until_marked(bench, clock)
        await bench.controls.reply(task.id, "A")
        await bench.rest(task, TaskStatus.COMPLETE)
        second = await taken(inbox, clock)
    assert second["title"].startswith("Complete: Ask")
    assert inbox.taken.empty()


async def test_what_happens_together_is_told_together(bench: Workbench, inbox: Service) -> None:
    """PLT-7"""
    clock = ManualClock(datetime.now(UTC))
    async with notifying(bench, clock, inbox):
        for text in ("One. [[fix-add]]", "Two. [[asks]]"):
            _, task = await bench.begin(text)
            await bench.rest(task)
        told = await taken(inbox, clock)
        await until_marked(bench, clock)
    assert told["title"] == "Pilothouse: 2 things"
    assert told["message"].splitlines() == ["Complete: One.", "Asks you: Two."]
    assert inbox.taken.empty()


async def test_what_was_answered_meanwhile_or_is_not_wanted_is_not_told(bench: Workbench, inbox: Service) -> None:
    """PLT-7"""
    clock = ManualClock(datetime.now(UTC))
    async with notifying(bench, clock, inbox, kinds=(Kind.QUESTION, Kind.ERROR)):
        _, task = await bench.begin("Ask. [[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.reply(task.id, "A")
        await bench.rest(task, TaskStatus.COMPLETE)
        await until_marked(bench, clock)
    assert inbox.taken.empty()


async def test_quiet_hours_hold_it_back_until_they_end(bench: Workbench, inbox: Service) -> None:
    """PLT-7"""
    now = datetime.now(UTC)
    clock = ManualClock(now)
    local = now.astimezone()
    hours = {"quiet_from": time(local.hour), "quiet_until": time((local.hour + 2) % 24)}
    async with notifying(bench, clock, inbox, **hours):
        _, task = await bench.begin("Ask. [[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        async with asyncio.timeout(WAIT):
            while not await bench.store.read(notifications.due):
                await clock.advance(1)
        assert inbox.taken.empty()
        await clock.advance(2 * 3600)
        assert (await taken(inbox, clock))["title"].startswith(ASKED)


async def test_a_service_that_hangs_or_refuses_holds_up_nothing_and_its_words_are_kept(
    bench: Workbench, inbox: Service
) -> None:
    """PLT-7"""
    clock = ManualClock(datetime.now(UTC))
    inbox.refuses = True
    async with notifying(bench, clock, inbox) as notifier:
        inbox.answers.clear()
        trying = asyncio.create_task(notifier.try_out("inbox"))
        _, task = await bench.begin("Fix. [[fix-add]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        inbox.answers.set()
        assert (await asyncio.wait_for(trying, WAIT)).error
        failed = await notifier.try_out("inbox")
        assert "500" in failed.error
        assert notifier.last["inbox"] == failed
        inbox.refuses = False
        assert (await notifier.try_out("inbox")).error == ""
    assert inbox.next()["title"] == "Pilothouse"


async def test_the_page_is_told_over_the_socket_with_where_a_click_leads(bench: Workbench, inbox: Service) -> None:
    """PLT-7"""
    from pilothouse.engine.broadcast import Interest

    clock = ManualClock(datetime.now(UTC))
    async with notifying(bench, clock, inbox):
        chosen = await bench.store.read(notifications.settings)
        await bench.store.write(lambda tx: notifications.save(tx, replace(chosen, browser=True)))
        heard = bench.broadcast.subscribe(Interest())
        session, task = await bench.begin("Ask. [[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await taken(inbox, clock)
        text = "".join(frame.text for frame in (await heard.next()).frames)
    assert '"type":"notification"' in text
    assert f'"session_slug":"{session.slug}"' in text


async def test_settings_are_kept_and_secrets_do_not_come_out_again(
    client: httpx.AsyncClient, bench: Workbench, inbox: Service
) -> None:
    """PLT-7 PLT-5"""
    body = {
        "kinds": ["question", "stuck"], "browser": True, "desktop": False, "channels": [{"url": inbox.url}],
        "quiet_from": "22:00", "quiet_until": "07:30",
    }  # fmt: skip
    saved = await client.put("/api/notifications", json=body)
    assert saved.status_code == 200, saved.text
    (channel,) = saved.json()["channels"]
    assert "hunter2" not in saved.text
    assert channel["shown"].startswith("json://person:****@127.0.0.1")
    again = {**body, "channels": [{"id": channel["id"]}], "quiet_from": None, "quiet_until": None}
    assert (await client.put("/api/notifications", json=again)).status_code == 200
    shown = (await client.get("/api/notifications")).json()
    assert (shown["kinds"], shown["quiet_from"], shown["batch_seconds"]) == (["question", "stuck"], None, 5)
    tried = await client.post("/api/notifications/test", json={"channel": channel["id"]})
    assert tried.json()["error"] == ""
    assert inbox.next()["title"] == "Pilothouse"


@pytest.mark.parametrize(
    "changes",
    [
        {"channels": [{"url": "carrier-pigeon://loft"}]},
        {"channels": [{"id": "gone"}]},
        {"channels": [{}]},
        {"quiet_from": "22:00"},
        {"kinds": ["weather"]},
    ],
)
async def test_what_cannot_work_is_refused(client: httpx.AsyncClient, changes: dict[str, Any]) -> None:
    """PLT-7 PLT-8"""
    body = {"kinds": [], "browser": True, "desktop": False, "channels": []}
    assert (await client.put("/api/notifications", json={**body, **changes})).status_code == 400
    assert (await client.post("/api/notifications/test", json={"channel": "nobody"})).status_code == 404


async def test_the_desktop_is_reached_through_its_own_program(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PLT-7"""
    monkeypatch.setenv("PATH", str(tmp_path))
    status = (await client.get("/api/notifications")).json()["desktop_status"]
    assert (status["available"], "notify-send" in status["why_not"]) == (False, True)
    program = tmp_path / "notify-send"
    program.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/shown\n[ ! -e {tmp_path}/broken ] || {{ echo no display >&2; exit 1; }}\n'
    )
    program.chmod(0o755)
    assert (await client.get("/api/notifications")).json()["desktop_status"]["available"] is True
    assert (await client.post("/api/notifications/test", json={"channel": "desktop"})).json()["error"] == ""
    assert "Pilothouse" in (tmp_path / "shown").read_text()
    (tmp_path / "broken").touch()
    assert (await client.post("/api/notifications/test", json={"channel": "desktop"})).json()["error"] == "no display"


async def test_a_task_that_is_done_with_a_serious_doubt_is_told_with_it(bench: Workbench, inbox: Service) -> None:
    """BYD-17 PLT-7"""
    (bench.repo / "agent.yaml").write_text("verification:\n  - {name: passes, command: 'true'}\n")
    clock = ManualClock(datetime.now(UTC))
    async with notifying(bench, clock, inbox):
        _, task = await bench.begin("Fix it. [[fix-add]]\n\nBoundaries:\n- calc.py")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert (await taken(inbox, clock))["title"].endswith("(with 1 serious doubt)")
