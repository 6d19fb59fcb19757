"""The words handed to an agent after its first turn: fix what failed, think again, sum up, or say why it is stuck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pilothouse.domain.agent.prompts import bullets, opening, section
from pilothouse.domain.task.checks import CheckResult, VerificationRun
from pilothouse.domain.task.loop import LOOPS
from pilothouse.domain.task.task import Task

DIFF_LIMIT = 30_000
TAIL_LIMIT = 20_000
ANSWER_LIMIT = 1_500

FIX = """\
The project's own checks fail with your changes. Say in a sentence or two what you take the cause to be, then fix it.
Build on what is there, take nothing back for its own sake. Do not weaken, skip or delete a test to make it pass, and
do not change how the project is checked. The checks are run again when you are done; you need not run all of them."""

REPLAN = """\
Several fixes in a row did not help, so the approach itself is in question. Forget it for a moment: read the code and
the failing check again, write down what the attempts so far had in common, and choose another way. Then make the
change. What limits the task still holds. Do not weaken, skip or delete a test, and do not change how the project is
checked."""

SUMMARY = """\
The checks pass. Change nothing any more. Sum up for the person who will review this, in plain prose of at most ten
sentences: what you changed, why that solves the request, and how it was verified (name the run). Ask nothing."""

STUCK = """\
The checks still fail and no attempt is left. Change nothing any more. Write what the next person should know: under
the heading “Hypotheses”, a list of what the cause may be, the likeliest first, each with what speaks for it; then
what you would try next. Ask nothing."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One earlier attempt at passing the checks."""

    loop: int
    check: str
    first_failing_line: str
    answer: str
    """What the agent said it did about it."""

    def __str__(self) -> str:
        about = f"Verification {self.loop}: {self.check} failed: {self.first_failing_line}"
        said = " ".join(self.answer.split())[-ANSWER_LIMIT:]
        return f"{about}\n  Done about it: {said}" if said else about


def fix(task: Task, run: VerificationRun, tail: str, diff: str) -> str:
    return "\n".join([*opening(task), *_failure(run, tail), _diff(diff), section("What to do", FIX)])


def account(run: VerificationRun, tail: str, diff: str, tried: Sequence[Tried]) -> list[str]:
    """What is known when fixes did not help, for the agent that thinks it over and for those that look again."""
    return [*_failure(run, tail), section("What was tried", bullets([str(one) for one in tried])), _diff(diff)]


def replan(task: Task, known: Sequence[str], scouted: Sequence[str] = ()) -> str:
    """`known`: the account of the failure; `scouted`: what scouts report, as sections."""
    return "\n".join([*opening(task), *known, *scouted, section("What to do", REPLAN)])


def summary(task: Task, run: VerificationRun, files: Sequence[str]) -> str:
    checks = [f"{check.name} ({check.command})" for check in run.checks]
    return "\n".join(
        [
            *opening(task),
            section(f"Verified by run {run.id}", bullets(checks)),
            section("Files changed", bullets(files) or "None."),
            section("What to do", SUMMARY),
        ]
    )


def stuck(task: Task, tried: Sequence[Tried], files: Sequence[str]) -> str:
    return "\n".join(
        [
            *opening(task),
            section("Every verification so far", bullets([str(one) for one in tried])),
            section("Files changed", bullets(files) or "None."),
            section("What to do", STUCK),
        ]
    )


def from_report(report: str) -> str:
    """How a new task is told of the stuck one it starts from: the report and its references, nothing else."""
    return section("Report of an earlier attempt that got stuck", report)


def _failure(run: VerificationRun, tail: str) -> list[str]:
    failing = run.failing
    if failing is None:
        return []
    how = f"exit code {failing.exit_code}"
    if failing.result is CheckResult.TIMEOUT:
        how = failing.detail or "it ran out of time"
    about = f"{failing.name}: {failing.command}\n{how}\nVerification {run.loop} of {LOOPS}, run {run.id}"
    return [section("Failing check", about), section("End of its output", tail[-TAIL_LIMIT:])]


def _diff(diff: str) -> str:
    cut = f"{diff[:DIFF_LIMIT]}\n… cut here; look at the files for the rest." if len(diff) > DIFF_LIMIT else diff
    return section("Changes so far", cut or "None.")
