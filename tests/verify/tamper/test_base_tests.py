from __future__ import annotations

from pilothouse.verify.tamper import base_tests_overlay

CODE = b"pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"
TESTS = b"""
#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::add(1, 2), 3);
    }
}
"""


def test_tests_their_data_snapshots_and_configuration_come_back_and_new_ones_go() -> None:
    """BYD-4"""
    before = {
        "src/a.py": b"old",
        "tests/test_a.py": b"old",
        "tests/data/a.json": b"old",
        "tests/__snapshots__/a.ambr": b"old",
        "tests/conftest.py": b"old",
        "tests/test_gone.py": b"old",
        "pytest.ini": b"[pytest]\naddopts = -q\n",
        "tests/test_new.py": None,
    }
    after = dict.fromkeys(before, b"new") | {"tests/test_gone.py": None, "pytest.ini": b"[pytest]\n"}
    assert base_tests_overlay(before, after) == {
        "pytest.ini": b"[pytest]\naddopts = -q\n",
        "tests/__snapshots__/a.ambr": b"old",
        "tests/conftest.py": b"old",
        "tests/data/a.json": b"old",
        "tests/test_a.py": b"old",
        "tests/test_gone.py": b"old",
        "tests/test_new.py": None,
    }


def test_a_renamed_test_comes_back_under_its_old_name_only() -> None:
    """BYD-4"""
    before = {"tests/test_a.py": b"old"}
    after = {"tests/test_a.py": None, "tests/test_b.py": b"new"}
    assert base_tests_overlay(before, after, {"tests/test_b.py": "tests/test_a.py"}) == {
        "tests/test_a.py": b"old",
        "tests/test_b.py": None,
    }


def test_a_manifest_comes_back_only_if_it_says_something_else_about_checks() -> None:
    """BYD-4"""
    before = b'{"scripts": {"test": "vitest run"}, "dependencies": {}}'
    dependency = b'{"scripts": {"test": "vitest run"}, "dependencies": {"zod": "3"}}'
    disarmed = b'{"scripts": {"test": "true"}, "dependencies": {"zod": "3"}}'
    assert base_tests_overlay({"package.json": before}, {"package.json": dependency}) == {}
    assert base_tests_overlay({"package.json": before}, {"package.json": disarmed}) == {"package.json": before}


def test_rust_tests_beside_the_code_come_back_into_the_new_code() -> None:
    """BYD-4"""
    faster = CODE.replace(b"a + b", b"a.wrapping_add(b)")
    weaker = TESTS.replace(b"assert_eq!(super::add(1, 2), 3)", b"assert!(super::add(1, 2) > 0)")
    back = {"src/lib.rs": faster + TESTS}
    assert base_tests_overlay({"src/lib.rs": CODE + TESTS}, {"src/lib.rs": faster + weaker}) == back
    assert base_tests_overlay({"src/lib.rs": CODE + TESTS}, {"src/lib.rs": faster}) == back
    assert base_tests_overlay({"src/lib.rs": CODE + TESTS}, {"src/lib.rs": faster + TESTS}) == {}
    assert base_tests_overlay({"src/lib.rs": CODE}, {"src/lib.rs": CODE + TESTS}) == {"src/lib.rs": CODE + b"\n\n"}
