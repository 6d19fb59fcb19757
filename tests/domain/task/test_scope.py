from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.task.doubts import FindingKind
from pilothouse.domain.task.scope import outside, patterns

CHANGED = ["packages/api/src/app.py", "packages/api-client/index.ts", "packages/web/src/main.ts", "README.md"]


def told(paths: list[str], package: str | None, *boundaries: str) -> list[tuple[str, str]]:
    return [(finding.kind.value, finding.path) for finding in outside(paths, package, boundaries)]


def test_every_changed_file_outside_the_package_is_named() -> None:
    """TSK-11"""
    found = outside(CHANGED, "packages/api")
    assert [finding.path for finding in found] == [
        "README.md",
        "packages/api-client/index.ts",
        "packages/web/src/main.ts",
    ]
    assert {finding.kind for finding in found} == {FindingKind.OUTSIDE_PACKAGE}
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
    assert [(finding.kind.value, finding.name) for finding in found] == [
        ("outside_package", "src"),
        ("outside_boundary", "docs"),
    ]


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=30), max_size=3))
def test_no_boundary_however_odd_breaks_the_look(boundary: str, paths: list[str]) -> None:
    """TSK-11"""
    assert all(isinstance(pattern, str) for pattern in patterns(boundary))
    outside(paths, "p", [boundary])
