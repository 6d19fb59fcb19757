"""No descriptor is closed twice: its number may belong to somebody else by then."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import pytest
import uvloop

from pilothouse.process.pipes import Pipe
from tests.process.watching import eventually

LOOPS = [uvloop.new_event_loop, asyncio.SelectorEventLoop]


class Hasty(Pipe):
    """A pipe in whose closing another part of the program opens a file, as a thread may at any moment."""

    opened = -1

    def close(self) -> None:
        self.opened = os.open(os.devnull, os.O_RDONLY)
        super().close()


def is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@pytest.mark.parametrize("new_loop", LOOPS)
def test_a_file_opened_while_a_pipe_closes_stays_open(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    """BYD-8"""

    async def close_both_ends() -> tuple[Hasty, Hasty]:
        loop = asyncio.get_running_loop()
        reading, writing = os.pipe()
        reader, writer = Hasty(os.fdopen(reading, "rb", 0), loop), Hasty(os.fdopen(writing, "wb", 0), loop)
        incoming, _ = await loop.connect_read_pipe(asyncio.Protocol, reader)
        outgoing, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, writer)
        numbers = reader.fileno(), writer.fileno()
        outgoing.close()
        incoming.close()
        await eventually(lambda: -1 not in (reader.opened, writer.opened))
        await eventually(lambda: not any(map(is_open, set(numbers) - {reader.opened, writer.opened})))
        return reader, writer

    with asyncio.Runner(loop_factory=new_loop) as runner:
        for pipe in runner.run(close_both_ends()):
            os.fstat(pipe.opened)
            os.close(pipe.opened)
