"""Reaches a person outside the page. Every call blocks, ends in time, and says what went wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from pilothouse.domain.notifications import Channel
from pilothouse.errors import InvalidInput
from pilothouse.words import say

# Apprise is large, and most people never send through it.
if TYPE_CHECKING:
    import apprise

SECONDS = 20.0
_DESKTOPS = {"darwin": "macosx://", "win32": "windows://"}


class Undelivered(Exception):
    """Says what went wrong, in the channel's own words where it has any."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Desktop:
    available: bool
    why_not: str = ""


def channel(url: str) -> Channel:
    """Raises `InvalidInput` where Apprise does not know such an address."""
    opened = _opened(url)
    if opened is None:
        raise InvalidInput(say("channel.wrong_address"), "channels")
    shown: str = opened[0].url(privacy=True)  # type: ignore[no-untyped-call]
    # The query only spells out defaults.
    return Channel(uuid4().hex, url, shown.partition("?")[0])


def send(url: str, title: str, body: str) -> None:
    """Raises `Undelivered`."""
    opened = _opened(url)
    if opened is None:
        raise Undelivered(say("channel.address_gone"))
    said: list[str] = []
    try:
        result = opened.notify(
            title=title, body=body, timeout=SECONDS, log_callback=lambda entry, _: said.append(str(entry.message))
        )
    except Exception as error:
        raise Undelivered(str(error) or type(error).__name__) from error
    if not result:
        raise Undelivered(said[-1] if said else say("channel.not_taken"))


def desktop() -> Desktop:
    """Whether notifications can be shown on this machine's screen."""
    if url := _DESKTOPS.get(sys.platform):
        return Desktop(True) if _opened(url) else Desktop(False, say("channel.no_notifier"))
    if shutil.which("notify-send") is None:
        return Desktop(False, say("channel.no_notify_send"))
    return Desktop(True)


def send_to_desktop(title: str, body: str) -> None:
    """Raises `Undelivered`."""
    if url := _DESKTOPS.get(sys.platform):
        send(url, title, body)
        return
    command = ["notify-send", "--app-name=Pilothouse", "--", title, body]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Undelivered(str(error)) from None
    if done.returncode:
        raise Undelivered(done.stderr.strip() or say("channel.notify_send_ended", code=str(done.returncode)))


def _opened(url: str) -> apprise.Apprise | None:
    import apprise

    found = apprise.Apprise()
    return found if found.add(url) else None
