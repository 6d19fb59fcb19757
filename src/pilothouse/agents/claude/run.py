"""One turn of a conversation with Claude Code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

from claude_agent_sdk import ClaudeSDKError, Message, ResultMessage, SystemMessage, UserMessage

from pilothouse.agents.claude import costs, forms, launch, outcome, permissions, tools
from pilothouse.agents.claude.conversation import Call, Conversation
from pilothouse.agents.claude.figures import Prices
from pilothouse.agents.claude.notes import Note, Notes
from pilothouse.agents.claude.stream import Stream
from pilothouse.agents.claude.transport import ANNOUNCED
from pilothouse.agents.pool import Lease, Pool
from pilothouse.domain.agent.prompts import behind
from pilothouse.domain.ports import (
    AgentEvent,
    AgentRun,
    AgentSession,
    Ended,
    Fresh,
    ProcessMark,
    Steered,
    ToolStarted,
)
from pilothouse.domain.task.task import ErrorKind
from pilothouse.errors import message_of
from pilothouse.words import say, stacked

_STOPPED = say("agent.stopped")
_PLANNING = "You are making a plan. Change and run nothing before the person has approved it with ExitPlanMode."

Opener = Callable[[str | None], Awaitable[Conversation]]


class ClaudeRun(AgentRun):
    def __init__(
        self,
        lease: Lease,
        conversation: Conversation,
        *,
        kept: bool,
        model: str | None,
        opener: Opener,
        pool: Pool[Conversation],
        notes: Notes,
        prices: Prices,
    ) -> None:
        """`opener` starts another process, when the conversation cannot be continued in this one."""
        self._lease = lease
        self._request = request = lease.request
        self._conversation = conversation
        self._kept = kept
        self._model = model
        self._opener = opener
        self._pool = pool
        self._notes = notes
        self._prices = prices
        self._stream = Stream(request.workspace)
        self._steering: dict[str, str] = {}
        self._answered: set[str] = set()
        """Calls refused only to hand over the person's words."""
        self._once: tuple[str, dict[str, Any]] | None = None
        """The call that a decision lets through after a resume."""
        self._reopened: Call | None = None
        """The call that a decision let through on the process that asked."""
        self._sent = self._over = self._stopped = self._interrupted = False
        conversation.serve(self, request)

    @property
    def process(self) -> ProcessMark:
        return self._conversation.process

    def alive(self) -> bool:
        return self._conversation.spawned.alive()

    def tool_alive(self) -> bool:
        return self._conversation.spawned.tool_alive()

    def living(self) -> list[tuple[int, str]]:
        return self._conversation.spawned.living()

    async def stop(self, grace: float = 5.0) -> None:
        self._stopped = True
        if self._conversation.owner in (self, None):
            await self._conversation.end(grace)

    async def interrupt(self) -> None:
        if self._over or not self._sent:
            return await self.stop()
        self._interrupted = True
        try:
            await self._conversation.interrupt()
        except (ClaudeSDKError, TimeoutError):
            await self.stop()

    async def steer(self, message_id: str, text: str) -> bool:
        """It is taken in before the program's next request to its model, or as a turn of its own after the last."""
        if self._over or self._stopped or not self._sent or not self.alive():
            return False
        try:
            self._steering[await self._conversation.send(text)] = message_id
        except ClaudeSDKError:
            return False
        return True

    async def events(self) -> AsyncIterator[AgentEvent]:
        told = await self._begin()
        for event in told:
            yield event
        if told and isinstance(told[-1], Ended):
            return
        async for message in self._conversation.messages():
            for event in await self._heard(message):
                yield event
                if isinstance(event, Ended):
                    return
        for event in await self._cut_off(self._died()):
            yield event

    async def _begin(self) -> list[AgentEvent]:
        """Have a process that is ready, and tell it what this turn is about."""
        told: list[AgentEvent] = []
        while problem := await self._conversation.connect() or await self._deliver():
            if self._stopped:
                break
            if self._conversation.resumed and outcome.unknown_conversation(problem):
                told.append(Fresh(say("claude.conversation_lost")))
                await self._another(None)
            elif self._kept:
                # It died while it waited, or right now: the conversation is on disk.
                await self._another(self._request.resume)
            else:
                break
        if problem:
            return [*told, await self._finish(self._died(problem))]
        if call := self._reopened:
            detail = tools.detail(call.name, call.arguments, self._request.workspace)
            told.append(ToolStarted(call.id, call.name, detail))
        return told

    async def _another(self, resume: str | None) -> None:
        await self._conversation.end()
        self._conversation = await self._opener(resume)
        self._conversation.serve(self, self._request)
        self._kept = False
        if self._stopped:
            await self._conversation.end()

    async def _deliver(self) -> str:
        """Answer the call that is open, or send what was asked for; says why that was not possible."""
        conversation, request = self._conversation, self._request
        if self._stopped:
            return _STOPPED
        try:
            await conversation.adopt(self._model, launch.servers(request.workbench))
            if self._stopped:
                return _STOPPED
            if conversation.open:
                await self._answer(conversation.open.pop(0))
            else:
                await conversation.send(self._words())
        except (ClaudeSDKError, TimeoutError) as error:
            return message_of(error) or say("claude.no_answer")
        self._sent = True
        return ""

    async def _answer(self, call: Call) -> None:
        conversation, request = self._conversation, self._request
        if call.name == tools.QUESTION:
            found = forms.answers(forms.questions(call.arguments), request)
            if found:
                conversation.allow(call, {**call.arguments, "answers": found})
            else:
                self._answered.add(call.id)
                conversation.deny(call, f"The person answered in their own words: {request.reply or ''}")
        elif call.name == tools.PLAN:
            approved, words = forms.approval(request)
            if approved:
                conversation.allow(call)
            else:
                self._answered.add(call.id)
                conversation.deny(call, f"The person wants the plan changed: {words}")
        elif request.decision and request.decision.choice != "deny":
            self._reopened = call
            if request.reply:
                # Words beside the decision: it hears them with what the tool answers.
                self._steering[await conversation.send(request.reply)] = ""
            conversation.allow(call)
        else:
            reason = request.decision.reason if request.decision else ""
            said = ["The person did not allow this.", reason, request.reply or ""]
            conversation.deny(call, " ".join(filter(None, said)))

    def _words(self) -> str:
        """What the program is told: with a conversation it knows, only what is new."""
        request = self._request
        if not self._conversation.resumed and self._conversation.id is None:
            return behind(request.digest, request.prompt)
        told = self._only_new()
        return told if told == request.prompt else "\n\n".join(filter(None, [request.since, told]))

    def _only_new(self) -> str:
        request = self._request
        note = self._notes.of(self._conversation.id or "")
        if request.decision and note.tool and note.tool != tools.PLAN:
            return self._decided(note)
        if note.tool == tools.PLAN and (request.decision or request.reply is not None):
            approved, words = forms.approval(request)
            return "The person approves your plan. Carry it out." if approved else words
        if request.answers:
            return forms.answered_in_words(forms.questions(note.arguments), request)
        return request.prompt if request.reply is None else request.reply

    def _decided(self, note: Note) -> str:
        decision, arguments = self._request.decision, dict(note.arguments)
        assert decision is not None  # noqa: S101 - the caller looked
        what = f"{note.tool}: {tools.detail(note.tool, arguments, self._request.workspace)}"
        words = self._request.reply or ""
        if decision.choice == "deny":
            return "\n".join(filter(None, [f"The person did not allow this: {what}", decision.reason, words]))
        self._once = None if decision.told else (note.tool, arguments)
        allowed = "The person allows what you asked for; do it now, exactly so, and go on."
        return "\n".join(filter(None, [allowed, what, words]))

    async def _heard(self, message: Message) -> list[AgentEvent]:
        if isinstance(message, SystemMessage) and message.subtype == ANNOUNCED:
            return await self._asked(message.data["request"])
        if isinstance(message, ResultMessage):
            return await self._result(message)
        found = self._stream.events(message)
        if isinstance(message, UserMessage) and message.uuid in self._steering:
            steered = self._steering.pop(message.uuid)
            found += [Steered(steered)] if steered else []
        if isinstance(found[0] if found else None, AgentSession):
            self._conversation.id = self._stream.session
        if self._stream.planning is not None:
            self._conversation.planning = self._stream.planning
        found += await costs.used_by(self._stream.finished(), self._conversation, self._prices)
        if refused := outcome.refused_login(self._stream) or outcome.too_busy(self._stream):
            found += await self._cut_off(refused)
        return found

    async def _asked(self, request: dict[str, Any]) -> list[AgentEvent]:
        """The person decides, unless the mode or a grant does."""
        if self._stopped:
            # Unanswered, it does nothing more until it has ended.
            return []
        call = Call(str(request.get("tool_use_id", "")), str(request.get("tool_name", "")), request.get("input") or {})
        ended = self._judged(call)
        if ended is None:
            return []
        self._conversation.open.append(call)
        spent = await self._so_far()
        return [*spent, await self._finish(ended)]

    async def _cut_off(self, ended: Ended) -> list[AgentEvent]:
        """Where there is no result to come: what was used is as it was counted, or as the program wrote it down."""
        told = await self._so_far()
        ended = await self._finish(ended)
        recorded = await asyncio.to_thread(self._conversation.recorded)
        return [*told, *costs.recorded(self._conversation, self._stream, recorded), ended]

    async def _so_far(self) -> list[AgentEvent]:
        """Of a turn that has no result yet."""
        told = await costs.used_by(self._stream.finished(cut=True), self._conversation, self._prices)
        return [*told, *costs.filled(self._conversation, self._stream)]

    def _judged(self, call: Call) -> Ended | None:
        request, conversation = self._request, self._conversation
        if call.name == tools.QUESTION:
            form = forms.questions(call.arguments)
            question = "\n".join(item.text for item in form)
            options = form[0].options if len(form) == 1 else ()
            return Ended("asked", self._stream.said, question, options, questions=form)
        if call.name == tools.PLAN:
            given = self._stream.inputs.get(call.id, call.arguments)
            plan = str(given.get("plan") or call.arguments.get("plan") or self._stream.said)
            return Ended("asked", self._stream.said, say("claude.plan"), plan=plan)
        if conversation.planning and (call.name in tools.EDITING or call.name == "Bash"):
            conversation.deny(call, _PLANNING)
            return None
        if self._once == (call.name, call.arguments):
            self._once = None
            conversation.allow(call)
        elif self._may(call):
            conversation.allow(call)
        elif request.read_only:
            conversation.deny(call, permissions.LOOKING_ONLY)
        else:
            permission = permissions.permission(call.name, call.arguments, request.workspace)
            return Ended("permission", self._stream.said, permission=permission)
        return None

    def _may(self, call: Call) -> bool:
        request, only = self._request, launch.looking(self._request)
        return permissions.allowed(
            call.name, call.arguments, request.workspace, request.permission_mode, self._lease.granted
        ) and (only is None or call.name in only)

    async def _result(self, result: ResultMessage) -> list[AgentEvent]:
        conversation, stream = self._conversation, self._stream
        conversation.id = result.session_id or conversation.id
        await costs.learned(self._prices, result.model_usage)
        settled = costs.settled(conversation, stream, result)
        told = [*settled, *costs.context_of(conversation, stream, result)]
        if self._steering and not result.is_error:
            # Sent after the last look of this turn: the program goes on with it as a turn of its own.
            return told
        if self._interrupted:
            ended = Ended("crashed", stream.said, message=say("agent.interrupted"))
        else:
            ended = outcome.ended(result, stream, self._request.workspace, self._answered)
        return [*told, await self._finish(ended)]

    def _died(self, said: str = "") -> Ended:
        if self._stopped:
            return Ended("crashed", self._stream.said, message=_STOPPED, unheard=not self._sent)
        words = said or self._conversation.spawned.stderr_tail.strip()
        message = stacked(say("claude.no_result"), words)
        return Ended("crashed", self._stream.said, error_kind=ErrorKind.AGENT, message=message)

    async def _finish(self, ended: Ended) -> Ended:
        """Note where the conversation stands, and keep the process or end it, before anyone hears of the end."""
        self._over = True
        conversation = self._conversation
        if conversation.id:
            waiting = conversation.open[0] if conversation.open else None
            note = Note(conversation.account.settled.cost, conversation.turns)
            if waiting:
                note = replace(note, tool=waiting.name, arguments=waiting.arguments)
            await asyncio.to_thread(self._notes.keep, conversation.id, note)
        if await self._worth_keeping(ended):
            conversation.rest()
            if self._pool.keep(self._lease, conversation):
                return ended
        died = not conversation.spawned.alive()
        await conversation.end()
        code = await conversation.spawned.wait()
        # The code of a process that we ended says nothing about the turn.
        return replace(ended, exit_code=code if died else None, left=conversation.spawned.left)

    async def _worth_keeping(self, ended: Ended) -> bool:
        """A process with a tool still running would go on changing files; one with unread messages would too."""
        fine = ended.outcome in ("done", "asked", "permission") or self._interrupted
        if not fine or self._stopped or self._steering or not self._request.session:
            return False
        if self._request.read_only and not self._kept:
            # It was started for this run alone.
            return False
        return self.alive() and not await asyncio.to_thread(self.tool_alive)
