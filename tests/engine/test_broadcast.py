"""One log for everyone: made once, in order, and never silently short."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from pilothouse.domain.event.attempt import StepFinished
from pilothouse.domain.event.log import Event, any_event
from pilothouse.domain.event.task import TaskMilestone
from pilothouse.engine.broadcast import FRAME_BYTES, Batch, Broadcast, Interest, Lagged


def event(seq: int, session: str | None = "s1", task: str | None = "t1", text: str = "x") -> Event:
    data = TaskMilestone(attempt=1, code="editing", text=text)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return any_event.validate_python(
        {"seq": seq, "at": at, "session_id": session, "task_id": task, "type": data.type, "data": data}
    )


def items(batch: Batch) -> list[dict[str, Any]]:
    return [item for frame in batch.frames for item in json.loads(frame.text)]


def seqs(batch: Batch) -> list[int]:
    return [item["event"]["seq"] for item in items(batch) if item["type"] == "event"]


async def test_what_waits_comes_in_one_frame_in_order() -> None:
    """PLT-2"""
    broadcast = Broadcast()
    listener = broadcast.subscribe(Interest(tasks=frozenset({"t1"})))
    broadcast.events([event(1), event(2)])
    broadcast.output("t1", 1, 0, "hello")
    broadcast.item({"type": "queue", "workspace_id": "w"})
    batch = await listener.next()
    assert len(batch.frames) == 1
    assert [item["type"] for item in items(batch)] == ["event", "event", "output", "queue"]
    assert items(batch)[0]["event"]["data"]["text"] == "x"
    assert items(batch)[2] == {"type": "output", "task_id": "t1", "attempt": 1, "offset": 0, "text": "hello"}


async def test_a_listener_wakes_when_something_is_told() -> None:
    """PLT-2"""
    broadcast = Broadcast()
    waiting = [asyncio.create_task(broadcast.subscribe(Interest()).next()) for _ in range(3)]
    await asyncio.sleep(0)
    broadcast.events([event(1)])
    assert [seqs(await task) for task in waiting] == [[1]] * 3


async def test_one_listener_that_leaves_does_not_take_the_others_with_it() -> None:
    """PLT-2"""
    broadcast = Broadcast()
    leaving, staying = (asyncio.create_task(broadcast.subscribe(Interest()).next()) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    broadcast.events([event(1)])
    assert seqs(await asyncio.wait_for(staying, 60)) == [1]


async def test_interest_chooses_sessions_tasks_and_progress() -> None:
    """PLT-2"""
    broadcast = Broadcast()
    everything = broadcast.subscribe(Interest())
    one = broadcast.subscribe(Interest("s1", frozenset({"t1"})))
    broadcast.events([event(1, "s1"), event(2, "s2", "t2"), event(3, None, None)])
    for task in ("t1", "t2"):
        broadcast.output(task, 1, 0, "text")
        broadcast.item({"type": "progress", "task_id": task, "attempt": 1, "kind": "heartbeat"})
    broadcast.item({"type": "queue", "workspace_id": "w", "task_id": "t2"})
    all_of_it, chosen = await everything.next(), await one.next()
    assert seqs(all_of_it) == [1, 2, 3]
    assert [item["type"] for item in items(all_of_it)].count("output") == 0
    assert [item["type"] for item in items(all_of_it)].count("progress") == 2
    assert seqs(chosen) == [1]
    others = [(item["type"], item.get("task_id")) for item in items(chosen) if item["type"] != "event"]
    assert others == [("output", "t1"), ("progress", "t1"), ("queue", "t2")]
    assert chosen.last == 3, "what was not wanted still moves the cursor"


async def test_what_came_from_the_store_is_not_told_again() -> None:
    """PLT-2: the seam between history and live"""
    broadcast = Broadcast()
    behind, fresh = broadcast.subscribe(Interest()), broadcast.subscribe(Interest())
    broadcast.events([event(1), event(2)])
    broadcast.item({"type": "ping"})
    broadcast.events([event(3)])
    behind.skip(2)
    batch = await behind.next()
    assert seqs(batch) == [3]
    assert [item["type"] for item in items(batch)] == ["ping", "event"]
    assert seqs(await fresh.next()) == [1, 2, 3]


async def test_falling_off_the_log_is_told_and_not_hidden() -> None:
    """PLT-2"""
    for broadcast in (Broadcast(items_kept=3), Broadcast(bytes_kept=1000)):
        slow, quick = broadcast.subscribe(Interest()), broadcast.subscribe(Interest())
        for seq in range(1, 8):
            broadcast.events([event(seq)])
            assert seqs(await quick.next()) == [seq]
        with pytest.raises(Lagged):
            await slow.next()


async def test_frames_stay_of_a_size_a_client_can_take() -> None:
    """PLT-2"""
    broadcast = Broadcast()
    listener = broadcast.subscribe(Interest())
    broadcast.events([event(seq, text="y" * 1000) for seq in range(1, 1001)])
    batch = await listener.next()
    assert seqs(batch) == list(range(1, 1001))
    assert len(batch.frames) > 1
    assert max(len(frame.text) for frame in batch.frames) < FRAME_BYTES + 2000
    assert batch.frames[-1].seq == 1000


async def test_listeners_at_the_same_place_share_the_work() -> None:
    """PLT-2"""
    broadcast = Broadcast()
    first, second = broadcast.subscribe(Interest()), broadcast.subscribe(Interest())
    broadcast.events([event(1)])
    assert await first.next() is await second.next()


async def test_what_lasts_until_a_step_ends_is_told_to_whoever_comes_meanwhile() -> None:
    """GRD-8"""
    broadcast = Broadcast()
    for cost in (1, 2):
        broadcast.item({"type": "usage", "task_id": "t1", "cost_usd": cost}, until="step")
    told = [item for frame in broadcast.lasting(Interest()) for item in json.loads(frame.text)]
    assert [item["cost_usd"] for item in told] == [2]
    data = StepFinished(step_id="step", attempt=1, number=1, kind="edit", outcome="done", duration_ms=1)
    broadcast.events([event(1).model_copy(update={"type": data.type, "data": data})])
    assert broadcast.lasting(Interest()) == []
