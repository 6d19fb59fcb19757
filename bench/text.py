"""Whether what reads an agent's and a check's words takes time in proportion to them: twice the text ÷ the text.

About 2 is what there is to get; a reader that goes back to the beginning for every line would need 4.

Usage: python -m bench.text [--rounds 5]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

from bench.figures import median, report
from pilothouse.domain.talk.detection import detect
from pilothouse.domain.talk.markers import MarkerParser
from pilothouse.verify import tamper
from pilothouse.verify.runs.headline import headline
from pilothouse.verify.runs.logs import plain

PIECE = 65_536
TEXTS = {
    "prose": "a line of prose that says nothing, and takes its time to say that it says nothing at all\n",
    "one_line": "x",
    "unclosed": '[DECISION_NEEDED priority="1"]\n' + "words of a question that is never closed\n" * 20,
    "garbled": '[PLAN_FILE path="' + "a=" * 2000 + "\n",
    "questions": "- which of them?\n",
    "brackets": "(",
}
TEST = 'def test_{0}(client):\n    answer = client.get("/items/{0}")\n    assert answer.status_code == 200\n\n\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    figures = {}
    for name, unit in TEXTS.items():
        text = unit * (2_000_000 // len(unit))
        for reader, read in (("markers", markers), ("headline", first_line), ("question", question)):
            figures[f"{reader}_{name}_doubled"] = doubled(partial(repeated, read, text), options.rounds)
    figures["tests_doubled"] = doubled(tests, options.rounds)
    report("text", figures)


def doubled(work: Callable[[int], object], rounds: int) -> float:
    """What is over in no time says nothing about growth: it counts as a hundredth of a second."""
    return median([max(seconds(work, 2), 0.01) / max(seconds(work, 1), 0.01) for _ in range(rounds)])


def seconds(work: Callable[[int], object], times: int) -> float:
    began = time.process_time()
    work(times)
    return time.process_time() - began


def repeated(read: Callable[[str], None], text: str, times: int) -> None:
    read(text * times)


def markers(text: str) -> None:
    parser = MarkerParser()
    for start in range(0, len(text), PIECE):
        parser.feed(text[start : start + PIECE])
    parser.close()


def first_line(text: str) -> None:
    headline(plain(text))


def question(text: str) -> None:
    detect.__wrapped__(text)


def tests(times: int) -> None:
    before = "".join(TEST.format(number) for number in range(times * 2_000)).encode()
    after = before.replace(b"assert answer.status_code == 200", b"assert answer.status_code", 20)
    tamper.inspect({"tests/test_a.py": before}, {"tests/test_a.py": after})


if __name__ == "__main__":
    main()
