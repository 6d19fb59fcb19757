"""Shows a task in a terminal, or to a script in lines of JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence

import typer

from pilothouse.client.voice import Json, Voice
from pilothouse.words import listed, named, say, sentences, words

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def interactive() -> bool:
    """Whether there is a person to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def clean(text: str) -> str:
    """Without control characters, which could move the cursor or change the terminal."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n"))


class Lines(Voice):
    """For scripts: each item as it came, then the task at rest."""

    def item(self, item: Json) -> None:
        if item["type"] not in ("ready", "queue", "output"):
            self._print(item)

    def event(self, type: str, data: Json) -> None:
        return

    def text(self, text: str) -> None:
        self._print({"type": "text", "text": text})

    def queued(self, task: Json) -> None:
        self._print({"type": "queued", "position": task["position"], "waits_for": task["waits_for"]})

    def rests(self, task: Json, address: str) -> None:
        self._print({"type": "task", "address": address, "task": task})

    def _print(self, value: Json) -> None:
        typer.echo(json.dumps(value, ensure_ascii=False))


class Terminal(Voice):
    def __init__(self) -> None:
        self._colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self._at_start = True

    def item(self, item: Json) -> None:
        return

    def event(self, type: str, data: Json) -> None:
        match type:
            case "task.milestone":
                text = data["text"]
                if data.get("current"):
                    text = say("cli.counted", text=text, current=data["current"], total=data["total"])
                self.line(f"» {words(text)}", fg="cyan")
            case "step.tool_started":
                self.line(f"  · {data['name']} {data['detail']}".rstrip(), dim=True)
            case "step.tool_finished" if not data["ok"]:
                self.line(f"  · {words(say('cli.tool_failed', name=data['name'], detail=data['detail']))}", fg="yellow")
            case "task.verified":
                failed, line, result = data["failing"], data["first_failing_line"], named("run_result", data["result"])
                told = say("cli.verification", result=result)
                if failed:
                    told = say("cli.verification_failed", result=result, check=failed, line=line)
                self.line(f"» {words(told)}", fg="green" if not failed else "yellow")
            case "task.replied":
                self.line(f"» {words(say('cli.answered', reply=data['reply']))}", fg="cyan")

    def text(self, text: str) -> None:
        text = clean(text)
        typer.echo(text, nl=False)
        self._at_start = text.endswith("\n") if text else self._at_start

    def queued(self, task: Json) -> None:
        told = sentences(say("cli.queued", position=task["position"]), task["waits_for"] or "")
        self.line(f"» {words(told)}", fg="cyan")

    def line(self, text: str, fg: str | None = None, dim: bool = False, bold: bool = False) -> None:
        if not self._at_start:
            typer.echo()
        text = clean(words(text))
        typer.echo(typer.style(text, fg=fg, dim=dim or None, bold=bold or None) if self._colours else text)
        self._at_start = True

    def rests(self, task: Json, address: str) -> None:
        status = task["status"]
        if status == "AWAITING_RESPONSE":
            self.line(say("cli.waits", state=state_words(task), what=waiting_words(task)), bold=True)
        else:
            standing = serious(task)
            colour = "red" if status != "COMPLETE" else "yellow" if standing else "green"
            self.line(_ended_words(task), fg=colour, bold=True)
            for doubt in standing:
                self.line(f"  ! {doubt['message']} {doubt['path']}".rstrip(), fg="yellow")
        self.line(address)

    def ask(self, prompt: str) -> str:
        """Reads one line. Raises `EOFError` when there is no more."""
        if not self._at_start:
            typer.echo()
        self._at_start = True
        # Not `input()`: a Ctrl-C that comes between its prompt and its read is not heard before the next Enter.
        typer.echo(f"{words(prompt)} ", nl=False)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def choose(self, choices: Sequence[tuple[str, str]], prompt: str = "", free: bool = False) -> str:
        """Returns the chosen value, given by number or value. With `free`, any other text too."""
        for number, (_, label) in enumerate(choices, 1):
            self.line(f"  {number}) {words(label)}")
        by_name = {str(number): value for number, (value, _) in enumerate(choices, 1)}
        by_name |= {value.casefold(): value for value, _ in choices}
        while True:
            said = self.ask(prompt or say("cli.choice"))
            if said.casefold() in by_name:
                return by_name[said.casefold()]
            if said and free:
                return said
            self.line(say("cli.number_or_own" if free else "cli.number", most=len(choices)))


def serious(task: Json) -> list[Json]:
    """The doubts that keep its verdict from being green."""
    return [doubt for doubt in task["doubts"] if doubt["severity"] == "serious" and not doubt["accepted"]]


def waiting_words(task: Json) -> str:
    """What the task waits for, in one line or a few."""
    permission = task.get("permission") or {}
    if permission:
        return f"{permission.get('tool', '')} {permission.get('detail', '')}".strip()
    return str(task.get("question") or task.get("error_message") or task.get("milestone") or task["prompt"])


def state_words(task: Json) -> str:
    """Why it waits, if it does; else its status."""
    return named("awaiting", task["awaiting"]) if task["awaiting"] else named("status", task["status"])


def _ended_words(task: Json) -> str:
    match task["status"]:
        case "COMPLETE":
            verdict = task["verdict"]
            parts = [named("verdict", verdict)]
            if verdict == "PASS" and (count := len(serious(task))):
                parts = [say("cli.doubts", count=count)]
            if task["files_changed"]:
                parts += [say("cli.files", count=task["files_changed"]), f"+{task['insertions']} −{task['deletions']}"]
            return say("cli.done", what=listed(parts))
        case "STUCK":
            return say("cli.stuck", count=task["loop"]["total"])
        case "ERROR":
            return say("cli.error", kind=named("error_kind", task["error_kind"]), message=task["error_message"])
        case _:
            return say("cli.cancelled")
