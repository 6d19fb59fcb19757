"""The real program uses the workbench's own tools, over a real port."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Awaiting, TaskStatus
from pilothouse.workflows.chat import Message, Opening
from tests.real_agent.messages_api import say, use
from tests.real_agent.workshop import Workshop
from tests.server.web import services_of, serving
from tests.workbench import Workbench, make_repository

STEPS = ["Look", "Ask"]
QUESTION = {"text": "Flat or nested?", "options": [{"label": "Flat"}, {"label": "Nested"}]}


async def test_the_real_program_plans_asks_and_goes_on_with_the_answer(workshop: Workshop, tmp_path: Path) -> None:
    """BYD-13"""
    repo = make_repository(tmp_path / "repo")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        bench.runtime.agents = {workshop.agent.name: workshop.agent}
        async with serving(services_of(bench)):
            workshop.api.next(
                use("mcp__workbench__plan", steps=STEPS),
                use("mcp__workbench__step_done", step=1),
                use("mcp__workbench__decide", questions=[QUESTION]),
                say("I have asked."),
            )
            message = Message("Arrange it.", agent=workshop.agent.name)
            _, task = await bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message))
            assert task is not None
            asked = await bench.rest(task)
            assert (asked.status, asked.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.QUESTION), asked
            assert [(item.title, item.done) for item in asked.checklist] == [("Look", True), ("Ask", False)]
            called = [event.data.tool for event in bench.heard if event.type == "workbench.called"]
            assert called == ["plan", "step_done", "decide"]
            workshop.api.next(use("mcp__workbench__step_done", step=2), say("Nested it is."))
            await bench.controls.reply(task.id, "Nested")
            done = await bench.rest(task, TaskStatus.COMPLETE)
            assert done.output == "Nested it is."
            assert all(item.done for item in done.checklist)
