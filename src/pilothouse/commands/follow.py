"""Follows a task from the terminal to its end, and asks the person what it asks on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilothouse.client.follower import Follower
from pilothouse.client.server import task_path
from pilothouse.commands import answers
from pilothouse.commands.terminal import Lines, Terminal, interactive, serious
from pilothouse.errors import Refused
from pilothouse.words import say

if TYPE_CHECKING:
    from pilothouse.client.server import Server
    from pilothouse.client.voice import Json

WAITS, DOUBTFUL, DETACHED = 5, 8, 130
EXIT_CODES = {"COMPLETE": 0, "STUCK": 1, "ERROR": 3, "CANCELLED": 4, "AWAITING_RESPONSE": WAITS}


def follow(server: Server, task: Json, since: int, as_json: bool, from_start: bool = False) -> int:
    """Follows until it ends, or waits with nobody here to answer. Returns the exit code that says which."""
    voice = Lines() if as_json else Terminal()
    asks = isinstance(voice, Terminal) and interactive()
    following = Follower(server, task, since, voice)
    if from_start and task["attempt"]:
        following.from_start(task["attempt"])
    while True:
        try:
            now = following.until_rest()
            if now is None:
                return _gone(voice)
            if now["status"] == "AWAITING_RESPONSE" and asks and isinstance(voice, Terminal):
                if answers.answer(server, voice, now):
                    continue
                return WAITS
            voice.rests(now, server.address(now))
            return DOUBTFUL if now["verdict"] == "PASS" and serious(now) else EXIT_CODES[now["status"]]
        except EOFError:
            return WAITS
        except KeyboardInterrupt:
            if not asks or not isinstance(voice, Terminal) or not _stays(server, voice, task):
                return DETACHED


def _gone(voice: Lines | Terminal) -> int:
    if isinstance(voice, Terminal):
        voice.line(say("cli.cancelled_before"))
    return EXIT_CODES["CANCELLED"]


def _stays(server: Server, terminal: Terminal, task: Json) -> bool:
    """Asks what to do after a Ctrl-C. A second one detaches."""
    terminal.line("")
    choices = [
        ("detach", say("cli.leave.detach")),
        ("cancel", say("choice.cancel")),
        ("stay", say("cli.leave.stay")),
    ]
    try:
        choice = terminal.choose(choices, say("cli.leave_question"))
        if choice == "cancel":
            server.post(f"{task_path(task['task_id'])}/cancel")
    except (KeyboardInterrupt, EOFError):
        choice = "detach"
    except Refused as error:
        terminal.line(error.message)
    if choice == "detach":
        terminal.line(say("cli.detached", task=task["task_id"]))
    return choice != "detach"
