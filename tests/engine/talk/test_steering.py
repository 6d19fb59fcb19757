"""A message to a task that runs: never lost, never delivered twice."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest

from pilothouse.domain.event.talk import SteeringHanded
from pilothouse.domain.ports import Ended
from pilothouse.domain.talk.steering import SteerMessage, SteerState
from pilothouse.domain.task.task import Awaiting, ResumeMode, Step, StepKind, Task, TaskStatus, Verdict
from pilothouse.engine.talk import steering as engine
from pilothouse.errors import Conflict, IllegalTransition, NotFound
from pilothouse.store.database import Store, Tx
from pilothouse.store.talk import steering
from pilothouse.store.task import steps
from tests.engine.listening import Listening, Turn
from tests.workbench import Workbench, make_repository

S = SteerState
T = TypeVar("T")


SCENARIOS = """
scenarios:
  told:
    - run: until test -f ignored/go; do sleep 0.02; done
    - write: {path: told.txt, text: "{reply}\\n"}
  interrupted:
    - write: {path: once.txt, text: "1\\n"}
    - run: until test -f ignored/go; do sleep 0.02; done
    - write: {path: told.txt, text: "end\\n"}
"""


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Workbench]:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / "ignored").mkdir()
    async with await Workbench.open(tmp_path / "data", repo) as opened:
        yield opened


async def in_its_turn(bench: Workbench, *, steerable: bool = True) -> tuple[Listening, Task, Turn]:
    """An agent, and its task, in the midst of a first turn that can be steered if it can be at all."""
    agent = Listening(steerable=steerable)
    _, task = await agent.begin(bench)
    first = await agent.turn(1)
    await bench.until_event("step.tool_started", task.id)
    return agent, task, first


async def messages(bench: Workbench, task: Task) -> list[SteerMessage]:
    return await bench.store.read(lambda c: steering.of_task(c, task.id))


async def states(bench: Workbench, task: Task) -> list[SteerState]:
    return [message.state for message in await messages(bench, task)]


async def test_a_message_is_handed_over_and_delivered_once_the_agent_took_it_in(bench: Workbench) -> None:
    """RPL-8"""
    agent, task, first = await in_its_turn(bench)
    sent = await bench.controls.talk.steer(task.id, "Use tabs")
    assert sent.state is S.HANDED
    assert first.handed == {sent.id: "Use tabs"}
    told = await bench.until_event("steering.handed", task.id)
    assert told.data == SteeringHanded(message_id=sent.id, text="Use tabs", in_prompt=False)
    first.take_in(sent.id)
    await bench.until_event("steering.delivered", task.id)
    first.take_in(sent.id)
    first.end()
    done = await bench.rest(task, TaskStatus.COMPLETE)
    assert len(agent.turns) == 1
    assert [(r.content, r.question) for r in done.replies] == [("Use tabs", "")]
    assert (await bench.types(task.id)).count("steering.delivered") == 1
    with pytest.raises(Conflict):
        await bench.controls.talk.take_back(task.id, sent.id)
    with pytest.raises(Conflict):
        await bench.controls.talk.send_now(task.id, sent.id)


class Full(Store):
    """Has no room for the word that a message was handed over."""

    async def write(self, job: Callable[[Tx], T]) -> T:
        def full(tx: Tx) -> T:
            done = job(tx)
            if any(isinstance(told.data, SteeringHanded) for told in tx.emitted):
                raise OSError(28, "No space left on device")
            return done

        return await super().write(full)


class FullBench(Workbench):
    stores = Full


async def test_a_message_that_the_agent_has_is_sent_though_that_could_not_be_told(tmp_path: Path) -> None:
    """RPL-8: whoever sent it would send it twice."""
    async with await FullBench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS)) as bench:
        agent, task, first = await in_its_turn(bench)
        sent = await bench.controls.talk.steer(task.id, "Use tabs")
        assert sent.state is S.HANDED
        assert first.handed == {sent.id: "Use tabs"}
        first.take_in(sent.id)
        await bench.until_event("steering.delivered", task.id)
        first.end()
        await bench.rest(task, TaskStatus.COMPLETE)
        assert len(agent.turns) == 1


async def test_an_agent_that_cannot_be_steered_hears_it_in_its_next_turn(bench: Workbench) -> None:
    """RPL-8"""
    agent, task, first = await in_its_turn(bench, steerable=False)
    sent = await bench.controls.talk.steer(task.id, "Use tabs")
    more = await bench.controls.talk.steer(task.id, "And no colour")
    assert (sent.state, more.state) == (S.WAITING, S.WAITING)
    assert "steering.handed" not in await bench.types(task.id)
    first.end()
    second = await agent.turn(2)
    await bench.until_event("steering.delivered", task.id, count=2)
    # From then on neither can be taken back, which the screens must hear of.
    assert [event.data for event in bench.heard if event.type == "steering.handed"] == [
        SteeringHanded(message_id=sent.id, text="Use tabs", in_prompt=True),
        SteeringHanded(message_id=more.id, text="And no colour", in_prompt=True),
    ]
    assert second.request.prompt.index("Use tabs") < second.request.prompt.index("And no colour")
    assert second.request.resume == "conversation"
    second.end()
    done = await bench.rest(task, TaskStatus.COMPLETE)
    assert await states(bench, task) == [S.DELIVERED, S.DELIVERED]
    assert [reply.content for reply in done.replies] == ["Use tabs", "And no colour"]
    assert [step.outcome for step in await bench.store.read(lambda c: steps.of_task(c, task.id))] == ["done"] * 2


async def test_what_was_handed_over_and_not_taken_in_goes_into_the_next_turn(bench: Workbench) -> None:
    """RPL-8"""
    agent, task, first = await in_its_turn(bench)
    sent = await bench.controls.talk.steer(task.id, "Too late")
    assert sent.state is S.HANDED
    first.end()
    second = await agent.turn(2)
    assert "Too late" in second.request.prompt
    second.end()
    await bench.rest(task, TaskStatus.COMPLETE)
    assert await states(bench, task) == [S.DELIVERED]


async def test_send_now_interrupts_the_turn_and_goes_on_with_the_message(bench: Workbench) -> None:
    """RPL-8"""
    agent, task, first = await in_its_turn(bench)
    sent = await bench.controls.talk.steer(task.id, "Stop, use tabs")
    await bench.controls.talk.send_now(task.id, sent.id)
    second = await agent.turn(2)
    assert first.interrupted
    assert "Stop, use tabs" in second.request.prompt
    assert second.request.resume == "conversation"
    second.end()
    done = await bench.rest(task, TaskStatus.COMPLETE)
    assert await states(bench, task) == [S.DELIVERED]
    taken = await bench.store.read(lambda c: steps.of_task(c, task.id))
    assert [step.outcome for step in taken] == ["steered", "done"]
    assert done.attempt == 1


async def test_an_answer_is_told_again_where_the_turn_was_cut_before_the_agent_heard_it(bench: Workbench) -> None:
    """RPL-8 RPL-3: nor is the message lost that it was cut for"""
    agent, task, first = await in_its_turn(bench, steerable=False)
    first.say(Ended("asked", "Tabs or spaces?", question="Tabs or spaces?"))
    await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
    await bench.controls.talk.reply(task.id, "Tabs")
    second = await agent.turn(2)
    second.unheard = True
    sent = await bench.controls.talk.steer(task.id, "And hurry")
    await bench.controls.talk.send_now(task.id, sent.id)
    third = await agent.turn(3)
    assert (third.request.reply, third.request.prompt) == ("Tabs", second.request.prompt)
    third.end()
    fourth = await agent.turn(4)
    assert "And hurry" in fourth.request.prompt
    fourth.end()
    done = await bench.rest(task, TaskStatus.COMPLETE)
    assert done.pending_reply is None
    assert await states(bench, task) == [S.DELIVERED]


async def test_a_message_can_be_taken_back_until_the_agent_has_it_for_good(bench: Workbench) -> None:
    """RPL-8"""
    _, task, first = await in_its_turn(bench)
    sent = await bench.controls.talk.steer(task.id, "Never mind")
    taken = await bench.controls.talk.take_back(task.id, sent.id)
    assert (taken.state, first.handed) == (S.TAKEN_BACK, {})
    kept = await bench.controls.talk.steer(task.id, "This one stays")
    first.withdrawable = False
    with pytest.raises(Conflict, match="next pause"):
        await bench.controls.talk.take_back(task.id, kept.id)
    with pytest.raises(NotFound):
        await bench.controls.talk.take_back(task.id, "none")
    first.take_in(kept.id)
    first.end()
    await bench.rest(task, TaskStatus.COMPLETE)
    assert await states(bench, task) == [S.TAKEN_BACK, S.DELIVERED]


async def test_after_a_stop_the_words_come_back_and_one_composer_gets_them(bench: Workbench) -> None:
    """RPL-8"""
    _, task, _ = await in_its_turn(bench, steerable=False)
    sent = await bench.controls.talk.steer(task.id, "Use tabs")
    await bench.controls.cancel(task.id)
    assert await states(bench, task) == [S.RETURNED]
    assert "steering.returned" in await bench.types(task.id)
    await bench.controls.talk.take_back(task.id, sent.id)
    with pytest.raises(Conflict):
        await bench.controls.talk.take_back(task.id, sent.id)
    with pytest.raises(IllegalTransition, match="its own task"):
        await bench.controls.talk.steer(task.id, "Too late")


async def test_a_message_waits_through_a_question_and_is_told_after_the_answer(bench: Workbench) -> None:
    """RPL-8"""
    agent, task, first = await in_its_turn(bench, steerable=False)
    await bench.controls.talk.steer(task.id, "Use tabs")
    first.say(Ended("asked", "Which?", "Which?"))
    await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
    assert await states(bench, task) == [S.WAITING]
    await bench.controls.reply(task.id, "The first")
    second = await agent.turn(2)
    assert (second.request.resume, second.request.reply) == ("conversation", "The first")
    # The answer alone reaches an open conversation, so the message must not count as told with it.
    assert "Use tabs" not in second.request.prompt
    second.end()
    third = await agent.turn(3)
    assert "Use tabs" in third.request.prompt
    third.end()
    await bench.rest(task, TaskStatus.COMPLETE)
    assert await states(bench, task) == [S.DELIVERED]


async def test_a_replay_tells_again_what_was_sent_meanwhile(bench: Workbench) -> None:
    """RPL-8 WEB-5"""
    agent, task, first = await in_its_turn(bench)
    sent = await bench.controls.talk.steer(task.id, "Use tabs")
    first.take_in(sent.id)
    first.say(Ended("crashed", message="gone"))
    assert (await bench.rest(task)).awaiting is Awaiting.INTERRUPTED
    await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
    second = await agent.turn(2)
    assert second.request.prompt.count("Use tabs") == 1
    second.end()
    await bench.rest(task, TaskStatus.COMPLETE)


async def test_what_comes_while_the_checks_run_is_told_before_the_task_is_called_done(
    bench: Workbench, tmp_path: Path
) -> None:
    """RPL-8 TSK-4"""
    gate = tmp_path / "gate"
    (bench.repo / "agent.yaml").write_text(f"verification:\n  - {{name: gate, command: [cat, '{gate}']}}\n")
    os.mkfifo(gate)
    agent, task, first = await in_its_turn(bench)
    (bench.repo / "new.txt").write_text("x\n")
    first.end()
    await bench.until(lambda c: any(s.kind is StepKind.VERIFY for s in steps.of_task(c, task.id)))
    sent = await bench.controls.talk.steer(task.id, "One more thing")
    assert sent.state is S.WAITING
    await asyncio.to_thread(gate.write_text, "go")
    second = await agent.turn(2)
    assert (second.request.role, "One more thing" in second.request.prompt) == ("edit", True)
    second.end()
    await bench.until(lambda c: sum(s.kind is StepKind.VERIFY for s in steps.of_task(c, task.id)) == 2)
    await asyncio.to_thread(gate.write_text, "go")
    third = await agent.turn(3)
    assert third.request.role == "summarise"
    third.end("All good.")
    done = await bench.rest(task, TaskStatus.COMPLETE)
    assert done.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("in_prompt", "log", "expected"),
    [
        (False, '{"type": "steered", "id": "%s"}\n', S.DELIVERED),
        (False, '{"type": "text"}\n', S.WAITING),
        (False, "", S.WAITING),
        (False, None, S.WAITING),
        (True, '{"type": "session"}\n', S.DELIVERED),
        (True, "", S.WAITING),
    ],
)
async def test_after_a_kill_the_runs_own_log_decides(
    bench: Workbench, tmp_path: Path, in_prompt: bool, log: str | None, expected: SteerState
) -> None:
    """RPL-8"""
    _, task, turn = await in_its_turn(bench, steerable=False)
    message = await bench.controls.talk.steer(task.id, "Use tabs")
    # While it runs, the turn itself may still be offered the message.
    turn.say(Ended("asked", "Which?", "Which?"))
    await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
    path = tmp_path / "spawn.log"
    if log is not None:
        path.write_text(log % message.id if "%s" in log else log)
    step = Step(uuid4().hex, task.id, 1, 99, StepKind.EDIT, "", bench.clock.now(), log_path=str(path))
    await bench.store.write(lambda tx: steps.start(tx, step))
    handed = {"step_id": step.id, "in_prompt": in_prompt}
    await bench.store.write(lambda tx: steering.move(tx, message.id, [S.WAITING], S.HANDED, **handed))
    await engine.recover(bench.runtime)
    assert await states(bench, task) == [expected]
    said = [reply.content for reply in (await bench.task(task.id)).replies]
    assert said == (["Use tabs"] if expected is S.DELIVERED else [])


async def test_the_rehearsal_agent_takes_messages_in_between_its_steps(bench: Workbench) -> None:
    """RPL-8"""
    _, task = await bench.begin("[[told]]")
    await bench.until_event("step.tool_started", task.id)
    gone = await bench.controls.talk.steer(task.id, "Not this")
    sent = await bench.controls.talk.steer(task.id, "Use tabs")
    assert (gone.state, sent.state) == (S.HANDED, S.HANDED)
    await bench.controls.talk.take_back(task.id, gone.id)
    (bench.repo / "ignored" / "go").touch()
    done = await bench.rest(task, TaskStatus.COMPLETE)
    assert (bench.repo / "told.txt").read_text() == "Use tabs\n"
    assert await states(bench, task) == [S.TAKEN_BACK, S.DELIVERED]
    assert "Taken in: Use tabs" in done.output
    assert "Not this" not in done.output


async def test_the_rehearsal_agent_is_interrupted_and_goes_on_where_it_was(bench: Workbench) -> None:
    """RPL-8"""
    _, task = await bench.begin("[[interrupted]]")
    await bench.until_event("step.tool_started", task.id, count=2)
    sent = await bench.controls.talk.steer(task.id, "Now")
    await bench.controls.talk.send_now(task.id, sent.id)
    await bench.until_event("steering.delivered", task.id)
    (bench.repo / "ignored" / "go").touch()
    await bench.rest(task, TaskStatus.COMPLETE)
    assert (bench.repo / "told.txt").read_text() == "end\n"
    assert [s.outcome for s in await bench.store.read(lambda c: steps.of_task(c, task.id))] == ["steered", "done"]
