"""Tells whether a process belongs to this server's agents, and which process stands behind a local connection.

A process is an agent's when it descends from this server, or from a spawn of this DATA_DIR whose keeper is gone. What
somebody else starts on its behalf (a container, a scheduled job, a terminal it types into) is not found this way.
"""

from __future__ import annotations

import math
import os
import socket
import struct
import sys
import time
from enum import Enum
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from pilothouse.process import tree
from pilothouse.process.environment import INSTANCE_VARIABLE, SPAWN_VARIABLE

_FIRST = 1
_ESTABLISHED = "01"
_RECENT = 2.0
"""Seconds after the end of a spawn in which what it sent may still arrive."""
Address = tuple[str, int]


class Origin(Enum):
    AGENT = "agent"
    OTHER = "other"
    GONE = "gone"
    """Its end is closed already, so that nobody can tell whose it was."""
    UNKNOWN = "unknown"


class _Ends:
    last = -math.inf


_ends = _Ends()


def spawn_ended() -> None:
    """Whatever it sent with its last breath is not to be taken for a person's."""
    _ends.last = time.monotonic()


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
    """Whose a TCP connection from this machine is. Reads much of /proc: call it in a thread."""
    if sys.platform != "linux":
        return Origin.UNKNOWN
    processes, ours = tree.table(), os.getpid()
    # Also those whose keeper is gone, so that they stand below another process now.
    marked = [pid for pid in processes if pid != ours and _marked(pid, instance)]
    agents = {*marked, *(found.pid for found in tree.below([ours, *marked], processes))} - {ours}
    if not agents and time.monotonic() - _ends.last > _RECENT:
        # A person who closes the page at once is gone as well, and has asked all the same.
        return Origin.OTHER
    inode = _inode(client, server)
    if not inode:
        return Origin.GONE if inode == 0 else Origin.UNKNOWN
    if any(_holds(pid, inode) for pid in agents):
        return Origin.AGENT
    # Whoever ended while we looked was not seen.
    return Origin.OTHER if _inode(client, server) == inode else Origin.GONE


def _marked(pid: int, instance: str) -> bool:
    environment = tree.environment(pid)
    return SPAWN_VARIABLE in environment and environment.get(INSTANCE_VARIABLE) == instance


def _inode(client: Address, server: Address) -> int | None:
    """Of the client's end: 0 when it has been closed, None when another system's kernel holds it."""
    is_open = False
    for name in ("tcp", "tcp6"):
        try:
            lines = Path("/proc/net", name).read_text().splitlines()[1:]
        except OSError:
            continue
        port = f":{client[1]:04X} "
        for fields in (line.split() for line in lines if port in line):
            if _same(fields[1], client) and _same(fields[2], server):
                return int(fields[9])
            is_open |= fields[3] == _ESTABLISHED and _same(fields[1], server) and _same(fields[2], client)
    return None if is_open else 0


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


def _holds(pid: int, inode: int) -> bool:
    wanted, folder = f"socket:[{inode}]", f"/proc/{pid}/fd"
    try:
        return any(_link(f"{folder}/{name}") == wanted for name in os.listdir(folder))  # noqa: PTH208 - runs often
    except OSError:
        return False


def _link(path: str) -> str:
    try:
        return os.readlink(path)  # noqa: PTH115 - see above
    except OSError:
        return ""
