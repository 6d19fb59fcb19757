"""Ending what an earlier life left running, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pilothouse.domain.ports import ProcessMark
from pilothouse.process import strays, tree
from tests.process.watching import LIMIT, eventually, runs

Sleeper = Callable[..., int]


@pytest.fixture
def sleeper() -> Iterator[Sleeper]:
    """Starts a shell that sleeps, under the given environment; its pid."""
    started: list[subprocess.Popen[bytes]] = []

    def start(script: str = "sleep 600", **environment: str) -> int:
        started.append(
            subprocess.Popen(
                ["sh", "-c", f"{script} & wait"],
                env={"PATH": os.environ["PATH"], **environment},
                start_new_session=True,
            )
        )
        return started[-1].pid

    yield start
    for process in started:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def mine(instance: str) -> dict[str, str]:
    return {"PILOTHOUSE_SPAWN": "s1", "PILOTHOUSE_DATA": instance}


async def tree_of(pid: int) -> set[int]:
    await eventually(lambda: len(tree.below([pid])) == 1)
    return {pid, *(entry.pid for entry in tree.below([pid]))}


async def test_marked_processes_are_found_and_ended_with_all_below_them(sleeper: Sleeper, tmp_path: Path) -> None:
    """WEB-1"""
    instance = str(tmp_path)
    pid = sleeper("env -i sleep 600", **mine(instance))
    family = await tree_of(pid)
    await eventually(lambda: not any(tree.environment(p) for p in family - {pid}))
    found = strays.find([], instance)
    assert {stray.process.pid for stray in found} == family
    assert [stray.spawn_id for stray in found] == ["s1", None]
    assert "sleep 600" in str(found[1])
    report = await strays.end(found)
    assert {stray.process.pid for stray in report.ended} == family
    assert not any(runs(p) for p in family)
    assert strays.find([], instance) == []


async def test_processes_of_another_instance_are_left_alone(sleeper: Sleeper, tmp_path: Path) -> None:
    """WEB-1"""
    pid = sleeper(**mine("another"))
    await tree_of(pid)
    mark = tree.mark(pid)
    assert mark is not None
    assert strays.find([mark], str(tmp_path)) == []


async def test_a_recorded_process_is_found_by_pid_and_start_time(sleeper: Sleeper, tmp_path: Path) -> None:
    """WEB-1"""
    instance = str(tmp_path)
    pid = sleeper(PILOTHOUSE_DATA=instance)
    family = await tree_of(pid)
    mark = tree.mark(pid)
    assert mark is not None
    assert strays.find([], instance) == []
    assert {stray.process.pid for stray in strays.find([mark], instance)} == family


async def test_a_recycled_pid_is_left_alone(sleeper: Sleeper, tmp_path: Path) -> None:
    """WEB-1"""
    instance = str(tmp_path)
    pid = sleeper(PILOTHOUSE_DATA=instance)
    await tree_of(pid)
    mark = tree.mark(pid)
    assert mark is not None
    earlier = ProcessMark(pid, mark.started - 1)
    assert strays.find([earlier], instance) == []
    await strays.end([strays.Stray(earlier, "who used to have this pid", "s1")])
    assert runs(pid)


async def test_one_spawn_can_be_ended_without_its_neighbours(sleeper: Sleeper, tmp_path: Path) -> None:
    instance = str(tmp_path)
    one = sleeper(PILOTHOUSE_SPAWN="one", PILOTHOUSE_DATA=instance)
    two = sleeper(PILOTHOUSE_SPAWN="two", PILOTHOUSE_DATA=instance)
    await tree_of(one)
    await tree_of(two)
    await strays.end(strays.of_spawn("one", instance))
    assert not runs(one)
    assert runs(two)


def test_this_very_process_and_its_ancestors_are_never_strays(tmp_path: Path) -> None:
    """A server that an agent of the same instance started carries the marker itself."""
    code = (
        "import os, sys; from pilothouse.process import strays\n"
        "print([s.process.pid for s in strays.find([], os.environ['PILOTHOUSE_DATA'])])"
    )
    source = str(Path(__file__).parents[2] / "src")
    env = {**os.environ, **mine(str(tmp_path)), "PYTHONPATH": source}
    script = f'"{sys.executable}" -c "$CODE"; true'
    result = subprocess.run(["sh", "-c", script], env={**env, "CODE": code}, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


async def test_who_ignores_every_signal_that_can_be_ignored_is_ended(sleeper: Sleeper, tmp_path: Path) -> None:
    instance = str(tmp_path)
    pid = sleeper("trap '' TERM HUP INT QUIT; sleep 600", **mine(instance))
    await tree_of(pid)
    report = await strays.end(strays.find([], instance))
    assert len(report.ended) == 2
    assert not runs(pid)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs two users")
def test_a_process_of_another_user_is_named_as_remaining(tmp_path: Path) -> None:
    """WEB-1: what an agent started with another user's rights cannot be ended without them."""
    started = (
        "import os, shutil\n"
        "sleep = shutil.which('sleep')\n"
        "if os.fork() == 0: os.execv(sleep, ['sleep', '601'])\n"
        "os.setuid(65534)\n"
        "os.execv(sleep, ['sleep', '602'])\n"
    )
    looking = (
        "import asyncio, os\n"
        "from pilothouse.process import strays\n"
        "os.setuid(65534)\n"
        "report = asyncio.run(strays.end(strays.find([], os.environ['OURS']), limit=2))\n"
        "print([s.command for s in report.ended], [s.command for s in report.remaining])\n"
    )

    def commands() -> list[str]:
        return [tree.command(pid) for pid in (family.pid, *(child.pid for child in tree.below([family.pid])))]

    instance = str(tmp_path)
    family = subprocess.Popen([sys.executable, "-c", started], env={**os.environ, **mine(instance)}, process_group=0)
    try:
        deadline = time.monotonic() + LIMIT
        while commands() != ["sleep 602", "sleep 601"] and time.monotonic() < deadline:
            os.sched_yield()
        source = str(Path(__file__).parents[2] / "src")
        env = {**os.environ, "OURS": instance, "PYTHONPATH": source}
        looked = subprocess.run([sys.executable, "-c", looking], env=env, capture_output=True, text=True, check=True)
        assert looked.stdout == "['sleep 602'] ['sleep 601']\n"
    finally:
        os.killpg(family.pid, signal.SIGKILL)
        family.wait()
