"""Checks hold as a person accepted them last, whatever tasks make of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.session.session import Session
from pilothouse.domain.task.checks import RunPurpose, RunResult
from pilothouse.domain.task.doubts import DoubtKind, standing
from pilothouse.domain.task.task import Task, TaskStatus, Verdict
from pilothouse.engine.workspace import pins
from pilothouse.store.session import pins as rows
from pilothouse.store.session import projects
from pilothouse.store.task import runs
from pilothouse.verify.chosen_checks import checks_of
from pilothouse.verify.pins import digest
from pilothouse.workflows.chat import Message
from tests.workbench import Workbench, git, make_repository

TEST = """\
import unittest
from calc import add


class Adding(unittest.TestCase):
    def test_add(self) -> None:
        self.assertEqual(add(2, 3), 5)
"""
RIGHT, WRONG = "def add(a, b):\\n    return a + b\\n", "def add(a, b):\\n    return a * b\\n"
SCENARIOS = f"""
scenarios:
  fixes:
    - write: {{path: calc.py, text: "{RIGHT}"}}
  loosens-script:
    - write: {{path: check.sh, text: "python3 -m unittest -q || true\\n"}}
  loosens-commands:
    - write: {{path: agent.yaml, text: "verification:\\n  - {{name: tests, command: 'sh check.sh || true'}}\\n"}}
  empties-commands:
    - write: {{path: agent.yaml, text: "verification: []\\n"}}
  adds-a-check:
    - write:
        path: agent.yaml
        text: |
          verification:
            - {{name: tests, command: sh check.sh}}
            - {{name: lint, command: "test -f linted"}}
    - write: {{path: notes.txt, text: "more checks\\n"}}
  breaks:
    - write: {{path: calc.py, text: "{WRONG}"}}
  writes:
    - write: {{path: other.txt, text: "other\\n"}}
"""

BRINGS = """
scenarios:
  brings:
    - write: {path: agent.yaml, text: "verification:\\n  - {name: a, command: 'true'}\\n"}
"""


async def opened(tmp_path: Path) -> Workbench:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / ".gitignore").write_text(".pilothouse/\n__pycache__/\n")
    (repo / "agent.yaml").write_text("verification:\n  - {name: tests, command: sh check.sh}\n")
    (repo / "check.sh").write_text("python3 -m unittest -q\n")
    (repo / "calc.py").write_text(RIGHT.replace("\\n", "\n"))
    (repo / "test_calc.py").write_text(TEST)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    return await Workbench.open(tmp_path / "data", repo)


async def sent(bench: Workbench, session: Session, text: str) -> Task:
    task = await bench.chat.send(session.id, Message(text, agent="rehearsal"))
    return await bench.rest(task, TaskStatus.COMPLETE)


async def pinned_runs(bench: Workbench, task: Task) -> list[RunResult]:
    known = await bench.store.read(lambda c: runs.of_task(c, task.id))
    return [run.result for run in known if run.purpose is RunPurpose.PINNED]


async def accepted(bench: Workbench, task: Task) -> None:
    project = await bench.store.read(lambda c: projects.get(c, task.project_id))
    assert project
    seen = digest(bench.repo, checks_of(bench.repo, None).checks)
    await pins.accept(bench.store, project, bench.repo, "They may fail for now.", seen)


@pytest.mark.parametrize("how", ["loosens-script", "loosens-commands"])
async def test_a_loosened_check_is_a_doubt_and_the_accepted_one_finds_what_it_hides(tmp_path: Path, how: str) -> None:
    """BYD-17"""
    async with await opened(tmp_path) as bench:
        session, begun = await bench.begin(f"[[{how}]]")
        first = await bench.rest(begun, TaskStatus.COMPLETE)
        assert first.verdict is Verdict.PASS
        assert {doubt.kind for doubt in standing(first.doubts)} == {DoubtKind.CHECKS_CHANGED}

        broken = await sent(bench, session, "[[breaks]]")
        assert broken.verdict is Verdict.PASS
        (told,) = standing(broken.doubts)
        assert told.kind is DoubtKind.PINNED_CHECKS_FAIL
        assert await pinned_runs(bench, broken) == [RunResult.FAIL]

        fixed = await sent(bench, session, "[[fixes]]")
        assert standing(fixed.doubts) == []
        assert DoubtKind.CHECKS_UNACCEPTED in {doubt.kind for doubt in fixed.doubts}

        await accepted(bench, first)
        (event,) = [event for event in bench.heard if event.type == "project.checks_accepted"]
        assert event.model_dump()["data"]["reason"] == "They may fail for now."
        later = await sent(bench, session, "[[breaks]]")
        assert (standing(later.doubts), await pinned_runs(bench, later)) == ([], [])


async def test_auto_fix_carries_the_doubts_too_and_takes_back_only_what_failed(tmp_path: Path) -> None:
    """WEB-7 BYD-17"""
    async with await opened(tmp_path) as bench:
        session, begun = await bench.begin("[[loosens-script]]", auto_fix=True)
        first = await bench.rest(begun, TaskStatus.COMPLETE)
        assert {doubt.kind for doubt in standing(first.doubts)} == {DoubtKind.CHECKS_CHANGED}
        assert "|| true" in (bench.repo / "check.sh").read_text()
        broken = await sent(bench, session, "[[breaks]]")
        assert [doubt.kind for doubt in standing(broken.doubts)] == [DoubtKind.PINNED_CHECKS_FAIL]
        assert "task.rolled_back" not in {event.type for event in bench.heard}


async def test_checks_that_a_task_took_away_hold_for_the_next_one(tmp_path: Path) -> None:
    """BYD-17"""
    async with await opened(tmp_path) as bench:
        session, begun = await bench.begin("[[empties-commands]]")
        await bench.rest(begun, TaskStatus.COMPLETE)
        task = await bench.chat.send(session.id, Message("[[breaks]]", agent="rehearsal"))
        assert (await bench.rest(task)).status is TaskStatus.STUCK


async def test_a_check_that_a_task_adds_holds_for_the_task_itself(tmp_path: Path) -> None:
    """BYD-17"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[adds-a-check]]")
        task = await bench.rest(begun)
        assert task.status is TaskStatus.STUCK
        known = await bench.store.read(lambda c: runs.of_task(c, task.id))
        assert known[0].failing
        assert known[0].failing.name == "lint"


async def test_the_first_message_accepts_the_checks_that_stand_and_those_of_a_first_task_wait_for_the_next(
    tmp_path: Path,
) -> None:
    """BYD-17"""
    repo = make_repository(tmp_path / "repo", BRINGS)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        session, begun = await bench.begin("[[brings]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert await bench.store.read(lambda c: rows.get(c, task.project_id)) is None
        await sent(bench, session, "[[brings]]")
        pin = await bench.store.read(lambda c: rows.get(c, task.project_id))
        assert pin
        assert [check.shown for check in pin.checks] == ["true"]
        assert [file.path for file in pin.files] == ["agent.yaml"]
