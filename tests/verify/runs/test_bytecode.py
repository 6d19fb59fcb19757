"""A Python file that is written, checked and written again in one second is checked as it is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pilothouse.verify.runs.bytecode import drop_stale

NAME = "answer [1].py"
SECOND = 1_750_000_000_000_000_000


def written(folder: Path, value: int, at: int) -> None:
    (folder / NAME).write_text(f"print({value})\n")
    os.utime(folder / NAME, ns=(SECOND + at, SECOND + at))


def compiled(folder: Path, at: int) -> Path:
    subprocess.run([sys.executable, "-m", "py_compile", NAME], cwd=folder, check=True)
    (found,) = (folder / "__pycache__").iterdir()
    os.utime(found, ns=(SECOND + at, SECOND + at))
    return found


@pytest.mark.parametrize(
    ("again", "left"),
    [
        pytest.param(300_000_000, False, id="written again in the same second"),
        pytest.param(200_000_000, False, id="perhaps at the same instant"),
        pytest.param(100_000_000, True, id="not written again"),
        pytest.param(1_300_000_000, True, id="written in the next second, which Python sees"),
    ],
)
def test_what_only_looks_current_is_taken_away(tmp_path: Path, again: int, left: bool) -> None:
    """TSK-8"""
    written(tmp_path, 1, at=100_000_000)
    cache = compiled(tmp_path, at=200_000_000)
    written(tmp_path, 2, at=again)
    assert drop_stale(tmp_path, [NAME, "gone.py", "README.md"]) == ([] if left else [cache])
    assert cache.exists() is left


def test_another_length_is_left_to_python(tmp_path: Path) -> None:
    """TSK-8"""
    written(tmp_path, 1, at=100_000_000)
    cache = compiled(tmp_path, at=200_000_000)
    written(tmp_path, 10, at=300_000_000)
    assert drop_stale(tmp_path, [NAME]) == []
    assert cache.exists()


def test_what_is_no_compiled_file_stays(tmp_path: Path) -> None:
    """TSK-8"""
    written(tmp_path, 1, at=0)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "answer [1].cpython-311.pyc").write_bytes(b"short")
    assert drop_stale(tmp_path, [NAME]) == []
