from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilothouse.domain.task.doubts import TAMPERING, DoubtKind
from pilothouse.verify.tamper import inspect
from tests.verify.tamper.cases import Case, corpus

PATHS = (
    "tests/test_a.py",
    "a.test.ts",
    "a.test.jsx",
    "a_test.go",
    "src/a.rs",
    "src/test/java/ATest.java",
    "pyproject.toml",
    "package.json",
    "agent.yaml",
    "Makefile",
    "pom.xml",
    "a.snap",
    ".github/workflows/ci.yml",
)
NO_SOURCE = (b"", b"\xff\xfe\x00(", b"def test_(:\n  assert (((", b"{{{{", b"'" * 999, b"(" * 5000)


def one(path: str, before: str, after: str) -> list[tuple[DoubtKind, int | None, str]]:
    found = inspect({path: before.encode()}, {path: after.encode()})
    return [(doubt.kind, doubt.line, doubt.name) for doubt in found]


def test_a_doubt_says_where_in_the_new_file_it_is_and_which_test_it_is_about() -> None:
    """BYD-4"""
    before = "def test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert g() == 2\n"
    after = "import os\n\n\ndef test_a():\n    assert f() == 1\n\n\ndef test_b():\n    x = g()\n    assert x\n"
    assert one("tests/test_a.py", before, after) == [(DoubtKind.ASSERTION_WEAKENED, 10, "test_b")]


def test_every_message_is_one_plain_sentence_and_every_kind_is_tampering() -> None:
    """BYD-4"""
    doubts = [doubt for case in corpus() for doubt in inspect(case.before, case.after, case.renames)]
    assert {doubt.kind for doubt in doubts} == TAMPERING
    for doubt in doubts:
        assert doubt.message[:1].isupper()
        assert doubt.message.endswith(".")
        assert "\n" not in doubt.message
        assert doubt.name


def test_a_helper_that_asserts_less_is_found_once_though_many_tests_call_it() -> None:
    """BYD-4"""
    tests = "".join(f"def test_{n}():\n    check_page({n})\n\n\n" for n in range(5))
    before = "def check_page(n):\n    page = get(n)\n    assert page.status == 200\n    assert page.body == n\n\n\n"
    after = before.replace("    assert page.body == n\n", "    assert page.body\n")
    found = inspect({"tests/test_a.py": (before + tests).encode()}, {"tests/test_a.py": (after + tests).encode()})
    assert [(doubt.kind, doubt.line) for doubt in found] == [(DoubtKind.ASSERTION_WEAKENED, 4)]


def test_a_call_of_a_checking_helper_that_is_dropped_is_missed() -> None:
    """BYD-4"""
    helper = "def check_page(page):\n    assert page.status == 200\n\n\n"
    before = helper + "def test_a():\n    page = get(1)\n    check_page(page)\n"
    assert one("tests/test_a.py", before, before.replace("    check_page(page)\n", "")) == [
        (DoubtKind.ASSERTION_REMOVED, 5, "test_a")
    ]


def test_an_assertion_put_under_a_condition_is_weaker() -> None:
    """BYD-4"""
    before = "def test_a():\n    page = get(1)\n    assert page.body == 'a'\n"
    after = "def test_a():\n    page = get(1)\n    if page:\n        assert page.body == 'a'\n"
    assert one("tests/test_a.py", before, after) == [(DoubtKind.ASSERTION_WEAKENED, 4, "test_a")]


def test_a_helper_that_is_replaced_by_another_is_honest_unless_it_was_there_to_check() -> None:
    """BYD-4"""
    helper = "def wait(job):\n    assert job.join(5) == 0\n\n\n"
    before = helper + "def test_a():\n    job = start()\n    wait(job)\n    assert job.result == 1\n"
    after = "def test_a():\n    job = start()\n    job.until_done()\n    assert job.result == 1\n"
    assert one("tests/test_a.py", before, after) == []
    checking = before.replace("wait(", "check_exit(")
    assert one("tests/test_a.py", checking, after) == [(DoubtKind.ASSERTION_REMOVED, 1, "test_a")]


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "tests/test_a.py",
            "def test_a():\n    assert f() == 1\n",
            "def test_a():\n    os._exit(0)\n    assert f() == 1\n",
        ),
        (
            "a.test.js",
            "it('a', () => expect(f()).resolves.toBe(1))",
            "it('a', () => expect(f()).resolves.toBe(1).catch(() => {}))",
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() { assert_eq!(f().unwrap(), 1); }",
            "#[test]\nfn a() { if let Ok(x) = f() { assert_eq!(x, 1); } }",
        ),
    ],
)
def test_an_assertion_that_can_be_passed_by_is_weaker(path: str, before: str, after: str) -> None:
    """BYD-4"""
    assert [kind for kind, _, _ in one(path, before, after)] == [DoubtKind.ASSERTION_WEAKENED]


def test_a_message_asked_of_the_caught_error_is_as_strict_as_a_match() -> None:
    """BYD-4"""
    before = "def test_a():\n    with pytest.raises(ValueError, match='bad'):\n        f()\n"
    after = "def test_a():\n    with pytest.raises(ValueError) as e:\n        f()\n    assert 'bad' in str(e.value)\n"
    assert one("tests/test_a.py", before, after) == []


def test_a_table_test_that_learns_to_expect_errors_is_honest() -> None:
    """BYD-4"""
    before = (
        "package a\nfunc TestA(t *testing.T) {\n\tfor _, tt := range []struct{ n, want int }{{1, 2}, {2, 3}} {\n"
        '\t\tgot := F(tt.n)\n\t\tif got != tt.want {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}\n}\n'
    )
    after = before.replace(
        "\t\tgot := F(tt.n)\n",
        '\t\tgot, err := F(tt.n)\n\t\tif tt.bad {\n\t\t\tif err == nil {\n\t\t\t\tt.Error("no error")\n\t\t\t}\n'
        "\t\t\tcontinue\n\t\t}\n",
    )
    assert one("a_test.go", before, after) == []


def test_a_test_whose_subject_only_moved_is_still_missed() -> None:
    """BYD-4"""
    test = b"from a import shout\n\n\ndef test_shout():\n    assert shout('a') == 'A!'\n"
    code = b"def shout(text):\n    return text.upper() + '!'\n"
    gone = inspect(
        {"src/a.py": code, "src/b.py": None, "tests/test_a.py": test},
        {"src/a.py": b"", "src/b.py": code, "tests/test_a.py": None},
    )
    assert [doubt.kind for doubt in gone] == [DoubtKind.TEST_DELETED]


def test_moved_and_weakened_at_once_is_seen_as_weakened() -> None:
    """BYD-4"""
    body = "def test_total():\n    cart = Cart()\n    cart.add('book', 10)\n    assert cart.total() == 10\n"
    weak = body.replace("cart.total() == 10", "cart.total()").replace("test_total", "test_sum")
    found = inspect(
        {"tests/test_a.py": body.encode(), "tests/test_b.py": None},
        {"tests/test_a.py": None, "tests/test_b.py": weak.encode()},
    )
    assert [(doubt.kind, doubt.path) for doubt in found] == [(DoubtKind.ASSERTION_WEAKENED, "tests/test_b.py")]


def test_configuration_that_cannot_be_read_any_more_is_told() -> None:
    """BYD-4"""
    found = inspect(
        {"pyproject.toml": b'[tool.pytest.ini_options]\naddopts = "-q"\n'}, {"pyproject.toml": b"[tool.pytest\n"}
    )
    assert [(doubt.kind, doubt.line) for doubt in found] == [(DoubtKind.CHECKS_CHANGED, None)]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("content", NO_SOURCE)
def test_what_is_no_source_is_survived(path: str, content: bytes) -> None:
    """BYD-4"""
    good = b"def test_a():\n    assert f() == 1\n"
    inspect({path: good}, {path: content})
    inspect({path: content}, {path: good})
    inspect({path: None}, {path: content})
    inspect({path: content}, {path: None})


@pytest.mark.parametrize(
    ("path", "opening", "closing"),
    [
        ("tests/test_a.py", "def test_a():\n    assert " + "f(" * 3000, ")" * 3000 + " == 1\n"),
        ("tests/test_a.py", "def test_a():\n    assert " + "not " * 3000, "a1\n"),
        ("tests/test_a.py", "def test_a():\n    assert " + "a and " * 3000, "b == 1\n"),
        ("a.test.js", "describe('a', () => {" * 1000 + "it('b', () => { expect(c).toBe(", "1); });" + "});" * 1000),
        ("src/a.rs", "mod a {" * 1500 + "#[test] fn b() { assert!(c == ", "1); }" + "}" * 1500),
        ("package.json", '{"jest": ' * 3000, "1" + "}" * 3000),
    ],
)
def test_nesting_without_end_is_survived(path: str, opening: str, closing: str) -> None:
    """BYD-4"""
    inspect({path: (opening + closing).encode()}, {path: (opening + closing.replace("1", "2")).encode()})
    inspect({path: (opening + closing).encode()}, {path: None})


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(corpus()), st.integers(0, 2000))
def test_a_change_cut_off_anywhere_is_survived(case: Case, end: int) -> None:
    """BYD-4"""
    cut = {path: content[:end] if content is not None else None for path, content in case.after.items()}
    inspect(case.before, cut, case.renames)
    inspect(cut, case.before)


def test_every_change_in_a_megabyte_of_tests_is_found() -> None:
    """BYD-4"""
    before = "".join(
        f'def test_{n}(client):\n    answer = client.get("/items/{n}", params={{"a": {n}}})\n'
        f'    assert answer.status_code == 200\n    assert answer.json() == {{"id": {n}, "name": "item {n}"}}\n\n\n'
        for n in range(6000)
    ).encode()
    assert len(before) > 1_000_000
    after = before.replace(b"assert answer.status_code == 200", b"assert answer.status_code", 20)
    found = inspect({"tests/test_a.py": before}, {"tests/test_a.py": after})
    assert len(found) == 20


def test_a_grammar_is_loaded_only_for_a_file_of_its_language() -> None:
    """BYD-4"""
    program = (
        "import sys; from pilothouse.verify.tamper import inspect; import tree_sitter\n"
        "assert not [name for name in sys.modules if name.startswith('tree_sitter_')]\n"
        "inspect({'a_test.go': b'package a'}, {'a_test.go': None})\n"
        "loaded = [name for name in sys.modules if name.startswith('tree_sitter_') and '.' not in name]\n"
        "assert loaded == ['tree_sitter_go'], loaded"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": ":".join(sys.path)})
