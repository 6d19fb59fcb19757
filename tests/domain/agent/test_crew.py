from __future__ import annotations

import pytest

from pilothouse.domain.agent.crew import Crew, Member, Role, Wish, Wishes, choice_of, crew, first_agent
from pilothouse.domain.ports import Choice


def test_the_nearest_place_that_names_an_agent_decides() -> None:
    """BYD-1"""
    assert first_agent([Wish(), Wish(model="opus"), Wish("gemini"), Wish("claude")]) == "gemini"
    assert first_agent([Wish(), Wish()]) is None


def test_a_model_holds_only_where_its_agent_works() -> None:
    """BYD-1"""
    everywhere = Wish("claude", "opus", "high")
    assert choice_of("claude", [Wish(), everywhere]) == Choice("opus", "high")
    assert choice_of("gemini", [Wish("gemini"), everywhere]) == Choice()


def test_a_place_without_an_agent_means_the_one_that_would_work_without_the_places_before_it() -> None:
    """BYD-1"""
    message, project = Wish(model="sonnet"), Wish("claude")
    assert choice_of("claude", [message, project]) == Choice("sonnet")
    assert choice_of("gemini", [Wish("gemini"), message, project]) == Choice()


def test_an_effort_comes_with_the_model_it_was_named_beside_or_one_further_away() -> None:
    """BYD-1"""
    far = Wish("claude", "opus", "high")
    assert choice_of("claude", [Wish("claude", effort="low"), far]) == Choice("opus", "low")
    assert choice_of("claude", [Wish("claude", "haiku"), far]) == Choice("haiku", None)


def test_scouts_are_the_editor_until_someone_says_otherwise() -> None:
    """BYD-1"""
    editor = Member("claude", Choice("opus"))
    asked = [Wish("claude", "opus")]
    assert crew("claude", asked, Wishes(), Wishes()).scout == editor
    person = Wishes(scout=Wish("gemini", "flash"))
    assert crew("claude", asked, Wishes(), person).scout == Member("gemini", Choice("flash"))
    repository = Wishes(scout=Wish("codex"))
    assert crew("claude", asked, repository, person).scout == Member("codex", Choice())


def test_a_small_question_never_goes_to_a_large_model_that_nobody_chose() -> None:
    """GRD-8"""
    assert crew("claude", [], Wishes(), Wishes()).small == Member("claude", Choice("haiku"))
    assert crew("opencode", [], Wishes(), Wishes()).small is None
    assert crew("opencode", [], Wishes(), Wishes(small=Wish("claude", "haiku"))).small == Member(
        "claude", Choice("haiku")
    )


def test_who_rehearses_rehearses_altogether() -> None:
    """BYD-1: what is set for every project sends no real agent, and no bill, to the sample."""
    person = Wishes(scout=Wish("claude", "opus"), small=Wish("claude", "haiku"))
    rehearsing = Member("rehearsal", Choice())
    assert crew("rehearsal", [Wish("rehearsal")], Wishes(), person) == Crew(rehearsing, rehearsing, None)
    repository = Wishes(scout=Wish("claude", "haiku"))
    assert crew("rehearsal", [Wish("rehearsal")], repository, person).scout == Member("claude", Choice("haiku"))


@pytest.mark.parametrize("role", Role)
def test_every_role_has_its_member(role: Role) -> None:
    """BYD-1"""
    members = {Role.EDITOR: Member("a"), Role.SCOUT: Member("b"), Role.SMALL: Member("c")}
    found = Crew(members[Role.EDITOR], members[Role.SCOUT], members[Role.SMALL])
    assert found.member(role) == members[role]
