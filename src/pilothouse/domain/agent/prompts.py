"""The words handed to an agent: the request, what limits it, and where it left off."""

from __future__ import annotations

from collections.abc import Sequence

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

PROMPT_LIMIT = 100_000
"""Characters a person may write at once."""
OUTPUT_LIMIT = 20_000
"""How much of an earlier output is quoted back; the end is what matters."""
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


def asking(task: Task) -> str:
    """A question about the project; nothing is to be done."""
    return "\n".join([*opening(task), *added_sections(task), section("Rules", ASKING)])


def continuation(task: Task, previous_output: str, reply: str, scouted: Sequence[str] = ()) -> str:
    """After a question: what was said, what the person answered, and the word to go on."""
    return "\n".join(
        [
            *opening(task),
            *scouted,
            section("Previous Output", previous_output[-OUTPUT_LIMIT:]),
            section("User Reply", reply),
            section("Continue Task", "Go on with the task from where it stopped, taking this reply into account."),
        ]
    )


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
            section("Files changed so far", bullets(changed_files) or "None."),
            section("Failed checks", bullets(failures) or "No verification has failed."),
            *([section("Previous Output", task.output[-OUTPUT_LIMIT:])] if task.output else []),
            section(
                "Continue Task",
                "An earlier run of this task was interrupted. Its changes are still in the working tree. "
                "Look at what is there, keep what is right, and finish the task.",
            ),
        ]
    )
