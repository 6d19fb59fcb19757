"""The course of an ask: a read-only turn whose answer has the shape its schema says.

It runs no checks, changes nothing and holds nothing. An answer that does not fit is asked for again, twice; then the
person sees it as it is, and can say how to go on. A replay asks the person anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from jsonschema import Draft202012Validator
from referencing.exceptions import Unresolvable

from pilothouse.domain.agent import prompts
from pilothouse.domain.ports import Ended
from pilothouse.domain.talk.answers import as_given, asked_for, invalid, read_answer
from pilothouse.domain.task.task import AttemptMode, StepKind, Task
from pilothouse.engine.agents import choice
from pilothouse.engine.attempt import compaction, outcome, spawn
from pilothouse.engine.attempt.context import Began, Context, Turn
from pilothouse.engine.attempt.ending import Answered, Result, Unreadable
from pilothouse.engine.attempt.finished import Finished, Spoken
from pilothouse.engine.talk import permissions
from pilothouse.engine.workspace import leftovers
from pilothouse.errors import BadConfiguration
from pilothouse.git.model import Checkpoint, DiffStat
from pilothouse.git.scratch import Scratch
from pilothouse.words import say

TRIES = 3
PROBLEMS = 5
"""How many of an answer's faults are named."""


async def ask(began: Began) -> Result:
    task, taken, number = began.task, began.checkpoint, 1
    async with _reading_place(began.context, task, taken) as cx:
        turn = _first_turn(cx, task)
        while True:
            spoken = await spawn.run(cx, task, turn)
            finished, ended = await _finished(cx, spoken, taken), spoken.ended
            if following := await compaction.again(cx, finished, turn):
                task, turn = following
                continue
            if spoken.stop or ended.outcome != "done" or ended.blocker:
                return Result(finished)
            answer, problems = judged(task, ended)
            if not problems:
                return Result(finished, Answered(answer))
            finished = _with_answer_in_words(finished)
            if number == TRIES:
                return Result(finished, Unreadable(tuple(problems)))
            task, number = (await outcome.record(cx.runtime, finished, pending_reply=None)).task, number + 1
            turn = _turn(_prompt(task, finished.ended.text, invalid(problems)), task.agent_session, number)


def judged(task: Task, ended: Ended) -> tuple[dict[str, Any] | None, list[str]]:
    """The answer, and what is wrong with it. Without a schema the agent's words are the answer."""
    if task.answer_schema is None:
        return None, []
    given = ended.answer if ended.answer is not None else read_answer(ended.text)
    if given is None:
        return None, [say("attempt.no_answer")]
    try:
        faults = sorted(
            Draft202012Validator(task.answer_schema).iter_errors(dict(given)), key=lambda one: one.json_path
        )
    except Unresolvable as error:
        raise BadConfiguration(say("task.bad_schema", problem=str(error))) from error
    problems = [f"{fault.json_path}: {fault.message}" for fault in faults]
    return dict(given), problems[:PROBLEMS]


def _first_turn(cx: Context, task: Task) -> Turn:
    reply = task.pending_reply if cx.mode in (AttemptMode.REPLY, AttemptMode.SOFT) else None
    prompt = _prompt(task) if reply is None else _prompt(task, task.output, reply)
    return permissions.answering(replace(_turn(prompt, cx.resume), reply=reply), task)


def _turn(prompt: str, resume: str | None, number: int = 1) -> Turn:
    return Turn(StepKind.ASK, prompt, "ask", number, resume, read_only=True, milestone="asking")


def _prompt(task: Task, previous_output: str = "", reply: str | None = None) -> str:
    """Whole each time: the conversation may not be there any more."""
    said = [] if reply is None else prompts.exchange(previous_output, reply)
    wanted = [asked_for(task.answer_schema)] if task.answer_schema is not None else []
    return "\n".join([*prompts.asking(task), *said, *wanted])


def _with_answer_in_words(finished: Finished) -> Finished:
    """An answer by the tool that did not fit, as part of what was said: the agent and the person are shown it."""
    words = as_given(finished.ended.text, finished.ended.answer)
    return replace(finished, ended=replace(finished.ended, text=words), step=replace(finished.step, answer=words))


@asynccontextmanager
async def _reading_place(cx: Context, task: Task, taken: Checkpoint) -> AsyncIterator[Context]:
    """The workspace itself, or a copy if the agent cannot be kept read-only."""
    name, _, _ = cx.assigned.post("ask", read_only=True)
    if choice.known(cx.runtime, name).enforces_read_only:
        yield cx
        return
    folder = cx.runtime.settings.data_dir / "scratch" / f"{task.id}-ask"
    async with cx.runtime.lock(cx.workspace.id):
        scratch = await cx.runtime.on_tree(cx.workspace, lambda tree: Scratch.make(tree, taken.commit, folder))
    try:
        yield replace(cx, place=scratch.root)
    finally:
        await asyncio.to_thread(scratch.remove)


async def _finished(cx: Context, spoken: Spoken, taken: Checkpoint) -> Finished:
    """Nothing is measured: nothing can have changed."""
    ended, now = spoken.ended, cx.runtime.clock.now()
    if not ended.left:
        async with cx.runtime.lock(cx.workspace.id):
            await leftovers.free(cx.runtime, cx.workspace, spoken.step.started_at)
    step = replace(
        spoken.step,
        finished_at=now,
        outcome=spoken.step.outcome or spoken.stop or ended.outcome,
        detail=ended.message,
        exit_code=ended.exit_code,
        checkpoint=taken.commit,
    )
    return Finished(spoken.task, step, ended, spoken.stop, taken, DiffStat((), 0, 0), changed=False, hold=spoken.hold)
