"""What agents print, stored in chunks that are found by byte offset."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, func, insert, select

from pilothouse.store.tables.task import output
from pilothouse.store.writer import Tx

_INSERT = insert(output)


def append(tx: Tx, task_id: str, attempt: int, chunks: Iterable[tuple[int, str]]) -> None:
    """Each chunk is (byte offset, text)."""
    rows = []
    for offset, text in chunks:
        body = text.encode("utf-8", "surrogatepass")
        if body:
            rows.append({"task_id": task_id, "attempt": attempt, "start": offset, "size": len(body), "body": body})
    if rows:
        tx.conn.execute(_INSERT, rows)


def total(c: Connection, task_id: str, attempt: int) -> int:
    query = select(output.c.start + output.c.size).where(output.c.task_id == task_id, output.c.attempt == attempt)
    return c.execute(query.order_by(output.c.start.desc()).limit(1)).scalar() or 0


def page(c: Connection, task_id: str, attempt: int, offset: int, limit_bytes: int) -> tuple[str, int, int]:
    """Returns (text, next offset, total), and never splits a character.

    A character that `offset` falls into is left out. One that the limit falls into comes with the next page, unless
    the page would be empty without it.
    """
    mine = (output.c.task_id == task_id, output.c.attempt == attempt)
    first = select(func.max(output.c.start)).where(*mine, output.c.start <= offset).scalar_subquery()
    end = offset + limit_bytes + 4
    query = select(output.c.start, output.c.body).where(
        *mine, output.c.start >= func.coalesce(first, 0), output.c.start < end
    )
    text, base = bytearray(), offset
    for start, body in c.execute(query.order_by(output.c.start)):
        at = base + len(text)
        if start > at:
            if text:
                break  # the next page begins behind the gap
            base = at = start
        text += body[at - start :]
    whole = total(c, task_id, attempt)
    if not text:
        return "", whole, whole
    begin = next((n for n, byte in enumerate(text) if byte & 0xC0 != 0x80), len(text))
    cut = _whole(text, begin, limit_bytes)
    return text[begin:cut].decode("utf-8", "replace"), base + cut, whole


def _whole(text: bytearray, start: int, limit: int) -> int:
    """Returns where to cut: between two characters, with at least one before the cut."""
    cut = min(limit, len(text))
    if cut == len(text):
        return cut
    while cut > start and text[cut] & 0xC0 == 0x80:
        cut -= 1
    if cut > start:
        return cut
    cut = start + 1
    while cut < len(text) and text[cut] & 0xC0 == 0x80:
        cut += 1
    return cut
