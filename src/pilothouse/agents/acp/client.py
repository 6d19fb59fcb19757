"""Our side of the protocol: takes in what the agent tells, and answers what it asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from acp import Client, RequestError
from acp.interfaces import Agent as AgentSide
from acp.schema import (
    AcceptElicitationResponse,
    AgentMessageChunk,
    AgentPlanUpdate,
    CancelElicitationResponse,
    CreateElicitationResponse,
    CreateTerminalResponse,
    DeclineElicitationResponse,
    ElicitationFormSessionMode,
    ElicitationMode,
    EnvVariable,
    KillTerminalResponse,
    PermissionOption,
    ReadTextFileResponse,
    ReleaseTerminalResponse,
    RequestPermissionResponse,
    TerminalOutputResponse,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
    UsageUpdate,
    UserMessageChunk,
    WaitForTerminalExitResponse,
    WriteTextFileResponse,
)

from pilothouse.agents.acp import files, forms, permissions, updates
from pilothouse.agents.acp.inbox import Inbox, OpenRequest
from pilothouse.agents.acp.permissions import Ruling
from pilothouse.agents.acp.terminals import Terminals
from pilothouse.agents.acp.updates import Call, Calls, Meter
from pilothouse.agents.pool import Lease
from pilothouse.domain.ports import AgentEvent, Decision, Heartbeat, Permission, TextOut


class Desk(Client):
    """One for each conversation; `request` is the run it serves now."""

    def __init__(self, lease: Lease, inbox: Inbox, terminals: Terminals, meter: Meter) -> None:
        self.request = lease.request
        self._granted = lease.granted
        self.inbox = inbox
        self.terminals = terminals
        self.meter = meter
        self.calls = Calls()
        self.listening = False
        """False while a transcript is played again, and while nobody follows: then nothing may be done through us."""
        self.halted = False
        """Set when the run is stopped: from then on nothing is allowed, however long the agent takes to end."""
        self.once = ""
        """The call that a decision lets through, when the process that asked for it is gone."""
        self.denied: list[str] = []
        self._allowed: list[Call] = []

    def serve(self, lease: Lease) -> None:
        self.request, self._granted = lease.request, lease.granted
        self.once = ""
        self.denied.clear()
        self._allowed.clear()

    def halt(self) -> None:
        self.halted = True
        self._allowed.clear()

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        if isinstance(update, UsageUpdate) and not self.listening:
            self.meter.cost(update.cost)
        if self.listening:
            self.inbox.put(*self._told(update))

    def _told(self, update: object) -> list[AgentEvent]:
        match update:
            case AgentMessageChunk():
                return updates.spoken(update)
            case ToolCallStart() | ToolCallProgress():
                return self.calls.tell(update)
            case AgentPlanUpdate():
                return self.calls.plan(update)
            case UsageUpdate():
                return self.meter.context(update)
            case UserMessageChunk():
                return []
            case _:
                return [Heartbeat()]

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **kwargs: Any
    ) -> RequestPermissionResponse:
        call = self.calls.known(tool_call)
        decision = await self._decision(call)
        if decision is None:
            return permissions.cancelled()
        return permissions.answer(options, decision.choice != "deny")

    async def _decision(self, call: Call) -> Decision | None:
        """None when the turn was cancelled over it, or when there is none."""
        if not self.listening or self.halted:
            return None
        ruling = permissions.judge(call, self.request, self._granted)
        asked = permissions.permission(call, self.request.workspace)
        decision: Decision | None
        if ruling is Ruling.ALLOW or (ruling is Ruling.ASK and self._is_decided(asked)):
            decision = Decision("once")
        elif ruling is Ruling.REFUSE:
            decision = Decision("deny")
        elif call.kind == "switch_mode":
            decision = await self._ask(plan=permissions.plan(call) or call.title, id=call.id)
        else:
            decision = await self._ask(permission=asked, id=call.id)
        if self.halted:
            return None
        if decision and decision.choice == "deny":
            self.denied.append(f"{asked.tool}: {asked.detail}")
        elif decision:
            self._allowed.append(call)
        return decision

    def _is_decided(self, asked: Permission) -> bool:
        if not self.once or asked.call != self.once:
            return False
        self.once = ""
        return True

    async def _ask(self, id: str, permission: Permission | None = None, plan: str | None = None) -> Decision | None:
        asked = OpenRequest(asyncio.get_running_loop().create_future(), permission, plan, call_id=id)
        self.inbox.put(*self.calls.waiting(id), asked)
        decision = await asked.answer
        return decision if isinstance(decision, Decision) else None

    async def create_elicitation(self, message: str, mode: ElicitationMode, **kwargs: Any) -> CreateElicitationResponse:
        if not isinstance(mode, ElicitationFormSessionMode) or not self.listening or self.halted:
            return DeclineElicitationResponse(action="decline")
        form = forms.read(message, mode.requested_schema)
        if not form.fields:
            return DeclineElicitationResponse(action="decline")
        asked = OpenRequest(asyncio.get_running_loop().create_future(), form=form, call_id=mode.tool_call_id or "")
        self.inbox.put(*self.calls.waiting(asked.call_id))
        # With one question the message is the question.
        self.inbox.put(*([TextOut(f"{message}\n")] if len(form.fields) > 1 else []), asked)
        content = await asked.answer
        if not isinstance(content, dict):
            return CancelElicitationResponse(action="cancel")
        return AcceptElicitationResponse(action="accept", content=content)

    async def complete_elicitation(self, elicitation_id: str, **kwargs: Any) -> None:
        return

    async def read_text_file(
        self, session_id: str, path: str, line: int | None = None, limit: int | None = None, **kwargs: Any
    ) -> ReadTextFileResponse:
        text = await asyncio.to_thread(files.read, self.request.workspace, path, line, limit)
        return ReadTextFileResponse(content=text)

    async def write_text_file(
        self, session_id: str, path: str, content: str, **kwargs: Any
    ) -> WriteTextFileResponse | None:
        target = files.confined(self.request.workspace, path)
        # Some agents tell of a change they have made themselves; that is nothing to ask about.
        if not files.holds(target, content):
            call = Call("fs/write", f"Write {path}", "edit", paths=(str(target),), more=(content,))
            if not self._used(lambda done: str(target) in self._resolved(done)):
                await self._insist(call)
            await asyncio.to_thread(files.write, target, content)
        return WriteTextFileResponse()

    async def create_terminal(
        self,
        session_id: str,
        command: str,
        args: list[str] | None = None,
        env: list[EnvVariable] | None = None,
        cwd: str | None = None,
        output_byte_limit: int | None = None,
        **kwargs: Any,
    ) -> CreateTerminalResponse:
        line = " ".join([command, *(args or ())])
        given = {variable.name: variable.value for variable in env or ()}
        call = Call(
            "terminal/create", line, "execute", input={"command": line}, more=(command, *(args or ()), given, cwd)
        )
        if not self._used(lambda done: done.kind == "execute" and done.command == line):
            await self._insist(call)
        name = await self.terminals.create(
            command,
            args or (),
            given,
            cwd,
            output_byte_limit,
            self.request.spawn_id,
            self.request.log_path,
        )
        return CreateTerminalResponse(terminal_id=name)

    def _used(self, fits: Callable[[Call], bool]) -> bool:
        """Whether this was allowed just now, when the agent asked for it; it then counts as done."""
        for call in self._allowed:
            if fits(call):
                self._allowed.remove(call)
                return True
        return False

    async def _insist(self, call: Call) -> None:
        """For what is done without asking first."""
        decision = await self._decision(call)
        if decision is None or decision.choice == "deny":
            raise RequestError.invalid_params({"details": f"Not allowed: {call.title}"})
        self._allowed.remove(call)

    def _resolved(self, call: Call) -> set[str]:
        workspace = self.request.workspace
        return {str(files.confined(workspace, path)) for path in call.paths if files.within(workspace, path)}

    async def terminal_output(self, session_id: str, terminal_id: str, **kwargs: Any) -> TerminalOutputResponse:
        return self.terminals.get(terminal_id).output()

    async def wait_for_terminal_exit(
        self, session_id: str, terminal_id: str, **kwargs: Any
    ) -> WaitForTerminalExitResponse:
        return await self.terminals.get(terminal_id).wait()

    async def kill_terminal(self, session_id: str, terminal_id: str, **kwargs: Any) -> KillTerminalResponse | None:
        await self.terminals.kill(terminal_id)
        return KillTerminalResponse()

    async def release_terminal(
        self, session_id: str, terminal_id: str, **kwargs: Any
    ) -> ReleaseTerminalResponse | None:
        await self.terminals.release(terminal_id)
        return ReleaseTerminalResponse()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        raise RequestError.method_not_found(f"_{method}")

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        return

    def on_connect(self, conn: AgentSide) -> None:
        return
