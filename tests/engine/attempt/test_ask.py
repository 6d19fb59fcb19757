"""Tasks that only ask, and the workflow that hears of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Awaiting, Purpose, ResumeMode, Task, TaskStatus, Verdict
from pilothouse.engine.transition import queue
from pilothouse.engine.workflow import Workflow
from pilothouse.store.database import Tx
from pilothouse.store.task import attempts, steps, tasks
from tests.workbench import Workbench, make_repository, tree

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"files": {"type": "array", "items": {"type": "string"}}},
    "required": ["files"],
    "additionalProperties": False,
}
SCENARIOS = """
scenarios:
  done:
    steps:
      - say: Done.
  answers:
    steps:
      - write: {path: calc.py, text: "gone"}
      - say: I looked. Shall I go on?
      - answer: {files: [calc.py]}
  twice_wrong:
    steps: [{say: Hello.}]
    ask:
      - answer: {files: calc.py}
    ask 2:
      - say: I do not know.
    ask 3:
      - answer: {files: []}
  always_wrong:
    steps: [{say: Hello.}]
    ask:
      - answer: {files: 1}
    ask 4:
      - answer: {files: [found.py]}
  words:
    steps:
      - say: There are two functions. Which one do you mean?
"""


async def bench_of(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


def asking(earlier: Task, prompt: str, schema: dict[str, object] | None = SCHEMA, **more: Any) -> Task:
    fresh = Task(
        id=uuid4().hex,
        session_id=earlier.session_id,
        project_id=earlier.project_id,
        workspace_id=earlier.workspace_id,
        prompt=prompt,
        agent=earlier.agent,
        submitted_at=earlier.submitted_at,
        updated_at=earlier.updated_at,
        place=0,
        purpose=Purpose.ASK,
        answer_schema=schema,
    )
    return replace(fresh, **more)


async def asked(bench: Workbench, prompt: str, schema: dict[str, object] | None = SCHEMA) -> Task:
    _, earlier = await bench.begin("[[done]]")
    await bench.rest(earlier, TaskStatus.COMPLETE)
    task = asking(earlier, prompt, schema)
    await bench.store.write(lambda tx: queue(tx, task))
    return await bench.rest(task)


async def test_an_answer_by_its_schema_ends_an_ask_that_changes_nothing(tmp_path: Path) -> None:
    """BYD-13 GRD-7: it holds nothing, runs no checks, and there is nothing of it to roll back"""
    async with await bench_of(tmp_path) as bench:
        before = tree(bench.repo)
        task = await asked(bench, "[[answers]]")
        assert (task.status, task.verdict, task.answer) == (S.COMPLETE, Verdict.NO_CHANGES, {"files": ["calc.py"]})
        assert tree(bench.repo) == before
        [attempt] = await bench.store.read(lambda c: attempts.of_task(c, task.id))
        assert attempt.checkpoint
        assert attempt.base is None
        assert "task.verified" not in await bench.types(task.id)


async def test_an_answer_that_does_not_fit_is_asked_for_again_twice(tmp_path: Path) -> None:
    """BYD-13: the agent is told what was wrong with it"""
    async with await bench_of(tmp_path) as bench:
        task = await asked(bench, "[[twice_wrong]]")
        assert (task.status, task.answer) == (S.COMPLETE, {"files": []})
        done = await bench.store.read(lambda c: steps.of_task(c, task.id))
        assert len(done) == 3
        assert "$.files: 'calc.py' is not of type 'array'" in done[1].prompt
        assert "There is no answer" in done[2].prompt


async def test_what_never_fits_is_shown_as_it_is_and_goes_on_with_a_reply(tmp_path: Path) -> None:
    """BYD-13 RPL-3"""
    async with await bench_of(tmp_path) as bench:
        task = await asked(bench, "[[always_wrong]]")
        assert (task.awaiting, task.holds_workspace) == (Awaiting.BLOCKER, False)
        assert "is not of type 'array'" in (task.error_message or "")
        assert task.question
        assert '"files"' in task.question
        await bench.controls.reply(task.id, "A list, please.")
        again = await bench.rest(task, S.COMPLETE, S.AWAITING_RESPONSE)
        assert again.attempt == 2


async def test_an_answer_that_was_on_its_way_is_told_when_an_ask_is_resumed(tmp_path: Path) -> None:
    """RPL-3 WEB-3"""
    async with await bench_of(tmp_path) as bench:
        task = await asked(bench, "[[always_wrong]]")
        await bench.store.write(lambda tx: tasks.update(tx, task.id, pending_reply="As a list, please."))
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.until_event("attempt.finished", task.id, count=2)
        done = await bench.store.read(lambda c: steps.of_task(c, task.id, 2))
        assert "As a list, please." in done[0].prompt


async def test_a_message_behind_an_ask_goes_on_from_the_message_before_it(tmp_path: Path) -> None:
    """WEB-9: an ask has a conversation of its own"""
    async with await bench_of(tmp_path) as bench:
        session, first = await bench.begin("[[done]]")
        first = await bench.rest(first, S.COMPLETE)
        task = asking(first, "[[answers]]")
        await bench.store.write(lambda tx: queue(tx, task))
        await bench.rest(task, S.COMPLETE)
        later = await bench.send(session, "[[done]]")
        before = await bench.store.read(lambda c: tasks.before_in_session(c, later))
        assert before is not None
        assert before.id == first.id


async def test_without_a_schema_the_agents_words_are_the_answer(tmp_path: Path) -> None:
    """GRD-7: a question in them is part of the answer"""
    async with await bench_of(tmp_path) as bench:
        task = await asked(bench, "[[words]]", None)
        assert (task.status, task.answer) == (S.COMPLETE, None)
        assert task.summary.startswith("There are two functions.")


async def test_an_ask_on_top_is_no_reason_to_refuse_a_rollback(tmp_path: Path) -> None:
    """WEB-6: it left nothing there"""
    scenarios = SCENARIOS + '  writes:\n    steps:\n      - write: {path: new.py, text: "x = 1"}\n'
    repo = make_repository(tmp_path / "repo", scenarios)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        before = tree(repo)
        _, change = await bench.begin("[[writes]]")
        change = await bench.rest(change, S.COMPLETE)
        task = asking(change, "[[answers]]")
        await bench.store.write(lambda tx: queue(tx, task))
        await bench.rest(task, S.COMPLETE)
        await bench.controls.rollback(change.id)
        assert tree(repo) == before


class Questioner(Workflow):
    """Has every task followed by an ask, as long as nobody cancels."""

    def __init__(self) -> None:
        self.heard: list[tuple[TaskStatus, TaskStatus, Any]] = []

    async def look(self, task: Task) -> Any:
        return f"looked at {task.status}"

    def moved(self, tx: Tx, before: Task, after: Task, seen: Any) -> None:
        self.heard.append((before.status, after.status, seen))
        if after.status is S.COMPLETE and after.purpose is not Purpose.ASK:
            queue(tx, asking(after, "[[answers]]"))


async def test_a_workflow_hears_of_every_move_and_adds_the_next_task_with_it(tmp_path: Path) -> None:
    """TSK-4 BYD-8: in the same transaction, so that a crash between the two is not possible"""
    async with await bench_of(tmp_path) as bench:
        workflow = Questioner()
        bench.runtime.workflows[SessionKind.CHAT] = workflow
        session, first = await bench.begin("[[done]]")
        await bench.rest(first, S.COMPLETE)
        known = await bench.store.read(lambda c: tasks.of_session(c, session.id))
        assert [task.purpose for task in known] == [Purpose.CHANGE, Purpose.ASK]
        await bench.rest(known[1], S.COMPLETE)
        assert workflow.heard == [
            (S.QUEUED, S.RUNNING, None),
            (S.RUNNING, S.COMPLETE, "looked at RUNNING"),
            (S.QUEUED, S.RUNNING, None),
            (S.RUNNING, S.COMPLETE, "looked at RUNNING"),
        ]


class Blind(Questioner):
    async def look(self, task: Task) -> Any:
        raise OSError("the folder is gone")


async def test_a_workflow_that_cannot_look_leaves_no_task_running(tmp_path: Path) -> None:
    """BYD-8: it hears of the move all the same, and that it saw nothing"""
    async with await bench_of(tmp_path) as bench:
        workflow = Blind()
        bench.runtime.workflows[SessionKind.CHAT] = workflow
        _, task = await bench.begin("[[done]]")
        await bench.rest(task, S.COMPLETE)
        assert (S.RUNNING, S.COMPLETE, None) in workflow.heard


async def test_a_workflow_hears_of_a_queued_task_whose_row_goes(tmp_path: Path) -> None:
    """TSK-3"""
    async with await bench_of(tmp_path) as bench:
        session, first = await bench.begin("[[done]]")
        await bench.rest(first, S.COMPLETE)
        workflow = Questioner()
        bench.runtime.workflows[SessionKind.CHAT] = workflow
        await bench.controls.hold(first.workspace_id, "")
        waiting = await bench.send(session, "[[done]]")
        assert await bench.controls.cancel(waiting.id) == (waiting, None)
        assert workflow.heard == [(S.QUEUED, S.CANCELLED, "looked at QUEUED")]


S = TaskStatus
