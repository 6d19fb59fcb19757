"""A task from message to outcome, with the real store, the real git and the real rehearsal program."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.task.task import Awaiting, ErrorKind, ResumeMode, TaskStatus, Verdict
from pilothouse.store.talk import questions
from pilothouse.store.task import attempts, output, steps
from tests.workbench import Workbench, git, make_repository, tree

SCENARIOS = r"""
scenarios:
  fix-add:
    - say: Looking at calc.py
    - write: {path: calc.py, text: "def add(a, b):\n    return a + b\n"}
    - say: The sum is right now.
  nothing:
    - say: There is nothing to change here.
  asks:
    - write: {path: half.txt, text: "half\n"}
    - ask: "Which structure do you prefer?\nA) Flat\nB) Nested"
    - write: {path: choice.txt, text: "{reply}\n"}
    - say: "You chose {reply}."
  asks-in-words:
    - say: "I found two ways to do this. Which one should I take?"
  asks-twice:
    - ask: "First: which name?"
    - write: {path: one.txt, text: "{reply}\n"}
    - ask: "Second: which colour?"
    - write: {path: two.txt, text: "{reply}\n"}
    - say: All written.
  fails:
    - write: {path: partial.txt, text: "partial\n"}
    - fail: The model refused.
  crashes:
    - write: {path: partial.txt, text: "partial\n"}
    - crash: 137
  commits:
    - checkout: agent-branch
    - write: {path: new.txt, text: "new\n"}
    - commit: agent work
    - say: Committed.
  leaves-strays:
    - spawn_child: {seconds: 600, how: double_fork}
    - say: Done.
"""


async def opened(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


async def test_a_message_becomes_a_change_in_the_tree(tmp_path: Path) -> None:
    """TSK-5 WEB-12"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("Please [[fix-add]]")
        done = await bench.rest(task)
        assert (done.status, done.verdict) == (TaskStatus.COMPLETE, Verdict.UNVERIFIED)
        assert (bench.repo / "calc.py").read_text() == "def add(a, b):\n    return a + b\n"
        assert (done.files_changed, done.insertions, done.deletions) == (1, 1, 1)
        assert "The sum is right now." in done.summary
        types = await bench.types(task.id)
        assert types[0] == "task.started"
        assert types[-1] == "task.completed"
        for wanted in ("attempt.started", "step.started", "task.milestone", "step.finished", "attempt.finished"):
            assert wanted in types
        text, _, total = await bench.store.read(lambda c: output.page(c, task.id, 1, 0, 100_000))
        assert "Looking at calc.py" in text
        assert total == len(text.encode())


async def test_a_task_that_changes_nothing_says_so(tmp_path: Path) -> None:
    """TSK-4"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[nothing]]")
        assert (await bench.rest(task)).verdict is Verdict.NO_CHANGES


async def test_a_question_waits_and_the_reply_continues_the_same_task(tmp_path: Path) -> None:
    """RPL-1 RPL-3 RPL-4"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[asks]]")
        waiting = await bench.rest(task)
        assert (waiting.status, waiting.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.QUESTION)
        assert waiting.question is not None
        assert "Which structure" in waiting.question
        assert waiting.holds_workspace
        before, after = await bench.controls.reply(task.id, "Flat,\nplease")
        assert (before.status, after.status) == (TaskStatus.AWAITING_RESPONSE, TaskStatus.QUEUED)
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert (bench.repo / "choice.txt").read_text() == "Flat,\nplease\n"
        assert done.attempt == 2
        assert done.pending_reply is None
        assert [reply.content for reply in done.replies] == ["Flat,\nplease"]
        answered = await bench.store.read(lambda c: questions.of_task(c, task.id))
        assert [(q.answer, len(q.options)) for q in answered] == [("Flat,\nplease", 2)]
        prompt = (await bench.store.read(lambda c: steps.of_task(c, task.id, 2)))[0].prompt
        for part in ("[Previous Output]", "[User Reply]", "Flat,", "[Continue Task]", "Which structure"):
            assert part in prompt


async def test_a_question_in_plain_words_waits_too(tmp_path: Path) -> None:
    """WEB-10"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[asks-in-words]]")
        assert (await bench.rest(task)).awaiting is Awaiting.QUESTION


async def test_a_waiting_task_without_changes_does_not_hold_its_workspace(tmp_path: Path) -> None:
    """TSK-2 TSK-3"""
    async with await opened(tmp_path) as bench:
        session, asking = await bench.begin("[[asks-in-words]]")
        await bench.rest(asking)
        after = await bench.send(session, "[[nothing]]")
        assert (await bench.rest(after)).status is TaskStatus.COMPLETE


async def test_a_waiting_task_with_changes_holds_its_workspace_until_it_is_cancelled(tmp_path: Path) -> None:
    """TSK-3"""
    async with await opened(tmp_path) as bench:
        session, asking = await bench.begin("[[asks]]")
        await bench.rest(asking)
        after = await bench.send(session, "[[nothing]]")
        await bench.passed_over(after)
        await bench.controls.cancel(asking.id)
        assert (await bench.rest(after)).status is TaskStatus.COMPLETE
        assert (bench.repo / "half.txt").exists()


async def test_a_failing_agent_ends_in_error_and_can_be_resumed(tmp_path: Path) -> None:
    """WEB-2"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[fails]]")
        failed = await bench.rest(task)
        assert (failed.status, failed.error_kind) == (TaskStatus.ERROR, ErrorKind.AGENT)
        assert failed.error_message == "The model refused."
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("task.failed", task.id, count=2)
        assert (await bench.task(task.id)).attempt == 2


async def test_a_crashing_agent_waits_for_the_person(tmp_path: Path) -> None:
    """WEB-1 WEB-3"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        _, task = await bench.begin("[[crashes]]")
        waiting = await bench.rest(task)
        assert waiting.awaiting is Awaiting.INTERRUPTED
        assert "137" in (waiting.error_message or "")
        view = await bench.controls.resume_options(task.id)
        assert view.soft_available
        assert [f.path for f in view.takes_away.files] == ["partial.txt"]
        rolled = await bench.controls.rollback(task.id)
        assert tree(bench.repo) == before
        await bench.controls.undo_rollback(task.id, rolled.rollback_id)
        assert (bench.repo / "partial.txt").read_text() == "partial\n"


async def test_a_replay_gives_back_recorded_answers_in_order(tmp_path: Path) -> None:
    """WEB-5"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[asks-twice]]")
        await bench.rest(task)
        await bench.controls.reply(task.id, "Ada")
        await bench.until_event("question.asked", task.id, count=2)
        await bench.rest(task)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        again = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert again.attempt == 3
        assert again.question == "Second: which colour?"
        assert (bench.repo / "one.txt").read_text() == "Ada\n"
        replayed = [reply for reply in again.replies if reply.replayed]
        assert [reply.content for reply in replayed] == ["Ada"]
        await bench.controls.reply(task.id, "blue")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert (bench.repo / "two.txt").read_text() == "blue\n"


async def test_rollback_and_replay_starts_from_the_first_checkpoint(tmp_path: Path) -> None:
    """WEB-3 WEB-6"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "mine.txt").write_text("uncommitted before the task\n")
        head = git(bench.repo, "rev-parse", "HEAD")
        _, task = await bench.begin("[[commits]]")
        await bench.rest(task)
        assert git(bench.repo, "symbolic-ref", "--short", "HEAD").strip() == "agent-branch"
        await bench.controls.rollback(task.id)
        assert git(bench.repo, "symbolic-ref", "--short", "HEAD").strip() == "main"
        assert git(bench.repo, "rev-parse", "HEAD") == head
        assert (bench.repo / "mine.txt").read_text() == "uncommitted before the task\n"
        assert not (bench.repo / "new.txt").exists()


async def test_soft_resume_keeps_the_tree_and_needs_its_saved_parts(tmp_path: Path) -> None:
    """WEB-3"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[crashes]]")
        await bench.rest(task)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        again = await bench.rest(task)
        assert again.attempt == 2
        modes = [a.mode for a in await bench.store.read(lambda c: attempts.of_task(c, task.id))]
        assert modes == ["first", "soft"]
        assert (bench.repo / "partial.txt").exists()
