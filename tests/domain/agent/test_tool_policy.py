from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.agent import tool_policy
from pilothouse.domain.agent.crew import Role
from pilothouse.domain.agent.tool_policy import CANNOT_WRITE, DUTIES, WHITELIST, allowed, duty_of, require, well_formed
from pilothouse.errors import BadConfiguration

WRITES = ("Write", "Edit", "Bash", "Bash(git:*)", "Bash(git:diff*)", "AskUserQuestion")
TOOLS = tuple(f"mcp__workbench__{tool}" for tool in ("decide", "plan", "step_done", "status", "blocked"))


def test_the_whitelist_is_the_documents_with_questions_plans_and_the_workbench() -> None:
    """GRD-7"""
    named = {"Read", "Write", "Edit", "Glob", "Grep", "Agent", "Bash"}
    narrow = {"Bash(git:*)", "Bash(gh:*)", "Bash(git:diff*)", "Bash(gh:pr*)"}
    asking = {"AskUserQuestion", "EnterPlanMode", "ExitPlanMode"}
    assert named | narrow | asking | {*TOOLS, "mcp__workbench__answer"} == WHITELIST


@pytest.mark.parametrize("name", DUTIES)
def test_every_role_asks_only_for_what_is_on_the_whitelist(name: str) -> None:
    """GRD-7"""
    duty = DUTIES[name]
    assert set(duty.tools) <= WHITELIST
    assert require(duty.tools, read_only=duty.read_only) == duty.tools
    if duty.read_only:
        assert set(duty.tools) <= CANNOT_WRITE


@pytest.mark.parametrize("name", [name for name, duty in DUTIES.items() if duty.read_only])
def test_a_role_that_only_looks_gets_nothing_that_writes_whoever_adds_it(name: str) -> None:
    """GRD-7"""
    assert set(allowed(name, further=["WebFetch", *WRITES])) <= CANNOT_WRITE


def test_who_is_asked_looks_has_subagents_and_answers_and_nothing_that_writes() -> None:
    """GRD-7"""
    assert allowed("ask", read_only=True) == ("Read", "Glob", "Grep", "Agent", *TOOLS, "mcp__workbench__answer")
    assert "mcp__workbench__answer" not in allowed("edit")


def test_what_is_asked_read_only_gets_nothing_that_writes() -> None:
    """GRD-7"""
    assert allowed("edit", read_only=True, further=["WebFetch"]) == ("Read", "Glob", "Grep")


@pytest.mark.parametrize("tool", WRITES)
def test_a_tool_that_writes_is_refused_by_name_where_only_reading_is_allowed(tool: str) -> None:
    """GRD-7"""
    with pytest.raises(BadConfiguration, match="may only read") as caught:
        require(["Read", tool], read_only=True)
    assert caught.value.details == {"tool": tool}


@pytest.mark.parametrize("tool", ["WebFetch", "Bash(rm:*)", "mcp__other__thing", "read"])
def test_a_tool_off_the_whitelist_is_refused_by_name_unless_the_person_added_it(tool: str) -> None:
    """GRD-7"""
    with pytest.raises(BadConfiguration, match="not on the list") as caught:
        require([tool], read_only=False)
    assert caught.value.details == {"tool": tool}
    assert allowed("edit", further=[tool])[-1] == tool


@pytest.mark.parametrize("tool", ["", "--tools", "Read,Write", "Read Write", "Bash(a,b)", "Read\n", "Bash(", "Bash()"])
def test_a_name_that_could_be_taken_for_something_else_is_none(tool: str) -> None:
    """GRD-7"""
    assert not well_formed(tool)
    with pytest.raises(BadConfiguration, match="not the name of a tool"):
        require([tool], read_only=False, further=[tool])


@given(st.text())
def test_what_passes_for_a_tool_is_one_argument_and_no_option(tool: str) -> None:
    """GRD-7"""
    if well_formed(tool):
        assert not tool.startswith("-")
        assert not set(tool) & set(",\n\0")


def test_what_nobody_wrote_a_list_for_is_not_begun() -> None:
    """GRD-7"""
    with pytest.raises(BadConfiguration, match="scout C"):
        duty_of("scout C")
    assert duty_of("scout B").role is Role.SCOUT
    assert duty_of("small").tools == ()


def test_a_tool_named_twice_is_given_once() -> None:
    """GRD-7"""
    assert tool_policy.require(["Read", "Glob", "Read"], read_only=True) == ("Read", "Glob")
