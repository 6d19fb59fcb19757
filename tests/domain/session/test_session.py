from __future__ import annotations

import hashlib
import re
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.session.session import (
    SESSION_MOVES,
    SLUG_LIMIT,
    UNTITLED,
    SessionAction,
    SessionKind,
    SessionStatus,
    free_slug,
    plain_title,
    project_id,
    session_after,
    slug_stems,
    slugify,
    wanted_slug,
)
from pilothouse.errors import IllegalTransition
from pilothouse.words import say

S, A = SessionStatus, SessionAction

# From each status, what may happen and where it leads.
MOVES: dict[SessionStatus, dict[SessionAction, SessionStatus]] = {
    **{status: {A.CLOSE: S.COMPLETED} for status in (S.WAITING, S.INTERRUPTED, S.ERROR, S.EXPIRED)},
    S.ACTIVE: {A.CLOSE: S.COMPLETED, A.PAUSE: S.PAUSED},
    S.PAUSED: {A.CLOSE: S.COMPLETED, A.RESUME: S.ACTIVE},
    S.COMPLETED: {A.REOPEN: S.ACTIVE},
    S.ROLLED_BACK: {},
}


@pytest.mark.parametrize("action", SessionAction)
@pytest.mark.parametrize("status", SessionStatus)
def test_a_session_makes_the_moves_of_its_table_and_no_other(status: SessionStatus, action: SessionAction) -> None:
    """TSK-4"""
    expected = MOVES[status].get(action)
    if expected is not None:
        assert session_after(status, action) is expected
        return
    with pytest.raises(IllegalTransition) as refused:
        session_after(status, action)
    assert refused.value.details == {"status": status, "action": action}
    assert say(f"session_status.{status}") in refused.value.message


def test_every_move_of_a_session_leads_somewhere_else() -> None:
    """TSK-4"""
    assert all(source is not target for (_, source), target in SESSION_MOVES.items())


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Add user authentication", "add-user-authentication"),
        ("  Ärger mit Ümläuten!  ", "arger-mit-umlauten"),
        ("naïve café №5", "naive-cafe-no5"),
        ("Fix `add()` in calc.py", "fix-add-in-calc-py"),
        ("../../etc/passwd", "etc-passwd"),
        ("---", ""),
        ("漢字", ""),
        ("x" * 80, "x" * 60),
        ("a" * 59 + " b", "a" * 59),
    ],
)
def test_a_slug_is_a_plain_short_folder_name(title: str, slug: str) -> None:
    """WEB-9"""
    assert slugify(title) == slug


@given(st.text(max_size=200))
def test_every_title_gives_a_safe_slug(title: str) -> None:
    """WEB-9, PLT-8"""
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*)?", slugify(title))
    assert len(slugify(title)) <= SLUG_LIMIT


def test_a_title_without_letters_is_named_by_kind_and_number() -> None:
    """WEB-9"""
    assert wanted_slug("漢字", SessionKind.CHAT, lambda: 3) == "chat-3"


def test_the_sessions_are_counted_only_for_a_title_without_letters() -> None:
    """WEB-9"""
    counted: list[int] = []

    def count() -> int:
        counted.append(3)
        return 3

    assert wanted_slug("Fix it", SessionKind.CHAT, count) == "fix-it"
    assert not counted


@pytest.mark.parametrize(
    ("title", "taken", "slug"),
    [
        ("Fix it", {"fix-it"}, "fix-it-2"),
        ("Fix it", {"fix-it", "fix-it-2", "fix-it-3"}, "fix-it-4"),
        ("x" * 70, {"x" * 60}, "x" * 58 + "-2"),
        ("!", {"feature-1"}, "feature-1-2"),
    ],
)
def test_a_taken_slug_gets_a_number_and_stays_short(title: str, taken: set[str], slug: str) -> None:
    """WEB-9"""
    found = free_slug(wanted_slug(title, SessionKind.FEATURE, lambda: 1), taken)
    assert found == slug
    assert len(found) <= SLUG_LIMIT


@given(st.text(max_size=80), st.integers(1, 30))
def test_slugs_given_one_after_the_other_never_meet(title: str, count: int) -> None:
    """WEB-9"""
    taken: set[str] = set()
    for n in range(count):
        wanted = wanted_slug(title, SessionKind.CHAT, partial(int, n + 1))
        slug = free_slug(wanted, taken)
        assert slug not in taken
        assert len(slug) <= SLUG_LIMIT
        assert slug == wanted or slug.rstrip("0123456789") in slug_stems(wanted)
        taken.add(slug)


def test_a_project_is_named_after_where_it_really_is(tmp_path: Path) -> None:
    """WEB-9"""
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    expected = hashlib.md5(str(real).encode(), usedforsecurity=False).hexdigest()
    assert project_id(real) == project_id(tmp_path / "link") == project_id(real / ".." / "real") == expected


def test_a_title_cannot_turn_the_direction_of_the_list_around_it() -> None:
    """WEB-9"""
    assert plain_title("Fix \u202egnp.exe\u2066 now") == "Fix gnp.exe now"
    assert plain_title("\u202e") == UNTITLED
    assert plain_title("שלום world") == "שלום world"
