"""What a role may not do, the real program cannot do; and confined, it cannot write elsewhere."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.domain.agent import tool_policy
from pilothouse.domain.agent.tool_policy import DUTIES
from pilothouse.domain.ports import ToolFinished
from pilothouse.domain.task.task import PermissionMode
from pilothouse.process.confine import Confinement, Switch, look
from tests.real_agent.messages_api import MessagesApi, say, use
from tests.real_agent.workshop import Workshop


@pytest.mark.parametrize("role", [name for name, duty in DUTIES.items() if duty.read_only and name != "scout B"])
async def test_a_role_that_reads_cannot_write_whatever_the_model_tries(workshop: Workshop, role: str) -> None:
    """GRD-7"""
    before = sorted(workshop.workspace.rglob("*"))
    place = str(workshop.workspace / "new.txt")
    tries = use("Write", file_path=place, content="x"), use("Bash", command=f"touch {place}"), say("I tried.")
    workshop.api.next(*tries)
    given = {"tools": tool_policy.allowed(role), "read_only": True, "permission_mode": PermissionMode.ALL}
    told = await workshop.play_alone("Write.", role=role, **given)
    assert not any(finished.ok for finished in told.of(ToolFinished))
    assert sorted(workshop.workspace.rglob("*")) == before


async def test_an_editor_with_its_list_can_write(workshop: Workshop) -> None:
    """GRD-7: or the test above would prove nothing."""
    tools = tool_policy.allowed("edit")
    await workshop.play_alone("Write. [[write]]", role="edit", tools=tools, permission_mode=PermissionMode.ALL)
    assert list(workshop.workspace.iterdir())


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=Path.home(), prefix=".pilothouse-test-") as folder:
        yield Path(folder)


async def test_the_real_program_works_confined_to_its_files(elsewhere: Path, api: MessagesApi) -> None:
    """GRD-7"""
    found = await look()
    if found.program is None:
        pytest.skip(f"NOT TRIED, agents are not confined here: {found.problem}")
    workshop = Workshop(elsewhere, api)
    confined = Confinement(Switch(found, "files")).keeping(workshop.home / ".claude", elsewhere / "state")
    workshop.agent = ClaudeAgent(elsewhere / "state", workshop.environment, workshop.pool, confine=confined)
    inside, outside = workshop.workspace / "in.txt", elsewhere / "out.txt"
    api.next(use("Bash", command=f"touch {inside}; touch {outside}"), say("I tried."))
    told = await workshop.play_alone("Write.", permission_mode=PermissionMode.ALL)
    assert told.end.outcome == "done"
    assert (inside.exists(), outside.exists()) == (True, False)
