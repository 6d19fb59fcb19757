"""Going on without the person: with what they said before, or with what they sent while the agent worked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from pilothouse.domain import prompts
from pilothouse.domain.events import TaskReplied
from pilothouse.domain.permissions import Decided, recorded_decision
from pilothouse.domain.ports import Agents
from pilothouse.domain.replay import recorded_answer
from pilothouse.domain.tasks import AttemptMode, Reply, StepKind, Task, TaskStatus
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.steps import Steps, Turn
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.talk import permissions as permitting
from pilothouse.engine.talk import questions as asking
from pilothouse.engine.talk import steering
from pilothouse.engine.workspace import rollback
from pilothouse.store import attempts, rollbacks, tasks
from pilothouse.store.database import Tx

GO_ON = "Go on with the task, taking into account what the person sent meanwhile."


@dataclass(frozen=True, slots=True)
class Again:
    """What the person answered before, to be given once more."""

    words: str
    replies: tuple[Reply, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    decided: Decided | None = None


def thread(c: Connection, agents: Agents, task: Task) -> str | None:
    """The agent's conversation that a new message of a thread goes on in.

    Only where the message before it was done there and is still as it was left: an agent that remembers work which
    was rolled back, or only proposed, believes in files that are not there.
    """
    agent = agents.get(task.agent)
    if agent is None or not agent.remembers or task.options.dry_run:
        return None
    last = tasks.before_in_session(c, task)
    if last is None or last.agent != task.agent or last.status is not TaskStatus.COMPLETE:
        return None
    taken_back, newest = rollbacks.newest_undoable(c, last.id), attempts.get(c, last.id, last.attempt)
    gone = taken_back and not taken_back.replay and newest and taken_back.at > newest.started_at
    return None if gone or last.options.dry_run else last.agent_session


async def turn_after(steps: Steps, finished: Finished, turn: Turn, scouts: Scouts) -> Turn | None:
    """The turn that follows by itself; None where the attempt's own course, or the person, comes next."""
    if finished.stop:
        return None
    again = await _recorded(steps, finished)
    if again:
        return await _answer_again(steps, finished, turn, again, scouts)
    cut = finished.step.outcome == steering.STEERED
    if cut or (finished.plain and await steering.waits(steps.runtime, steps.task)):
        return await steered_turn(steps, finished, turn, scouts)
    return None


async def steered_turn(steps: Steps, finished: Finished, turn: Turn, scouts: Scouts) -> Turn:
    """Close what was done so far, and let the agent hear what waits; the prompt gets it when the step begins."""
    unheard = finished.ended.unheard
    if not finished.recorded:
        used_up = {} if unheard else {"pending_reply": None}
        steps.task, _ = await outcome.record(steps.runtime, steps.task, finished, **used_up)
    if unheard:
        # Cut before the agent was told anything: it is told the same again, and what waits with it.
        return turn
    task = steps.task
    prompt = prompts.continuation(task, finished.ended.text or task.output, GO_ON, await scouts.sections())
    if finished.step.outcome == steering.STEERED:
        return Turn(turn.kind, prompt, turn.role, turn.number, task.agent_session, milestone=turn.milestone)
    number = turn.number + 1 if turn.kind is StepKind.EDIT else 2
    return Turn(StepKind.EDIT, prompt, number=number, resume=task.agent_session)


async def _recorded(steps: Steps, finished: Finished) -> Again | None:
    wants = finished.ended.outcome == "permission"
    if not wants and not finished.question:
        return None
    task = steps.task
    # What was allowed once may have been done: only a replay from the beginning does it again.
    repeats = (AttemptMode.ROLLBACK,) if wants else rollback.REPEATS
    since = await steps.runtime.store.read(lambda c: rollback.replay_began(c, task.id, repeats))
    if since is None:
        return None
    if wants:
        asked = permitting.asked(finished.ended)
        decided = recorded_decision(task.decisions, since, asked)
        return Again(decided.words, decided=replace(decided, call=asked.call)) if decided else None
    return _recorded_reply(task.replies, since, finished)


def _recorded_reply(replies: tuple[Reply, ...], since: int, finished: Finished) -> Again | None:
    asked = finished.ended.questions
    found = finished.question
    whole = recorded_answer(replies, since, found.question) if found else None
    if whole:
        answers = {asked[0].text: whole.content} if len(asked) == 1 else {}
        decided = None
        if finished.ended.plan is not None:
            approved = whole.content == asking.APPROVED
            decided = Decided("once" if approved else "deny", whole.at, "", "", "" if approved else whole.content)
        return Again(whole.content, (whole,), answers, decided)
    each = [recorded_answer(replies, since, question.text) for question in asked]
    given = [reply for reply in each if reply]
    if not given or len(given) < len(asked):
        return None
    answers = {question.text: reply.content for question, reply in zip(asked, given, strict=True)}
    words = "\n\n".join(f"{question}\n{answer}" for question, answer in answers.items())
    return Again(words, tuple(given), answers)


async def _answer_again(steps: Steps, finished: Finished, turn: Turn, again: Again, scouts: Scouts) -> Turn:
    """A replay asked what the person had answered before: give the recorded answer, and say so."""
    runtime, task = steps.runtime, steps.task
    now = runtime.clock.now()
    given = tuple(Reply(reply.content, now, reply.question, task.attempt, replayed=True) for reply in again.replies)
    decisions = task.decisions
    if again.decided and not given:
        decided = replace(again.decided, at=now, attempt=task.attempt, replayed=True)
        decisions = (*decisions, decided)

    def tell(tx: Tx) -> None:
        if not given:
            permitting.tell_asked(tx, task, permitting.asked(finished.ended))
            permitting.tell_decided(tx, task, decisions[-1])
            return
        if finished.question:
            for question in asking.record_question(tx, task, finished.ended, finished.question):
                answer = again.answers.get(question.text, again.words)
                asking.answer_question(tx, task, question.id, answer, replayed=True)
        for reply in given:
            told = TaskReplied(attempt=task.attempt, reply=reply.content, question=reply.question, replayed=True)
            outcome.emit(tx, task, told)

    changes = {"replies": (*task.replies, *given), "decisions": decisions}
    steps.task, _ = await outcome.record(runtime, task, finished, tell, **changes)
    await runtime.milestone(steps.task, "replayed")
    prompt = prompts.continuation(steps.task, finished.ended.text, again.words, await scouts.sections())
    answer = again.decided
    return replace(
        turn,
        prompt=prompt,
        resume=steps.task.agent_session,
        reply=again.words if given else None,
        answers=again.answers,
        decision=permitting.decision(answer) if answer else None,
    )
