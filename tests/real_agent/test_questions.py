"""The real program's questions, plans and permissions: asked by ending the run, answered on the open call or later."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.ports import Decision, Steered, ToolFinished, ToolStarted
from pilothouse.domain.task.task import PermissionMode
from tests.agents.playing import Told
from tests.real_agent.messages_api import QUESTION, say, use
from tests.real_agent.workshop import Workshop

ANSWER = {"Which structure?": "Nested"}


async def _asked(workshop: Workshop) -> Told:
    told = await workshop.play("Build it. [[ask]]")
    assert told.end.outcome == "asked"
    assert workshop.pool.sessions == ("session",)
    return told


def _tool_results(workshop: Workshop) -> str:
    messages = workshop.api.requests[-1]["messages"]
    blocks = [block for message in messages if isinstance(message["content"], list) for block in message["content"]]
    return " ".join(str(block.get("content")) for block in blocks if block.get("type") == "tool_result")


def _offered(workshop: Workshop) -> set[str]:
    return {tool["name"] for tool in workshop.api.requests[0]["tools"]} - {"DeferredToolPlaceholder"}


async def test_its_question_tool_becomes_a_form(workshop: Workshop) -> None:
    """BYD-1"""
    told = await _asked(workshop)
    (question,) = told.end.questions
    assert (question.text, question.header, question.several) == ("Which structure?", "Structure", False)
    assert [(o.value, o.label, o.recommended) for o in question.options] == [
        ("Flat (Recommended)", "Flat: one folder", True),
        ("Nested", "Nested: a folder each", False),
    ]
    assert told.end.question == "Which structure?"
    assert told.text == "I need a decision."
    assert told.used.input_tokens == 1000
    assert not told.of(ToolStarted)


async def test_an_answer_goes_to_the_open_call_of_the_process_that_asked(workshop: Workshop) -> None:
    """BYD-1"""
    asked = await _asked(workshop)
    kept = workshop.pool.kept("session")
    assert kept is not None
    run = await workshop.start("unused", resume=asked.session, answers=ANSWER)
    assert run.process == kept.process
    told = Told([event async for event in run.events()])
    assert told.end.outcome == "done"
    assert told.text == "Thanks, going on."
    assert '"Which structure?"="Nested"' in _tool_results(workshop)
    assert told.used.input_tokens == 1000, "what the first run told is not told again"
    assert told.end.denied == ()


async def test_a_scout_beside_it_does_not_take_the_open_call_away(workshop: Workshop) -> None:
    """BYD-14"""
    asked = await _asked(workshop)
    scout = await workshop.play("Look. [[hello]]", read_only=True, role="scout A")
    assert scout.end.outcome == "done"
    await workshop.agent.prepare(workshop.request("", resume=asked.session))
    told = await workshop.play("unused", resume=asked.session, answers=ANSWER)
    assert '"Which structure?"="Nested"' in _tool_results(workshop)
    assert told.text == "Thanks, going on."


async def test_a_reply_in_words_answers_the_only_question(workshop: Workshop) -> None:
    """BYD-1"""
    asked = await _asked(workshop)
    told = await workshop.play("unused", resume=asked.session, reply="Something in between")
    assert told.end.outcome == "done"
    assert '"Which structure?"="Something in between"' in _tool_results(workshop)


async def test_of_two_questions_a_reply_in_words_answers_both_and_is_no_refusal(workshop: Workshop) -> None:
    """BYD-1"""
    workshop.api.next(use("AskUserQuestion", questions=[QUESTION, {**QUESTION, "question": "And where?"}]))
    asked = await workshop.play("Ask.")
    assert [question.text for question in asked.end.questions] == ["Which structure?", "And where?"]
    assert asked.end.question == "Which structure?\nAnd where?"
    told = await workshop.play("unused", resume=asked.session, reply="You choose")
    assert told.end.outcome == "done"
    assert told.end.denied == ()
    assert "You choose" in _tool_results(workshop)


async def test_a_question_left_open_costs_no_process_and_is_answered_after_a_restart(workshop: Workshop) -> None:
    """BYD-1: trap of the program: a call left open by a killed process is closed by the next one on resume"""
    asked = await _asked(workshop)
    await workshop.agent.forget()
    workshop.another()
    told = await workshop.play("unused", resume=asked.session, answers=ANSWER)
    assert told.end.outcome == "done"
    assert told.session == asked.session
    assert "“Which structure?” Nested" in workshop.api.prompts[-1]
    assert told.text == "Thanks, going on."


async def test_another_message_than_an_answer_does_not_go_to_the_open_call(workshop: Workshop) -> None:
    """BYD-1"""
    asked = await _asked(workshop)
    told = await workshop.play("Never mind. [[hello]]", resume=asked.session)
    assert told.end.outcome == "done"
    assert workshop.api.prompts[-1] == "Never mind. [[hello]]"


async def test_a_plan_is_shown_and_nothing_is_written_before_it_is_approved(workshop: Workshop) -> None:
    """BYD-1: trap: in plan mode the program writes once the host allows it"""
    asked = await workshop.play("Plan it. [[plan]]", permission_mode=PermissionMode.ALL)
    assert asked.end.outcome == "asked"
    assert asked.end.plan == "1. Read\n2. Write"
    assert not (workshop.workspace / "early.txt").exists()
    told = await workshop.play("unused", resume=asked.session, reply="Approve", permission_mode=PermissionMode.ALL)
    assert told.end.outcome == "done"
    assert (workshop.workspace / "planned.txt").read_text() == "as planned"


async def test_a_plan_that_is_not_approved_comes_back_with_the_persons_words(workshop: Workshop) -> None:
    """BYD-1"""
    asked = await workshop.play("Plan it. [[plan]]")
    workshop.api.next(use("ExitPlanMode", "Better.", plan="1. Write less"))
    told = await workshop.play("unused", resume=asked.session, reply="Write less")
    assert "wants the plan changed: Write less" in _tool_results(workshop)
    assert told.end.plan == "1. Write less"


async def test_a_plan_is_approved_after_a_restart(workshop: Workshop) -> None:
    """BYD-1"""
    asked = await workshop.play("Plan it. [[plan]]")
    await workshop.agent.forget()
    workshop.another()
    workshop.api.next(say("Carried out."))
    told = await workshop.play("unused", resume=asked.session, decision=Decision("once"))
    assert workshop.api.prompts[-1] == "The person approves your plan. Carry it out."
    assert told.end.outcome == "done"


async def test_a_command_is_asked_for_and_runs_once_allowed(workshop: Workshop) -> None:
    """GRD-7"""
    asked = await workshop.play("Run. [[run]]")
    permission = asked.end.permission
    assert asked.end.outcome == "permission"
    assert permission is not None
    assert (permission.tool, permission.detail) == ("Bash", "touch ran.txt && exit 3")
    assert permission.arguments["command"] == "touch ran.txt && exit 3"
    assert asked.of(ToolFinished) == []
    assert not (workshop.workspace / "ran.txt").exists()
    told = await workshop.play("unused", resume=asked.session, decision=Decision("once"))
    assert (workshop.workspace / "ran.txt").exists()
    assert [tool.detail for tool in told.of(ToolStarted)] == ["touch ran.txt && exit 3"]
    assert [(tool.ok, tool.exit_code) for tool in told.of(ToolFinished)] == [(False, 3)]
    assert told.end.outcome == "done"


async def test_what_an_earlier_run_was_told_is_asked_for_again(workshop: Workshop) -> None:
    """GRD-7: it may have made the call before it was cut off"""
    asked = await workshop.play("Run. [[run-twice]]")
    await workshop.agent.forget()
    workshop.another()
    workshop.api.next(use("Bash", command="echo 1 >> runs.txt"))
    told = await workshop.play("unused", resume=asked.session, decision=Decision("once", told=True))
    assert told.end.outcome == "permission"
    assert not (workshop.workspace / "runs.txt").exists()


@pytest.mark.parametrize("restarted", [False, True])
async def test_allowed_once_means_that_very_call_once(workshop: Workshop, restarted: bool) -> None:
    """GRD-7"""
    asked = await workshop.play("Run. [[run-twice]]")
    if restarted:
        await workshop.agent.forget()
        workshop.another()
        workshop.api.next(use("Bash", command="echo 1 >> runs.txt"), use("Bash", command="echo 1 >> runs.txt"))
    told = await workshop.play("unused", resume=asked.session, decision=Decision("once"))
    assert told.end.outcome == "permission", "the second call is asked for again"
    assert (workshop.workspace / "runs.txt").read_text() == "1\n"


async def test_allowed_for_the_session_is_not_asked_again(workshop: Workshop) -> None:
    """GRD-7"""
    asked = await workshop.play("Run. [[run-twice]]")
    assert asked.end.permission is not None
    granted = (asked.end.permission.grant,)
    told = await workshop.play("unused", resume=asked.session, decision=Decision("session"), granted=granted)
    assert told.end.outcome == "done"
    assert (workshop.workspace / "runs.txt").read_text() == "1\n1\n"


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_refusal_reaches_the_agent_with_its_reason(workshop: Workshop, restarted: bool) -> None:
    """GRD-7: trap: a turn whose tools were refused ends as a success, and only its list of refusals tells"""
    asked = await workshop.play("Run. [[run]]")
    if restarted:
        await workshop.agent.forget()
        workshop.another()
    told = await workshop.play("unused", resume=asked.session, decision=Decision("deny", "Not on this machine"))
    assert told.end.outcome == "done"
    assert not (workshop.workspace / "ran.txt").exists()
    if restarted:
        assert "Not on this machine" in workshop.api.prompts[-1]
    else:
        assert "Not on this machine" in _tool_results(workshop)
        assert told.end.denied == ("Bash: touch ran.txt && exit 3",)


@pytest.mark.parametrize("restarted", [False, True])
async def test_words_beside_a_decision_are_heard_too(workshop: Workshop, restarted: bool) -> None:
    """GRD-7"""
    asked = await workshop.play("Run. [[run]]")
    if restarted:
        await workshop.agent.forget()
        workshop.another()
    told = await workshop.play("unused", resume=asked.session, decision=Decision("once"), reply="But gently.")
    assert told.end.outcome == "done"
    assert not told.of(Steered)
    assert (workshop.workspace / "ran.txt").exists() is not restarted
    assert "But gently." in str(workshop.api.requests[-1]["messages"])


async def test_two_calls_of_one_answer_are_asked_for_one_after_the_other(workshop: Workshop) -> None:
    """GRD-7"""
    mode = PermissionMode.ASK
    first = await workshop.play("Both. [[two]]", permission_mode=mode)
    assert first.end.permission is not None
    assert first.end.permission.tool == "Write"
    second = await workshop.play("unused", resume=first.session, decision=Decision("once"), permission_mode=mode)
    assert second.end.permission is not None
    assert second.end.permission.tool == "Bash"
    told = await workshop.play("unused", resume=first.session, decision=Decision("once"), permission_mode=mode)
    assert told.end.outcome == "done"
    assert {path.name for path in workshop.workspace.iterdir()} == {"one.txt", "two.txt"}


@pytest.mark.parametrize(
    ("scenario", "mode", "outcome"),
    [
        ("look", PermissionMode.ASK, "permission"),
        ("look", PermissionMode.EDITS, "done"),
        ("write", PermissionMode.ASK, "permission"),
        ("write", PermissionMode.EDITS, "done"),
        ("outside", PermissionMode.EDITS, "permission"),
        ("run", PermissionMode.ALL, "done"),
    ],
)
async def test_the_mode_decides_what_is_asked_for(
    workshop: Workshop, scenario: str, mode: PermissionMode, outcome: str
) -> None:
    """GRD-7: trap: the program itself asks for no command that only looks, and as root it refuses to skip asking"""
    told = await workshop.play_alone(f"Go. [[{scenario}]]", permission_mode=mode)
    assert told.end.outcome == outcome
    assert not Path("/tmp/pilothouse-outside.txt").exists()


async def test_settings_of_the_project_and_the_person_grant_nothing_and_run_no_hooks(workshop: Workshop) -> None:
    """GRD-7"""
    rules = '{"permissions": {"allow": ["Write", "Bash"], "defaultMode": "acceptEdits"}, "hooks": {"PreToolUse": '
    rules += '[{"hooks": [{"type": "command", "command": "touch hook-ran"}]}]}}'
    for folder in (workshop.workspace / ".claude", workshop.home / ".claude"):
        folder.mkdir()
        (folder / "settings.json").write_text(rules)
        (folder.parent / "CLAUDE.md").write_text("MARKER-OF-A-FILE")
    (workshop.home / ".claude" / "CLAUDE.md").write_text("MARKER-OF-A-FILE")
    told = await workshop.play_alone(
        "Write. [[write]]", permission_mode=PermissionMode.ASK, instructions="MARKER-OF-THE-REQUEST"
    )
    assert told.end.outcome == "permission"
    assert not (workshop.workspace / "hook-ran").exists()
    sent = str(workshop.api.requests[0])
    assert "MARKER-OF-A-FILE" not in sent
    assert "MARKER-OF-THE-REQUEST" in str(workshop.api.requests[0]["system"])


async def test_read_only_has_no_tool_that_writes(workshop: Workshop) -> None:
    """GRD-7: trap: plan mode is no protection, only the tools given at the launch are"""
    told = await workshop.play_alone("Write. [[write]]", read_only=True, permission_mode=PermissionMode.ALL)
    assert told.end.outcome == "done"
    assert _offered(workshop) == {"Read", "Grep", "Glob"}
    assert not (workshop.workspace / "hello.txt").exists()
    (finished,) = told.of(ToolFinished)
    assert not finished.ok


async def test_only_the_tools_of_the_request_are_there(workshop: Workshop) -> None:
    """GRD-7"""
    await workshop.play_alone("Hi. [[hello]]", tools=("Read", "Bash", "CronCreate"))
    assert _offered(workshop) == {"Read", "Bash"}


async def test_a_message_sent_while_it_works_is_taken_in_at_the_next_tool(workshop: Workshop) -> None:
    """RPL-8"""
    run = await workshop.start("Work. [[steps]]", permission_mode=PermissionMode.ALL)
    events = []
    async for event in run.events():
        events.append(event)
        if isinstance(event, ToolStarted) and event.detail.startswith("touch begun"):
            assert await run.steer("m1", "Also mind the gap.")
            (workshop.workspace / "go").touch()
    told = Told(events)
    assert told.of(Steered) == [Steered("m1")]
    assert told.end.outcome == "done"
    assert any("Also mind the gap." in str(request["messages"]) for request in workshop.api.requests[1:])
    assert not await run.steer("m2", "Too late.")


async def test_a_message_sent_too_late_for_the_turn_is_a_turn_of_its_own(workshop: Workshop) -> None:
    """RPL-8"""
    workshop.api.next(say("First. " * 20, pause=0.03), say("Second."))
    run = await workshop.start("Talk.")
    events = []
    steered = False
    async for event in run.events():
        events.append(event)
        if type(event).__name__ == "TextOut" and not steered:
            steered = await run.steer("m1", "And then?")
    told = Told(events)
    assert told.of(Steered) == [Steered("m1")]
    assert told.end.text == "Second."
    assert told.end.outcome == "done"


async def test_an_interrupted_turn_leaves_the_conversation_usable(workshop: Workshop) -> None:
    """RPL-8"""
    run = await workshop.start("Work. [[steps]]", permission_mode=PermissionMode.ALL)
    events = []
    async for event in run.events():
        events.append(event)
        if isinstance(event, ToolStarted):
            await run.interrupt()
    stopped = Told(events)
    assert stopped.end.outcome == "crashed"
    assert stopped.end.message == "The turn was interrupted."
    told = await workshop.play("Hi. [[hello]]", resume=stopped.session)
    assert told.text == "Hello from the stand-in."
