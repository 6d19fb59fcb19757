"""How each agent is, asked beside what people wait for: a program that hangs never holds up a page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pilothouse.domain.agent.crew import REHEARSAL
from pilothouse.domain.clock import Clock, within
from pilothouse.domain.ports import Agent, AgentHealth, Agents, Ended
from pilothouse.domain.task.task import ErrorKind
from pilothouse.errors import BadConfiguration, NoCredentials
from pilothouse.store.agent import agent_errors
from pilothouse.store.agent.agent_errors import AgentError
from pilothouse.store.database import Store
from pilothouse.words import say, sentences

log = logging.getLogger(__name__)
FRESH_SECONDS = 30.0
PATIENCE_SECONDS = 2.0
"""How long a page waits for agents that were never asked before; they are shown as being checked then."""
_MESSAGE = 2000
"""Characters of how a run failed that are kept."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One agent as it was when it was asked last."""

    health: AgentHealth
    checked_at: datetime | None
    """None while it is being asked for the first time."""
    last_error: AgentError | None = None


class AgentsHealth:
    def __init__(self, agents: Callable[[], Agents], store: Store, clock: Clock, limit_seconds: float) -> None:
        self._agents = agents
        self._store, self._clock, self._limit = store, clock, limit_seconds
        self._known: dict[str, tuple[Looked, float]] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._failing: set[str] | None = None

    @property
    def agents(self) -> Agents:
        return self._agents()

    async def all(self) -> list[Looked]:
        """The last known state. Old ones are checked again in the background; a first check is awaited briefly."""
        for name in self.agents:
            known = self._known.get(name)
            if known is None or self._clock.monotonic() - known[1] > FRESH_SECONDS:
                self._ask(name)
        await self._wait([name for name in self.agents if name not in self._known], PATIENCE_SECONDS)
        return await self._told()

    async def again(self, names: Iterable[str] | None = None) -> list[Looked]:
        """Asked now, and waited for as long as an agent may take."""
        wanted = [name for name in (self.agents if names is None else names) if name in self.agents]
        for name in wanted:
            self._ask(name)
        await self._wait(wanted, self._limit)
        return await self._told()

    async def first_ready(self) -> str | None:
        """The first real one, in the order they were put together."""
        await self.all()
        await self._wait(list(self._asking), self._limit)
        return next(
            (name for name in self.agents if name != REHEARSAL and name in self._known and self._of(name).ready), None
        )

    async def require_credentials(self, name: str) -> None:
        """Refuse before anything runs. What was missing a while ago is looked for again: it may be there now."""
        known = self._known.get(name)
        if known is None or known[0].health.credentials is not False:
            return
        await self.again([name])
        health = self._of(name)
        if health.credentials is False:
            problem = health.problem or say("agent.no_credentials", label=health.label)
            raise NoCredentials(sentences(problem, health.fix), {"agent": name, "fix": health.fix})

    async def bounded(self, name: str, check: asyncio.Task[None]) -> None:
        """`check`, for as long as an agent may take."""
        try:
            await within(self._clock, self._limit, check)
        except TimeoutError:
            raise BadConfiguration(say("agent.silent", name=name, seconds=f"{self._limit:g}")) from None

    async def note(self, name: str, ended: Ended) -> None:
        """Keep how a run failed, until a later one does not."""
        if self._failing is None:
            self._failing = set(await self._store.read(agent_errors.all))
        if ended.outcome in ("failed", "crashed") and ended.limit is None:
            message = ended.message or ended.text or say("agent.health.no_result")
            message = message if len(message) <= _MESSAGE else message[:_MESSAGE]
            error = AgentError(name, self._clock.now(), message, ended.error_kind or ErrorKind.AGENT)
            self._failing.add(name)
            await self._store.write(lambda tx: agent_errors.note(tx, error))
        elif name in self._failing:
            self._failing.discard(name)
            await self._store.write(lambda tx: agent_errors.clear(tx, name))

    def forget(self, names: Iterable[str]) -> None:
        """Those were changed or are gone: what is known of them no longer holds."""
        for name in names:
            self._known.pop(name, None)
            asking = self._asking.pop(name, None)
            if asking:
                asking.cancel()

    def _of(self, name: str) -> AgentHealth:
        return self._known[name][0].health if name in self._known else _unanswered(name)

    async def _told(self) -> list[Looked]:
        errors: Mapping[str, AgentError] = await self._store.read(agent_errors.all)
        found = [
            self._known[name][0] if name in self._known else Looked(_unanswered(name), None) for name in self.agents
        ]
        return [Looked(one.health, one.checked_at, errors.get(one.health.name)) for one in found]

    def _ask(self, name: str) -> None:
        if name not in self._asking:
            asking = asyncio.create_task(self._asked(name, self.agents[name]), name=f"ask {name} how it is")
            self._asking[name] = asking
            asking.add_done_callback(
                lambda done: self._asking.pop(name, None) if self._asking.get(name) is done else None
            )

    async def _asked(self, name: str, agent: Agent) -> None:
        health = await ask_health(name, agent, self._clock, self._limit)
        self._known[name] = (Looked(health, self._clock.now()), self._clock.monotonic())

    async def _wait(self, names: Iterable[str], seconds: float) -> None:
        asking = [self._asking[name] for name in names if name in self._asking]
        if not asking:
            return
        sleeping = asyncio.ensure_future(self._clock.sleep(seconds))
        together = asyncio.ensure_future(asyncio.wait(asking))
        try:
            await asyncio.wait({together, sleeping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            together.cancel()

    async def close(self) -> None:
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        for task in asking:
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def ask_health(name: str, agent: Agent, clock: Clock, limit: float) -> AgentHealth:
    """How it is, in its own words, or that it does not say."""
    answering = asyncio.ensure_future(agent.health())
    sleeping = asyncio.ensure_future(clock.sleep(limit))
    try:
        await asyncio.wait({answering, sleeping}, return_when=asyncio.FIRST_COMPLETED)
        return answering.result() if answering.done() else _silent(name, limit)
    except Exception as error:
        log.warning("the agent %s could not be asked how it is", name, exc_info=error)
        return _broken(name, error)
    finally:
        sleeping.cancel()
        # Not waited for: what ignores being cancelled would hold this up too.
        answering.cancel()


def _unanswered(name: str) -> AgentHealth:
    return AgentHealth(name, name, False, False, problem=say("agent.health.being_checked"))


def _silent(name: str, limit: float) -> AgentHealth:
    return AgentHealth(
        name,
        name,
        True,
        False,
        problem=say("agent.health.silent", seconds=f"{limit:g}"),
        fix=say("agent.health.start_it"),
    )


def _broken(name: str, error: Exception) -> AgentHealth:
    problem = say("agent.health.not_asked", problem=str(error))
    return AgentHealth(name, name, False, False, problem=problem, fix=say("agent.health.see_log"))
