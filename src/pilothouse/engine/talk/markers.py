"""What an agent without our tools says by text markers, made into the questions that the engine knows.

A marker that cannot be read goes to the small model: a read-only spawn with a step, a cost and a place in the hourly
count of its own, never seen by the breaker. What that cannot read either stays as it is: the person sees the words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pilothouse.domain import small_model
from pilothouse.domain.marker_contents import Broken, Content, Decision, contents
from pilothouse.domain.ports import AgentQuestion, Ended
from pilothouse.domain.sessions import SessionKind
from pilothouse.domain.small_model import Small
from pilothouse.domain.tasks import StepKind
from pilothouse.engine.agents import choice as choosing
from pilothouse.engine.attempt.steps import Steps, Turn
from pilothouse.errors import PilothouseError
from pilothouse.store import sessions

if TYPE_CHECKING:
    from pilothouse.git.model import Checkpoint

ROLE = "small"


async def understood(steps: Steps, ended: Ended, before: Checkpoint) -> Ended:
    """The same end, with the decisions its text asks for as questions. Workflows read the markers of theirs."""
    if ended.outcome != "done" or "[" not in ended.text or not await _is_chat(steps):
        return ended
    found, _ = await read(ended.text, small(steps, before))
    asked = sorted((one for one in found if isinstance(one, Decision)), key=lambda one: one.priority)
    if not asked:
        return ended
    questions = tuple(
        AgentQuestion(one.text, one.category, one.options, several=one.kind == "multi_choice") for one in asked
    )
    words = "\n\n".join(one.text for one in asked)
    options = asked[0].options if len(asked) == 1 else ()
    return replace(ended, outcome="asked", question=words, options=options, questions=questions)


async def read(text: str, ask: Small) -> tuple[list[Content], list[Broken]]:
    """What the markers of a text say, and those that nobody could read."""
    understood: list[Content] = []
    raw: list[Broken] = []
    for found in contents(text):
        if not isinstance(found, Broken):
            understood.append(found)
            continue
        try:
            said = small_model.believed(await ask(small_model.prompt(found))) if small_model.can_help(found) else None
        except PilothouseError:
            said = None
        if said is None:
            raw.append(found)
        else:
            understood += said
    return understood, raw


def small(steps: Steps, before: Checkpoint) -> Small:
    """Asks with the attempt's agent in the role “small”, for which another agent or model may be chosen."""

    async def ask(prompt: str) -> str:
        await _require_small(steps, prompt)
        turn = Turn(StepKind.READ, prompt, ROLE, read_only=True)
        step, ended, stop = await steps.agent(turn)
        step = replace(
            step,
            finished_at=steps.runtime.clock.now(),
            outcome=step.outcome or stop or ended.outcome,
            detail=ended.message,
            exit_code=ended.exit_code,
            checkpoint=before.commit,
        )
        await steps.close([step])
        return ended.text if ended.outcome == "done" else ""

    return ask


async def _require_small(steps: Steps, prompt: str) -> None:
    """Refuse before a step begins: without a small model the words are shown as they are."""
    steps.assigned = steps.assigned or await choosing.assigned(steps.runtime, steps.task)
    name, _, _ = steps.assigned.post(ROLE, read_only=True)
    await choosing.known(steps.runtime, name).check(prompt, steps.directory, {})


async def _is_chat(steps: Steps) -> bool:
    session = await steps.runtime.store.read(lambda c: sessions.get(c, steps.task.session_id))
    return session is not None and session.kind is SessionKind.CHAT
