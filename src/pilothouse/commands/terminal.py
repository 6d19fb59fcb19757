"""Shows a task in a terminal, or to a script in lines of JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence

import typer

from pilothouse.client.voice import Json, Voice

_VERDICTS = {"PASS": "verified", "NO_CHANGES": "no changes", "UNVERIFIED": "not verified", "PROPOSED": "proposed"}
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
                count = f" ({data['current']} of {data['total']})" if data.get("current") else ""
                self.line(f"» {data['text']}{count}", fg="cyan")
            case "step.tool_started":
                self.line(f"  · {data['name']} {data['detail']}".rstrip(), dim=True)
            case "step.tool_finished" if not data["ok"]:
                self.line(f"  · {data['name']} failed: {data['detail']}", fg="yellow")
            case "task.verified":
                failed = f": {data['failing']}, {data['first_failing_line']}" if data["failing"] else ""
                self.line(f"» Verification: {data['result']}{failed}", fg="green" if not failed else "yellow")
            case "task.replied":
                self.line(f"» Answered: {data['reply']}", fg="cyan")

    def text(self, text: str) -> None:
        text = clean(text)
        typer.echo(text, nl=False)
        self._at_start = text.endswith("\n") if text else self._at_start

    def queued(self, task: Json) -> None:
        self.line(f"» Queued, number {task['position']}. {task['waits_for'] or ''}".rstrip(), fg="cyan")

    def line(self, text: str, fg: str | None = None, dim: bool = False, bold: bool = False) -> None:
        if not self._at_start:
            typer.echo()
        text = clean(text)
        typer.echo(typer.style(text, fg=fg, dim=dim or None, bold=bold or None) if self._colours else text)
        self._at_start = True

    def rests(self, task: Json, address: str) -> None:
        status = task["status"]
        if status == "AWAITING_RESPONSE":
            self.line(f"Waits for you ({task['awaiting']}): {waiting_words(task)}", bold=True)
        else:
            self.line(_ended_words(task), fg="green" if status == "COMPLETE" else "red", bold=True)
        self.line(address)

    def ask(self, prompt: str) -> str:
        """Reads one line. Raises `EOFError` when there is no more."""
        if not self._at_start:
            typer.echo()
        self._at_start = True
        return input(f"{prompt} ").strip()

    def choose(self, choices: Sequence[tuple[str, str]], prompt: str = "Your choice:", free: bool = False) -> str:
        """Returns the chosen value, given by number or value. With `free`, any other text too."""
        for number, (_, label) in enumerate(choices, 1):
            self.line(f"  {number}) {label}")
        by_name = {str(number): value for number, (value, _) in enumerate(choices, 1)}
        by_name |= {value.casefold(): value for value, _ in choices}
        while True:
            said = self.ask(prompt)
            if said.casefold() in by_name:
                return by_name[said.casefold()]
            if said and free:
                return said
            self.line(f"Type a number from 1 to {len(choices)}{', or an answer of your own' if free else ''}.")


def waiting_words(task: Json) -> str:
    """What the task waits for, in one line or a few."""
    permission = task.get("permission") or {}
    if permission:
        return f"{permission.get('tool', '')} {permission.get('detail', '')}".strip()
    return str(task.get("question") or task.get("error_message") or task.get("milestone") or task["prompt"])


def _ended_words(task: Json) -> str:
    match task["status"]:
        case "COMPLETE":
            files = "1 file" if task["files_changed"] == 1 else f"{task['files_changed']} files"
            changed = f", {files}, +{task['insertions']} −{task['deletions']}"
            return f"Done: {_VERDICTS.get(task['verdict'], task['verdict'])}{changed if task['files_changed'] else ''}"
        case "STUCK":
            return f"Stuck after {task['loop']['total']} verifications; a report is kept."
        case "ERROR":
            return f"Error ({task['error_kind']}): {task['error_message']}"
        case status:
            return str(status).capitalize()
