"""The login: the token, the cookie made from it, and a limit on wrong guesses."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import deque
from collections.abc import Callable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

from starlette.responses import Response

from pilothouse.domain.clock import Clock
from pilothouse.settings import Settings

COOKIE_SECONDS = 30 * 24 * 3600
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


class Token:
    """The login token. It never prints itself by accident."""

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Token(…)"

    __str__ = __repr__

    def reveal(self) -> str:
        return self._value

    def matches(self, given: str) -> bool:
        return secrets.compare_digest(self._value.encode(), given.encode(errors="surrogatepass"))

    def sign(self, message: str) -> str:
        return hmac.new(self._value.encode(), message.encode(), hashlib.sha256).hexdigest()

    @classmethod
    def of(cls, settings: Settings) -> Token:
        """The configured token, else the kept one, else a new one kept with mode 0600."""
        if settings.pilothouse_token:
            return cls(settings.pilothouse_token.get_secret_value())
        path = settings.data_dir / "token"
        kept = path.read_text().strip() if path.exists() else ""
        return cls(kept or _made(path))


def _made(path: Path) -> str:
    value = secrets.token_urlsafe(32)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600, exist_ok=False)
    fresh.write_text(value + "\n")
    fresh.replace(path)
    return value


class Cookies:
    """The login cookie: a signed time of login. It survives a restart and is void once the token changes."""

    def __init__(self, token: Token, clock: Clock) -> None:
        self._token, self._clock = token, clock
        # Browsers share cookies between ports, so two servers on one machine need two names.
        self.name = f"pilothouse_{token.sign('cookie name')[:8]}"

    def set(self, response: Response) -> None:
        issued = str(int(self._clock.now().timestamp()))
        value = f"{issued}.{self._token.sign(f'cookie {issued}')}"
        response.set_cookie(self.name, value, max_age=COOKIE_SECONDS, path="/", httponly=True, samesite="strict")

    def clear(self, response: Response) -> None:
        response.delete_cookie(self.name, path="/", httponly=True, samesite="strict")

    def good(self, header: str) -> bool:
        try:
            morsel = SimpleCookie(header).get(self.name)
        except CookieError:
            return False
        issued, _, signature = (morsel.value if morsel else "").partition(".")
        if not issued.isdecimal() or len(issued) > 12:
            return False
        age = self._clock.now().timestamp() - int(issued)
        return -60 <= age <= COOKIE_SECONDS and secrets.compare_digest(
            self._token.sign(f"cookie {issued}").encode(), signature.encode()
        )


class Throttle:
    """Limits wrong tokens per minute, for each address and for the whole network together."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._limit, self._clock = per_minute, clock
        self._failures: dict[str, deque[float]] = {}

    def admits(self, address: str) -> bool:
        self._forget()
        if len(self._failures.get(address, ())) >= self._limit:
            return False
        # The person at the machine itself must not be locked out by guesses from the network.
        return _is_loopback(address) or self._from_network() < self._limit * _EVERYONE

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
