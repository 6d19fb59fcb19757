"""The rehearsal agent's program: reads one request from standard input, plays, tells about it in JSON lines.

    {"prompt", "task"?, "workspace", "state_dir"?, "resume"?, "reply"?, "role"?, "turn"?, "scenario_file"?,
     "inbox"?, "permission_mode"?, "granted"?, "decision"?, "answers"?, "workbench"?}

By hand: `python -m pilothouse.agents.rehearsal.program "a prompt with [[a-name]]"`, in the workspace.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__" and (root := str(Path(__file__).resolve().parents[3])) not in sys.path:
    sys.path.insert(0, root)

from pilothouse.agents.rehearsal import files
from pilothouse.agents.rehearsal import session as sessions
from pilothouse.agents.rehearsal.channel import Channel
from pilothouse.agents.rehearsal.inbox import Inbox
from pilothouse.agents.rehearsal.scenarios import ASK, EDIT, Scenario, chosen
from pilothouse.agents.rehearsal.session import Session
from pilothouse.agents.rehearsal.verbs import CHANGING, VERBS, Failed, Limited, NeedsPerson, Scene, TurnOver
from pilothouse.errors import BadConfiguration


def main() -> None:
    request = {"prompt": " ".join(sys.argv[1:])} if len(sys.argv) > 1 else json.load(sys.stdin)
    channel = Channel()
    channel.send("end", **Play(request, channel).play())


class Play:
    def __init__(self, request: dict[str, Any], channel: Channel) -> None:
        self.prompt: str = request["prompt"]
        self.task: str = request.get("task") or ""
        self.workspace = Path(request.get("workspace") or Path.cwd())
        self.state_dir = Path(request["state_dir"]) if request.get("state_dir") else None
        self.resume: str | None = request.get("resume")
        self.reply: str | None = request.get("reply")
        self.role: str = request.get("role") or EDIT
        self.turn: int = request.get("turn") or 1
        self.extra = Path(request["scenario_file"]) if request.get("scenario_file") else None
        self.workbench: dict[str, str] | None = request.get("workbench")
        self.inbox = Inbox(Path(request["inbox"])) if request.get("inbox") else None
        self.may = {name: request.get(name) for name in ("permission_mode", "granted")}
        self.decision: dict[str, str] | None = request.get("decision")
        self.answers: dict[str, str] = request.get("answers") or {}
        self.denied: list[str] = []
        self.heard = False
        """Whether this spawn brought what the last one asked for."""
        self.channel = channel
        self.session = Session(self.state_dir, os.urandom(16).hex(), self.task)

    def play(self) -> dict[str, Any]:
        """The values of the final message."""
        lost = self._take_up()
        self.channel.send("session", id=self.session.id)
        if lost:
            self.channel.send("fresh", reason="The rehearsal agent no longer knows this conversation.")
            self.channel.say("That conversation is no longer known here; starting afresh from the prompt.\n")
        try:
            scenario = self._scenario()
            if scenario is None:
                return self._done()
            if scenario.requires_env and not os.environ.get(scenario.requires_env):
                message = f"“{scenario.name}” needs the environment variable {scenario.requires_env}."
                return {"outcome": "failed", "error_kind": "credentials", "message": message}
            return self._steps(scenario)
        except BadConfiguration as error:
            return {"outcome": "failed", "error_kind": "configuration", "message": error.message}

    def _take_up(self) -> bool:
        """Go on with the session asked for; True when there is none of that name."""
        if self.resume is None:
            return False
        known = sessions.load(self.state_dir, self.resume)
        if known is None:
            return True
        self.session = known
        if known.task not in (None, self.task):
            known.turn_to(self.task)
        said = self._answer_to(known.asks)
        if said is not None:
            known.reply, known.asks, self.heard = said, None, True
        return False

    def _answer_to(self, asks: dict[str, Any] | None) -> str | None:
        """What this spawn has to say to what is open; None when that is not it."""
        decided = self.decision or {}
        refused = decided.get("choice") == "deny"
        reason = decided.get("reason") or ""
        if asks and asks["outcome"] == "permission":
            if refused:
                wanted = asks["permission"]
                self.denied.append(f"{wanted['tool']}: {wanted['detail']}")
            return None if not decided else f"denied: {reason}" if refused else "allowed"
        if asks and "plan" in asks and (decided or self.reply is not None):
            return "approved" if decided and not refused else f"sent back: {reason or self.reply}"
        if asks and "questions" in asks and self.answers:
            self.session.answers = [self.answers.get(q["question"], "") for q in asks["questions"]]
            return "; ".join(self.session.answers)
        return self.reply

    def _scenario(self) -> Scenario | None:
        """The one under way, unless the prompt names another; None when there is nothing to play."""
        name = chosen(self.prompt)
        current = self.session.scenario
        if (
            current
            and self.session.unfinished
            and (self.heard or self.reply is not None or name in (None, current.name))
        ):
            return current
        known = self._known()
        if name is None and current and self.role == ASK:
            # It is asked again, and told only what was wrong.
            name, known = current.name, {**known, current.name: current}
        if name not in known:
            scout = self.role.startswith("scout")
            self.channel.say(_unscouted(self.role, "Nothing is prepared.") if scout else _introduction(name, known))
            return None
        played = known[name].for_turn(self.role, self.turn)
        if played is None:
            self.channel.say(_unprepared(self.role, known[name].name))
            return None
        self.session.begin(played, self.reply)
        return played

    def _known(self) -> dict[str, Scenario]:
        return files.load(files.paths(self.workspace, self.extra))

    def _steps(self, scenario: Scenario) -> dict[str, Any]:
        session = self.session
        if session.asks is not None:
            return self._with_denied(session.asks)
        session.save()
        scene = Scene(self.workspace, self.channel, self._step_done, self._hear, self.workbench, **self.may)
        while session.position < len(scenario.steps):
            self._take_in()
            step = scenario.steps[session.position]
            try:
                if _wanted(step, session.reply):
                    self._step(scene, step["verb"], self._filled_in(step["value"]))
                self._step_done()
            except NeedsPerson as asked:
                session.asks = asked.end
                self._step_done()
                return self._with_denied(asked.end)
            except TurnOver:
                self._step_done()
                return self._done()
            except Limited as reached:
                end = {"outcome": "failed", "error_kind": "agent", "message": str(reached)}
                return {**end, "text": self.channel.said, "limit": {"seconds": reached.seconds}}
            except Failed as failure:
                return {"outcome": "failed", "error_kind": "agent", "message": str(failure), "text": self.channel.said}
            except OSError as error:
                message = f"{step['verb']}: {error.strerror} ({error.filename})"
                return {"outcome": "failed", "error_kind": "agent", "message": message, "text": self.channel.said}
        self._take_in()
        return self._done()

    def _step(self, scene: Scene, verb: str, value: Any) -> None:
        if self.role == ASK and verb in CHANGING:
            self.denied.append(f"{verb}: {value}")
            self.channel.text(f"{verb}: refused, this run may only look\n")
        else:
            VERBS[verb](scene, value)

    def _take_in(self) -> None:
        """Messages the person sent, read at a pause between two steps."""
        for message_id, text in self.inbox.take() if self.inbox else []:
            self.channel.send("steered", id=message_id)
            self.channel.say(f"Taken in: {text}\n")
            self._hear(text)

    def _hear(self, words: str) -> None:
        self.session.reply = words

    def _step_done(self) -> None:
        self.session.position += 1
        self.session.save()

    def _filled_in(self, value: Any) -> Any:
        known = {f"{{answer {number}}}": answer for number, answer in enumerate(self.session.answers, 1)}
        reply = self.session.reply
        return _with(value, known if reply is None else {**known, "{reply}": reply})

    def _done(self) -> dict[str, Any]:
        return self._with_denied({"outcome": "done", "text": self.channel.said})

    def _with_denied(self, end: dict[str, Any]) -> dict[str, Any]:
        return {**end, "denied": self.denied}


def _wanted(step: dict[str, Any], reply: str | None) -> bool:
    if "when" in step and not _chose(reply, step["when"]):
        return False
    return "unless" not in step or not _chose(reply, step["unless"])


def _chose(reply: str | None, option: str) -> bool:
    """Whether the reply is `option`, or begins with it as a word: “B”, “b) Nested”, “B, please”."""
    said, option = (reply or "").strip().casefold(), option.strip().casefold()
    return said.startswith(option) and not said[len(option) : len(option) + 1].isalnum()


def _with(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, words in known.items():
            value = value.replace(name, words)
        return value
    if isinstance(value, list):
        return [_with(item, known) for item in value]
    return {key: _with(item, known) for key, item in value.items()} if isinstance(value, dict) else value


def _unprepared(role: str, name: str) -> str:
    """What is answered where the scenario says nothing about it; honest, and in the form that is asked for."""
    if role.startswith("scout"):
        return _unscouted(role, f"The scenario “{name}” has no answer for a scout.")
    if role == "summarise":
        return f"I played the scenario “{name}”. What it changed is in the diff; why, nobody told me.\n"
    if role == EDIT:
        return f"The scenario “{name}” has been played; it says nothing about a message that comes later.\n"
    if role == "stuck":
        return f"Hypotheses:\n- The scenario “{name}” holds no change that makes the checks pass.\n"
    return f"The scenario “{name}” says nothing about failing checks, so I leave the files as they are.\n"


def _unscouted(role: str, about: str) -> str:
    """A report of the asked form that holds nothing."""
    report: dict[str, Any] = {"build": [], "test": [], "cause": about, "flaky": None}
    if role == "scout A":
        report = {"files": [], "risks": [], "boundaries": [], "conventions": []}
    return f"{about}\n{json.dumps(report)}\n"


def _introduction(name: str | None, known: dict[str, Scenario]) -> str:
    unknown = f"There is no scenario called “{name}”.\n\n" if name else ""
    listed = "\n".join(f"- {s.name}: {s.description}" if s.description else f"- {s.name}" for s in known.values())
    return (
        f"{unknown}I am the rehearsal agent that comes with Pilothouse. I understand no language and think about "
        "nothing: I play prepared scenarios, with real files and real commands, so that you can try everything "
        "without an account. Put the name of one in double square brackets into your message. For real work, "
        f"choose a real agent.\n\nThese are the scenarios here:\n{listed}\n"
    )


if __name__ == "__main__":
    main()
