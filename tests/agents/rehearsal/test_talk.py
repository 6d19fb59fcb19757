"""Permissions, forms, plans and messages meanwhile, as the rehearsal agent plays them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.rehearsal import files
from pilothouse.domain.ports import Decision, Fresh, SpawnRequest, Steered
from pilothouse.domain.task.task import PermissionMode
from pilothouse.errors import BadConfiguration
from tests.agents.playing import Theatre, Told

ASKS = 'permission: {tool: Bash, detail: make clean, grant: "Bash(make:*)"}'


async def play(theatre: Theatre, resume: str | None = None, **more: Any) -> Told:
    log = theatre.root / "logs" / f"{len(list(theatre.root.rglob('*.log')))}.log"
    request = SpawnRequest(log.stem, theatre.workspace, "[[it]]", log, resume)
    run = await theatre.agent.start(replace(request, **more))
    return Told([event async for event in run.events()])


async def test_a_permission_ends_the_run_and_is_asked_again_until_it_is_decided(theatre: Theatre) -> None:
    """GRD-7"""
    theatre.steps(ASKS, "say: 'It was {reply}'")
    first = await play(theatre)
    assert first.end.outcome == "permission"
    assert first.end.permission is not None
    assert (first.end.permission.tool, first.end.permission.grant) == ("Bash", "Bash(make:*)")
    again = await play(theatre, first.session)
    assert again.end.outcome == "permission"
    denied = await play(theatre, first.session, decision=Decision("deny", "not now"))
    assert (denied.end.outcome, denied.end.denied) == ("done", ("Bash: make clean",))
    assert "It was denied: not now" in denied.text


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({"permission_mode": PermissionMode.ALL}, "done"),
        ({"granted": ("Bash(make:*)",)}, "done"),
        ({"granted": ("Bash(ls:*)",)}, "permission"),
        ({"permission_mode": PermissionMode.EDITS}, "permission"),
    ],
)
async def test_what_is_allowed_already_is_not_asked(theatre: Theatre, more: Mapping[str, Any], outcome: str) -> None:
    """GRD-7"""
    theatre.steps(ASKS)
    assert (await play(theatre, **more)).end.outcome == outcome


async def test_a_form_and_a_plan_end_the_run_with_their_structure(theatre: Theatre) -> None:
    """RPL-1"""
    theatre.steps(
        "form: [{question: Which?, header: Store, options: [A (recommended), B], several: true}, {question: Name?}]",
        "say: '{answer 1} for {answer 2}'",
        "plan: '## Plan'",
        "say: 'It was {reply}'",
    )
    form = await play(theatre)
    which, name = form.end.questions
    assert (which.header, which.several, name.options) == ("Store", True, ())
    assert [(option.value, option.recommended) for option in which.options] == [("A", True), ("B", False)]
    plan = await play(theatre, form.session, answers={"Which?": "A, B", "Name?": "Ada"})
    assert "A, B for Ada" in plan.text
    assert plan.end.plan == "## Plan"
    done = await play(theatre, form.session, decision=Decision("deny", "shorter"), reply="shorter")
    assert "It was sent back: shorter" in done.text


async def test_messages_are_taken_in_between_steps_unless_they_were_withdrawn(theatre: Theatre) -> None:
    """RPL-8"""
    theatre.steps("run: until [ -e go ]; do sleep 0.02; done", "say: 'Heard {reply}'")
    run = await theatre.start()
    assert await run.steer("m1", "first")
    assert await run.steer("m2", "second")
    assert await run.steer("m3", "third")
    assert await run.withdraw("m2")
    assert not await run.withdraw("m2")
    (theatre.workspace / "go").touch()
    told = Told([event async for event in run.events()])
    assert told.of(Steered) == [Steered("m1"), Steered("m3")]
    assert "Heard third" in told.text
    assert not await run.steer("m4", "too late")
    assert not list((theatre.state / "inbox").iterdir())


async def test_a_conversation_it_no_longer_knows_is_said_to_begin_anew(theatre: Theatre) -> None:
    """BYD-1"""
    theatre.steps("say: hello")
    told = await play(theatre, "0" * 32)
    assert [event.reason for event in told.of(Fresh)] == ["The rehearsal agent no longer knows this conversation."]


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("form: Which?", "list of questions"),
        ("form: []", "list of questions"),
        ("form: [{header: x}]", "needs “question”"),
        ("form: [{question: x, colour: red}]", "no “colour”"),
        ("form: [{question: x, options: a}]", "list of answers"),
        ("form: [{question: x, several: maybe}]", "must be true"),
        ("permission: {tool: Bash}", "needs “detail”"),
    ],
)
def test_a_wrong_form_or_permission_is_named_with_its_place(tmp_path: Path, step: str, problem: str) -> None:
    """PLT-6"""
    path = tmp_path / "rehearsal.yaml"
    path.write_text(f"scenarios:\n  it:\n    - {step}\n")
    with pytest.raises(BadConfiguration, match=problem) as wrong:
        files.load([path])
    assert "line 3" in wrong.value.message
