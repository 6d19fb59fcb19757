from __future__ import annotations

import pytest

from pilothouse.verify import tamper

TESTS = [
    "tests/test_cart.py",
    "shop/cart_test.py",
    "shop/tests.py",
    "tests/conftest.py",
    "src/cart.test.ts",
    "src/cart.spec.jsx",
    "src/__tests__/cart.js",
    "e2e/login.ts",
    "cart/cart_test.go",
    "tests/cart.rs",
    "src/test/java/shop/CartTest.java",
]
CODE = [
    "src/cart.py",
    "src/latest.py",
    "src/contest.ts",
    "cart/cart.go",
    "src/lib.rs",
    "src/main/java/Cart.java",
]
NEITHER = [
    "README.md",
    "docs/tests.md",
    "vite.config.ts",
    "setup.py",
    "tests/data/users.json",
    "a.snap",
    "types.d.ts",
    "LICENSE",
]


def test_tests_are_known_by_the_conventions_of_their_language() -> None:
    """BYD-4 TSK-8"""
    assert tamper.test_paths([*TESTS, *CODE, *NEITHER]) == TESTS


@pytest.mark.parametrize("path", CODE)
def test_code_is_what_a_test_could_be_asked_for(path: str) -> None:
    """TSK-8"""
    assert tamper.is_code(path)


@pytest.mark.parametrize("path", [*TESTS, *NEITHER])
def test_tests_data_and_documents_are_no_code(path: str) -> None:
    """TSK-8"""
    assert not tamper.is_code(path)
