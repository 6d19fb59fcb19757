from __future__ import annotations

import pytest
from pydantic import ValidationError
from sqlalchemy import insert

from pilothouse.domain.agent.crew import Wish, Wishes
from pilothouse.domain.preferences import AgentPreferences, BudgetPreferences, CustomAgent, Preferences
from pilothouse.domain.task.task import ErrorKind
from pilothouse.store import preferences
from pilothouse.store.agent import agent_errors
from pilothouse.store.agent.agent_errors import AgentError
from pilothouse.store.database import Store
from pilothouse.store.tables.runner import preferences as table


async def test_what_was_set_is_read_back_and_the_rest_has_its_defaults(store: Store) -> None:
    """PLT-6"""
    assert (await store.read(preferences.load)).preferences == Preferences()
    agents = AgentPreferences(
        default="mine",
        roles=Wishes(scout=Wish("mine", "small", "low")),
        custom=(CustomAgent(name="mine", command=("prog", "--acp", ""), env=("MY_KEY",)),),
        tools=("WebSearch",),
    )
    await store.write(lambda tx: preferences.save(tx, {"agents": agents}))
    await store.write(lambda tx: preferences.save(tx, {"budgets": BudgetPreferences(task_usd=2.5)}))
    found = (await store.read(preferences.load)).preferences
    assert found == Preferences(agents=agents, budgets=BudgetPreferences(task_usd=2.5))


async def test_a_section_that_cannot_be_read_is_told_and_a_strange_one_is_left_alone(store: Store) -> None:
    """PLT-6: a newer version may have written it."""
    rows = [("warm", '{"processes": "many"}'), ("later", "{}"), ("budgets", '{"task_usd": 3, "new_field": 1}')]
    await store.write(
        lambda tx: [
            tx.conn.execute(insert(table).values(section=name, body=body, updated_at=tx.now)) for name, body in rows
        ]
    )
    found = await store.read(preferences.load)
    assert found.unreadable == ("warm",)
    assert found.preferences == Preferences(budgets=BudgetPreferences(task_usd=3))


@pytest.mark.parametrize(
    "wrong",
    [
        {"default": "../x"},
        {"roles": {"scout": {"model": "haiku"}}},
        {"roles": {"scout": {"agent": "a", "model": "--evil"}}},
        {"custom": [{"name": "a", "command": []}]},
        {"custom": [{"name": "a", "command": [" "]}]},
        {"custom": [{"name": "a", "command": ["x\0"]}]},
        {"custom": [{"name": "a", "command": ["x"]}, {"name": "a", "command": ["y"]}]},
        {"custom": [{"name": "a", "command": ["x"], "env": ["KEY=secret"]}]},
        {"tools": ["Read,Write"]},
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_refused(wrong: dict[str, object]) -> None:
    """PLT-8"""
    with pytest.raises(ValidationError):
        AgentPreferences.model_validate(wrong)


async def test_the_last_error_of_an_agent_is_kept_until_it_works_again(store: Store) -> None:
    """PLT-3"""
    now = await store.write(lambda tx: tx.now)
    await store.write(lambda tx: agent_errors.note(tx, AgentError("claude", now, "first")))
    second = AgentError("claude", now, "401 Invalid API key", ErrorKind.CREDENTIALS)
    await store.write(lambda tx: agent_errors.note(tx, second))
    assert await store.read(agent_errors.all) == {"claude": second}
    await store.write(lambda tx: agent_errors.clear(tx, "claude"))
    assert await store.read(agent_errors.all) == {}
