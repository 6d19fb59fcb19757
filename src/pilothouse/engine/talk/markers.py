"""What an agent without our tools says by text markers, made into the questions that the engine knows.

A marker that cannot be read goes to the small model: a read-only spawn with a step, a cost and a place in the hourly
count of its own, never seen by the breaker. What that cannot read either stays as it is: the person sees the words.
"""

from __future__ import annotations

from dataclasses import replace

from pilothouse.domain.ports import AgentQuestion
from pilothouse.domain.talk import small_model
from pilothouse.domain.talk.marker_contents import Broken, Content, DecisionSaid, contents
from pilothouse.domain.talk.small_model import Small
from pilothouse.domain.task.task import StepKind, Task
from pilothouse.engine.agents import choice
from pilothouse.engine.attempt import measure, spawn
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.finished import Spoken
from pilothouse.errors import PilothouseError
from pilothouse.git.model import Checkpoint

ROLE = "small"


async def understood(cx: Context, spoken: Spoken, before: Checkpoint) -> Spoken:
    """The same end, with the decisions its text asks for as questions. Other workflows read the markers of theirs."""
    ended = spoken.ended
    if spoken.stop or ended.outcome != "done" or "[" not in ended.text:
        return spoken
    if not cx.runtime.is_conversation(cx.session.kind):
        return spoken
    reader = SmallModel(cx, spoken.task, before)
    found, _ = await read(ended.text, reader.ask)
    spoken = replace(spoken, task=reader.task)
    asked = sorted((one for one in found if isinstance(one, DecisionSaid)), key=lambda one: one.priority)
    if not asked:
        return spoken
    questions = tuple(
        AgentQuestion(one.text, one.category, one.options, several=one.kind == "multi_choice") for one in asked
    )
    words = "\n\n".join(one.text for one in asked)
    options = asked[0].options if len(asked) == 1 else ()
    return replace(spoken, ended=replace(ended, outcome="asked", question=words, options=options, questions=questions))


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


class SmallModel:
    """Asks with the attempt's agent in the role “small”, for which another agent or model may be chosen."""

    def __init__(self, cx: Context, task: Task, before: Checkpoint) -> None:
        self._cx = cx
        self._before = before
        self.task = task
        """As it stands once the runs are paid for."""

    async def ask(self, prompt: str) -> str:
        cx = self._cx
        # Refused before a step begins: without a small model the words are shown as they are.
        name, _, _ = cx.assigned.post(ROLE, read_only=True)
        await choice.known(cx.runtime, name).check(prompt, cx.place, {})
        spoken = await spawn.run(cx, self.task, Turn(StepKind.READ, prompt, ROLE, read_only=True))
        ended = spoken.ended
        step = replace(
            spoken.step,
            finished_at=cx.runtime.clock.now(),
            outcome=spoken.step.outcome or spoken.stop or ended.outcome,
            detail=ended.message,
            exit_code=ended.exit_code,
            checkpoint=self._before.commit,
        )
        self.task = await measure.close(cx, self.task, [step])
        return ended.text if ended.outcome == "done" else ""
