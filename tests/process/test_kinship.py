"""Whose a process is, and whose a connection."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pilothouse.process import kinship
from pilothouse.process.environment import INSTANCE_VARIABLE, SPAWN_VARIABLE, Environment, instance_of
from pilothouse.process.kinship import Origin
from tests.process.conftest import Start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a connection is")
ELSEWHERE = "another-data-dir"


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield made


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_a_connection_of_this_process_is_no_agents(family: socket.AddressFamily) -> None:
    """BYD-23"""
    with (
        socket.create_server(("127.0.0.1" if family == socket.AF_INET else "::1", 0), family=family) as listening,
        socket.create_connection(listening.getsockname()[:2]) as client,
        listening.accept()[0],
    ):
        ends = client.getsockname()[:2], listening.getsockname()[:2]
        with subprocess.Popen(["sleep", "600"]) as agent:
            assert kinship.of_connection(*ends, ELSEWHERE) is Origin.OTHER
            agent.kill()


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_who_sends_and_leaves_is_no_person_while_agents_run(listening: socket.socket, reset: bool) -> None:
    """BYD-23: a process that ends at once would never be found."""
    client = socket.create_connection(listening.getsockname())
    ends = client.getsockname(), listening.getsockname()
    with listening.accept()[0]:
        client.sendall(b"POST")
        if reset:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        with subprocess.Popen(["sleep", "600"]) as agent:
            assert kinship.of_connection(*ends, ELSEWHERE) is Origin.GONE
            agent.kill()


def test_a_page_that_was_closed_at_once_has_asked_all_the_same_where_no_agent_ran() -> None:
    """BYD-23: asked in a process that has started none."""
    script = """
import socket
from pilothouse.process import kinship
listening = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listening.getsockname())
ends = client.getsockname(), listening.getsockname()
client.close()
print(kinship.of_connection(*ends, "here").name)
"""
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said == "OTHER\n"


async def test_what_an_agent_sends_with_its_last_breath_is_no_persons(start: Start, listening: socket.socket) -> None:
    """BYD-23"""
    host, port = listening.getsockname()
    attack = (
        f"import socket; s = socket.create_connection(({host!r}, {port})); s.send(b'POST'); print(s.getsockname()[1])"
    )
    spawned = await start(f'{sys.executable} -c "{attack}"')
    client = int(b"".join([piece async for piece in spawned.output()]))
    await spawned.wait()
    assert kinship.of_connection((host, client), (host, port), ELSEWHERE) is Origin.GONE


async def test_a_process_is_the_agents_that_started_it_also_without_its_keeper(
    start: Start, tmp_path: Path, environment: Environment
) -> None:
    """BYD-23"""
    spawned = await start("sleep 600 & echo $!; wait", env=environment.for_spawn())
    pid = int(await anext(spawned.output()))
    assert kinship.of_process(pid, ELSEWHERE) is Origin.AGENT, "it stands below this process"
    await spawned.stop(0)
    assert kinship.of_process(pid, ELSEWHERE) is Origin.GONE


def test_a_marked_process_is_an_agents_wherever_it_stands(tmp_path: Path) -> None:
    """BYD-23: its keeper was killed, so that it stands below another process."""
    instance = instance_of(tmp_path)
    marked = {**os.environ, SPAWN_VARIABLE: "s", INSTANCE_VARIABLE: instance}
    command = ["setsid", "--fork", "sh", "-c", "echo $$; exec sleep 600"]
    with subprocess.Popen(command, env=marked, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout
        pid = int(starter.stdout.readline())
        starter.wait()
        try:
            assert kinship.of_process(pid, instance) is Origin.AGENT
            assert kinship.of_process(pid, ELSEWHERE) is Origin.OTHER
        finally:
            os.kill(pid, signal.SIGKILL)


def test_this_process_and_who_started_it_are_no_agents() -> None:
    """BYD-23"""
    assert kinship.of_process(os.getpid(), ELSEWHERE) is Origin.OTHER
    assert kinship.of_process(os.getppid(), ELSEWHERE) is Origin.OTHER
