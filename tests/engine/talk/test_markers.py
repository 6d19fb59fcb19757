"""Text markers in what an agent says last, and the small model where they cannot be read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from pilothouse.domain.talk.marker_contents import DecisionSaid, MarkerSaid, PlanStepSaid
from pilothouse.domain.task.task import Awaiting, StepKind, Task, TaskStatus
from pilothouse.engine.talk.markers import read
from pilothouse.errors import NoAgent
from pilothouse.store.talk import questions
from pilothouse.store.task import steps
from tests.engine.scripted import ScriptedAgent
from tests.workbench import Workbench, make_repository

BROKEN = "[DECISION_NEEDED]\n[/DECISION_NEEDED]\nLeft or right, that is what I wonder.\n"
ANSWER = '{"kind": "question", "text": "Which way?", "options": [{"label": "Left"}, {"label": "Right"}]}'
SCOUTS = {
    "scout A": '{"files": [], "risks": [], "boundaries": [], "conventions": []}',
    "scout B": '{"build": [], "test": [], "cause": "", "flaky": null}',
}


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Workbench]:
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo")) as opened:
        yield opened


async def ended(bench: Workbench, says: Mapping[str, str]) -> tuple[Task, list[str]]:
    agent = ScriptedAgent({**SCOUTS, **says})
    (bench.repo / "agent.yaml").write_text("agents:\n  small: {agent: scripted}\n")
    task = await bench.rest(await agent.begin(bench))
    return task, [request.role for request in agent.requests]


async def test_a_readable_decision_is_asked_without_another_spawn(bench: Workbench) -> None:
    """GRD-1"""
    said = "Two ways.\n[DECISION_NEEDED priority=1]\nWhich?\n- Option A: Left (recommended)\n- Option B: Right\n"
    task, roles = await ended(bench, {"edit": said})
    assert (task.awaiting, task.question) == (Awaiting.QUESTION, "Which?")
    assert "small" not in roles
    (asked,) = await bench.store.read(lambda c: questions.open_of_task(c, task.id))
    assert [(option.value, option.label, option.recommended) for option in asked.options] == [
        ("A", "Left", True),
        ("B", "Right", False),
    ]


async def test_the_small_model_reads_a_broken_one_in_a_step_of_its_own(bench: Workbench) -> None:
    """GRD-2"""
    task, roles = await ended(bench, {"edit": BROKEN, "small": ANSWER})
    assert (task.awaiting, task.question) == (Awaiting.QUESTION, "Which way?")
    assert roles[-2:] == ["edit", "small"]
    taken = await bench.store.read(lambda c: steps.of_task(c, task.id))
    small = taken[-1]
    assert (small.kind, small.outcome, small.cost_usd) == (StepKind.READ, "done", 0.25)
    assert small.checkpoint is not None
    assert task.cost_usd == 1.0


@pytest.mark.parametrize("small", ["I think it asks for the way.", '{"kind": "nothing"}'])
async def test_what_the_small_model_cannot_read_is_left_as_it_is(bench: Workbench, small: str) -> None:
    """GRD-2: raw to the person."""
    task, _ = await ended(bench, {"edit": BROKEN, "small": small})
    assert task.status is TaskStatus.COMPLETE
    assert "Left or right" in task.output


async def test_without_a_small_model_everything_readable_is_read_and_the_rest_is_raw() -> None:
    """GRD-2"""

    async def nobody(_: str) -> str:
        raise NoAgent("There is no small model.")

    found, raw = await read(f"{BROKEN}[PLAN_APPROVED]\n[PLAN_FILE]\n", nobody)
    assert [type(one) for one in found] == [MarkerSaid]
    assert [one.name for one in raw] == ["DECISION_NEEDED", "PLAN_FILE"]


async def test_plan_steps_of_the_small_model_are_taken_over() -> None:
    """GRD-2"""

    async def small(_: str) -> str:
        return '{"kind": "plan_steps", "steps": [{"id": "1", "title": "Begin"}]}'

    found, raw = await read("[PLAN_STEP]\nBegin\n[/PLAN_STEP]\n[DECISION_NEEDED]\nWhat?\n", small)
    assert (found, raw) == ([PlanStepSaid("1", "Begin"), DecisionSaid("What?")], [])
