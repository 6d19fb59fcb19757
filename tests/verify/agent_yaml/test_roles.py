from __future__ import annotations

import pytest

from pilothouse.domain.agent.crew import Wish, Wishes
from pilothouse.errors import BadAgentYaml, Problem
from pilothouse.verify.agent_yaml.config import parse


def problem_of(text: str) -> Problem:
    with pytest.raises(BadAgentYaml) as caught:
        parse(text)
    return caught.value.problems[0]


def test_a_role_means_the_agent_of_the_file_unless_it_names_another() -> None:
    """BYD-1"""
    text = "agent: claude\nagents:\n  scout: {model: haiku}\n  small: {agent: gemini, effort: low}\n"
    assert parse(text).agents == Wishes(scout=Wish("claude", "haiku"), small=Wish("gemini", effort="low"))


def test_a_model_without_an_agent_is_told_where_it_stands() -> None:
    """BYD-1"""
    problem = problem_of("agents:\n  scout:\n    model: haiku\n")
    assert (problem.line, problem.column) == (3, 5)
    assert "whose model" in problem.message


def test_a_wrong_role_is_told_with_the_right_one() -> None:
    """BYD-1"""
    problem = problem_of("scouts: true\nagents: {scouts: {agent: a}}\n")
    assert (problem.line, problem.column, problem.suggestion) == (2, 10, "Did you mean `scout`?")
