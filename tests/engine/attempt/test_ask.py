"""Tasks that only ask."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.task.task import Awaiting, ResumeMode, TaskStatus, Verdict
from pilothouse.engine.transition import queue
from pilothouse.store.task import attempts, steps, tasks
from tests.engine.asks import SCENARIOS, asked, asking, bench_of
from tests.workbench import Workbench, make_repository, tree

S = TaskStatus


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
        before = await bench.store.read(lambda c: tasks.earlier_in_session(c, later))
        assert [earlier.id for earlier in before] == [first.id]


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
