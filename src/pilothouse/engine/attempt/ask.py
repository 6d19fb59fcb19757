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

from pilothouse.domain.agent import prompts
from pilothouse.domain.ports import Ended
from pilothouse.domain.talk.answers import asked_for, invalid, read_answer
from pilothouse.domain.task.task import AttemptMode, StepKind, Task
from pilothouse.engine.agents import choice
from pilothouse.engine.attempt import outcome, spawn
from pilothouse.engine.attempt.context import Began, Context, Turn
from pilothouse.engine.attempt.ending import Answered, Result, Unreadable
from pilothouse.engine.attempt.finished import Finished, Spoken
from pilothouse.engine.talk import permissions
from pilothouse.engine.workspace import leftovers
from pilothouse.git.model import Checkpoint, DiffStat
from pilothouse.git.scratch import Scratch
from pilothouse.words import say

TRIES = 3
PROBLEMS = 5
"""How many of an answer's faults are named."""


async def ask(began: Began) -> Result:
    task, taken = began.task, began.checkpoint
    async with _reading_place(began.context, task, taken) as cx:
        turn = _first_turn(cx, task)
        for number in range(1, TRIES + 1):
            spoken = await spawn.run(cx, task, turn)
            finished, ended = await _finished(cx, spoken, taken), spoken.ended
            if spoken.stop or ended.outcome != "done" or ended.blocker:
                return Result(finished)
            answer, problems = judged(task, ended)
            if not problems:
                return Result(finished, Answered(answer))
            if number == TRIES:
                return Result(finished, Unreadable(tuple(problems)))
            task = (await outcome.record(cx.runtime, finished, pending_reply=None)).task
            prompt = prompts.continuation(task, ended.text, invalid(problems))
            turn = replace(
                turn, prompt=prompt, number=number + 1, resume=task.agent_session, reply=None, answers={}, decision=None
            )
    raise AssertionError("the last try returns")


def judged(task: Task, ended: Ended) -> tuple[dict[str, Any] | None, list[str]]:
    """The answer, and what is wrong with it. Without a schema the agent's words are the answer."""
    if task.answer_schema is None:
        return None, []
    given = ended.answer if ended.answer is not None else read_answer(ended.text)
    if given is None:
        return None, [say("attempt.no_answer")]
    faults = Draft202012Validator(task.answer_schema).iter_errors(dict(given))
    problems = [f"{fault.json_path}: {fault.message}" for fault in sorted(faults, key=lambda one: one.json_path)]
    return dict(given), problems[:PROBLEMS]


def _first_turn(cx: Context, task: Task) -> Turn:
    reply = task.pending_reply if cx.mode in (AttemptMode.REPLY, AttemptMode.SOFT) else None
    wanted = [asked_for(task.answer_schema)] if task.answer_schema is not None else []
    if reply is None:
        prompt = "\n".join([prompts.asking(task), *wanted])
    else:
        prompt = "\n".join([prompts.continuation(task, task.output, reply), *wanted])
    turn = Turn(StepKind.ASK, prompt, "ask", resume=cx.resume, reply=reply, read_only=True, milestone="asking")
    return permissions.answering(turn, task)


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
