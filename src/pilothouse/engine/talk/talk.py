"""What a person says to a task: answers to a form, decisions about permissions, and words while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from pilothouse.domain.event.talk import PermissionRevoked, SteeringQueued, SteeringTakenBack
from pilothouse.domain.event.task import TaskReplied
from pilothouse.domain.talk.permissions import Decided, DecisionChoice, Grant, plan_call
from pilothouse.domain.talk.steering import OPEN, SteerMessage, SteerState
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import Awaiting, Reply, Task, TaskStatus, state_words
from pilothouse.engine.runner import Runner
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.talk import permissions
from pilothouse.engine.talk import questions as asking
from pilothouse.engine.talk.steering import Live
from pilothouse.engine.transition import Move
from pilothouse.errors import Conflict, IllegalTransition
from pilothouse.store.database import Tx
from pilothouse.store.talk import grants, questions, steering
from pilothouse.store.task import tasks
from pilothouse.words import say

_S = SteerState


class Talk:
    def __init__(self, runtime: Runtime, runner: Runner) -> None:
        self._runtime = runtime
        self._runner = runner

    async def reply(self, task_id: str, text: str, attempt: int | None = None) -> tuple[Task, Task]:
        """Answer a waiting task in words; it continues in its old place of the queue."""
        self._runtime.require_recovered()
        return await self._runtime.move(task_id, lambda tx, before: _reply(tx, before, text), attempt)

    async def answer(self, task_id: str, given: Mapping[str, str], attempt: int | None = None) -> tuple[Task, Task]:
        """Fill in the form a task put up, or approve its plan."""
        self._runtime.require_recovered()
        return await self._runtime.move(task_id, lambda tx, before: _answer(tx, before, given), attempt)

    async def permit(
        self, task_id: str, choice: DecisionChoice, reason: str, attempt: int | None = None
    ) -> tuple[Task, Task]:
        self._runtime.require_recovered()
        return await self._runtime.move(task_id, lambda tx, before: _permit(tx, before, choice, reason), attempt)

    async def revoke(self, session_id: str, grant_id: str) -> Grant:
        """What was allowed for a session is asked for again, also in a run that is under way."""

        def write(tx: Tx) -> tuple[Grant, bool]:
            grant = grants.revoke(tx, session_id, grant_id)
            tx.emit(PermissionRevoked(grant_id=grant.id, grant=grant.name), session_id=session_id)
            return grant, grant.name in {held.name for held in grants.of_session(tx.conn, session_id)}

        revoked, given_twice = await self._runtime.store.write(write)
        if not given_twice:
            await self._runtime.revoke(session_id, revoked.name)
        return revoked

    async def steer(self, task_id: str, text: str) -> SteerMessage:
        """Send a message to a task that runs; it goes to the agent as soon as that can take it."""

        def write(tx: Tx) -> SteerMessage:
            task = tasks.require(tx.conn, task_id)
            if task.status is not TaskStatus.RUNNING:
                state = state_words(task.status, task.awaiting)
                raise IllegalTransition(say("task.hears_nothing", state=state), {"status": task.status})
            sent = SteerMessage(uuid4().hex, task.session_id, task.id, text, tx.now)
            added = steering.add(tx, sent)
            tx.emit(SteeringQueued(message_id=added.id, text=text), session_id=task.session_id, task_id=task.id)
            return added

        added = await self._runtime.store.write(write)
        live = self._live(task_id)
        if live:
            await live.hand_over()
        return await self._runtime.store.read(lambda c: steering.require(c, task_id, added.id))

    async def send_now(self, task_id: str, message_id: str) -> SteerMessage:
        """Interrupt the turn so that the agent hears it at once; between turns it is the next thing it hears anyway."""
        message = await self._runtime.store.read(lambda c: steering.require(c, task_id, message_id))
        if not message.is_unheard:
            raise Conflict(say("steering.settled"), {"state": message.state})
        live = self._live(task_id)
        if live:
            await live.interrupt()
        return await self._runtime.store.read(lambda c: steering.require(c, task_id, message_id))

    async def take_back(self, task_id: str, message_id: str) -> SteerMessage:
        """Take a message back before the agent took it in, or out of a task that ended before it did."""
        message = await self._runtime.store.read(lambda c: steering.require(c, task_id, message_id))
        live = self._live(task_id)
        if message.state is _S.HANDED and live and not await live.withdraw(message_id):
            raise Conflict(say("steering.reads_it"), {"state": "handed"})

        def write(tx: Tx) -> SteerMessage:
            taken = steering.require_move(tx, message_id, (*OPEN, _S.RETURNED), _S.TAKEN_BACK)
            told = SteeringTakenBack(message_id=taken.id, text=taken.text)
            tx.emit(told, session_id=taken.session_id, task_id=taken.task_id)
            return taken

        return await self._runtime.store.write(write)

    def _live(self, task_id: str) -> Live | None:
        run = self._runner.dispatcher.run_of(task_id)
        return run.live if run else None


def _reply(tx: Tx, before: Task, text: str) -> Move:
    given = Reply(text, tx.now, before.question or "", before.attempt)
    asked = questions.open_of_task(tx.conn, before.id) if before.awaiting is Awaiting.QUESTION else []
    changes: dict[str, object] = {"pending_reply": _pending(before, text), "replies": (*before.replies, given)}
    if before.plan is not None:
        changes["pending_decision"] = _on_plan(tx, before, text)
    elif len(asked) == 1 and asked[0].number:
        changes["pending_answers"] = {asked[0].text: text}
    told = TaskReplied(attempt=before.attempt, reply=text, question=given.question)
    answers = {question.id: text for question in asked}
    return Move(action=Action.REPLY, changes=changes, answers=answers, events=(told,))


def _pending(before: Task, text: str) -> str:
    """A reply that was pending when the agent was cut off may not have been taken in: it goes along."""
    return f"{before.pending_reply}\n\n{text}" if before.pending_reply else text


def _on_plan(tx: Tx, task: Task, text: str) -> Decided:
    """A plan is no tool: it has no name, and is decided about all the same."""
    approved, call = text == asking.APPROVED, plan_call(task.plan or "")
    return Decided("once" if approved else "deny", tx.now, "", "", "" if approved else text, task.attempt, call=call)


def _answer(tx: Tx, before: Task, given: Mapping[str, str]) -> Move:
    asked = questions.open_of_task(tx.conn, before.id) if before.awaiting is Awaiting.QUESTION else []
    if not asked:
        raise IllegalTransition(say("task.no_questions"), {"status": before.status, "awaiting": before.awaiting})
    answers = asking.checked(asked, given)
    words = asking.in_words(asked, answers)
    if len(asked) == 1:
        return _reply(tx, before, words)
    said = tuple(Reply(answers[q.id], tx.now, q.text, before.attempt) for q in asked)
    changes = {
        "pending_reply": _pending(before, words),
        "pending_answers": {question.text: answers[question.id] for question in asked},
        "replies": (*before.replies, *said),
    }
    told = [TaskReplied(attempt=before.attempt, reply=reply.content, question=reply.question) for reply in said]
    return Move(action=Action.REPLY, changes=changes, answers=answers, events=told)


def _permit(tx: Tx, before: Task, choice: DecisionChoice, reason: str) -> Move:
    wanted = before.permission
    tool, detail = (wanted.tool, wanted.detail) if wanted else ("", "")
    call = wanted.call if wanted else ""
    decided = Decided(choice, tx.now, tool, detail, reason, before.attempt, call=call)
    grant = None
    if wanted and choice == "session":
        name = wanted.grant or wanted.tool
        grant = Grant(uuid4().hex, before.session_id, before.id, name, tool, detail, tx.now)
    changes = {
        "pending_reply": _pending(before, decided.words),
        "pending_decision": decided,
        "decisions": (*before.decisions, decided),
    }
    return Move(action=Action.PERMIT, changes=changes, grants=grant, events=(permissions.told_of(decided),))
