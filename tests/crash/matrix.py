"""Every place where a victim can be killed, and the part of them that a usual run takes."""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from tests.crash.journal import Journal
from tests.crash.scripts import EARLIER, SCRIPTS, furnish
from tests.crash.victim import Fate, Hangman

SURVEY = Path(__file__).with_name("survey.txt")
RACES = frozenset({"_end_strays", "guard.strays", "_tell_rebuilt", "storage.mirror_rebuilt"})
"""Passed or not by who was faster: a keeper or the next start, the mirror or the kill before."""
SLEEPS = range(1_000_000, 2_000_000)


class Kill(NamedTuple):
    script: str
    point: str
    nth: int

    @property
    def where(self) -> str:
        return self.point.split(" ")[0]

    @property
    def what(self) -> str:
        """The transition, tree operation or spawn; all that an agent says is one thing, for nothing is written yet."""
        return "said" if self.where == "agent.said" else self.point.split(" ")[1]


def seconds_of(folder: Path) -> int:
    """How long this victim's children sleep: what tells them from everybody else's."""
    return SLEEPS[crc32(bytes(folder)) % len(SLEEPS)]


def execute(hangman: Hangman, kill: Kill, folder: Path) -> None:
    """Let a victim live until the kill, in a repository of its own."""
    furnish(folder / "repo", seconds_of(folder))
    if kill.script in EARLIER:
        assert hangman.run(Fate(kill.script, str(folder), earlier=True)) == -9
    assert hangman.run(Fate(kill.script, str(folder), kill.point, kill.nth)) == -9


def surveyed() -> list[Kill]:
    """Every kill there is; the survey has a line per script and point, with how often the script passes it."""
    kills = []
    for line in SURVEY.read_text().splitlines():
        script, times, point = line.split(" ", 2)
        kills += [Kill(script, point, nth + 1) for nth in range(int(times))]
    return kills


def chosen() -> list[Kill]:
    return surveyed() if os.environ.get("PILOTHOUSE_CRASH") == "all" else sample(surveyed())


def sample(kills: list[Kill]) -> list[Kill]:
    """Every transition, tree operation and spawn once, at places that take turns, and every place at least twice."""
    by_what: dict[str, list[Kill]] = defaultdict(list)
    for kill in kills:
        by_what[kill.what].append(kill)
    taken: list[Kill] = []
    for what, passes in sorted(by_what.items()):
        counts = Counter(kill.where for kill in taken)
        where = min(sorted({kill.where for kill in passes}), key=lambda where: counts[where])
        here = [kill for kill in passes if kill.where == where]
        taken.append(here[crc32(what.encode()) % len(here)])
    for where in sorted({kill.where for kill in kills}):
        spare = [kill for kill in kills if kill.where == where and kill not in taken]
        missing = max(0, 2 - sum(kill.where == where for kill in taken))
        taken += [spare[crc32(where.encode()) % len(spare)]] if missing == 1 and spare else spare[:missing]
    return taken


def survey(hangman: Hangman, script: str, folder: Path) -> dict[str, int]:
    """Let one live to its end and count."""
    execute(hangman, Kill(script, "", 0), folder)
    points: dict[str, int] = Journal(folder / "journal").lines("passed")[-1]["points"]
    return {point: times for point, times in points.items() if point.split(" ")[1] not in RACES}


def main() -> None:
    """Write the survey anew: `python -m tests.crash.matrix`."""
    with Hangman() as hangman, tempfile.TemporaryDirectory() as folder:
        for script in SCRIPTS:
            for point, times in sorted(survey(hangman, script, Path(folder) / script).items()):
                sys.stdout.write(f"{script} {times} {point}\n")


if __name__ == "__main__":
    main()
