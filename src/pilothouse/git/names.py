"""The names of files as text. A name is bytes; most are UTF-8 and stand as they are.

What is not, a control character or a backslash is written as git does, by `\\NNN` in octal (a backslash by two). So
every name has a text that a database, JSON and a screen can hold, with the same beginning and end, and the way back.
"""

from __future__ import annotations

import os
import re

_ESCAPED = re.compile(rb"\\(\\|[0-3][0-7]{2})")


def spelled(name: bytes | str) -> str:
    text = os.fsdecode(name)
    return text if text.isprintable() and "\\" not in text else "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if "\udc80" <= letter <= "\udcff":
        return f"\\{ord(letter) - 0xDC00:03o}"
    if letter < " " or letter == "\x7f":
        return f"\\{ord(letter):03o}"
    return "\\\\" if letter == "\\" else letter


def raw(text: str) -> bytes:
    """The name that is spelled so."""
    return _ESCAPED.sub(lambda found: _byte(found[1]), os.fsencode(text))


def _byte(escape: bytes) -> bytes:
    return escape if escape == b"\\" else bytes([int(escape, 8)])
