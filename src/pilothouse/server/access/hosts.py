"""The names and addresses the server answers under. Stops DNS rebinding and pages of other sites."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import quote, urlsplit

from pilothouse.settings import Settings

WILDCARDS = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - compared with, not bound to
_DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_SAME = frozenset({"same-origin", "none"})


def opens_network(host: str) -> bool:
    """Whether listening on `host` lets other machines in."""
    address = _address(host)
    return host in WILDCARDS or not (host == "localhost" or (address is not None and address.is_loopback))


class Hosts:
    def __init__(self, settings: Settings) -> None:
        names = {"localhost", *settings.allowed_hosts}
        if settings.host not in WILDCARDS:
            names.add(settings.host)
        if opens_network(settings.host):
            machine = socket.gethostname()
            names |= {machine, f"{machine.split('.')[0]}.local"}
        self._names = frozenset(_plain(name) for name in names)

    def allow(self, header: str | None, local: str | None) -> bool:
        """`local` is the address the connection arrived at.

        Whoever owns a name can point it anywhere, so names must be on the list. Nobody can do that with an address:
        the one that the connection arrived at is always ours.
        """
        name = _host(header or "")
        if name is None:
            return False
        address = _address(name)
        if name in self._names or (address is not None and address.is_loopback):
            return True
        return address is not None and local is not None and address == _address(local)


def from_elsewhere(headers: Mapping[str, str], scheme: str) -> bool:
    """Whether a browser sent this for a page that is not ours. Programs other than browsers send neither header."""
    if headers.get("sec-fetch-site", "none") not in _SAME:
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    try:
        sent = urlsplit(origin)
        port = sent.port or _DEFAULT_PORTS.get(sent.scheme)
    except ValueError:
        return True
    return (sent.hostname, port) != _target(headers.get("host", ""), sent.scheme, scheme)


def _target(host: str, origin_scheme: str, scheme: str) -> tuple[str | None, int | None] | None:
    try:
        ours = urlsplit(f"//{host}")
        # Behind a proxy that speaks TLS the origin is https and our own side http; the default port goes with it.
        return ours.hostname, ours.port or _DEFAULT_PORTS.get(origin_scheme or scheme)
    except ValueError:
        return None


def _host(header: str) -> str | None:
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return _plain(parts.hostname)


def _plain(name: str) -> str:
    return name.strip().strip("[]").rstrip(".").lower()


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(name.split("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def login_link(host: str, port: int, token: str) -> str:
    """The token is in the fragment, which no browser sends anywhere."""
    name = (_network_address() or "localhost") if host in WILDCARDS else host
    return f"{url(name, port)}/#token={quote(token, safe='')}"


def listen(settings: Settings) -> socket.socket:
    """Opens the socket that the server accepts connections on."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    return socket.create_server((settings.host, settings.port), family=family, backlog=2048)


def from_here(listening: socket.socket) -> str:
    """The address at which programs of this machine reach a listening socket."""
    name, port = listening.getsockname()[:2]
    if name in WILDCARDS:
        name = "::1" if listening.family == socket.AF_INET6 else "127.0.0.1"
    return url(name, port)


def url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _network_address() -> str | None:
    """The address at which other devices of the network most likely reach this machine."""
    import psutil

    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found = [
        address
        for name, entries in psutil.net_if_addrs().items()
        if name in up
        for entry in entries
        if entry.family == socket.AF_INET and (address := ip_address(entry.address)) and not address.is_loopback
    ]
    found.sort(key=lambda address: (address.is_link_local, not address.is_private))
    return str(found[0]) if found else None
