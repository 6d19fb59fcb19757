"""The crash matrix: SIGKILL at every point of every script, then a new start.

`PILOTHOUSE_CRASH=all` takes every pass of every point; a usual run each transition, tree operation and spawn once.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash import matrix
from tests.crash.aftermath import inspect
from tests.crash.matrix import Kill
from tests.crash.scripts import SCRIPTS
from tests.crash.victim import Hangman


@pytest.mark.parametrize("kill", matrix.chosen(), ids=lambda kill: f"{kill.script}, {kill.point}, {kill.nth}")
async def test_a_kill_loses_nothing_doubles_nothing_and_leaves_nothing_running(
    hangman: Hangman, kill: Kill, tmp_path: Path
) -> None:
    """BYD-8 WEB-1 TSK-2 RPL-3"""
    matrix.execute(hangman, kill, tmp_path)
    await inspect(tmp_path, matrix.seconds_of(tmp_path))


@pytest.mark.parametrize("script", SCRIPTS)
async def test_every_point_a_script_passes_is_in_the_matrix(hangman: Hangman, script: str, tmp_path: Path) -> None:
    """BYD-8"""
    known = {kill.point for kill in matrix.surveyed() if kill.script == script}
    passed = set(matrix.survey(hangman, script, tmp_path))
    assert passed == known, "the product changed: python -m tests.crash.matrix > tests/crash/survey.txt"
    await inspect(tmp_path, matrix.seconds_of(tmp_path))


def test_the_usual_run_takes_every_transition_and_every_place_twice() -> None:
    """BYD-8"""
    everything = matrix.surveyed()
    taken = matrix.sample(everything)
    assert {kill.what for kill in taken} == {kill.what for kill in everything}
    for where in {kill.where for kill in everything}:
        assert sum(kill.where == where for kill in taken) >= 2
