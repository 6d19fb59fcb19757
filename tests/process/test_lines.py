from __future__ import annotations

from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

from pilothouse.process.lines import lines


async def stream(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


@given(st.lists(st.binary(max_size=20)))
async def test_lines_are_the_same_however_the_pipe_cuts_them(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    expected = whole.split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert [line async for line in lines(stream(*pieces))] == expected


async def test_a_line_without_end_comes_in_bounded_pieces() -> None:
    found = [line async for line in lines(stream(b"x" * 25, b"y\nz"), limit=10)]
    assert found == [b"x" * 10, b"x" * 10, b"xxxxxy", b"z"]
