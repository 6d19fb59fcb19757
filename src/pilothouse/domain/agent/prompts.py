"""The words handed to an agent: the request, what limits it, where it left off, and what comes after its first turn."""

from __future__ import annotations

from collections.abc import Sequence

from pilothouse.domain.task.checks import CheckResult, VerificationRun
from pilothouse.domain.task.loop import LOOPS, Tried
from pilothouse.domain.task.scope import Scope
from pilothouse.domain.task.task import Step, Task

RULES = """\
Work in the current directory only. Keep the change as small as the request allows, follow the conventions you find,
and add or adapt a test where behaviour changes. Do not commit unless you are asked to. When something must be decided
by the person, ask one clear question at the end and stop."""

ASKING = """\
Look at the files of the current directory, then answer. Change nothing, run nothing that changes anything, and leave
no file behind. Where the question is large, let subagents look at its parts side by side. Say what you found and where;
say so where you found nothing."""


RECORDS = """\
What happened earlier in this session is in {folder} (session.json, questions.json, events.json). Read there when you
need it; never write there."""

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

PROMPT_LIMIT = 100_000
"""Characters a person may write at once."""
OUTPUT_LIMIT = 20_000
"""How much of an earlier output is quoted back; the end is what matters."""
DIFF_LIMIT = 30_000
TAIL_LIMIT = 20_000
STEP_LIMIT = 2_000
"""How much of what a step concluded is told to an agent that takes over."""


def section(title: str, body: str) -> str:
    return f"[{title}]\n{body.strip()}\n"


def behind(digest: str, prompt: str) -> str:
    """A prompt for an agent that remembers nothing."""
    return f"{digest}\n{prompt}" if digest else prompt


def bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def scope_sections(scope: Scope) -> list[str]:
    named = (
        ("Constraints: these must be preserved", scope.constraints),
        ("Non-goals: leave these alone", scope.non_goals),
        ("Boundaries: stay out of these", scope.boundaries),
    )
    return [section(title, bullets(items)) for title, items in named if items]


def opening(task: Task) -> list[str]:
    """What every prompt of a task begins with: the request and what limits it."""
    inside = f"Change files inside {task.package}/ only. What lies outside needs a task of its own."
    package = [section("Target package", inside)] if task.package else []
    return [section("Task", task.prompt), *scope_sections(task.scope), *package]


def added_sections(task: Task) -> list[str]:
    """What the person said while no question was open, as after an interruption; answers are given when asked for."""
    said = [reply.content for reply in task.replies if not reply.question and not reply.replayed]
    return [section("Added by the person since, in this order", "\n\n".join(said))] if said else []


def first(task: Task, records: str, scouted: Sequence[str] = ()) -> str:
    """The beginning, also of a replay. `records`: the folder of the session's files; `scouted`: reports of scouts."""
    # Who starts from a stuck report gets that report alone: the records would tell of everything before it.
    told = [] if task.options.from_stuck else [section("Records", RECORDS.format(folder=records))]
    return "\n".join([*opening(task), *added_sections(task), *scouted, section("Rules", RULES), *told])


def asking(task: Task) -> list[str]:
    """A question about the project; nothing is to be done."""
    return [*opening(task), *added_sections(task), section("Rules", ASKING)]


def continuation(task: Task, previous_output: str, reply: str, scouted: Sequence[str] = ()) -> str:
    """After a question: what was said, what the person answered, and the word to go on."""
    return "\n".join([*opening(task), *scouted, *exchange(previous_output, reply)])


def exchange(previous_output: str, reply: str) -> list[str]:
    return [
        section("Previous Output", previous_output[-OUTPUT_LIMIT:]),
        section("User Reply", reply),
        section("Continue Task", "Go on with the task from where it stopped, taking this reply into account."),
    ]


def work(changed_files: Sequence[str], failures: Sequence[str]) -> list[str]:
    return [
        section("Files changed so far", bullets(changed_files) or "None."),
        section("Failed checks", bullets(failures) or "No verification has failed."),
    ]


def soft_resume(
    task: Task,
    steps: Sequence[Step],
    changed_files: Sequence[str],
    failures: Sequence[str],
    scouted: Sequence[str] = (),
) -> str:
    """After an interruption with the tree kept: what is done, what is on disk, and the word to go on."""
    done = [f"{step.number}. {step.kind}: {step.outcome or 'unfinished'}" for step in steps]
    return "\n".join(
        [
            *opening(task),
            *added_sections(task),
            *scouted,
            section("Earlier steps", "\n".join(done) or "None was finished."),
            *work(changed_files, failures),
            *([section("Previous Output", task.output[-OUTPUT_LIMIT:])] if task.output else []),
            section(
                "Continue Task",
                "An earlier run of this task was interrupted. Its changes are still in the working tree. "
                "Look at what is there, keep what is right, and finish the task.",
            ),
        ]
    )


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
