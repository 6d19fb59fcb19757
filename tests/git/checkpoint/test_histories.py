"""The promise of a rollback, over random histories."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilothouse.git import trees
from pilothouse.git.checkpoints import Checkpoints
from tests.git.checkpoint.histories import KINDS, History, Op, operations
from tests.git.checkpoint.losses import LOSSES
from tests.git.repositories import Observed, make_repository, observe

MORE = int(os.environ.get("PILOTHOUSE_FUZZ", "0"))
FUZZ = settings(
    max_examples=MORE or 30,
    derandomize=not MORE,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
)
START, LATER, UNDO, REDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("start", "later", "undo", "redo"))


def check_restored(then: Observed, before: Observed, after: Observed) -> None:
    """`then`: at the checkpoint; `before` and `after`: around the restore."""
    for key, value in then.git.items():
        nested = os.fsencode(key.rpartition(":")[0])
        if not nested or nested in then.ours or nested.rstrip(b"/") in then.ours:
            assert after.git.get(key) == value, f"{key} is not as it was"
    ours = {path for path in then.files if path in then.ours}
    for path in ours:
        assert after.files.get(path) == then.files[path], f"{path!r} is not as it was"
    for path in then.files:
        if path == b"./":
            # The root itself; a pipe may lie in it by now.
            continue
        if path.endswith(b"/") and not _ignored_directory(path, then):
            assert path in after.files or any(other.startswith(path) for other in after.files), f"{path!r} is gone"
        elif path.endswith((b"/", b".gitignore")):
            continue
        elif path not in ours and not _in_the_way(path, ours):
            assert after.files.get(path) == before.files.get(path), f"ignored {path!r} was touched"
    for path in trees.directories(ours):
        assert after.directories[path] == then.directories[path], f"{path!r} has another mode"
    left = {path for path in after.files if path not in then.files and path in after.ours}
    assert not left


def _in_the_way(path: bytes, ours: set[bytes]) -> bool:
    return any(other.startswith(path + b"/") or path.startswith(other + b"/") for other in ours)


def _ignored_directory(path: bytes, then: Observed) -> bool:
    return path.startswith((b"build/", b"dir/", b"cache/"))


def check_undone(before: Observed, after: Observed) -> None:
    # The objects that the repository lost are there again, so git can tell again what is staged.
    unknown = {key for key, value in before.git.items() if key.endswith(":staged") and value is None}
    assert {**after.git, **dict.fromkeys(unknown)} == before.git
    for path in trees.directories(path for path in before.files if path in before.ours):
        assert after.directories[path] == before.directories[path], f"{path!r} has another mode"
    for path, content in before.files.items():
        assert after.files.get(path) == content, f"{path!r} did not come back"
    assert not {path for path in after.files if path not in before.files and not path.endswith(b"/")}


def _loses_objects(op: Op) -> bool:
    return op.name == "lose" and LOSSES[sorted(LOSSES)[op.a % len(LOSSES)]][0] == "objects"


def play(place: Path, kind: str, earlier: list[Op], later: list[Op]) -> None:
    """Checkpoint between two stretches of history, roll back, undo."""
    history = History(place / "repository", kind, make_repository(place / "upstream"))
    for op in earlier:
        history.apply(op)
    checkpoints = Checkpoints(history.root, place / "state")
    log = place / "programs-ran"
    then = observe(history.root)
    log.unlink(missing_ok=True)
    checkpoint = checkpoints.take(START)
    assert not log.exists(), "a program of the repository ran"
    assert observe(history.root) == then
    for op in later:
        if _loses_objects(op):
            # A commit that is lost before any checkpoint saw it is lost, and with it what HEAD named.
            checkpoints.take(LATER)
        history.apply(op)
    before = observe(history.root)
    log.unlink(missing_ok=True)
    restored = checkpoints.restore(checkpoint.commit, UNDO)
    assert checkpoints.same_as(checkpoint.commit)
    assert not log.exists(), "a program of the repository ran"
    check_restored(then, before, observe(history.root))
    checkpoints.restore(restored.undo.commit, REDO)
    assert checkpoints.same_as(restored.undo.commit)
    check_undone(before, observe(history.root))


@pytest.mark.timeout(36000 if MORE else 300)
@FUZZ
@given(kind=st.sampled_from(KINDS), earlier=operations(0, 12), later=operations(1, 12, losing=True))
def test_rollback_gives_back_every_byte_and_undo_gives_back_the_rest(
    kind: str, earlier: list[Op], later: list[Op]
) -> None:
    """WEB-6 BYD-3"""
    with tempfile.TemporaryDirectory(prefix="pilothouse-history-") as directory:
        play(Path(directory), kind, earlier, later)
