"""Chunks: when they come, how they are cut, and what a flood does."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilothouse.domain.clock import ManualClock, SystemClock
from pilothouse.process.output import MAX_CHUNK, Chunk, OutputBuffer


class Sink:
    def __init__(self) -> None:
        self.calls: list[list[Chunk]] = []
        self.open = asyncio.Event()
        self.open.set()

    async def __call__(self, chunks: list[Chunk]) -> None:
        await self.open.wait()
        self.calls.append(chunks)

    @property
    def chunks(self) -> list[Chunk]:
        return [chunk for call in self.calls for chunk in call]

    @property
    def text(self) -> str:
        return "".join(chunk.text for chunk in self.chunks)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_the_first_text_goes_at_once_and_the_next_gathers_for_50_ms() -> None:
    """WEB-11"""
    clock, sink = ManualClock(), Sink()
    buffer = OutputBuffer(sink, clock)
    await buffer.write("one")
    await settle()
    assert sink.calls == [[Chunk(0, "one")]]
    await buffer.write("two")
    await buffer.write("three")
    await clock.advance(0.04)
    await settle()
    assert len(sink.calls) == 1
    await clock.advance(0.02)
    await settle()
    assert sink.calls[1:] == [[Chunk(3, "twothree")]]
    await clock.advance(1)
    await buffer.write("four")
    await settle()
    assert sink.calls[2:] == [[Chunk(11, "four")]]
    await buffer.close()


async def test_a_full_chunk_does_not_wait() -> None:
    clock, sink = ManualClock(), Sink()
    buffer = OutputBuffer(sink, clock)
    await buffer.write("x")
    await settle()
    await buffer.write("y" * MAX_CHUNK)
    await settle()
    assert len(sink.text) == MAX_CHUNK + 1
    await buffer.close()


async def test_close_leaves_nothing_behind() -> None:
    clock, sink = ManualClock(), Sink()
    buffer = OutputBuffer(sink, clock, 100)
    await buffer.write("a")
    await settle()
    await buffer.write("b")
    await buffer.close()
    assert sink.chunks == [Chunk(100, "a"), Chunk(101, "b")]
    assert buffer.offset == sink.chunks[-1].end == 102
    with pytest.raises(RuntimeError):
        await buffer.write("late")


@settings(max_examples=50, deadline=None)
@given(st.text(), st.lists(st.integers(1, 7), min_size=1), st.integers(4, 9))
def test_any_text_cut_anywhere_comes_out_whole(text: str, cuts: list[int], size: int) -> None:
    """Texts and chunks of any size: same text, offsets without a gap."""

    async def run() -> Sink:
        sink = Sink()
        buffer = OutputBuffer(sink, SystemClock(), 7, size=size, delay=0.0)
        data, position, turn = text.replace("\0", "-"), 0, 0
        while position < len(data):
            step = cuts[turn % len(cuts)]
            await buffer.write(data[position : position + step])
            position, turn = position + step, turn + 1
        await buffer.close()
        return sink

    sink = asyncio.run(run())
    assert sink.text == text.replace("\0", "-")
    offset = 7
    for chunk in sink.chunks:
        assert chunk.offset == offset
        assert 0 < len(chunk.text.encode()) <= size
        offset = chunk.end


async def test_what_a_text_column_cannot_keep_is_replaced() -> None:
    sink = Sink()
    buffer = OutputBuffer(sink, SystemClock())
    await buffer.write("a\0b\ud800c")
    await buffer.close()
    assert sink.text == "a\ufffdb\ufffdc"
    assert sink.chunks[-1].end == len(sink.text.encode())


async def test_a_flood_waits_for_a_slow_sink_instead_of_filling_memory() -> None:
    sink = Sink()
    sink.open.clear()
    buffer = OutputBuffer(sink, SystemClock())
    written = 0

    async def flood() -> None:
        nonlocal written
        for _ in range(100):
            await buffer.write("x" * MAX_CHUNK)
            written += MAX_CHUNK

    task = asyncio.create_task(flood())
    for _ in range(500):
        await asyncio.sleep(0)
    assert 0 < written <= 10 * MAX_CHUNK
    sink.open.set()
    await task
    await buffer.close()
    assert len(sink.text) == written == 100 * MAX_CHUNK


async def test_a_flood_of_lines_lets_others_run() -> None:
    """WEB-11: 100,000 lines, and nobody else waits long for a turn."""
    sink = Sink()
    buffer = OutputBuffer(sink, SystemClock())
    most, last, done, number = 0, 0, False, 0

    async def other() -> None:
        nonlocal most, last
        while not done:
            await asyncio.sleep(0)
            most, last = max(most, number - last), number

    task = asyncio.create_task(other())
    for number in range(100_000):
        await buffer.write(f"line {number} with a few words to it\n")
    await buffer.close()
    done = True
    await task
    assert sink.text.count("\n") == 100_000
    assert len(sink.calls) < 200
    assert most < 20_000


async def test_an_error_of_the_sink_reaches_the_writer() -> None:
    async def broken(chunks: list[Chunk]) -> None:
        raise OSError("disk full")

    buffer = OutputBuffer(broken, SystemClock())
    await buffer.write("x")
    await settle()
    with pytest.raises(OSError, match="disk full"):
        await buffer.write("y")
    with pytest.raises(OSError, match="disk full"):
        await buffer.close()
