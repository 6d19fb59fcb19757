"""What a person allowed once is done once: going on with kept changes asks for it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pilothouse.domain.ports import Decision, Ended, Permission
from pilothouse.domain.task.task import Awaiting, ResumeMode, TaskStatus
from tests.engine.listening import Listening
from tests.workbench import Workbench, make_repository

PUSH = Ended("permission", "May I?", permission=Permission("Bash", "git push", call="this one"))


async def test_allowed_once_is_asked_again_where_the_work_was_kept(tmp_path: Path) -> None:
    """GRD-7"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        agent = Listening()
        _, task = await agent.begin(bench)
        (await agent.turn(1)).say(PUSH)
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.talk.permit(task.id, "once", "")
        first = await agent.turn(2)
        assert first.request.decision == Decision("once", "", "Bash", "git push", "this one")
        first.say(Ended("crashed", message="It is gone."))
        await bench.until_event("attempt.finished", task.id, count=2)
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        second = await agent.turn(3)
        assert second.request.decision == replace(first.request.decision, told=True)
        second.say(PUSH)
        await bench.until_event("permission.asked", task.id, count=2)
        waiting = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert waiting.awaiting is Awaiting.PERMISSION
        assert len(agent.turns) == 3
        assert [decided.replayed for decided in waiting.decisions] == [False]
