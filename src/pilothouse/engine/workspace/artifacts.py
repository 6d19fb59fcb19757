"""The three saved parts that a soft resume needs: the patch, the step log and the summary of failed checks.

They are files under `DATA_DIR/artifacts/<task>/<attempt>/`, their hashes are in the attempt's row: a part that is
missing, or is not what was saved, is named and the soft resume is refused. A first attempt has none before its agent
has done something.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from sqlalchemy import Connection

from pilothouse.domain.task.task import Attempt, Step, Task
from pilothouse.git import durable
from pilothouse.git.checkpoints import DIFF_LIMIT
from pilothouse.git.model import DiffStat, FileChange, Patch
from pilothouse.store.database import Tx
from pilothouse.store.task import attempts, runs
from pilothouse.words import say

PROPOSAL = "proposal.json"
PARTS = {"patch": "patch.diff", "step_log": "step-log.json", "failure_summary": "failures.json"}


@dataclass(frozen=True, slots=True)
class Failure:
    """One verification that did not pass, as a resumed task is told of it."""

    run_id: str
    check: str
    first_failing_line: str

    def __str__(self) -> str:
        return f"{self.check}: {self.first_failing_line} (run {self.run_id})"


def failures(c: Connection, task_id: str) -> tuple[Failure, ...]:
    """Every failed verification since the task's work last started over."""
    failed = runs.failed(c, task_id)
    return tuple(Failure(run.id, run.failing.name if run.failing else "", run.first_failing_line) for run in failed)


@dataclass(frozen=True, slots=True)
class SavedPart:
    name: str
    saved: bool
    detail: str


Write = Callable[[bytes], object]


VOUCHERS = ("patch_sha256", "step_log_sha256", "failures_sha256")
"""Columns of the attempt's row that vouch for what was saved."""
Vouchers = dict[str, str]
NOTHING = "nothing"
"""Stands for a hash while there is nothing to save: the first attempt has only begun."""
NOTHING_YET: Vouchers = dict.fromkeys(VOUCHERS, NOTHING)


def save_patch(root: Path, task_id: str, attempt: int, patch: Callable[[Write], None]) -> Vouchers:
    """`patch` writes it piece by piece: it may be larger than our memory."""
    folder = _folder(root, task_id, attempt)
    vouchers = {"patch_sha256": _write(folder / PARTS["patch"], patch)}
    durable.sync(folder)
    return vouchers


def save_log(root: Path, task_id: str, attempt: int, steps: Sequence[Step], failed: Sequence[Failure] = ()) -> Vouchers:
    folder = _folder(root, task_id, attempt)
    log = orjson.dumps([asdict(step) for step in steps], option=orjson.OPT_INDENT_2)
    note = {} if failed else {"note": "No verification has failed."}
    summary = orjson.dumps({"failed": [asdict(failure) for failure in failed], **note}, option=orjson.OPT_INDENT_2)
    vouchers = {
        "step_log_sha256": _write(folder / PARTS["step_log"], lambda write: write(log)),
        "failures_sha256": _write(folder / PARTS["failure_summary"], lambda write: write(summary)),
    }
    durable.sync(folder)
    return vouchers


def _folder(root: Path, task_id: str, attempt: int) -> Path:
    folder = root / "artifacts" / task_id / str(attempt)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def inspect(root: Path, attempt: Attempt | None) -> list[SavedPart]:
    """What is saved of an attempt, and for each part that is not, why."""
    if attempt is None:
        return [SavedPart(name, False, say("saved.not_started")) for name in PARTS]
    folder = root / "artifacts" / attempt.task_id / str(attempt.number)
    vouched = {name: getattr(attempt, column) for name, column in zip(PARTS, VOUCHERS, strict=True)}
    return [_inspect(name, folder / PARTS[name], sha256) for name, sha256 in vouched.items()]


def forget(tx: Tx, task: Task) -> None:
    """What was saved of the attempt, or of the one that it was to go on from, describes a tree that is not there any
    more."""
    begun = attempts.last_begun(tx.conn, task.id)
    for number in {task.attempt, begun.number if begun else task.attempt}:
        attempts.update(tx, task.id, number, **dict.fromkeys(VOUCHERS))


def forget_nothing(tx: Tx, task: Task) -> None:
    """An agent has run: that there was nothing to save no longer holds."""
    attempt = attempts.get(tx.conn, task.id, task.attempt)
    if attempt and attempt.patch_sha256 == NOTHING:
        forget(tx, task)


def _inspect(name: str, path: Path, sha256: str | None) -> SavedPart:
    if sha256 is None:
        return SavedPart(name, False, say("saved.not"))
    if sha256 == NOTHING:
        return SavedPart(name, True, say("saved.nothing"))
    try:
        with path.open("rb") as file:
            found, size = hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
    except OSError as error:
        return SavedPart(name, False, say("saved.unreadable", file=path.name, problem=error.strerror or str(error)))
    if found != sha256:
        return SavedPart(name, False, say("saved.other", file=path.name))
    return SavedPart(name, True, say("saved.there", file=path.name, count=size))


def _write(path: Path, pour: Callable[[Write], object]) -> str:
    """The hash of what was poured into the file, which the disk has by then; its folder is the caller's to flush."""
    temporary = path.with_suffix(".tmp")
    seen = hashlib.sha256()
    with temporary.open("wb") as file:

        def write(piece: bytes) -> None:
            seen.update(piece)
            file.write(piece)

        pour(write)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    return seen.hexdigest()


@dataclass(frozen=True, slots=True)
class KeptDiff:
    """What a discarded proposal would have changed; its checkpoints are gone."""

    stat: DiffStat
    patch: Patch


def keep_diff(root: Path, task_id: str, diff: KeptDiff) -> None:
    folder = root / "artifacts" / task_id
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Names of files need not be text, which the faster library refuses.
    content = json.dumps(asdict(diff)).encode()
    _write(folder / PROPOSAL, lambda write: write(content))
    durable.sync(folder)


def kept_diff(root: Path, task_id: str, path: str | None = None) -> KeptDiff | None:
    """The whole of it, or the part about one file."""
    try:
        found = json.loads((root / "artifacts" / task_id / PROPOSAL).read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    stat = found["stat"] | {"files": tuple(FileChange(**row) for row in found["stat"]["files"])}
    patch = Patch(**found["patch"])
    if path is not None:
        parts = re.split(r"^(?=diff --git )", patch.text, flags=re.MULTILINE)
        about = [part for part in parts if part.split("\n", 1)[0].endswith((f" b/{path}", f' "b/{path}"'))]
        patch = Patch("".join(about), patch.truncated)
    truncated = patch.truncated or len(patch.text) > DIFF_LIMIT
    return KeptDiff(DiffStat(**stat), Patch(patch.text[:DIFF_LIMIT], truncated))
