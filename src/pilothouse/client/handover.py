"""Tools over MCP, so that another agent can hand over work and answer what is asked about it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from pilothouse import __version__
from pilothouse.client.follower import Follower
from pilothouse.client.server import Server, task_path
from pilothouse.client.voice import Json, Silence
from pilothouse.errors import ClientError

T = TypeVar("T")
Find = Callable[[], AbstractContextManager[Server]]

INSTRUCTIONS = (
    "Pilothouse runs coding agents on repositories of this machine, verifies what they change, and asks a person what "
    "must be asked. Hand over work with submit, then look with status until it has ended. Where it waits, its question "
    "is for the person you work for: ask them, and give their answer with answer."
)
LOOK_SECONDS = 5.0
"""How long a thread waits at most at a time; whoever leaves has to wait for it."""
OUTPUT_TAIL = 4_000

TaskId = Annotated[str, Field(description="As submit returned it.")]
WaitSeconds = Annotated[
    float, Field(ge=0, le=300, description="Return earlier when it has ended or waits for an answer.")
]


class FromServer(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Option(FromServer):
    value: str
    label: str
    recommended: bool = False


class FormQuestion(FromServer):
    id: str
    text: str
    options: list[Option] = Field(default=[])
    several: bool = False


class DoubtState(FromServer):
    kind: str
    severity: str
    path: str = ""
    message: str
    accepted: dict[str, Any] | None = None


class TaskState(FromServer):
    task_id: str
    status: str = Field(description="QUEUED, RUNNING, AWAITING_RESPONSE, COMPLETE, STUCK, ERROR or CANCELLED.")
    ended: bool
    attempt: int = Field(0, description="Give it with the answer, so that it counts for what is asked here alone.")
    awaiting: str | None = Field(None, description="What AWAITING_RESPONSE waits for.")
    verdict: str | None = Field(None, description="PASS: the project's own checks passed.")
    doubts: list[DoubtState] = Field(
        default=[], description="With a serious one that nobody accepted, PASS is not to be relied on."
    )
    milestone: str = ""
    question: str | None = None
    options: list[Option] = Field(default=[])
    form: list[FormQuestion] = Field(default=[], description="Answer each by its id.")
    permission: dict[str, Any] | None = Field(None, description="The tool the agent wants to use.")
    error_message: str | None = None
    summary: str = ""
    output: str = Field("", description="The end of what the agent said last.")
    files_changed: int = 0
    insertions: int = 0
    deletions: int = 0
    address: str = Field("", description="Where a person looks at it.")
    next_action: str = ""


class SessionState(FromServer):
    title: str
    slug: str
    project_path: str
    group: str = Field(description="needs_you, running, queued or recent.")
    current_task_id: str | None = None
    task_status: str | None = None
    awaiting: str | None = None
    verdict: str | None = None
    doubts: int = Field(0, description="Serious doubts about the verdict that nobody accepted.")
    doing: str = ""


class Handover:
    """Finds the server for each call: it may start later, or restart."""

    def __init__(self, find: Find) -> None:
        self._find = find

    async def submit(
        self,
        project: Annotated[str, Field(description="Absolute path of the git repository to work in.")],
        text: Annotated[str, Field(description="What is to be done, in plain words, with all that must be known.")],
        session: Annotated[str | None, Field(description="Slug of a session of that project to go on in.")] = None,
        agent: Annotated[str | None, Field(description="Which agent; left out: the project's.")] = None,
        dry_run: Annotated[bool, Field(description="Propose a diff; a person applies it.")] = False,
        permission_mode: Literal["ask", "edits", "all"] | None = None,
        constraints: Annotated[list[str] | None, Field(description="Limits to keep to.")] = None,
        wait_seconds: WaitSeconds = 0,
    ) -> TaskState:
        """Hand a coding task to Pilothouse. It is queued, run by an agent and verified with the project's checks."""
        given = {"text": text, "agent": agent, "dry_run": dry_run or None, "permission_mode": permission_mode,
                 "constraints": constraints}  # fmt: skip
        message = {name: value for name, value in given.items() if value is not None}
        task = await self._with(lambda server: _state(server, server.submit(project, message, session=session)))
        return await self._waited(task, wait_seconds)

    async def status(self, task_id: TaskId, wait_seconds: WaitSeconds = 0) -> TaskState:
        """How a task is: what it does, what it asks, how it ended."""
        return await self._waited(await self._look(task_id), wait_seconds)

    async def answer(
        self,
        task_id: TaskId,
        reply: Annotated[str | None, Field(description="To a question in words.")] = None,
        answers: Annotated[
            dict[str, str | list[str]] | None, Field(description="To a form: question id to the answer.")
        ] = None,
        permission: Annotated[
            Literal["once", "session", "deny"] | None, Field(description="To a permission that is asked for.")
        ] = None,
        reason: Annotated[str, Field(description="With deny: why.")] = "",
        attempt: Annotated[
            int | None, Field(description="As status reported it with the question; refused if it has gone on since.")
        ] = None,
        wait_seconds: WaitSeconds = 0,
    ) -> TaskState:
        """Answer a task that waits, with exactly one of reply, answers and permission."""
        if sum(part is not None for part in (reply, answers, permission)) != 1:
            raise ToolError("Give exactly one of reply, answers and permission.")

        def send(server: Server) -> TaskState:
            path = task_path(task_id)
            if reply is not None:
                server.post(f"{path}/reply", {"reply": reply, "attempt": attempt})
            elif answers is not None:
                given = [{"question_id": question, "value": value} for question, value in answers.items()]
                server.post(f"{path}/answers", {"answers": given, "attempt": attempt})
            else:
                server.post(f"{path}/permission", {"decision": permission, "reason": reason, "attempt": attempt})
            return _state(server, server.get(path))

        return await self._waited(await self._with(send), wait_seconds)

    async def cancel(self, task_id: TaskId) -> TaskState:
        """End a task. What it has changed so far stays."""

        def send(server: Server) -> TaskState:
            server.post(f"{task_path(task_id)}/cancel")
            return _state_or_gone(server, task_id)

        return await self._with(send)

    async def list_sessions(
        self,
        project: Annotated[str | None, Field(description="Only those of the repository at this path.")] = None,
        group: Literal["needs_you", "running", "queued", "recent"] | None = None,
        limit: Annotated[int, Field(ge=1, le=200)] = 20,
    ) -> list[SessionState]:
        """The sessions there are, those that need a person first."""

        def read(server: Server) -> list[SessionState]:
            wanted = server.post("/api/projects", {"path": project})["id"] if project else None
            found = server.get("/api/sessions", project_id=wanted, group=group, limit=limit)["items"]
            return [SessionState.model_validate(session) for session in found]

        return await self._with(read)

    async def _look(self, task_id: str) -> TaskState:
        return await self._with(lambda server: _state(server, server.get(task_path(task_id))))

    async def _waited(self, task: TaskState, seconds: float) -> TaskState:
        end = time.monotonic() + seconds
        while task.status in ("QUEUED", "RUNNING") and (rest := end - time.monotonic()) > 0:
            task = await self._with(_waiter(task.task_id, min(rest, LOOK_SECONDS)))
        return task

    async def _with(self, work: Callable[[Server], T]) -> T:
        def run() -> T:
            with self._find() as server:
                return work(server)

        try:
            return await asyncio.to_thread(run)
        except ClientError as error:
            raise ToolError(f"{error.message} {error.next_action}".strip()) from None


def _waiter(task_id: str, seconds: float) -> Callable[[Server], TaskState]:
    def wait(server: Server) -> TaskState:
        since = server.seq()
        task = server.task(task_id)
        if task:
            Follower(server, task, since, Silence()).until_rest(seconds)
        return _state_or_gone(server, task_id)

    return wait


def _state_or_gone(server: Server, task_id: str) -> TaskState:
    task = server.task(task_id)
    return _state(server, task) if task else TaskState(task_id=task_id, status="CANCELLED", ended=True)


def _state(server: Server, task: Json) -> TaskState:
    known = {name: value for name, value in task.items() if value is not None}
    ended = task["status"] not in ("QUEUED", "RUNNING", "AWAITING_RESPONSE")
    told = {"ended": ended, "address": server.address(task), "output": task["output"][-OUTPUT_TAIL:]}
    return TaskState.model_validate(known | told | {"next_action": _next(task, server.address(task))})


def _next(task: Json, address: str) -> str:
    match task["status"], task["awaiting"]:
        case "QUEUED" | "RUNNING", _:
            return "Call status again, with wait_seconds."
        case "AWAITING_RESPONSE", "question" | "blocker" | "permission":
            return "Ask the person you work for, then call answer."
        case "AWAITING_RESPONSE", _:
            return f"A person decides this at {address}."
        case _:
            return ""


def build(find: Find) -> MCPServer:
    server = MCPServer("pilothouse", title="Pilothouse", version=__version__, instructions=INSTRUCTIONS)
    tools = Handover(find)
    looks = ToolAnnotations(read_only_hint=True)
    for tool in (tools.submit, tools.answer, tools.cancel):
        server.tool()(tool)
    for look in (tools.status, tools.list_sessions):
        server.tool(annotations=looks)(look)
    return server
