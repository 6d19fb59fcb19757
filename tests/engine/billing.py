"""Rehearsals whose bill comes with their end, as many agents' does: what is spent ends no run before it is over."""

from __future__ import annotations

from collections.abc import AsyncIterator

from pilothouse.domain.ports import AgentEvent, AgentRun, Ended, SpawnRequest, Usage
from tests.passing import PassingAgent, PassingRun
from tests.workbench import Workbench


class BilledRun(PassingRun):
    async def events(self) -> AsyncIterator[AgentEvent]:
        bill: list[Usage] = []
        async for event in super().events():
            if isinstance(event, Usage):
                bill.append(event)
                continue
            for usage in bill if isinstance(event, Ended) else ():
                yield usage
            yield event


class Billed(PassingAgent):
    async def start(self, request: SpawnRequest) -> AgentRun:
        return BilledRun(await super().start(request))


def bill_at_the_end(bench: Workbench) -> None:
    bench.runtime.agents = {"rehearsal": Billed(bench.runtime.agents["rehearsal"])}
