"""Every name of a file has a text, and the text leads back to it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pilothouse.git.names import raw, spelled


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"src/caf\xc3\xa9.py", "src/café.py"),
        (b"tests/test_\xff.py", r"tests/test_\377.py"),
        (b"two\nlines\x7f", r"two\012lines\177"),
        (b"C:\\new", r"C:\\new"),
        (b"\\377", r"\\377"),
    ],
)
def test_name_is_readable_with_its_beginning_and_end(name: bytes, text: str) -> None:
    """PLT-8"""
    assert spelled(name) == text
    assert raw(text) == name


@given(st.binary())
@example(b"\\\\\\377\xff\\")
def test_every_name_comes_back(name: bytes) -> None:
    """PLT-8"""
    text = spelled(name)
    assert raw(text) == name
    text.encode()
