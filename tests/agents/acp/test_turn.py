"""A turn from the prompt to its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pilothouse.domain.ports import (
    AgentSession,
    Choice,
    Context,
    Ended,
    Heartbeat,
    TextOut,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    Usage,
    Workbench,
)
from pilothouse.domain.task.task import ErrorKind
from tests.agents.acp.stage import ALL, ASK, staged

TOKENS = {
    "totalTokens": 100,
    "inputTokens": 10,
    "outputTokens": 20,
    "thoughtTokens": 5,
    "cachedReadTokens": 30,
    "cachedWriteTokens": 40,
}


async def test_text_and_tools_are_told_in_order_and_every_byte_is_in_the_log(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    told = await stage.play(
        ["say", "Looking"],
        ["think", "hm"],
        ["touched", "t1", "edit", "Edit a file", ["a.txt"], "in_progress"],
        ["progress", "t1", "in_progress", "one\ntwo"],
        ["progress", "t1", "completed"],
        ["tool", "t2", "execute", "`make`"],
        ["progress", "t2", "failed", "```\nboom\n```", {"metadata": {"exit": 2}}],
        ["progress", "t2", "completed"],
        ["say", "All "],
        ["say", "done"],
        ["shout", 400_000],
    )
    assert told.events == [
        AgentSession(told.session),
        TextOut("Looking"),
        Heartbeat(),
        ToolStarted("t1", "edit", "a.txt"),
        ToolProgress("t1", "two"),
        ToolFinished("t1", True),
        Heartbeat(),
        ToolStarted("t2", "execute", "make"),
        ToolFinished("t2", False, "boom", 2),
        TextOut("All "),
        TextOut("done"),
        Ended("done", "All done", exit_code=told.end.exit_code),
    ]
    assert "x" * 400_000 in stage.log()
    assert '"stopReason": "end_turn"' in stage.log()


async def test_a_plan_is_told_when_it_changes(tmp_path: Path) -> None:
    """BYD-1"""
    entries = [{"content": "Write", "priority": "high", "status": "in_progress"}]
    later = [*[{**entry, "status": "completed"} for entry in entries], {**entries[0], "content": "Test"}]
    told = await staged(tmp_path).play(*(["update_plan", found] for found in (entries, entries, later)))
    assert [event.detail for event in told.of(ToolStarted)] == ["0 of 1: Write", "1 of 2: Test"]
    assert all(event.ok for event in told.of(ToolFinished))


async def test_costs_are_differences_and_tokens_are_those_of_the_turn(tmp_path: Path) -> None:
    """BYD-1, GRD-8"""
    stage = staged(tmp_path, "resume", "models")
    first = await stage.play(["cost", 1.5, "USD"], ["cost", 2.0, "USD"], ["cost", 9.0, "EUR"], ["used", TOKENS])
    assert first.of(Context) == [Context(5, 100)] * 3
    assert first.of(Usage) == [Usage(1.5, model="small"), Usage(0.5, model="small"), Usage(0, 10, 25, 30, 40, "small")]
    second = await stage.play(["cost", 2.25, "USD"], resume=first.session)
    assert second.of(Usage) == [Usage(0.25, model="small")]
    other = staged(tmp_path, "resume")
    third = await other.play(["cost", 2.5, "USD"], ["cost", 3.0, "USD"], resume=first.session)
    assert third.of(Usage) == [Usage(0.5)], "what it cost before we knew it is not told again"


async def test_instructions_come_before_the_first_prompt_only(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "resume")
    first = await stage.say("Build it.", instructions="Be brief.")
    assert first.end.text == "Be brief.\n\nBuild it."
    second = await stage.say("And test it.", resume=first.session, instructions="Be brief.")
    assert second.end.text == "And test it."


async def test_our_tools_are_given_to_agents_that_take_servers_over_http(tmp_path: Path) -> None:
    """BYD-1"""
    workbench = Workbench("http://127.0.0.1:1/mcp", "secret")
    told = await staged(tmp_path, "http").play(["tell", "servers"], workbench=workbench)
    assert '"url": "http://127.0.0.1:1/mcp"' in told.end.text
    assert '"value": "Bearer secret"' in told.end.text
    assert (await staged(tmp_path).play(["tell", "servers"], workbench=workbench)).end.text == "[]"


async def test_the_model_is_chosen_by_value_or_name_and_an_unknown_one_is_no_silent_other(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "models")
    assert (await stage.play(["tell", "model"])).end.text == '"small"'
    assert (await stage.play(["tell", "model"], choice=Choice("large"))).end.text == '"large"'
    assert (await stage.play(["tell", "model"], choice=Choice("Large"))).end.text == '"large"'
    end = (await stage.play(["tell", "model"], choice=Choice("huge"))).end
    assert (end.outcome, end.error_kind) == ("failed", ErrorKind.CONFIGURATION)
    assert "small, large" in end.message
    assert (await stage.agent.health()).models == ("small", "large")
    end = (await staged(tmp_path).play(["say", "x"], choice=Choice("huge"))).end
    assert "offers no choice" in end.message


async def test_a_model_can_be_chosen_at_launch(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, model_arguments=("--model", "{model}"), model_env="ACTOR_MODEL")
    told = await stage.play(["tell", "traits"], ["env", "ACTOR_MODEL"], choice=Choice("huge"))
    assert told.end.text == '["--model", "huge"]ACTOR_MODEL=huge'


async def test_the_agents_own_mode_follows_the_permission_mode(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "modes", modes={ASK: "careful", ALL: "reckless"})
    assert (await stage.play(["tell", "mode"], permission_mode=ASK)).end.text == '"careful"'
    assert (await stage.play(["tell", "mode"], permission_mode=ALL)).end.text == '""'


async def test_the_environment_is_the_allow_list_and_what_the_preset_names(tmp_path: Path) -> None:
    """BYD-1"""
    source = {"ACTOR_KEY": "k", "ACTOR_URL": "u", "SECRET": "s", "PILOTHOUSE_TOKEN": "t"}
    stage = staged(
        tmp_path, source=source, credentials=("ACTOR_KEY",), variables=("ACTOR_URL",), env={"ACTOR_ASKS": "yes"}
    )
    names = ("ACTOR_KEY", "ACTOR_URL", "ACTOR_ASKS", "MINE", "SECRET", "PILOTHOUSE_TOKEN")
    told = await stage.play(*(["env", name] for name in names), extra_env={"MINE": "m"})
    assert told.end.text == "ACTOR_KEY=kACTOR_URL=uACTOR_ASKS=yesMINE=mSECRET=NonePILOTHOUSE_TOKEN=None"


@pytest.mark.parametrize("reason", ["max_tokens", "max_turn_requests", "refusal"])
async def test_a_turn_that_stopped_early_failed(tmp_path: Path, reason: str) -> None:
    """BYD-1"""
    end = (await staged(tmp_path).play(["say", "half"], ["finish", reason])).end
    assert (end.outcome, end.error_kind, end.text) == ("failed", ErrorKind.AGENT, "half")
    assert end.message.startswith("The actor stopped early.")


async def test_a_run_that_only_looks_has_the_careful_mode_whatever_the_task_allows(tmp_path: Path) -> None:
    """GRD-7"""
    stage = staged(tmp_path, "modes", modes={ALL: "bold"}, read_only_mode="careful")
    first = await stage.play(["tell", "mode"], session="s", permission_mode=ALL)
    looked = await stage.play(["tell", "mode"], session="s", resume=first.session, permission_mode=ALL, read_only=True)
    again = await stage.play(["tell", "mode"], session="s", resume=first.session, permission_mode=ALL)
    assert [first.text, looked.text, again.text] == ['"bold"', '"careful"', '"bold"']


@pytest.mark.parametrize("trait", ["resume", "load"])
async def test_an_agent_that_can_be_kept_from_writing_is_told_so_also_when_it_resumes(
    tmp_path: Path, trait: str
) -> None:
    """GRD-7: what sums up a task resumes its conversation"""
    only = {"claudeCode": {"options": {"tools": ["Read"]}}}
    stage = staged(tmp_path, trait, read_only_meta=only)
    first = await stage.play(["tell", "meta"], session="s")
    again = await stage.play(["tell", "meta"], session="s", resume=first.session, read_only=True)
    new = await stage.play(["tell", "meta"], read_only=True)
    assert [json.loads(told.text) for told in (first, again, new)] == [None, only, only]
