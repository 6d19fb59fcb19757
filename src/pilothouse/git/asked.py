"""What a scan asks git while it waits for another answer."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Self

from pilothouse.git.commands import Git

IGNORED = ("ls-files", "-zci", "--exclude-standard")
"""Lists what an index has though it is ignored."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Lists of paths, as git prints them."""

    real: Future[bytes]
    """The repository's own index, with tags and modes."""
    ignored: Future[bytes]
    """What it tracks though it is ignored."""
    private: Future[bytes]
    """The private index."""

    @classmethod
    def of(cls, pool: Executor, user: Git, private: Git) -> Self:
        return cls(
            pool.submit(user.run, "ls-files", "-stz"),
            pool.submit(user.run, *IGNORED),
            pool.submit(private.run, "ls-files", "-z"),
        )
