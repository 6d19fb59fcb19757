"""What a scan asks git while it waits for another answer."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from dataclasses import dataclass
from hashlib import blake2b

from pilothouse.git.commands import Git

IGNORED = ("ls-files", "-zci", "--exclude-standard")
"""Lists what an index has though it is ignored."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Lists of paths, as git prints them."""

    real: bytes
    """The repository's own index, with tags and modes."""
    ignored: Future[bytes]
    """What it tracks though it is ignored."""
    private: Future[bytes]
    """The private index."""

    @property
    def digest(self) -> bytes:
        return _digest(self.real)


@dataclass(frozen=True, slots=True)
class Asking:
    """How it is asked: git's answers come side by side."""

    pool: Executor
    user: Git
    """In the repository itself."""
    private: Git

    def now(self) -> Asked:
        # The entries first, here too: should the index change in between, the next scan finds others and asks again.
        return Asked(self._entries(), *self._further())

    def early(self, known: bytes) -> Future[Asked | None]:
        """None where the repository's index says what it said when `known` was its digest: only its times are new
        then, which is what a `git status` leaves behind."""

        def look() -> Asked | None:
            real = self._entries()
            return Asked(real, *self._further()) if _digest(real) != known else None

        return self.pool.submit(look)

    def _entries(self) -> bytes:
        return self.user.run("ls-files", "-stz")

    def _further(self) -> tuple[Future[bytes], Future[bytes]]:
        return self.pool.submit(self.user.run, *IGNORED), self.pool.submit(self.private.run, "ls-files", "-z")


def _digest(entries: bytes) -> bytes:
    return blake2b(entries, digest_size=16).digest()
