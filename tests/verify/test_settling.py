"""A Python file that is written, checked and written again in one second is checked as it is."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.verify.settling import settled

NOW = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)


class Noting(ManualClock):
    def __init__(self) -> None:
        super().__init__(NOW)
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.mark.parametrize(
    ("name", "age", "slept"),
    [
        pytest.param("calc.py", 0.2, [0.75], id="written in this second"),
        pytest.param("calc.py", 0.3, [], id="written in the one before"),
        pytest.param("calc.go", 0.2, [], id="nothing that Python compiles"),
        pytest.param("gone.py", None, [], id="deleted"),
    ],
)
async def test_the_second_of_the_last_edit_is_over(
    tmp_path: Path, name: str, age: float | None, slept: list[float]
) -> None:
    """TSK-8"""
    if age is not None:
        (tmp_path / name).write_text("x = 1\n")
        os.utime(tmp_path / name, (NOW.timestamp() - age,) * 2)
    clock = Noting()
    await settled(tmp_path, [name], clock)
    assert clock.slept == pytest.approx(slept)
