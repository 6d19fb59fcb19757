"""What was asked, answered, decided and done in a thread, for an agent that does not remember it; and what happened to
the files while an agent that does remember was away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pilothouse.domain.agent.prompts import STEP_LIMIT, bullets, section, work
from pilothouse.domain.talk.permissions import Decided
from pilothouse.domain.task.task import Awaiting, Purpose, Reply, Step, Task, TaskStatus

DIGEST_LIMIT = 24_000
"""Characters of the account of earlier messages. The newest come first where there is no room for all."""
TASK_LIMIT = 6_000
SECTION_LIMIT = 12_000
"""Characters of one section about the task at hand."""
FILES_LIMIT = 200
WORDS_LIMIT = 1_500
"""Characters of one thing that somebody said."""
NAME_LIMIT = 80
EVENTS_LIMIT = 5
"""How many of the latest things that happened to the files are told."""
TAKING_OVER = "You take over from an agent whose memory of this is gone. "
CHANGED = "Its changes are in the working tree. Look at what is there and keep what is right; do not begin anew."
LOOKED = "It only looked, and changed nothing. What it said is below; look again at what you need."
_TAG = re.compile(r"\[\[[^\[\]\n]*\]\]")
"""Names a scenario of the rehearsal agent; one that was played is not to be played again."""

FileEvent = Literal["rolled_back", "undone", "committed"]


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened to the files while the agent was away."""

    what: FileEvent
    name: str = ""
    """The message whose work was rolled back, or the commit's message."""


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier message of the thread, and what became of its files later."""

    task: Task
    happened: tuple[Happened, ...] = ()


def since(last: Task | None, apart: Sequence[Task], happened: Sequence[Happened], back: Task | None = None) -> str:
    """One line about the time since the agent spoke last; empty where there is nothing it does not know.

    `last` is the message that its last turn belonged to, None where no new one begins now. `apart` are those after it
    that this conversation has not heard of. `back` is an earlier message that is gone on with after another one.
    """
    said = [_ending(last, kept=not happened)] if last else []
    said += [_returning(back)] if back else []
    said += [f"“{name_of(task)}” was dealt with apart from you: {_outcome(task)}." for task in apart[-EVENTS_LIMIT:]]
    said += [_told(one) for one in happened[-EVENTS_LIMIT:]]
    return " ".join(filter(None, said))


def since_section(line: str) -> str:
    return section("What happened since your last turn", line) if line else ""


def digest(past: Sequence[Past]) -> str:
    """The thread so far, the oldest first; without room for all, the oldest are left out."""
    told: list[str] = []
    room = DIGEST_LIMIT
    for one in reversed(past):
        entry = _account(one)
        if len(entry) > room:
            break
        told.append(entry)
        room -= len(entry)
    if not told:
        return ""
    out = len(past) - len(told)
    left = [f"{out} earlier messages are left out here."] if out else []
    return section("Earlier in this thread, which you do not remember", "\n\n".join([*left, *reversed(told)]))


def saved_state(
    task: Task,
    steps: Sequence[Step],
    failures: Sequence[str],
    changed_files: Sequence[str],
    happened: Sequence[Happened],
) -> str:
    """What an agent that takes over in the middle must know beside the request: done, decided, failed.

    The oldest steps are left out where there is no room for all.
    """
    asks = task.purpose is Purpose.ASK
    done = _newest([_step(step) for step in steps if step.finished_at])
    decided = _newest([*_decided(task), *(_told(one) for one in happened)])
    return "\n".join(
        [
            section("Where the task stands", TAKING_OVER + (LOOKED if asks else CHANGED)),
            section("Earlier steps", "\n".join(done) or "None was finished."),
            *([] if asks else work(changed_files[:FILES_LIMIT], _newest(failures))),
            *([section("Asked, answered and decided", bullets(decided))] if decided else []),
        ]
    )


def _newest(entries: Sequence[str]) -> list[str]:
    """As many of the last as there is room for."""
    kept: list[str] = []
    room = SECTION_LIMIT
    for entry in reversed(entries):
        room -= len(entry)
        if room < 0 and kept:
            break
        kept.append(entry)
    return kept[::-1]


def _step(step: Step) -> str:
    said = " ".join(_clean(step.answer).split())[-STEP_LIMIT:]
    about = f"{step.number}. {step.kind}: {step.outcome or 'unfinished'}"
    return f"{about}\n   It said: {said}" if said else about


def name_of(task: Task) -> str:
    line = next(iter(_clean(task.prompt).splitlines()), "")
    return line if len(line) <= NAME_LIMIT else f"{line[:NAME_LIMIT]}…"


def _account(past: Past) -> str:
    task = past.task
    files = " ".join(_told(one) for one in past.happened[-EVENTS_LIMIT:])
    lines = [
        f"The person asked: {_words(task.prompt)}",
        *_decided(task),
        f"It ended: {_outcome(task)}.",
        *([f"The agent said: {said}"] if (said := _words(task.summary or task.output)) else []),
        *([f"Files changed: {task.files_changed}."] if task.files_changed else []),
        *([files] if files else []),
    ]
    text = "\n".join(lines)
    return text if len(text) <= TASK_LIMIT else f"{text[:TASK_LIMIT]}…"


def _decided(task: Task) -> list[str]:
    """In the order in which it was said."""
    said = [(reply.at, _reply(reply)) for reply in task.replies if not reply.replayed and _is_no_decision(task, reply)]
    said += [(decided.at, _decision(decided)) for decided in task.decisions if not decided.replayed]
    told = [words for _, words in sorted(said, key=lambda one: one[0])]
    told += [f"Refused on the way: {_words(note.text)}" for note in task.notes if note.kind == "denied"]
    if task.question and task.status is not TaskStatus.RUNNING and task.awaiting is Awaiting.QUESTION:
        told.append(f"The agent asked, and has no answer yet: {_words(task.question)}")
    told += [f"A doubt about the work: {_words(doubt.message)}" for doubt in task.doubts]
    return told


def _is_no_decision(task: Task, reply: Reply) -> bool:
    """A decision is stored as a reply too, in words."""
    return all(reply.content != decided.words for decided in task.decisions)


def _reply(reply: Reply) -> str:
    if reply.question:
        return f"The agent asked: {_words(reply.question)}\n  The person answered: {_words(reply.content)}"
    return f"The person added: {_words(reply.content)}"


def _decision(decided: Decided) -> str:
    if not decided.tool:
        return "The person approved the plan." if decided.choice != "deny" else f"Plan sent back: {decided.reason}"
    return _words(decided.words)


def _outcome(task: Task) -> str:
    if task.purpose is Purpose.PROPOSE and task.status is TaskStatus.COMPLETE:
        return "it was only proposed, and not applied"
    match task.status:
        case TaskStatus.COMPLETE:
            return {"PASS": "the checks passed", "NO_CHANGES": "nothing was changed"}.get(
                task.verdict or "", "done, and not verified"
            )
        case TaskStatus.STUCK:
            return "the checks still failed when all tries were used up"
        case TaskStatus.CANCELLED:
            return "the person stopped it"
        case TaskStatus.ERROR:
            return f"it failed ({_words(task.error_message or '')})"
        case _:
            return "it is not finished"


def _ending(task: Task, *, kept: bool) -> str:
    """How the agent's last message ended, where that is not how agents believe that their turns end."""
    name = name_of(task)
    match task.status:
        case TaskStatus.CANCELLED:
            said, when = f"You were stopped in the middle of “{name}”", "you were stopped"
        case TaskStatus.ERROR:
            said, when = f"The run for “{name}” ended with an error", "it ended"
        case TaskStatus.STUCK:
            said, when = f"“{name}” was given up, for the checks still failed when all tries were used up", "it ended"
        case TaskStatus.AWAITING_RESPONSE:
            said, when = f"“{name}” waits for the person and is not finished", "it stopped"
        case _:
            return ""
    return f"{said}; the files were kept as they were when {when}." if kept else f"{said}."


def _returning(task: Task) -> str:
    asked = next((reply.question for reply in reversed(task.replies) if reply.question), "")
    about = f"This is about “{name_of(task)}” again"
    return f"{about}, where you had asked: {_words(asked)}" if asked else f"{about}."


def _told(happened: Happened) -> str:
    match happened.what:
        case "rolled_back":
            return (
                f"The files were rolled back to before “{happened.name}”: what was changed from there on is gone, so "
                "read them again."
            )
        case "undone":
            return f"The rollback to before “{happened.name}” was undone: what it had taken away is back."
        case "committed":
            return f"The changes were committed: “{happened.name}”."


def _words(text: str) -> str:
    line = " ".join(_clean(text).split())
    return line if len(line) <= WORDS_LIMIT else f"{line[:WORDS_LIMIT]}…"


def _clean(text: str) -> str:
    return _TAG.sub("", text).strip()
