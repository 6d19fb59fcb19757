"""What a person sets holds at once, or is refused with the reason."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from pilothouse.domain.agent.crew import Wish, Wishes
from pilothouse.domain.ports import Agent, AgentHealth, AgentRun, SpawnRequest
from pilothouse.domain.preferences import (
    AgentPreferences,
    ConfinementPreferences,
    Confining,
    CustomAgent,
    WarmPreferences,
)
from pilothouse.engine.agents.roster import Roster
from pilothouse.engine.agents.switchboard import Switchboard
from pilothouse.errors import Conflict, InvalidInput
from pilothouse.process.confine import Bubblewrap, Switch
from tests.workbench import Workbench, make_repository

MINE = CustomAgent(name="mine", command=("my-agent", "--acp"), env=("MY_KEY",))


class Custom(Agent):
    def __init__(self, custom: CustomAgent) -> None:
        self.custom = custom
        self.forgotten = 0
        self.kept: tuple[int, float] | None = None

    @property
    def name(self) -> str:
        return self.custom.name

    async def health(self) -> AgentHealth:
        return AgentHealth(self.name, self.custom.label or self.name, True, True)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        return None

    async def start(self, request: SpawnRequest) -> AgentRun:
        raise AssertionError("nobody is to be started here")

    async def forget(self, session: str | None = None) -> None:
        self.forgotten += 1

    def keep(self, most: int, idle_seconds: float) -> None:
        self.kept = (most, idle_seconds)


class Office:
    def __init__(self, bench: Workbench, switch: Switch) -> None:
        real, last = Custom(CustomAgent(name="real", command=("real",))), bench.runtime.agents
        self.bench, self.switch, self.real = bench, switch, real
        self.names: list[str] = []
        self.roster = bench.runtime.agents = Roster({"real": real}, last, Custom)

    async def board(self) -> Switchboard:
        return await Switchboard.started(self.bench.runtime, self.switch, self.names)


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Workbench]:
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as opened:
        yield opened


@pytest.fixture
def office(bench: Workbench) -> Office:
    return Office(bench, Switch(Bubblewrap("/usr/bin/bwrap")))


async def test_an_agent_of_the_persons_own_comes_and_goes_while_it_runs(office: Office) -> None:
    """BYD-1"""
    board = await office.board()
    await board.change({"agents": AgentPreferences(custom=(MINE,))})
    assert list(office.roster) == ["real", "mine", "rehearsal"]
    mine = office.roster["mine"]
    assert isinstance(mine, Custom)
    await board.change({"agents": AgentPreferences(custom=(MINE,), default="mine")})
    assert office.roster["mine"] is mine
    changed = MINE.model_copy(update={"command": ("other",)})
    await board.change({"agents": AgentPreferences(custom=(changed,))})
    assert office.roster["mine"] is not mine
    assert mine.forgotten == 1
    await board.change({"agents": AgentPreferences()})
    assert list(office.roster) == ["real", "rehearsal"]


async def test_what_was_set_holds_after_a_restart(office: Office) -> None:
    """PLT-6"""
    confinement = ConfinementPreferences(mode="files", writable=("~/cache",))
    await (await office.board()).change(
        {"agents": AgentPreferences(custom=(MINE,), env=("HTTP_KEY",)), "confinement": confinement}
    )
    again = Office(office.bench, Switch(Bubblewrap("/usr/bin/bwrap")))
    await again.board()
    assert "mine" in again.roster
    assert again.names == ["HTTP_KEY"]
    assert (again.switch.mode, again.switch.further) == ("files", (Path.home() / "cache",))


async def test_how_many_processes_are_kept_holds_at_once(office: Office) -> None:
    """BYD-14"""
    board = await office.board()
    await board.change({"warm": WarmPreferences(processes=1, idle_minutes=2)})
    assert office.real.kept == (1, 120.0)


async def test_what_runs_under_other_rules_is_not_used_again(office: Office) -> None:
    """GRD-7"""
    board = await office.board()
    before = office.real.forgotten
    await board.change({"warm": WarmPreferences(processes=2)})
    assert office.real.forgotten == before
    await board.change({"confinement": ConfinementPreferences(mode="files")})
    assert office.real.forgotten == before + 1
    await board.change({"agents": AgentPreferences(env=("KEY",))})
    assert office.real.forgotten == before + 2


@pytest.mark.parametrize(("program", "mode"), [("/bwrap", "processes"), (None, "off")])
async def test_agents_are_confined_where_nobody_chose_otherwise_and_it_is_possible(
    bench: Workbench, program: str | None, mode: Confining
) -> None:
    """BYD-23"""
    held = (await Office(bench, Switch(Bubblewrap(program))).board()).confinement
    assert (held.mode, held.active, held.fixed_by) == (mode, program is not None, None)


async def test_confinement_that_is_switched_off_stays_off(office: Office) -> None:
    """GRD-7"""
    await (await office.board()).change({"confinement": ConfinementPreferences(mode="off")})
    assert (await Office(office.bench, Switch(Bubblewrap("/bwrap"))).board()).confinement.mode == "off"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (AgentPreferences(default="nobody"), "agents.default"),
        (AgentPreferences(roles=Wishes(scout=Wish("nobody"))), "agents.roles.scout.agent"),
        (AgentPreferences(custom=(CustomAgent(name="real", command=("x",)),)), "agents.custom.0.name"),
    ],
)
async def test_what_cannot_hold_is_refused_by_its_field(office: Office, wrong: AgentPreferences, field: str) -> None:
    """PLT-8"""
    board = await office.board()
    with pytest.raises(InvalidInput) as caught:
        await board.change({"agents": wrong})
    assert caught.value.details == {"field": field}
    assert (await board.stored()).preferences.agents == AgentPreferences()


async def test_confinement_that_is_not_possible_cannot_be_switched_on(bench: Workbench) -> None:
    """GRD-7"""
    office = Office(bench, Switch(Bubblewrap(None, "The program bwrap was not found.", "Install bubblewrap.")))
    board = await office.board()
    with pytest.raises(Conflict, match="bwrap was not found"):
        await board.change({"confinement": ConfinementPreferences(mode="files")})
    confined = board.confinement
    assert (confined.mode, confined.active, confined.fixed_by) == ("off", False, None)


@pytest.mark.parametrize(
    ("setting", "program", "mode"),
    [("auto", "/bwrap", "processes"), ("auto", None, "off"), ("files", "/bwrap", "files"), ("off", "/bwrap", "off")],
)
async def test_the_environment_wins_where_it_says_something(
    tmp_path: Path, setting: str, program: str | None, mode: Confining
) -> None:
    """PLT-6"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo, confine_processes=setting) as bench:
        office = Office(bench, Switch(Bubblewrap("/bwrap")))
        await (await office.board()).change({"confinement": ConfinementPreferences(mode="processes")})
        office.switch = Switch(Bubblewrap(program))
        confined = (await office.board()).confinement
        assert (confined.mode, confined.fixed_by) == (mode, "CONFINE_PROCESSES")
        assert confined.active is (mode != "off")
