"""Asks in the terminal what a task waits for, and sends the answer."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

from pilothouse.client.server import task_path
from pilothouse.commands.terminal import state_words, waiting_words
from pilothouse.errors import Refused
from pilothouse.words import named, say, sentences, words

if TYPE_CHECKING:
    from pilothouse.client.server import Server
    from pilothouse.client.voice import Json
    from pilothouse.commands.terminal import Terminal

LEAVE = "leave"


def answer(server: Server, terminal: Terminal, task: Json) -> bool:
    """Returns whether the task goes on. False when the person leaves it, or only the browser can answer it."""
    path = task_path(task["task_id"])
    kind = str(task["awaiting"])
    try:
        match kind:
            case "question" | "blocker":
                return _question(server, terminal, task, path)
            case "permission":
                return _permission(server, terminal, task, path)
            case "dry_run":
                return _proposal(server, terminal, task, path)
            case "interrupted" | "timeout":
                return _resume(server, terminal, task, path)
            case "usage_limit" | "budget" | "breaker":
                return _decision(server, terminal, task, path)
            case _:
                terminal.line(sentences(say("cli.waits_for", what=state_words(task)), waiting_words(task)))
                terminal.line(say("cli.in_browser", address=server.address(task)))
                return False
    except Refused as error:
        if error.status != 409:
            raise
        # Most likely it was answered in the browser meanwhile: look again.
        terminal.line(sentences(error.message, error.next_action), fg="yellow")
        now = server.task(task["task_id"])
        return now is None or (now["status"], now["attempt"]) != (task["status"], task["attempt"])


def _question(server: Server, terminal: Terminal, task: Json, path: str) -> bool:
    form = task.get("form") or []
    if form:
        given = [{"question_id": part["id"], "value": _part(terminal, part)} for part in form]
        server.post(f"{path}/answers", {"answers": given, "attempt": task["attempt"]})
        return True
    terminal.line(waiting_words(task), bold=True)
    options = [(option["value"], _label(option)) for option in task.get("options") or []]
    said = terminal.choose(options, say("cli.own_choice"), free=True) if options else terminal.ask(say("cli.answer"))
    while not said:
        said = terminal.ask(say("cli.answer"))
    server.post(f"{path}/reply", {"reply": said, "attempt": task["attempt"]})
    return True


def _part(terminal: Terminal, part: Json) -> str | list[str]:
    """One question of a form; several choices are separated by commas."""
    terminal.line(part["text"], bold=True)
    options = [(option["value"], _label(option)) for option in part.get("options") or []]
    if not options:
        said = ""
        while not said:
            said = terminal.ask(say("cli.answer"))
        return said
    if not part.get("several"):
        return terminal.choose(options, say("cli.own_choice"), free=True)
    for number, (_, label) in enumerate(options, 1):
        terminal.line(f"  {number}) {words(label)}")
    by_name = {str(number): value for number, (value, _) in enumerate(options, 1)}
    chosen: list[str] = []
    while not chosen:
        said = terminal.ask(say("cli.choices"))
        chosen = [by_name.get(word.strip(), word.strip()) for word in said.split(",") if word.strip()]
    return chosen


def _choices(*names: str) -> list[tuple[str, str]]:
    """The names that a server offers, with their words."""
    return [*((name, named("choice", name)) for name in names), (LEAVE, say("cli.choose.leave"))]


def _label(option: Json) -> str:
    value, label = str(option["value"]), str(option["label"])
    # “Flat: one folder” is answered with “Flat (Recommended)”, which need not be shown twice.
    said = len(value) > 1 and label.casefold().startswith(value.casefold().removesuffix("(recommended)").strip())
    name = label if said else f"{value}: {label}"
    return say("cli.recommended", name=name) if option.get("recommended") else name


def _permission(server: Server, terminal: Terminal, task: Json, path: str) -> bool:
    terminal.line(say("wants_tool", tool=task["permission"]["tool"]), bold=True)
    terminal.line(_wanted(task["permission"]))
    choice = terminal.choose(_choices("once", "session", "deny"))
    if choice == LEAVE:
        return False
    reason = {"reason": terminal.ask(say("cli.why_not"))} if choice == "deny" else {}
    server.post(f"{path}/permission", {"decision": choice, "attempt": task["attempt"], **reason})
    return True


def _wanted(permission: Json) -> str:
    """All of what the tool would do; the line that is shown elsewhere may be cut."""
    given: Json = permission["arguments"]
    command, removed, written = (given.get(name) for name in ("command", "old_string", "new_string"))
    if isinstance(command, str):
        return indent(command, "  ")
    lines = [permission["detail"]]
    for mark, text in (("-", removed), ("+", written if isinstance(written, str) else given.get("content"))):
        if isinstance(text, str) and text:
            lines += [f"{mark} {line}" for line in text.splitlines()]
    return indent("\n".join(lines), "  ")


def _proposal(server: Server, terminal: Terminal, task: Json, path: str) -> bool:
    diff = server.get(f"{path}/diff")
    terminal.text(diff["patch"])
    terminal.line(say("cli.proposed", count=diff["stat"]["files_changed"]), bold=True)
    choice = terminal.choose(_choices("apply", "discard"))
    if choice == LEAVE:
        return False
    server.post(f"{path}/{choice}", {"attempt": task["attempt"]})
    return True


def _resume(server: Server, terminal: Terminal, task: Json, path: str) -> bool:
    terminal.line(waiting_words(task), bold=True)
    choice = terminal.choose(_choices("rollback", "soft", "cancel"))
    match choice:
        case "leave":
            return False
        case "cancel":
            server.post(f"{path}/cancel")
        case _:
            server.post(f"{path}/resume", {"mode": choice, "attempt": task["attempt"]})
    return True


def _decision(server: Server, terminal: Terminal, task: Json, path: str) -> bool:
    terminal.line(waiting_words(task), bold=True)
    choice = terminal.choose(_choices(*task["choices"], "cancel"))
    if choice == LEAVE:
        return False
    if choice == "cancel":
        server.post(f"{path}/cancel")
    else:
        server.post(f"{path}/decision", {"choice": choice, "attempt": task["attempt"]})
    # A task that waits or is paused does not go on now.
    return choice not in ("wait", "pause")
