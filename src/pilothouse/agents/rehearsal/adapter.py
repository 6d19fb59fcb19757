"""Drives the rehearsal program through the port that every agent is driven through."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pilothouse import __version__
from pilothouse.agents.rehearsal import files
from pilothouse.agents.rehearsal.inbox import Inbox
from pilothouse.agents.rehearsal.scenarios import chosen
from pilothouse.domain.ports import (
    Agent,
    AgentEvent,
    AgentHealth,
    AgentQuestion,
    AgentRun,
    AgentSession,
    Context,
    Ended,
    Fresh,
    Heartbeat,
    LimitReached,
    Permission,
    ProcessMark,
    QuestionOption,
    SpawnRequest,
    Steered,
    TextOut,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    Usage,
)
from pilothouse.domain.task.task import ErrorKind
from pilothouse.errors import BadConfiguration, NoCredentials
from pilothouse.process.confine import Confinement, cage_of
from pilothouse.process.environment import Environment
from pilothouse.process.lines import lines
from pilothouse.process.spawn import Spawned, spawn
from pilothouse.words import say, stacked

PROGRAM = Path(__file__).with_name("program.py")
_OPTION = re.compile(r"^\s*([A-Za-z]|\d{1,2})[).:]\s+(\S.*?)\s*$", re.MULTILINE)
_RECOMMENDED = re.compile(r"\s*\(recommended\)", re.IGNORECASE)
_LAST_LINE = 200


class RehearsalAgent(Agent):
    def __init__(
        self,
        state_dir: Path,
        environment: Environment,
        *,
        scenario_file: Path | None = None,
        grace: float = 5.0,
        confine: Confinement | None = None,
    ) -> None:
        self._state_dir = state_dir
        self._environment = environment
        self._scenario_file = scenario_file
        self._grace = grace
        self._confine = confine

    @property
    def name(self) -> str:
        return "rehearsal"

    @property
    def remembers(self) -> bool:
        return True

    @property
    def withdraws(self) -> bool:
        return True

    @property
    def enforces_read_only(self) -> bool:
        """Where it is asked for an answer. Scouts can play at writing: they work in a copy whatever agent they are."""
        return True

    async def health(self) -> AgentHealth:
        problem = fix = ""
        try:
            files.load([files.BUILT_IN, *([self._scenario_file] if self._scenario_file else [])])
        except BadConfiguration as error:
            problem, fix = error.message, say("scenario.correct")
        can = frozenset({"questions", "permissions", "steering"})
        return AgentHealth(self.name, "Rehearsal", True, not problem, __version__, problem, fix, capabilities=can)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        known = files.load(files.paths(workspace, self._scenario_file))
        scenario = known.get(chosen(prompt) or "")
        needed = scenario.requires_env if scenario else ""
        if scenario and needed and not self._environment.for_spawn(env).get(needed):
            raise NoCredentials(
                say("scenario.needs_variable", name=scenario.name, variable=needed),
                {"variable": needed},
            )

    async def start(self, request: SpawnRequest) -> RehearsalRun:
        inbox = Inbox(self._state_dir / "inbox" / request.spawn_id)
        # Before there is a process: what cannot be read now must leave none behind.
        message = json.dumps(self._message(request, inbox)).encode()
        spawned = await spawn(
            [sys.executable, "-P", str(PROGRAM)],
            cwd=request.workspace,
            env=self._environment.for_spawn(request.extra_env),
            spawn_id=request.spawn_id,
            log_path=request.log_path,
            stdin=True,
            grace=self._grace,
            confine=cage_of(self._confine, request.workspace),
        )
        if spawned.stdin:
            spawned.stdin.write(message)
            spawned.stdin.write_eof()
        return RehearsalRun(spawned, inbox)

    def _message(self, request: SpawnRequest, inbox: Inbox) -> dict[str, Any]:
        return {
            "prompt": request.prompt,
            "task": request.task,
            "workspace": str(request.workspace),
            "state_dir": str(self._state_dir),
            "resume": request.resume,
            "reply": request.reply,
            "role": request.role,
            "turn": request.turn,
            "workbench": asdict(request.workbench) if request.workbench else None,
            "scenario_file": str(self._scenario_file) if self._scenario_file else None,
            "inbox": str(inbox.folder),
            "permission_mode": request.permission_mode,
            "granted": list(request.granted),
            "decision": _decision(request),
            "answers": dict(request.answers),
        }


class RehearsalRun(AgentRun):
    def __init__(self, spawned: Spawned, inbox: Inbox) -> None:
        self._spawned = spawned
        self._inbox = inbox
        self._stopped = False

    @property
    def process(self) -> ProcessMark:
        return self._spawned.process

    async def events(self) -> AsyncIterator[AgentEvent]:
        end: dict[str, Any] | None = None
        async for line in lines(self._spawned.output()):
            message = _message(line)
            if message.get("type") == "end":
                end = message
                continue
            for event in _events(message):
                yield event
        code = await self._spawned.wait()
        self._inbox.clear()
        yield replace(self._ended(end, code), left=self._spawned.left)

    def alive(self) -> bool:
        return self._spawned.alive()

    def tool_alive(self) -> bool:
        return self._spawned.tool_alive()

    def living(self) -> list[tuple[int, str]]:
        return self._spawned.living()

    async def stop(self, grace: float = 5.0) -> None:
        self._stopped = True
        await self._spawned.stop(grace)

    async def steer(self, message_id: str, text: str) -> bool:
        if self._stopped or not self.alive():
            return False
        await asyncio.to_thread(self._inbox.put, message_id, text)
        return True

    async def withdraw(self, message_id: str) -> bool:
        return await asyncio.to_thread(self._inbox.withdraw, message_id)

    def _ended(self, end: dict[str, Any] | None, code: int) -> Ended:
        outcome = end.get("outcome") if end else None
        text = str(end.get("text", "")) if end else ""
        denied = tuple(str(words) for words in end.get("denied", ())) if end else ()
        if outcome == "done":
            return Ended("done", text, exit_code=code, denied=denied)
        if outcome in ("asked", "permission") and end:
            return replace(_asked(end, text), exit_code=code, denied=denied)
        if outcome == "failed" and end:
            kind = ErrorKind(end["error_kind"]) if end.get("error_kind") in set(ErrorKind) else ErrorKind.AGENT
            words = str(end.get("message", ""))
            return Ended("failed", text, error_kind=kind, message=words, exit_code=code, limit=_limit(end, words))
        if self._stopped:
            return Ended("crashed", text, message=say("agent.stopped"), exit_code=code)
        printed = self._spawned.stderr_tail.strip()
        message = stacked(say("agent.no_result", code=str(code)), printed)
        return Ended("crashed", text, error_kind=ErrorKind.AGENT, message=message, exit_code=code)


def _asked(end: dict[str, Any], text: str) -> Ended:
    if end["outcome"] == "permission":
        wanted = {name: str(end["permission"].get(name, "")) for name in ("tool", "detail", "grant")}
        return Ended("permission", text, permission=Permission(**wanted, arguments={"command": wanted["detail"]}))
    if "plan" in end:
        return Ended("asked", text, plan=str(end["plan"]))
    if "questions" in end:
        return Ended("asked", text, questions=tuple(_question(question) for question in end["questions"]))
    question = str(end.get("question", text))
    return Ended("asked", text, question, options(question))


def _question(question: dict[str, Any]) -> AgentQuestion:
    labels = [str(label) for label in question.get("options", ())]
    named = [(_RECOMMENDED.sub("", label), bool(_RECOMMENDED.search(label))) for label in labels]
    choices = tuple(QuestionOption(label, label, recommended) for label, recommended in named)
    return AgentQuestion(question["question"], question.get("header", ""), choices, question.get("several", False))


def _decision(request: SpawnRequest) -> dict[str, str] | None:
    decided = request.decision
    return {"choice": decided.choice, "reason": decided.reason} if decided else None


def _limit(end: dict[str, Any], message: str) -> LimitReached | None:
    said = end.get("limit")
    if not isinstance(said, dict):
        return None
    seconds = said.get("seconds")
    resets = datetime.now(UTC) + timedelta(seconds=seconds) if isinstance(seconds, int | float) else None
    return LimitReached(message, resets)


def options(question: str) -> tuple[QuestionOption, ...]:
    """The choices of a question, from its lines like “A) Flat”; a single such line is no choice."""
    found = [
        QuestionOption(value, _RECOMMENDED.sub("", label), bool(_RECOMMENDED.search(label)))
        for value, label in _OPTION.findall(question)
    ]
    return tuple(found) if len(found) > 1 else ()


def _message(line: bytes) -> dict[str, Any]:
    """What the program said, or the line itself as text when it is none of our messages."""
    text = line.decode(errors="replace")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict) and message.get("type") in (*_READERS, "end"):
        return message
    return {"type": "text", "text": text + "\n"} if text.strip() else {"type": "text"}


def _events(message: dict[str, Any]) -> list[AgentEvent]:
    return _READERS[message["type"]](message)


def _text(message: dict[str, Any]) -> list[AgentEvent]:
    text = str(message.get("text", ""))
    return [TextOut(text)] if text else []


def _tool_started(message: dict[str, Any]) -> list[AgentEvent]:
    pid = message.get("pid")
    tool_id, name, detail = (str(message.get(key, "")) for key in ("id", "name", "detail"))
    return [ToolStarted(tool_id, name, detail, pid if isinstance(pid, int) else None)]


def _tool_output(message: dict[str, Any]) -> list[AgentEvent]:
    """The text goes to the person whole; the progress names its last line."""
    text = str(message.get("text", ""))
    last = text.rstrip().rpartition("\n")[2][-_LAST_LINE:]
    return [*_text(message), ToolProgress(str(message.get("id", "")), last)]


def _tool_finished(message: dict[str, Any]) -> list[AgentEvent]:
    code = message.get("exit_code")
    tool_id, detail = str(message.get("id", "")), str(message.get("detail", ""))
    return [ToolFinished(tool_id, message.get("ok") is True, detail, code if isinstance(code, int) else None)]


_TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def _usage(message: dict[str, Any]) -> list[AgentEvent]:
    cost, model = message.get("cost_usd"), str(message.get("model", ""))
    tokens = {name: _count(message.get(name)) for name in _TOKENS}
    return [Usage(float(cost) if isinstance(cost, int | float) else 0.0, **tokens, model=model)]


def _context(message: dict[str, Any]) -> list[AgentEvent]:
    return [Context(_count(message.get("tokens")), _count(message.get("window")))]


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


_READERS: dict[str, Callable[[dict[str, Any]], list[AgentEvent]]] = {
    "session": lambda message: [AgentSession(str(message.get("id", "")))],
    "text": _text,
    "steered": lambda message: [Steered(str(message.get("id", "")))],
    "fresh": lambda message: [Fresh(str(message.get("reason", "")))],
    "heartbeat": lambda message: [Heartbeat()],
    "usage": _usage,
    "tool_started": _tool_started,
    "tool_output": _tool_output,
    "tool_finished": _tool_finished,
    "context": _context,
}
