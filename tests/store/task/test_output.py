from __future__ import annotations

from functools import partial

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine

from pilothouse.store.database import Store, Tx
from pilothouse.store.tables.task import output as table
from pilothouse.store.task import output
from tests.store.samples import NOW


def _chunks(texts: list[str]) -> list[tuple[int, str]]:
    at, chunks = 0, []
    for piece in texts:
        chunks.append((at, piece))
        at += len(piece.encode())
    return chunks


async def test_pages_join_to_the_whole_output(furnished: Store) -> None:
    """TSK-5"""
    texts = [f"line {n} — 漢字 🙂\n" for n in range(500)]
    await furnished.write(lambda tx: output.append(tx, "t", 1, _chunks(texts)))
    read, offset, total = "", 0, 1
    while offset < total:
        page, offset, total = await furnished.read(
            partial(output.page, task_id="t", attempt=1, offset=offset, limit_bytes=1000)
        )
        assert len(page.encode()) <= 1000
        read += page
    assert read == "".join(texts)
    assert total == len(read.encode()) == await furnished.read(lambda c: output.total(c, "t", 1))


async def test_a_hundred_thousand_lines_are_read_a_page_at_a_time(furnished: Store) -> None:
    """TSK-5"""
    block = "".join(f"{n:06} some line of a long log\n" for n in range(1000))
    chunks = [(n * len(block), block) for n in range(100)]
    await furnished.write(lambda tx: output.append(tx, "t", 1, chunks))
    middle = 50 * len(block) + 31 * 500
    text, following, total = await furnished.read(lambda c: output.page(c, "t", 1, middle, 64_000))
    assert total == 100 * len(block)
    assert following == middle + 64_000
    assert text.startswith("000500 some line")
    text, following, _ = await furnished.read(lambda c: output.page(c, "t", 1, total - 31, 64_000))
    assert (text, following) == (block[-31:], total)


async def test_output_may_hold_any_byte_a_program_prints(furnished: Store) -> None:
    odd = "nul \x00, escape \x1b[31m, \ufffd and \r\n"
    await furnished.write(lambda tx: output.append(tx, "t", 1, [(0, odd), (len(odd.encode()), "")]))
    assert (await furnished.read(lambda c: output.page(c, "t", 1, 0, 1000)))[0] == odd


async def test_an_attempt_that_printed_nothing_has_an_empty_page(furnished: Store) -> None:
    assert await furnished.read(lambda c: output.page(c, "t", 9, 0, 1000)) == ("", 0, 0)
    await furnished.write(lambda tx: output.append(tx, "t", 1, [(0, "abc")]))
    assert await furnished.read(lambda c: output.page(c, "t", 1, 3, 1000)) == ("", 3, 3)
    assert await furnished.read(lambda c: output.page(c, "t", 1, 99, 1000)) == ("", 3, 3)


async def test_a_gap_is_stepped_over(furnished: Store) -> None:
    await furnished.write(lambda tx: output.append(tx, "t", 1, [(0, "abc"), (10, "def")]))
    assert await furnished.read(lambda c: output.page(c, "t", 1, 1, 1000)) == ("bc", 3, 13)
    assert await furnished.read(lambda c: output.page(c, "t", 1, 3, 1000)) == ("def", 13, 13)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text(min_size=1, max_size=6), max_size=8),
    offset=st.integers(0, 60),
    limit=st.integers(1, 20),
)
def test_no_page_ever_splits_a_character(texts: list[str], offset: int, limit: int) -> None:
    """PLT-8"""
    whole = "".join(texts).encode()
    engine = create_engine("sqlite://")
    with engine.connect() as c:
        table.create(c)
        output.append(Tx(c, NOW), "t", 1, _chunks(texts))
        text, following, total = output.page(c, "t", 1, offset, limit)
        assert total == len(whole)
        assert "".join(texts).encode()[offset:following].decode("utf-8", "ignore") == text
        assert following > offset or following == total
        whole[following:].decode()
        if len(text) > 1:
            assert following - offset <= limit
    engine.dispose()
