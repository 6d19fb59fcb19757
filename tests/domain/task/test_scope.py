from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.task.doubts import DoubtKind
from pilothouse.domain.task.scope import Scope, merge_scope, outside, patterns, scope_from_text

CHANGED = ["packages/api/src/app.py", "packages/api-client/index.ts", "packages/web/src/main.ts", "README.md"]


def told(paths: list[str], package: str | None, *boundaries: str) -> list[tuple[str, str]]:
    return [(doubt.kind.value, doubt.path) for doubt in outside(paths, package, boundaries)]


def test_every_changed_file_outside_the_package_is_named() -> None:
    """TSK-11"""
    found = outside(CHANGED, "packages/api")
    assert [doubt.path for doubt in found] == [
        "README.md",
        "packages/api-client/index.ts",
        "packages/web/src/main.ts",
    ]
    assert {doubt.kind for doubt in found} == {DoubtKind.OUTSIDE_PACKAGE}
    assert found[0].message == "README.md is outside the target package packages/api."


@pytest.mark.parametrize("package", [None, "", ".", "/"])
def test_without_a_package_the_whole_repository_is_inside(package: str | None) -> None:
    """TSK-11"""
    assert outside(CHANGED, package) == []


def test_a_package_is_the_same_with_a_slash_behind_it() -> None:
    """TSK-11"""
    assert outside(CHANGED, "packages/api/") == outside(CHANGED, "packages/api")


@pytest.mark.parametrize(
    ("boundary", "path", "touched"),
    [
        ("src/legacy", "src/legacy/a.py", True),
        ("src/legacy/", "src/legacy/deep/b.py", True),
        ("./src/legacy", "src/legacy/a.py", True),
        ("`src/legacy`", "src/legacy/a.py", True),
        ("src/legacy", "src/legacy2/a.py", False),
        ("src/legacy", "lib/src/legacy/a.py", False),
        ("migrations", "app/db/migrations/0001.py", True),
        ("settings.py", "src/app/settings.py", True),
        ("settings.py", "src/app/my_settings.py", False),
        ("*.lock", "a/b/poetry.lock", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/deep/er/a.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("docs/**", "docs/a/b.md", True),
        ("v[12]/api", "v2/api/x.go", True),
        ("v[!12]/api", "v2/api/x.go", False),
        ("v[0-9]/api", "v7/api/x.go", True),
        ("v[z-a]/api", "v7/api/x.go", False),
        ("?.c", "x.c", True),
        ("Do not touch src/legacy/ or `conf/prod.toml`.", "src/legacy/a.py", True),
        ("Do not touch src/legacy/ or `conf/prod.toml`.", "conf/prod.toml", True),
        ("Leave package.json alone.", "web/package.json", True),
        ("Do not touch src/legacy.", "src/legacy/a.py", True),
        ("The public interface of the billing module", "billing/module.py", False),
        ("Keep the tests as they are", "tests/test_a.py", False),
        ("No new dependencies, e.g. in the server", "server/g.py", False),
        ("Only src/api", "src/api/a.py", False),
        ("Stay within packages/web", "packages/web/a.ts", False),
        ("*", "a.py", False),
        ("/", "a.py", False),
        ("a+b (copy).txt", "a+b (copy).txt", False),
        ("lib/c++", "lib/c++/x.h", True),
    ],
)
def test_a_boundary_that_names_a_path_is_checked_and_prose_is_not(boundary: str, path: str, touched: bool) -> None:
    """TSK-1 TSK-11"""
    assert told([path], None, boundary) == ([("outside_boundary", path)] if touched else [])


def test_a_file_is_told_once_for_its_package_and_once_for_the_first_boundary() -> None:
    """TSK-11"""
    found = outside(["docs/a.md", "docs/a.md"], "src", ["docs", "*.md"])
    assert [(doubt.kind.value, doubt.name) for doubt in found] == [
        ("outside_package", "src"),
        ("outside_boundary", "docs"),
    ]


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=30), max_size=3))
def test_no_boundary_however_odd_breaks_the_look(boundary: str, paths: list[str]) -> None:
    """TSK-11"""
    assert all(isinstance(pattern, str) for pattern in patterns(boundary))
    outside(paths, "p", [boundary])


def test_limits_are_read_from_the_text_and_the_rest_is_the_request() -> None:
    """TSK-1"""
    request, scope = scope_from_text(
        "Fix the add function.\n"
        "It returns the wrong sum.\n\n"
        "Constraints:\n- no new dependency\n* keep the signature\n\n"
        "NON-GOALS:\n  • speed\n"
        "Boundaries:\n- src/calc/**\n"
        "Thank you."
    )
    assert request == "Fix the add function.\nIt returns the wrong sum.\n\nThank you."
    assert scope == Scope(("no new dependency", "keep the signature"), ("speed",), ("src/calc/**",))


@pytest.mark.parametrize(
    "text",
    [
        "Constraints are important: - keep them",
        "- a list\n- without a heading",
        "constraints\n- no colon after the heading",
        "```\nkey: value\n```",
        "Fix it.\n\nNon-goals:\nnone that I know of",
        "Write this:\n```\nConstraints:\n- not mine\n```\nThanks",
    ],
)
def test_a_request_that_sets_no_limits_is_left_alone(text: str) -> None:
    """TSK-1"""
    assert scope_from_text(text) == (text, Scope())


def test_numbered_lists_and_items_over_several_lines_are_limits_too() -> None:
    """TSK-1"""
    request, scope = scope_from_text("Fix the login.\n\nNon-goals:\n1. Rewrite the\n   parser\n2) speed")
    assert (request, scope.non_goals) == ("Fix the login.", ("Rewrite the parser", "speed"))


def test_a_list_ends_where_other_text_begins() -> None:
    """TSK-1"""
    request, scope = scope_from_text("Constraints:\n- one\nDo it.\n- a step of the request")
    assert scope.constraints == ("one",)
    assert request == "Do it.\n- a step of the request"


item = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20)
items = st.lists(item, min_size=1, max_size=4)


@given(request=items, constraints=items, non_goals=items, boundaries=items, bullet=st.sampled_from("-*•"))
def test_limits_written_as_lists_are_always_found(
    request: list[str], constraints: list[str], non_goals: list[str], boundaries: list[str], bullet: str
) -> None:
    """TSK-1"""
    lists = {"Constraints": constraints, "Non-goals": non_goals, "Boundaries": boundaries}
    blocks = ["\n".join([f"{name}:", *(f"{bullet} {entry}" for entry in found)]) for name, found in lists.items()]
    text = "\n".join(request) + "\n\n" + "\n\n".join(blocks)
    rest, scope = scope_from_text(text)
    assert rest == "\n".join(request)
    assert scope == Scope(tuple(constraints), tuple(non_goals), tuple(boundaries))


@given(st.text(max_size=300))
def test_no_line_of_a_request_is_ever_lost(text: str) -> None:
    """TSK-1"""
    rest, scope = scope_from_text(text)
    found = " ".join((*scope.constraints, *scope.non_goals, *scope.boundaries))
    headings = {"constraints:", "non-goals:", "boundaries:"}
    kept = {line.strip() for line in rest.split("\n")}
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped and stripped.lower() not in headings:
            assert stripped in kept or stripped.split(maxsplit=1)[-1] in found
    assert scope_from_text(rest)[1] == Scope() or rest != text


def test_limits_of_fields_and_text_are_joined_without_repeats() -> None:
    """TSK-1"""
    joined = merge_scope(Scope(("a", "b"), (), ("x",)), Scope(("b", "c"), ("n",), ("x",)))
    assert joined == Scope(("a", "b", "c"), ("n",), ("x",))


@pytest.mark.parametrize(
    "head",
    ["Constraints:", "**Constraints:**", "**Constraints**:", "**Constraints**", "## Constraints", "### constraints:"],
)
def test_a_heading_is_known_in_the_ways_people_write_one(head: str) -> None:
    """TSK-1"""
    request, scope = scope_from_text(f"Fix it.\n\n{head}\n\n- keep a.py\n- no new\n  packages\n\nThank you.")
    assert (request, scope.constraints) == ("Fix it.\n\nThank you.", ("keep a.py", "no new packages"))


def test_limits_may_be_items_of_a_list_themselves() -> None:
    """TSK-1"""
    text = (
        "Fix:\n- the login\n- **Non-goals:**\n  - the menu\n  - the footer\n- Boundaries:\n  * src/old\n- the logout\n"
    )
    request, scope = scope_from_text(text)
    assert request == "Fix:\n- the login\n- the logout"
    assert scope == Scope(non_goals=("the menu", "the footer"), boundaries=("src/old",))


@pytest.mark.parametrize("text", ["Constraints\n- a", "~~~~\n## Constraints\n~~~\n- a\n~~~~", "**Constraints:**\nnone"])
def test_what_only_looks_like_limits_stays_in_the_request(text: str) -> None:
    """TSK-1"""
    assert scope_from_text(text) == (text, Scope())
