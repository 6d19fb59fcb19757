"""The login: the cookie, and a limit on wrong guesses."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any, TypeVar

from starlette.responses import Response

from pilothouse.domain.clock import Clock
from pilothouse.errors import TooManyAttempts
from pilothouse.server.access.keys import COOKIE_SECONDS, Keys
from pilothouse.words import say

_WINDOW = 60.0
_EVERYONE = 5

Scope = MutableMapping[str, Any]
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


def open_route(endpoint: Endpoint) -> Endpoint:
    """Mark an endpoint as reachable without login; every other one is refused."""
    endpoint.__dict__["open_without_login"] = True
    return endpoint


def is_open(endpoint: object) -> bool:
    return bool(getattr(endpoint, "open_without_login", False))


class Cookies:
    """The login cookie. It survives a restart, and ends with a logout or once `PILOTHOUSE_TOKEN` changes."""

    def __init__(self, keys: Keys, server: str) -> None:
        self._keys = keys
        # Browsers share cookies between ports, so two servers on one machine need two names.
        self.name = f"pilothouse_{server[:8]}"

    def set(self, response: Response) -> None:
        response.set_cookie(
            self.name, self._keys.new_cookie(), max_age=COOKIE_SECONDS, path="/", httponly=True, samesite="strict"
        )

    def clear(self, header: str, response: Response) -> None:
        self._keys.forget(self._value(header))
        response.delete_cookie(self.name, path="/", httponly=True, samesite="strict")

    def good(self, header: str) -> bool:
        return self._keys.knows(self._value(header))

    def _value(self, header: str) -> str:
        try:
            morsel = SimpleCookie(header).get(self.name)
        except CookieError:
            return ""
        return morsel.value if morsel else ""


class Throttle:
    """Counts wrong tokens per minute, for each address and for the whole network together.

    Ask it only about a token that is wrong: whoever has the right one gets in, whatever others on the machine guess.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._limit, self._clock = per_minute, clock
        self._failures: dict[str, deque[float]] = {}

    def admits(self, address: str) -> bool:
        self._forget()
        if len(self._failures.get(address, ())) >= self._limit:
            return False
        # The person at the machine itself must not be locked out by guesses from the network.
        return _is_loopback(address) or self._from_network() < self._limit * _EVERYONE

    def wrong(self, address: str) -> None:
        """Counts a wrong token. Raises where there were too many."""
        if not self.admits(address):
            raise TooManyAttempts(say("login.too_many"))
        self.failed(address)

    def failed(self, address: str) -> None:
        self._failures.setdefault(address, deque(maxlen=self._limit)).append(self._clock.monotonic())

    def _from_network(self) -> int:
        return sum(len(times) for address, times in self._failures.items() if not _is_loopback(address))

    def _forget(self) -> None:
        oldest = self._clock.monotonic() - _WINDOW
        for address, times in list(self._failures.items()):
            while times and times[0] <= oldest:
                times.popleft()
            if not times:
                del self._failures[address]


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def client_address(scope: Mapping[str, Any]) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def is_this_machine(scope: Mapping[str, Any]) -> bool:
    """Whether the connection comes from this machine: over loopback, or from the address it arrived at."""
    address, local = client_address(scope), scope.get("server")
    return _is_loopback(address) or bool(local and address == str(local[0]))
