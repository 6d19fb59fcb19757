"""Scouts: asked side by side, believed when their answer can be read, and harmless whatever they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.task import Awaiting, ResumeMode, Step, StepKind, Task, TaskStatus, Verdict
from pilothouse.process import strays
from pilothouse.process.environment import instance_of
from pilothouse.store.task import output, steps
from tests.engine.clocks import LiveClock
from tests.engine.scripted import ScriptedAgent
from tests.workbench import Workbench, git, make_repository, tree

MAP = """{"files": [{"path": "calc.py", "purpose": "adds numbers"}], "risks": ["rounding"]}"""
GUIDE = """{"build": [], "test": ["sh check.sh"], "cause": "the level is read too early", "flaky": false}"""
SCENARIOS = f"""
scenarios:
  told:
    steps: [write: {{path: level.txt, text: "9"}}, say: Done.]
    scout A: [say: 'The map is {MAP}']
    scout B: [say: '{GUIDE}']
  unprepared: [say: Done.]
  second-try:
    steps: [say: Done.]
    scout A: [say: "There is a file called calc.py."]
    scout A 2: [say: '{MAP}']
    scout B: [say: '{GUIDE}']
  never:
    steps: [say: Done.]
    scout A: [say: '{{"files": [{{"path": "calc.py"}}]}}']
    scout B: [ask: "Which tests do you mean?"]
  breaks:
    steps: [say: Done.]
    scout A: [crash: 3]
    scout B: [fail: No key.]
  writes:
    steps: [write: {{path: level.txt, text: "9"}}]
    scout A:
      - write: {{path: calc.py, text: "broken"}}
      - write: {{path: extra/new.txt, text: "x"}}
      - commit: Not mine to make
      - say: '{MAP}'
    scout B: [run: git status, say: '{GUIDE}']
  looks:
    steps: [say: Done.]
    scout A: [run: git status, say: '{MAP}']
    scout B: [run: "mkdir -p ignored && touch ignored/cache calc.py", say: '{GUIDE}']
  slow:
    steps: [say: Done.]
    scout A: [run: sleep 600]
    scout B: [write: {{path: half.txt, text: "x"}}, run: sleep 600]
  dies-behind:
    steps: [write: {{path: level.txt, text: "9"}}, crash: SIGKILL, say: Done.]
    scout A: [say: '{MAP}']
    scout B: [say: '{GUIDE}']
  same-line:
    steps: [write: {{path: level.txt, text: "0"}}]
    replan: [write: {{path: level.txt, text: "9"}}]
    scout A: [say: '{MAP}']
    scout B: [say: '{{"build": [], "test": ["sh check.sh"]}}']
    scout B 3: [say: '{GUIDE}']
  gets-on:
    steps: [write: {{path: level.txt, text: "0"}}]
    fix: [run: "echo $(( $(cat level.txt) + 1 )) > new && mv new level.txt"]
    replan: [write: {{path: level.txt, text: "9"}}]
  asks:
    steps: [ask: "How high?", write: {{path: level.txt, text: "9"}}]
    scout A: [say: '{MAP}']
    scout B: [say: '{GUIDE}']
"""
CHECK = """verification: [{name: level, command: 'cat level.txt; test "$(cat level.txt)" -ge 5'}]\n"""


async def opened(tmp_path: Path, config: str = CHECK, clock: LiveClock | None = None) -> Workbench:
    repo = tmp_path / "repo"
    if not repo.exists():
        make_repository(repo, SCENARIOS)
        (repo / "agent.yaml").write_text(config)
        git(repo, "add", "-f", "agent.yaml", ".pilothouse")
        git(repo, "commit", "-qm", "checks")
    return await Workbench.open(tmp_path / "data", repo, clock)


async def steps_of(bench: Workbench, task: Task) -> list[Step]:
    return await bench.store.read(lambda c: steps.of_task(c, task.id))


async def scouts_of(bench: Workbench, task: Task, name: str | None = None) -> list[Step]:
    found = await steps_of(bench, task)
    return [step for step in found if step.kind is StepKind.SCOUT and name in (None, step.name)]


async def prompt_of(bench: Workbench, task: Task, kind: StepKind = StepKind.EDIT) -> str:
    return next(step.prompt for step in reversed(await steps_of(bench, task)) if step.kind is kind)


def milestones(bench: Workbench) -> list[str]:
    return [event.data.text for event in bench.heard if event.type == "task.milestone"]


async def test_answers_reach_the_edit_and_stay_out_of_the_tasks_own_words(tmp_path: Path) -> None:
    """TSK-14, TSK-5"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("Raise it [[told]]\n\nConstraints:\n- Keep calc.py", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        prompt = await prompt_of(bench, task)
        for told in ("calc.py: adds numbers", "rounding", "sh check.sh", "Raise it", "Keep calc.py"):
            assert told in prompt
        first, second = await scouts_of(bench, task)
        assert [(s.number, s.name, s.outcome) for s in (first, second)] == [
            (1, "scout A", "done"), (2, "scout B", "done"),
        ]  # fmt: skip
        assert "Raise it" in first.prompt
        assert "Keep calc.py" in second.prompt
        assert "The map is" in first.answer
        assert first.log_path != second.log_path
        assert "The map is" in Path(first.log_path or "").read_text()
        written = await bench.store.read(lambda c: output.page(c, task.id, 1, 0, 100_000))
        assert "Done." in written[0]
        assert "The map is" not in written[0]
        told_of = milestones(bench)
        assert told_of.index("Asking scouts A and B") < told_of.index("Analysing the codebase")
        assert told_of.count("Asking scouts A and B") == 1


@pytest.mark.parametrize(
    ("project", "switch", "asked"),
    [("", None, 0), ("scouts: true\n", None, 2), ("scouts: true\n", False, 0), ("scouts: false\n", True, 2)],
)
async def test_the_switch_decides_then_the_project_and_else_there_are_none(
    tmp_path: Path, project: str, switch: bool | None, asked: int
) -> None:
    """TSK-14"""
    async with await opened(tmp_path, CHECK + project) as bench:
        _, begun = await bench.begin("[[unprepared]]", scouts=switch)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert [step.outcome for step in await scouts_of(bench, task)] == ["done"] * asked


async def test_an_unusable_answer_is_asked_for_again_with_what_was_wrong(tmp_path: Path) -> None:
    """TSK-14, TSK-5"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[second-try]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        first, second = await scouts_of(bench, task, "scout A")
        assert (first.outcome, second.outcome) == ("failed", "done")
        assert first.detail == "The answer has no JSON object."
        for told in ("try 2 of 3", first.detail, "There is a file called calc.py."):
            assert told in second.prompt
        assert len(await scouts_of(bench, task, "scout B")) == 1
        assert "calc.py: adds numbers" in await prompt_of(bench, task)
        assert "Asking scout A" in milestones(bench)


async def test_after_three_tries_the_task_goes_on_without_and_says_so(tmp_path: Path) -> None:
    """TSK-14"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[never]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        found = await scouts_of(bench, task)
        assert [step.name for step in found] == ["scout A", "scout B"] * 3
        assert {step.outcome for step in found} == {"failed"}
        assert "files.0.purpose: Field required" in found[0].detail
        assert "Scout A" not in await prompt_of(bench, task)
        assert "Continuing without scouts A and B, after 3 tries" in milestones(bench)


async def test_scouts_that_die_are_tries_too(tmp_path: Path) -> None:
    """TSK-14"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[breaks]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert [step.outcome for step in await scouts_of(bench, task)] == ["crashed", "failed"] * 3
        assert (await scouts_of(bench, task, "scout B"))[0].detail == "No key."


async def test_what_a_scout_writes_never_reaches_the_workspace(tmp_path: Path) -> None:
    """TSK-14, BYD-3"""
    async with await opened(tmp_path) as bench:
        before, head = tree(bench.repo), git(bench.repo, "rev-parse", "HEAD")
        _, begun = await bench.begin("[[writes]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        after = tree(bench.repo)
        assert after.pop("level.txt") == b"9"
        assert (after, git(bench.repo, "rev-parse", "HEAD")) == (before, head)
        assert not (bench.repo / "extra").exists()
        assert task.files_changed == 1
        assert "calc.py: adds numbers" in await prompt_of(bench, task)
        assert list((bench.data_dir / "scratch").iterdir()) == []


async def test_what_a_person_saves_while_scouts_look_around_stays(tmp_path: Path) -> None:
    """TSK-14, BYD-3"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[slow]]", scouts=True)
        await bench.until_event("step.started", begun.id, count=2)
        (bench.repo / "mine.txt").write_text("saved meanwhile\n")
        await bench.controls.cancel(begun.id)
        assert (bench.repo / "mine.txt").read_text() == "saved meanwhile\n"


async def test_what_a_scout_writes_in_a_dry_run_is_no_part_of_the_proposal(tmp_path: Path) -> None:
    """TSK-14, TSK-7"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        _, begun = await bench.begin("[[writes]]", scouts=True, dry_run=True)
        task = await bench.rest(begun, TaskStatus.AWAITING_RESPONSE)
        assert (task.awaiting, tree(bench.repo)) == (Awaiting.DRY_RUN, before)
        shown = await bench.controls.diff(task.id)
        assert [change.path for change in shown.stat.files] == ["level.txt"]
        assert "calc.py: adds numbers" in await prompt_of(bench, task)


async def test_the_tools_of_scouts_are_not_told_as_the_tasks_own(tmp_path: Path) -> None:
    """TSK-5, TSK-14"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[looks]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert [step.detail for step in await scouts_of(bench, task)] == ["", ""]
        assert "Running a command" not in milestones(bench)


async def test_cancel_ends_both_and_leaves_the_tree_as_it_was(tmp_path: Path) -> None:
    """TSK-6, TSK-14"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        session, begun = await bench.begin("[[slow]]", scouts=True)
        after = await bench.send(session, "[[unprepared]]")
        await bench.until_event("step.tool_started", begun.id, count=3)
        instance = instance_of(bench.data_dir)
        spawned = {stray.spawn_id for stray in strays.find([], instance)} - {None}
        assert spawned == {step.id for step in await scouts_of(bench, begun)}
        _, task = await bench.controls.cancel(begun.id)
        assert task is not None
        assert (task.status, task.output, task.agent_session) == (TaskStatus.CANCELLED, "", None)
        found = await steps_of(bench, task)
        assert [(step.kind, step.outcome) for step in found] == [(StepKind.SCOUT, "cancelled")] * 2
        for step in found:
            assert strays.of_spawn(step.id, instance) == []
        await bench.rest(after, TaskStatus.COMPLETE)
        assert tree(bench.repo) == before


async def test_a_soft_resume_behind_scouts_keeps_their_answers(tmp_path: Path) -> None:
    """TSK-14, WEB-3"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[dies-behind]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert [step.attempt for step in await scouts_of(bench, done)] == [1, 1]
        prompt = await prompt_of(bench, done)
        assert "An earlier run of this task was interrupted" in prompt
        assert "calc.py: adds numbers" in prompt
        assert "sh check.sh" in prompt


async def test_a_rollback_asks_them_anew(tmp_path: Path) -> None:
    """TSK-14, WEB-2"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[dies-behind]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("attempt.finished", task.id, count=2)
        assert [step.attempt for step in await scouts_of(bench, task)] == [1, 1, 2, 2]


async def test_a_reply_goes_on_with_what_they_reported(tmp_path: Path) -> None:
    """TSK-14, WEB-9"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[asks]]", scouts=True)
        asked = await bench.rest(begun, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.reply(asked.id, "9")
        task = await bench.rest(asked, TaskStatus.COMPLETE)
        assert len(await scouts_of(bench, task)) == 2
        assert "calc.py: adds numbers" in await prompt_of(bench, task)


async def test_a_replan_asks_again_when_no_fix_had_an_effect(tmp_path: Path) -> None:
    """TSK-14, TSK-9"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[same-line]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        kinds = [step.name or step.kind.value for step in await steps_of(bench, task) if step.kind != StepKind.VERIFY]
        again = ["scout A", "scout B", "scout B", "replan"]
        assert kinds == ["scout A", "scout B", "edit", "fix", "fix", *again, "summarise"]
        *_, without, last = await scouts_of(bench, task, "scout B")
        for told in ("keeps failing", "Failing check", "Verification 3 of 12", "What was tried", "+0"):
            assert told in last.prompt
        assert without.detail.startswith("cause: ")
        prompt = await prompt_of(bench, task, StepKind.REPLAN)
        for told in ("calc.py: adds numbers", "the level is read too early", "is not flaky"):
            assert told in prompt


async def test_a_replan_that_gets_somewhere_asks_nobody(tmp_path: Path) -> None:
    """TSK-14"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[gets-on]]", scouts=True)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.loop.replans, len(await scouts_of(bench, task))) == (1, 2)


async def test_a_scout_out_of_time_has_used_up_a_try(tmp_path: Path) -> None:
    """TSK-14, TSK-16"""
    clock = LiveClock()
    async with await opened(tmp_path, clock=clock) as bench:
        agent = ScriptedAgent({"scout A": MAP, "scout B": None, "edit": "Done."})
        begun = await agent.begin(bench)
        await bench.until_event("usage.recorded", begun.id)  # of the other, which is followed to its end
        for number in (1, 2, 3):
            await agent.heard("scout B", times=number)
            await clock.advance(61)
            await bench.until_event("guard.timeout", begun.id, count=number)
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert [step.outcome for step in await scouts_of(bench, task, "scout B")] == ["idle"] * 3
        assert "Continuing without scout B, after 3 tries" in milestones(bench)
        assert "calc.py: adds numbers" in await prompt_of(bench, task)


async def test_scouts_may_only_read_and_the_task_pays_for_them(tmp_path: Path) -> None:
    """TSK-14"""
    async with await opened(tmp_path) as bench:
        agent = ScriptedAgent({"scout A": MAP, "scout B": GUIDE, "edit": "Done."})
        task = await bench.rest(await agent.begin(bench), TaskStatus.COMPLETE)
        assert task.cost_usd == 0.75
        assert [step.cost_usd for step in await steps_of(bench, task)] == [0.25] * 3
        asked = [(request.role, request.turn, request.read_only) for request in agent.requests]
        # The two are asked at once, whichever is first.
        assert sorted(asked[:2]) == [("scout A", 1, True), ("scout B", 1, True)]
        assert asked[2:] == [("edit", 1, False)]


async def test_both_are_asked_before_either_has_ended(tmp_path: Path) -> None:
    """TSK-14"""
    async with await opened(tmp_path) as bench:
        agent = ScriptedAgent({"scout A": None, "scout B": None})
        task = await agent.begin(bench)
        await agent.heard("scout A", "scout B")
        await bench.controls.cancel(task.id)
        assert [step.outcome for step in await scouts_of(bench, task)] == ["cancelled", "cancelled"]


async def test_a_stop_amid_scouts_asks_only_whoever_had_not_answered(tmp_path: Path) -> None:
    """TSK-14, WEB-3"""
    async with await opened(tmp_path) as bench:
        agent = ScriptedAgent({"scout A": MAP, "scout B": None})
        begun = await agent.begin(bench)
        await agent.heard("scout A", "scout B")
        await bench.until_event("usage.recorded", begun.id)  # the one that answered has been followed to its end
    async with await opened(tmp_path) as bench:
        task = await bench.task(begun.id)
        assert (task.awaiting, task.cost_usd) == (Awaiting.INTERRUPTED, 0.5)
        assert [step.outcome for step in await scouts_of(bench, task)] == ["done", "interrupted"]
        agent = ScriptedAgent({"scout B": GUIDE, "edit": "Done."})
        bench.runtime.agents = {agent.name: agent}
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert [(request.role, request.turn) for request in agent.requests] == [("scout B", 2), ("edit", 1)]
        prompt = await prompt_of(bench, done)
        assert "calc.py: adds numbers" in prompt
        assert "sh check.sh" in prompt
