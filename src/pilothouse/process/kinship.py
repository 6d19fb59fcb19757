"""Tells whether a process belongs to this server's agents, and which process stands behind a local connection.

A process is an agent's when it descends from this server, or from a spawn of this DATA_DIR whose keeper is gone. What
somebody else starts on its behalf (a container, a scheduled job, a terminal it types into) is not found this way.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from pilothouse.process import tree
from pilothouse.process.environment import INSTANCE_VARIABLE, SPAWN_VARIABLE

_FIRST = 1
Address = tuple[str, int]


class Origin(Enum):
    AGENT = "agent"
    OTHER = "other"
    GONE = "gone"
    """Its end is closed already, so that nobody can tell whose it was."""
    UNKNOWN = "unknown"


def of_process(pid: int, instance: str) -> Origin:
    ours, seen = os.getpid(), set[int]()
    if tree.entry(pid) is None:
        return Origin.GONE
    if pid == ours:
        return Origin.OTHER
    while pid > _FIRST and pid not in seen and (found := tree.entry(pid)):
        seen.add(pid)
        if found.parent == ours or _marked(pid, instance):
            return Origin.AGENT
        pid = found.parent
    return Origin.OTHER


def of_connection(client: Address, server: Address, instance: str) -> Origin:
    """Whose a TCP connection from this machine is. Reads all of /proc at worst: call it in a thread."""
    if sys.platform != "linux":
        return Origin.UNKNOWN
    inode = _inode(client, server)
    if not inode:
        return Origin.GONE
    table = tree.table()
    ours = [entry.pid for entry in tree.below([os.getpid()], table)]
    others = sorted(table.keys() - set(ours), reverse=True)
    # A socket may be shared, so whoever holds it is asked for until one is an agent's.
    found = Origin.UNKNOWN
    for pid in _holders(inode, [*ours, *others]):
        if (found := of_process(pid, instance)) is Origin.AGENT:
            return found
    return found


def _marked(pid: int, instance: str) -> bool:
    environment = tree.environment(pid)
    return SPAWN_VARIABLE in environment and environment.get(INSTANCE_VARIABLE) == instance


def _inode(client: Address, server: Address) -> int:
    """Of the client's end. 0 when it has been closed."""
    for name in ("tcp", "tcp6"):
        try:
            lines = Path("/proc/net", name).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if _same(fields[1], client) and _same(fields[2], server):
                return int(fields[9])
    return 0


def _same(written: str, address: Address) -> bool:
    number, _, port = written.partition(":")
    return int(port, 16) == address[1] and _plain(_read(number)) == _plain(address[0])


def _read(number: str) -> str:
    """The kernel writes words of 32 bits, each in the machine's own order."""
    words = [int(number[at : at + 8], 16) for at in range(0, len(number), 8)]
    packed = struct.pack(f"={len(words)}I", *words)
    return socket.inet_ntop(socket.AF_INET if len(words) == 1 else socket.AF_INET6, packed)


def _plain(address: str) -> str:
    found = ip_address(address.partition("%")[0])
    return str((found.ipv4_mapped if isinstance(found, IPv6Address) else None) or found)


def _holders(inode: int, pids: Iterable[int]) -> Iterator[int]:
    wanted = f"socket:[{inode}]"
    for pid in pids:
        folder = f"/proc/{pid}/fd"
        try:
            names = os.listdir(folder)  # noqa: PTH208 - for every process of the machine
        except OSError:
            continue
        if any(_link(f"{folder}/{name}") == wanted for name in names):
            yield pid


def _link(path: str) -> str:
    try:
        return os.readlink(path)  # noqa: PTH115 - see above
    except OSError:
        return ""
