"""The parts that the routes work with; put together once, in `cli.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

if TYPE_CHECKING:
    from pilothouse.domain.clock import Clock
    from pilothouse.domain.ports import Agent
    from pilothouse.engine.agents.health import AgentsHealth
    from pilothouse.engine.agents.switchboard import Switchboard
    from pilothouse.engine.agents.workbench import Seats
    from pilothouse.engine.broadcast import Broadcast
    from pilothouse.engine.controls import Controls
    from pilothouse.engine.operations.operations import Operations
    from pilothouse.engine.runner import Runner
    from pilothouse.sample import Suggestion
    from pilothouse.server.access.keys import Keys
    from pilothouse.server.awake import KeepAwake
    from pilothouse.server.notify.notifier import Notifier
    from pilothouse.settings import Settings
    from pilothouse.store.database import Store
    from pilothouse.workflows.chat import Chat
    from pilothouse.workflows.projects import Projects
    from pilothouse.workflows.sessions import Sessions


@dataclass(frozen=True)
class Services:
    settings: Settings
    store: Store
    broadcast: Broadcast
    runner: Runner
    operations: Operations
    controls: Controls
    chat: Chat
    projects: Projects
    sessions: Sessions
    agents: Mapping[str, Agent]
    health: AgentsHealth
    switchboard: Switchboard
    clock: Clock
    keys: Keys
    seats: Seats
    notifier: Notifier
    awake: KeepAwake
    suggestions: Sequence[Suggestion] = ()
    """What to try in the sample project."""

    @property
    def takes_work(self) -> bool:
        return self.runner.state == "running"

    @property
    def host_id(self) -> str:
        return self.runner.host_id

    @property
    def withdrawing(self) -> frozenset[str]:
        """The agents that can give back a message."""
        return frozenset(name for name, agent in self.agents.items() if agent.withdraws)


def _services(connection: HTTPConnection) -> Services:
    services: Services = connection.app.state.services
    return services


AppServices = Annotated[Services, Depends(_services)]
