"""A full agent session is left for a fresh one that knows what was saved."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.ports import AgentSession, Context, Ended, LimitReached
from pilothouse.domain.task.task import ErrorKind, Step, StepKind, Task, TaskStatus, Verdict
from pilothouse.store.agent import usage
from pilothouse.store.task import steps
from tests.engine.performing import Performer
from tests.workbench import Workbench, git, make_repository

SCENARIOS = """
scenarios:
  fills-up:
    steps:
      - write: {path: level.txt, text: "1"}
      - context: {tokens: 192000, window: 200000}
      - say: The level is set.
    fix: [write: {path: level.txt, text: "9"}, context: {tokens: 9000, window: 200000}, say: Raised.]
    summarise: [say: Raised the level.]
"""
CHECK = "verification:\n  - {name: level, command: 'test $(cat level.txt) -ge 5'}\n"
TOO_LONG = Ended("failed", error_kind=ErrorKind.AGENT, message="API error: prompt is too long: 210000 tokens > 200000")


async def opened(tmp_path: Path, clock: ManualClock | None = None) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS), clock)


async def steps_of(bench: Workbench, task: Task) -> list[Step]:
    return await bench.store.read(lambda c: steps.of_task(c, task.id))


async def test_at_95_percent_the_next_turn_begins_afresh_from_what_is_saved(tmp_path: Path) -> None:
    """FTR-19"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text(CHECK)
        git(bench.repo, "add", "-A")
        git(bench.repo, "commit", "-qm", "checks")
        _, task = await bench.begin("Set the level. [[fills-up]]")
        done = await bench.rest(task)
        assert (done.status, done.verdict) == (TaskStatus.COMPLETE, Verdict.PASS)
        found = await steps_of(bench, task)
        assert [s.kind for s in found] == ["edit", "verify", "compact", "fix", "verify", "summarise"]
        compact, fix = found[2], found[3]
        assert compact.detail == "The agent's memory was full. 96% of it was in use."
        assert (compact.outcome, compact.log_path) == ("done", None)
        assert compact.checkpoint == found[1].checkpoint
        for known in ("1. edit: done", "The level is set.", "- level.txt", "- level: "):
            assert known in compact.prompt
        assert fix.prompt.startswith(compact.prompt)
        assert "[Task]\nSet the level." in fix.prompt
        spent = {s.step_id: s for s in await bench.store.read(lambda c: usage.of_task(c, task.id))}
        assert spent[fix.id].agent_session not in (None, spent[found[0].id].agent_session)
        assert spent[found[5].id].agent_session == spent[fix.id].agent_session
        told = await bench.until_event("context.compacted", task.id)
        assert (told.data.reason, told.data.tokens, told.data.step_id) == ("full", 192_000, compact.id)
        assert told.data.agent_session == spent[found[0].id].agent_session


async def test_the_persons_decisions_are_told_to_the_fresh_session(tmp_path: Path) -> None:
    """FTR-19"""
    async with await opened(tmp_path) as bench:
        performer = Performer(
            [AgentSession("a"), Context(96, 100), Ended("asked", "Flat or nested?", "Flat or nested?")],
            [AgentSession("b"), Context(9, 100), Ended("asked", "Which colour?", "Which colour?")],
            [AgentSession("b"), Ended("done", "Red.")],
        )
        task = await bench.rest(await performer.begin(bench))
        await bench.controls.reply(task.id, "Nested")
        await bench.until_event("task.awaiting", task.id, 2)
        await bench.controls.reply(task.id, "Red")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert [request.resume for request in performer.requests] == [None, None, "b"]
        second = performer.requests[1].prompt
        assert "The agent asked: Flat or nested?\n  The person answered: Nested" in second
        assert "[User Reply]\nNested" in second
        assert "take over" not in performer.requests[2].prompt


async def test_the_agents_own_word_compacts_and_the_turn_is_tried_once_more(tmp_path: Path) -> None:
    """FTR-19"""
    async with await opened(tmp_path) as bench:
        performer = Performer([AgentSession("a"), TOO_LONG], [AgentSession("b"), Ended("done", "Nothing to do.")])
        task = await bench.rest(await performer.begin(bench))
        assert task.status is TaskStatus.COMPLETE
        found = await steps_of(bench, task)
        assert [(s.kind, s.outcome) for s in found] == [("edit", "failed"), ("compact", "done"), ("edit", "done")]
        assert found[1].detail == "The agent said that it can take in no more."
        assert [request.resume for request in performer.requests] == [None, None]
        assert task.agent_session == "b"
        assert (await bench.until_event("context.compacted", task.id)).data.reason == "pressure"


async def test_a_fresh_session_that_is_too_long_again_fails_and_is_not_tried_for_ever(tmp_path: Path) -> None:
    """FTR-19"""
    async with await opened(tmp_path) as bench:
        performer = Performer([TOO_LONG], [TOO_LONG])
        task = await bench.rest(await performer.begin(bench))
        assert (task.status, task.error_kind) == (TaskStatus.ERROR, ErrorKind.AGENT)
        assert "prompt is too long" in (task.error_message or "")
        assert len(performer.requests) == 2


async def test_other_failures_and_usage_limits_do_not_compact(tmp_path: Path) -> None:
    """FTR-19"""
    async with await opened(tmp_path) as bench:
        limit = Ended("failed", message="Context limit reached", limit=LimitReached("Usage limit"))
        for ended in (Ended("failed", message="The command took too long."), limit):
            performer = Performer([ended])
            task = await bench.rest(await performer.begin(bench))
            assert StepKind.COMPACT not in [s.kind for s in await steps_of(bench, task)]
            assert len(performer.requests) == 1


async def test_words_of_an_agent_that_did_not_fail_compact_nothing(tmp_path: Path) -> None:
    """FTR-19"""
    async with await opened(tmp_path) as bench:
        performer = Performer([Ended("done", "The log said: prompt is too long.")])
        task = await bench.rest(await performer.begin(bench))
        assert task.status is TaskStatus.COMPLETE
        assert len(performer.requests) == 1


async def test_time_alone_never_compacts(tmp_path: Path) -> None:
    """FTR-19"""
    clock = ManualClock()
    async with await opened(tmp_path, clock) as bench:
        performer = Performer(
            [AgentSession("a"), Context(94, 100), Ended("asked", "Flat or nested?", "Flat or nested?")],
            [AgentSession("a"), Ended("done", "Nested.")],
        )
        task = await bench.rest(await performer.begin(bench))
        await clock.advance(30 * 24 * 3600)
        await bench.controls.reply(task.id, "Nested")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert performer.requests[1].resume == "a"
        assert "context.compacted" not in await bench.types(task.id)
