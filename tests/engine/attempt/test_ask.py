"""Tasks that only ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.ports import AgentSession, Ended
from pilothouse.domain.task.task import Awaiting, ErrorKind, ResumeMode, StepKind, TaskStatus, Verdict
from pilothouse.engine.transition import queue
from pilothouse.errors import InvalidInput
from pilothouse.store.task import attempts, steps, tasks
from tests.engine.asks import SCENARIOS, SCHEMA, asked, asking, bench_of
from tests.engine.performing import Performer
from tests.server.web import services_of, serving
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


async def test_an_answer_by_the_tool_that_never_fits_is_quoted_to_the_agent_and_shown_to_the_person(
    tmp_path: Path,
) -> None:
    """BYD-13 RPL-3: it is nowhere in the agent's words"""
    async with await bench_of(tmp_path) as bench, serving(services_of(bench)):
        task = await asked(bench, "[[always_wrong]]")
        assert "workbench.called" in await bench.types(task.id)
        done = await bench.store.read(lambda c: steps.of_task(c, task.id))
        assert '[Previous Output]\n```json\n{\n  "files": 1\n}' in done[1].prompt
        assert '"files": 1' in (task.question or "")
        await bench.controls.reply(task.id, "A list, please.")
        await bench.until_event("attempt.finished", task.id, count=2)
        after = await bench.store.read(lambda c: steps.of_task(c, task.id, 2))
        assert '"files": 1' in after[0].prompt


async def test_every_prompt_of_an_ask_says_what_is_wanted_and_that_nothing_is_changed(tmp_path: Path) -> None:
    """BYD-13 GRD-7: the conversation may not be there any more"""
    async with await bench_of(tmp_path) as bench:
        task = await asked(bench, "[[always_wrong]]")
        await bench.controls.reply(task.id, "A list, please.")
        await bench.until_event("attempt.finished", task.id, count=2)
        done = await bench.store.read(lambda c: steps.of_task(c, task.id))
        assert len(done) > 3
        for step in done:
            assert "Change nothing, run nothing that changes anything" in step.prompt
            assert step.prompt.count('"additionalProperties": false') == 1


async def test_an_ask_that_is_too_long_is_asked_once_more_afresh(tmp_path: Path) -> None:
    """FTR-19 BYD-13: the fresh agent is not told of changes, for there are none"""
    async with await bench_of(tmp_path) as bench:
        performer = Performer(
            [Ended("done", "Hello.")],
            [AgentSession("a"), Ended("done", "I am not sure.")],
            [AgentSession("a"), Ended("failed", error_kind=ErrorKind.AGENT, message="prompt is too long")],
            [AgentSession("b"), Ended("done", '[ANSWER]\n{"files": []}\n[/ANSWER]')],
        )
        first = await bench.rest(await performer.begin(bench), S.COMPLETE)
        task = asking(first, "Which files?")
        await bench.store.write(lambda tx: queue(tx, task))
        ended = await bench.rest(task)
        assert (ended.status, ended.answer) == (S.COMPLETE, {"files": []})
        assert [request.resume for request in performer.requests] == [None, None, "a", None]
        done = await bench.store.read(lambda c: steps.of_task(c, task.id))
        assert [step.kind for step in done] == [StepKind.ASK, StepKind.ASK, StepKind.COMPACT, StepKind.ASK]
        seed = done[2].prompt
        assert "I am not sure." in seed
        for wrong in ("working tree", "Files changed", "Failed checks"):
            assert wrong not in seed
        assert done[3].prompt.startswith(seed)


async def test_a_broken_schema_is_refused_where_the_ask_is_queued(tmp_path: Path) -> None:
    """BYD-13"""
    async with await bench_of(tmp_path) as bench:
        _, earlier = await bench.begin("[[done]]")
        broken = asking(earlier, "[[answers]]", {"type": "files"})
        with pytest.raises(InvalidInput, match="type"):
            await bench.store.write(lambda tx: queue(tx, broken))
        assert await bench.store.read(lambda c: tasks.get(c, broken.id)) is None


async def test_a_schema_that_points_nowhere_ends_the_ask_as_wrongly_set_up(tmp_path: Path) -> None:
    """BYD-13"""
    async with await bench_of(tmp_path) as bench:
        task = await asked(bench, "[[answers]]", {**SCHEMA, "properties": {"files": {"$ref": "#/nowhere"}}})
        assert (task.status, task.error_kind) == (S.ERROR, ErrorKind.CONFIGURATION)
        assert "nowhere" in (task.error_message or "")


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
