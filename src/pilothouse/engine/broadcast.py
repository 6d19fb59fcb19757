"""What happens, told live to everyone who listens.

All listeners share one bounded log; each holds a place in it. Telling costs the same for one listener or two hundred,
a listener that stops reading costs nothing, and one that falls off the end of the log is told so (`Lagged`) instead
of missing something silently: what is stored can be read again from the store.

What comes after a pause is told at once. In a flood all listeners are woken together, a few milliseconds apart: they
then share the frames made for one of them, and each gets few large ones instead of many small ones.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import orjson

from pilothouse.domain.event.attempt import StepFinished
from pilothouse.domain.event.log import Event

ITEMS_KEPT = 8192
BYTES_KEPT = 8 * 1024 * 1024
FRAME_BYTES = 256 * 1024
JOIN_SECONDS = 0.006
"""The least time between two frames: events in between share one."""


class Lagged(Exception):
    """The listener is further behind than the log reaches; it must resume from its cursor."""


@dataclass(frozen=True, slots=True)
class Item:
    text: str
    """JSON, made once for everyone."""
    seq: int | None = None
    session_id: str | None = None
    task_id: str | None = None
    output: bool = False

    @property
    def stored(self) -> bool:
        return self.seq is not None


@dataclass(frozen=True, slots=True)
class Interest:
    """What a listener wants: one session's events or all, and the output of the named tasks."""

    session_id: str | None = None
    tasks: frozenset[str] = frozenset()

    def wants(self, item: Item) -> bool:
        if item.output:
            return item.task_id in self.tasks
        if self.session_id is None:
            return True
        if item.stored:
            return item.session_id == self.session_id
        return item.task_id is None or item.task_id in self.tasks


def event_item(event: Event) -> Item:
    text = f'{{"type":"event","event":{event.model_dump_json()}}}'
    return Item(text, event.seq, event.session_id, event.task_id)


class Frame(NamedTuple):
    """A JSON array of items, and the newest stored event in it (0 when there is none)."""

    text: str
    seq: int


def frames(items: Iterable[Item]) -> list[Frame]:
    """As few frames as possible, of about FRAME_BYTES at most."""
    made: list[Frame] = []
    texts: list[str] = []
    size = seq = 0
    for item in items:
        texts.append(item.text)
        size += len(item.text)
        seq = item.seq or seq
        if size >= FRAME_BYTES:
            made.append(Frame(f"[{','.join(texts)}]", seq))
            texts, size = [], 0
    if texts:
        made.append(Frame(f"[{','.join(texts)}]", seq))
    return made


@dataclass(frozen=True, slots=True)
class Batch:
    """What one listener gets at once; `first` and `last` are the stored events it spans, wanted or not."""

    frames: list[Frame]
    first: int
    last: int


class Broadcast:
    """Belongs to one event loop; every method is called on it."""

    def __init__(self, items_kept: int = ITEMS_KEPT, bytes_kept: int = BYTES_KEPT) -> None:
        self._items_kept, self._bytes_kept = items_kept, bytes_kept
        self._log: deque[Item] = deque()
        self._lasting: dict[str, Item] = {}
        self._start = 0
        self._bytes = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._woken_at = float("-inf")
        self._waking: asyncio.TimerHandle | None = None
        self._made: dict[tuple[int, int, Interest], Batch] = {}

    @property
    def end(self) -> int:
        return self._start + len(self._log)

    def events(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event.data, StepFinished):
                self._lasting.pop(event.data.step_id, None)
        self._tell([event_item(event) for event in events])

    def output(self, task_id: str, attempt: int, offset: int, text: str) -> None:
        body = {"type": "output", "task_id": task_id, "attempt": attempt, "offset": offset, "text": text}
        self._tell([Item(_json(body), task_id=task_id, output=True)])

    def item(self, item: dict[str, object], *, until: str | None = None) -> None:
        """Something that is not stored. Progress goes to those who follow everything, or that task.

        Until the step that `until` names is finished, whoever comes later is told the newest of it too.
        """
        task_id = item.get("task_id") if item.get("type") == "progress" else None
        told = Item(_json(item), task_id=task_id if isinstance(task_id, str) else None)
        if until:
            self._lasting[until] = told
        self._tell([told])

    def lasting(self, interest: Interest) -> list[Frame]:
        return frames(item for item in self._lasting.values() if interest.wants(item))

    def subscribe(self, interest: Interest) -> Subscription:
        """Listen from now on."""
        return Subscription(self, interest)

    def _tell(self, items: list[Item]) -> None:
        self._made.clear()
        self._log.extend(items)
        self._bytes += sum(len(item.text) for item in items)
        while self._log and (len(self._log) > self._items_kept or self._bytes > self._bytes_kept):
            self._bytes -= len(self._log.popleft().text)
            self._start += 1
        self._wake_soon()

    def _wake_soon(self) -> None:
        """Now, or as soon as the last waking is long enough ago."""
        if not self._waiting or self._waking:
            return
        loop = asyncio.get_running_loop()
        rest = self._woken_at + JOIN_SECONDS - loop.time()
        if rest > 0:
            self._waking = loop.call_later(rest, self._wake)
        else:
            self._wake()

    def _wake(self) -> None:
        self._waking = None
        self._woken_at = asyncio.get_running_loop().time()
        waiting, self._waiting = self._waiting, []
        for listener in waiting:
            if not listener.done():
                listener.set_result(None)

    async def wait(self, place: int) -> None:
        """Until there is something at `place`; whoever comes back soon after a waking waits for the next."""
        loop = asyncio.get_running_loop()
        while self.end <= place or loop.time() < self._woken_at + JOIN_SECONDS:
            listener = loop.create_future()
            self._waiting.append(listener)
            if self.end > place:
                self._wake_soon()
            await listener
            if self.end > place:
                return

    def batch(self, place: int, interest: Interest, after: int) -> Batch:
        """Everything from `place` on, but stored events up to `after`. Raises `Lagged`."""
        key = (place, self.end, interest)
        batch = self._made.get(key)
        if batch is None:
            batch = self._made[key] = self._make(place, interest)
        return batch if batch.first > after or not batch.first else self._make(place, interest, after)

    def _make(self, place: int, interest: Interest, after: int = 0) -> Batch:
        if place < self._start:
            raise Lagged
        items = list(islice(self._log, place - self._start, None))
        stored = [item.seq for item in items if item.seq is not None]
        wanted = frames(item for item in items if (item.seq is None or item.seq > after) and interest.wants(item))
        return Batch(wanted, stored[0] if stored else 0, stored[-1] if stored else 0)


class Subscription:
    def __init__(self, broadcast: Broadcast, interest: Interest) -> None:
        self._broadcast, self._interest = broadcast, interest
        self._place = broadcast.end
        self._after = 0

    def skip(self, seq: int) -> None:
        """Stored events up to `seq` reach the listener another way."""
        self._after = max(self._after, seq)

    async def next(self) -> Batch:
        """Wait for what comes next; its frames may be none when nothing of it was wanted. Raises `Lagged`."""
        await self._broadcast.wait(self._place)
        batch = self._broadcast.batch(self._place, self._interest, self._after)
        self._place = self._broadcast.end
        self.skip(batch.last)
        return batch


def _json(value: dict[str, object]) -> str:
    return orjson.dumps(value).decode()
