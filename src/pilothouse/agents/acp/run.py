"""One turn with an agent, from the request to the event that ends it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

from acp import RequestError
from acp.schema import PromptResponse
from pydantic import ValidationError

from pilothouse.agents.acp import failures, forms, updates
from pilothouse.agents.acp.conversation import Conversation
from pilothouse.agents.acp.inbox import OpenRequest, Over
from pilothouse.agents.acp.prompts import first, reason
from pilothouse.agents.pool import Lease
from pilothouse.domain.ports import (
    AgentEvent,
    AgentRun,
    AgentSession,
    Decision,
    Ended,
    ProcessMark,
    TextOut,
    ToolStarted,
    Usage,
)
from pilothouse.words import say

FAILURES = (RequestError, ValidationError, failures.Unusable, TimeoutError)
_SOON = 1.0
"""How long a stopped agent may take to finish its turn, so that its session stays intact."""
_YES = frozenset({"approve", "approved", "yes", "ok", "okay", "go", "go ahead", "y"})
Settle = Callable[[Conversation, Ended, bool], Awaitable[bool]]
"""Told how the run ended and whether the conversation can go on; answers whether it is kept for that."""


class AcpRun(AgentRun):
    def __init__(
        self,
        conversation: Conversation,
        lease: Lease,
        *,
        settle: Settle,
    ) -> None:
        self._talk = conversation
        self._lease = lease
        self._request = lease.request
        self._settle = settle
        self._after = ""
        """To be said when the turn is over."""
        self._words: list[str] = []
        self._told = self._stopped = self._interrupted = False

    @property
    def process(self) -> ProcessMark:
        return self._talk.spawned.process

    def alive(self) -> bool:
        return self._talk.alive()

    def tool_alive(self) -> bool:
        return self._talk.tool_alive()

    async def events(self) -> AsyncIterator[AgentEvent]:
        ended: Ended | None = None
        try:
            async for event in self._begun():
                yield event
            while ended is None:
                item = await self._talk.inbox.get()
                if isinstance(item, OpenRequest):
                    ended = self._asked(item)
                elif isinstance(item, Over):
                    for event in self._used(item.response):
                        yield event
                    ended = await self._over(item)
                else:
                    yield self._noted(item)
        except ConnectionError:
            ended = await self._lost()
        except FAILURES as error:
            ended = failures.ended(error, self._talk.preset)
        whole = not self._stopped and (self._interrupted or ended.outcome in ("done", "asked", "permission"))
        keep = await self._settle(self._talk, ended, whole)
        asked = self._talk.asked
        for event in [] if asked and keep else self._talk.desk.calls.close(asked.call_id if asked else ""):
            yield event
        if not keep:
            code = await self._end()
            ended = replace(ended, exit_code=code if ended.exit_code is None else ended.exit_code)
        denied = tuple(self._talk.desk.denied)
        self._talk.desk.denied.clear()
        left, unheard = self._talk.spawned.left, not self._told
        yield replace(ended, text=ended.text or self._text(), denied=denied, left=left, unheard=unheard)

    async def stop(self, grace: float = 5.0) -> None:
        self._stopped = True
        self._talk.desk.halt()
        await self._talk.cancel(min(grace, _SOON))
        await self._talk.end(grace)

    async def interrupt(self) -> None:
        self._interrupted = self._told
        if not self._told or not await self._talk.cancel(self._talk.grace):
            await self.stop()

    async def _begun(self) -> AsyncIterator[AgentEvent]:
        """Up to the moment the agent works on this request."""
        talk, request = self._talk, self._request
        if not talk.session:
            # Told of only when it has its prompt: whatever stands in that counts as heard then.
            opened = await talk.open(request)
            self._say()
            for event in opened:
                yield event
            return
        self._require_going()
        asked, talk.asked = talk.asked, None
        if asked and self._answer(asked):
            self._told = True
            for event in (AgentSession(talk.session), *talk.desk.calls.still_open()):
                yield event
            return
        if asked:
            talk.asked = asked
            await talk.cancel()
        talk.inbox.clear()
        await talk.choose(request)
        self._say()
        yield AgentSession(talk.session)

    def _require_going(self) -> None:
        """An agent that is still there when its run has been stopped hears nothing of that run."""
        if self._stopped:
            raise ConnectionAbortedError

    def _say(self) -> None:
        """Where no request is open, a decision is said, and the call it is about is let through when it comes again."""
        self._require_going()
        self._told = True
        talk, decision = self._talk, self._request.decision
        if decision and decision.choice == "once" and not decision.told:
            talk.desk.once = decision.call
        talk.prompt(first(self._request, afresh=not talk.prompted))

    def _answer(self, asked: OpenRequest) -> bool:
        """On the agent's own open request; False where the answer does not fit what was asked."""
        request = self._request
        if asked.form:
            return self._fill(asked, asked.form)
        decision = request.decision
        if decision is None and asked.plan is not None and request.reply is not None:
            approved = request.reply.strip().rstrip(".!").casefold() in _YES
            decision = Decision("once") if approved else Decision("deny", request.reply)
        if decision is None:
            return False
        if decision.choice == "deny" and decision.reason:
            self._after = reason(asked.permission, decision.reason)
        asked.decide(decision)
        return True

    def _fill(self, asked: OpenRequest, form: forms.Form) -> bool:
        given = dict(self._request.answers)
        if not given and self._request.reply is not None and len(form.fields) == 1:
            given = {form.questions[0].text: self._request.reply}
        try:
            content = form.content(given)
        except forms.Misfit:
            return False
        if not content:
            return False
        asked.fill(dict(content))
        return True

    def _noted(self, event: AgentEvent) -> AgentEvent:
        """The agent's final words are those after its last tool."""
        if isinstance(event, TextOut):
            self._words.append(event.text)
        elif isinstance(event, ToolStarted):
            self._words.clear()
        return replace(event, model=self._talk.model) if isinstance(event, Usage) else event

    def _text(self) -> str:
        return "".join(self._words)

    def _used(self, response: PromptResponse | None) -> list[AgentEvent]:
        return updates.tokens(response.usage, self._talk.model) if response else []

    def _asked(self, asked: OpenRequest) -> Ended:
        self._talk.asked = asked
        if asked.form:
            return Ended("asked", questions=asked.form.questions)
        if asked.plan is not None:
            return Ended("asked", plan=asked.plan)
        return Ended("permission", permission=asked.permission)

    async def _over(self, over: Over) -> Ended | None:
        """None when something is left to be said to the agent."""
        if isinstance(over.error, ConnectionError):
            return await self._lost()
        if over.error:
            return failures.ended(over.error, self._talk.preset)
        why = over.response.stop_reason if over.response else "cancelled"
        if self._stopped or self._interrupted:
            return Ended("crashed", message=say("agent.stopped" if self._stopped else "agent.interrupted"))
        if self._after:
            self._talk.prompt(self._after)
            self._after = ""
            self._words.clear()
            return None
        # Some agents cancel their turn themselves when a tool is not allowed.
        if why == "end_turn" or (why == "cancelled" and self._talk.desk.denied):
            return Ended("done")
        if why == "cancelled":
            return Ended("crashed", message=say("agent.cancelled", label=self._talk.preset.label))
        return failures.stopped(why, self._talk.preset)

    async def _lost(self) -> Ended:
        code = await self._end()
        if self._stopped:
            return Ended("crashed", message=say("agent.stopped"), exit_code=code)
        return failures.crashed(self._talk.preset, code, self._talk.spawned.stderr_tail)

    async def _end(self) -> int:
        if self._talk.asked:
            await self._talk.cancel(_SOON)
        return await self._talk.end()
