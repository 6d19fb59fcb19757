from __future__ import annotations

import os
import subprocess

import psutil

from pilothouse.domain.ports import ProcessMark
from pilothouse.process import tree


def test_a_start_time_is_the_same_whenever_it_is_asked_for() -> None:
    mark = tree.mark(os.getpid())
    assert mark is not None
    assert mark == tree.mark(os.getpid())
    assert tree.alive(mark)
    assert not tree.alive(ProcessMark(mark.pid, mark.started + 1))
    assert abs(psutil.boot_time() + mark.started - psutil.Process().create_time()) < 2


def test_a_process_that_ended_is_not_alive_even_before_it_is_reaped() -> None:
    process = subprocess.Popen(["true"], stdout=subprocess.PIPE)
    mark = tree.mark(process.pid)
    assert mark is not None
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not tree.alive(mark)
    process.communicate()
    assert tree.mark(process.pid) is None
    assert tree.command(process.pid) == ""
    assert tree.environment(process.pid) == {}
