"""The saved parts of a soft resume."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.git.repositories import make_repository, run_python


def test_a_change_larger_than_memory_is_compared_piece_by_piece(tmp_path: Path) -> None:
    """WEB-6: a patch of 150 MB, saved and shown by a process that may not grow by a fifth of that."""
    root = make_repository(tmp_path / "repository")
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from pilothouse.engine.workspace import artifacts\n"
        "from pilothouse.git.checkpoints import Checkpoints\n"
        "root, state = map(Path, sys.argv[1:])\n"
        "checkpoints = Checkpoints(root, state)\n"
        "start = checkpoints.take('refs/pilothouse/s/t/1/0')\n"
        "def peak():\n"
        "    return int(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) // 1024\n"
        "for number in range(15):\n"
        "    with (root / f'{number}.txt').open('w') as file:\n"
        "        for _ in range(100):\n"
        "            file.write(f'{number} and again\\n' * 6000)\n"
        "before = peak()\n"
        "saved = artifacts.save_patch(state, 't', 1, lambda write: checkpoints.patch(start.commit, None, write))\n"
        "shown = checkpoints.diff(start.commit)\n"
        "assert shown.truncated and len(shown.text) == 1_000_000\n"
        "print(peak() - before, (state / 'artifacts/t/1/patch.diff').stat().st_size >> 20, saved['patch_sha256'])\n"
    )
    done = run_python(program, root, tmp_path / "state")
    assert done.returncode == 0, done.stderr
    grown, size, sha256 = done.stdout.split()
    assert int(size) > 100
    assert int(grown) < int(size) // 5
    with (tmp_path / "state" / "artifacts" / "t" / "1" / "patch.diff").open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == sha256
