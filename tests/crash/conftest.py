from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.victim import Hangman

pytest.register_assert_rewrite("tests.crash.aftermath", "tests.crash.invariants")


@pytest.fixture(scope="session")
def hangman() -> Iterator[Hangman]:
    with Hangman() as made:
        yield made
