"""One turn of the agent that edits, and the turns that follow it by themselves: with what the person said before, or
sent while the agent worked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pilothouse.domain.agent import prompts
from pilothouse.domain.event.task import TaskReplied
from pilothouse.domain.talk.permissions import Decided, recorded_decision
from pilothouse.domain.talk.questions import recorded_answer
from pilothouse.domain.task.task import AttemptMode, Reply, StepKind, Task
from pilothouse.engine.attempt import compaction, measure, outcome, spawn
from pilothouse.engine.attempt.context import Context, Turn
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.talk import markers, permissions, questions, steering
from pilothouse.engine.transition import answer_question, emit, record_questions, tell_permission_asked
from pilothouse.engine.workspace import rollback
from pilothouse.git.model import Checkpoint
from pilothouse.store.database import Tx

GO_ON = "Go on with the task, taking into account what the person sent meanwhile."


async def take(cx: Context, task: Task, turn: Turn, before: Checkpoint, scouts: Scouts) -> Finished:
    """Ask, then ask again while recorded answers or new messages wait for the agent."""
    while True:
        spoken = await spawn.run(cx, task, turn)
        finished = await measure.finish(cx, await markers.understood(cx, spoken, before), before)
        following = await compaction.again(cx, finished, turn)
        following = following or await _turn_after(cx, finished, turn, scouts)
        if following is None:
            return finished
        task, turn = following
        before = finished.checkpoint


@dataclass(frozen=True, slots=True)
class Again:
    """What the person answered before, to be given once more."""

    words: str
    replies: tuple[Reply, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    decided: Decided | None = None


async def _turn_after(cx: Context, finished: Finished, turn: Turn, scouts: Scouts) -> tuple[Task, Turn] | None:
    """The next turn; None if the course of the attempt or the person comes next."""
    if finished.stop:
        return None
    again = await _recorded(cx, finished)
    if again:
        return await _answer_again(cx, finished, turn, again, scouts)
    cut = finished.step.outcome == steering.STEERED
    if cut or (finished.plain and await steering.waits(cx.runtime, finished.task)):
        return await steered_turn(cx, finished, turn, scouts)
    return None


async def steered_turn(cx: Context, finished: Finished, turn: Turn, scouts: Scouts) -> tuple[Task, Turn]:
    """Close what was done so far, and let the agent hear what waits; the prompt gets it when the step begins."""
    unheard = finished.ended.unheard
    if not finished.recorded:
        used_up = {} if unheard else {"pending_reply": None}
        finished = await outcome.record(cx.runtime, finished, **used_up)
    task = finished.task
    if unheard:
        # Interrupted before the prompt was sent: send it again, with waiting messages.
        return task, turn
    prompt = prompts.continuation(task, finished.ended.text or task.output, GO_ON, await scouts.sections(task))
    if finished.step.outcome == steering.STEERED:
        return task, Turn(turn.kind, prompt, turn.role, turn.number, task.agent_session, milestone=turn.milestone)
    number = turn.number + 1 if turn.kind is StepKind.EDIT else 2
    return task, Turn(StepKind.EDIT, prompt, number=number, resume=task.agent_session)


async def _recorded(cx: Context, finished: Finished) -> Again | None:
    wants = finished.ended.outcome == "permission"
    if not wants and not finished.question:
        return None
    task = finished.task
    # What was allowed once may have been done: only a replay from the beginning does it again.
    repeats = (AttemptMode.ROLLBACK,) if wants else rollback.REPEATS
    since = await cx.runtime.store.read(lambda c: rollback.replay_began(c, task.id, repeats))
    if since is None:
        return None
    if wants:
        wanted = permissions.wanted(finished.ended)
        decided = recorded_decision(task.decisions, since, wanted)
        return Again(decided.words, decided=replace(decided, call=wanted.call)) if decided else None
    return _recorded_reply(task.replies, since, finished)


def _recorded_reply(replies: tuple[Reply, ...], since: int, finished: Finished) -> Again | None:
    asked = finished.ended.questions
    found = finished.question
    whole = recorded_answer(replies, since, found.question) if found else None
    if whole:
        answers = {asked[0].text: whole.content} if len(asked) == 1 else {}
        decided = None
        if finished.ended.plan is not None:
            approved = whole.content == questions.APPROVED
            decided = Decided("once" if approved else "deny", whole.at, "", "", "" if approved else whole.content)
        return Again(whole.content, (whole,), answers, decided)
    each = [recorded_answer(replies, since, question.text) for question in asked]
    given = [reply for reply in each if reply]
    if not given or len(given) < len(asked):
        return None
    answers = {question.text: reply.content for question, reply in zip(asked, given, strict=True)}
    words = "\n\n".join(f"{question}\n{answer}" for question, answer in answers.items())
    return Again(words, tuple(given), answers)


async def _answer_again(cx: Context, finished: Finished, turn: Turn, again: Again, scouts: Scouts) -> tuple[Task, Turn]:
    """A replay asked what the person had answered before: give the recorded answer, and say so."""
    runtime, task = cx.runtime, finished.task
    now = runtime.clock.now()
    given = tuple(Reply(reply.content, now, reply.question, task.attempt, replayed=True) for reply in again.replies)
    decisions = task.decisions
    if again.decided and not given:
        decisions = (*decisions, replace(again.decided, at=now, attempt=task.attempt, replayed=True))

    def tell(tx: Tx) -> None:
        if not given:
            tell_permission_asked(tx, task, permissions.wanted(finished.ended))
            emit(tx, task, permissions.told_of(decisions[-1]))
            return
        if finished.question:
            asked = questions.asked_by(task, finished.ended, finished.question, tx.now)
            record_questions(tx, task, asked)
            for question in asked:
                answer = again.answers.get(question.text, again.words)
                answer_question(tx, task, question.id, answer, replayed=True)
        for reply in given:
            told = TaskReplied(attempt=task.attempt, reply=reply.content, question=reply.question, replayed=True)
            emit(tx, task, told)

    changes = {"replies": (*task.replies, *given), "decisions": decisions}
    task = (await outcome.record(runtime, finished, tell, **changes)).task
    await runtime.milestone(task, "replayed")
    prompt = prompts.continuation(task, finished.ended.text, again.words, await scouts.sections(task))
    answer = again.decided
    return task, replace(
        turn,
        prompt=prompt,
        resume=task.agent_session,
        reply=again.words if given else None,
        answers=again.answers,
        decision=permissions.decision(answer) if answer else None,
    )
