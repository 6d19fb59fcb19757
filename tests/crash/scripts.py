"""What a person does in the matrix, step by step; every step is noted before it begins and after it returned."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.session.session import Session, SessionKind
from pilothouse.domain.task.task import ResumeMode, Task, TaskOptions, TaskStatus
from pilothouse.store import idempotency
from pilothouse.store.task import tasks
from pilothouse.workflows.chat import Message, Opening
from tests.crash.journal import Journal
from tests.workbench import Workbench, git, make_repository

ANSWER = "B"
MESSAGE = "Keep what was done"
SCOPE = "as if over HTTP"
PASSES = ("ignored/once", "ignored/twice")
"""With these there, `fragile` and `slow` come through; git ignores them, so no rollback takes them away."""
SCENARIOS = """
scenarios:
  quick:
    - write: {path: quick.txt, text: "quick\\n"}
    - say: Written.
  ask:
    - write: {path: calc.py, text: "def add(a, b):\\n    return a + b\\n"}
    - ask: "Which structure do you prefer?\\nA) Flat\\nB) Nested"
    - write: {path: choice.txt, text: "{reply}\\n"}
    - say: Done as you chose.
  work:
    - write: {path: new/deep/file.txt, text: "new\\n"}
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
    - delete: {path: notes.txt}
    - run: git checkout -q -B other
    - commit: The agent commits
    - write: {path: late.txt, text: "late\\n"}
    - say: Worked.
  plain:
    - write: {path: plain.txt, text: "plain\\n"}
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
    - say: Written.
  fragile:
    - write: {path: calc.py, text: "half\\n"}
    - delete: {path: notes.txt}
    - ask: "Which structure do you prefer?\\nA) Flat\\nB) Nested"
    - write: {path: choice.txt, text: "{reply}\\n"}
    - run: "test -e ignored/once || { mkdir -p ignored; touch ignored/once; kill -9 $PPID; }"
    - write: {path: fragile.txt, text: "through\\n"}
    - say: Came through.
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - delete: {path: notes.txt}
    - spawn_child: {seconds: SLEEP, how: double_fork}
    - spawn_child: {seconds: SLEEP, how: clean_env}
    - run: "test -e ignored/once && touch ignored/twice; mkdir -p ignored; touch ignored/once"
    - run: "test -e ignored/twice || sleep SLEEP"
    - write: {path: slow.txt, text: "through\\n"}
    - say: Came through.
  mend:
    steps:
      - write: {path: agent.yaml, text: "verification:\\n  - {name: mended, command: [test, -e, mended.txt]}\\n"}
      - delete: {path: notes.txt}
    fix: [write: {path: mended.txt, text: "mended\\n"}]
    summarise: [say: Mended.]
  offer:
    steps:
      - write: {path: agent.yaml, text: "verification:\\n  - {name: mended, command: [test, -e, mended.txt]}\\n"}
      - edit: {path: calc.py, find: "a - b", replace: "a + b"}
      - delete: {path: notes.txt}
      - say: Offered.
    fix: [write: {path: mended.txt, text: "mended\\n"}]
    summarise: [say: Mended.]
"""
PROOF = {
    "quick": ("quick.txt", "quick\n"),
    "ask": ("choice.txt", f"{ANSWER}\n"),
    "work": ("late.txt", "late\n"),
    "plain": ("plain.txt", "plain\n"),
    "fragile": ("fragile.txt", "through\n"),
    "slow": ("slow.txt", "through\n"),
    "mend": ("mended.txt", "mended\n"),
    "offer": ("mended.txt", "mended\n"),
}


def furnish(repo: Path, seconds: int) -> Path:
    """A repository in which the person has work of every kind that is not committed."""
    make_repository(repo, SCENARIOS.replace("SLEEP", str(seconds)))
    git(repo, "config", "user.name", "t")
    git(repo, "config", "user.email", "t@example.org")
    (repo / "notes.txt").write_text("the person's own, known to nobody else\n")
    (repo / "staged.txt").write_text("staged\n")
    git(repo, "add", "staged.txt")
    (repo / "staged.txt").write_text("staged, then edited\n")
    (repo / ".gitignore").write_text("ignored/\n.pilothouse/\n# the person was here\n")
    return repo


def scenarios_of(repo: Path) -> Path:
    return repo / ".pilothouse" / "rehearsal.yaml"


class Person:
    def __init__(self, bench: Workbench, journal: Journal) -> None:
        self.bench, self.journal = bench, journal
        self._session: Session | None = None
        self._asked = 0

    async def submit(self, scenario: str, number: int = 1, *, dry_run: bool = False) -> Task:
        text = f"[[{scenario}]] number {number}"
        message = Message(text, options=TaskOptions(dry_run=dry_run), agent="rehearsal")

        async def act() -> Task:
            if self._session:
                return await self.bench.chat.send(self._session.id, message)
            opened = await self.bench.chat.open(Opening(str(self.bench.repo), SessionKind.CHAT, None, None, message))
            self._session = opened[0]
            assert opened[1] is not None
            return opened[1]

        self.journal.note("try", action="submit", text=text)
        task = await act()
        self.journal.note("did", action="submit", text=text, task=task.id)
        return task

    async def reply(self, task: Task) -> None:
        await self._do("reply", self.bench.controls.reply(task.id, ANSWER), task)

    async def cancel(self, task: Task) -> None:
        await self._do("cancel", self.bench.controls.cancel(task.id), task)

    async def resume(self, task: Task, mode: ResumeMode) -> None:
        await self._do("resume", self.bench.controls.resume(task.id, mode), task)

    async def apply(self, task: Task) -> None:
        await self._do("apply", self.bench.controls.apply(task.id, None), task)

    async def discard(self, task: Task) -> None:
        await self._do("discard", self.bench.controls.discard(task.id), task)

    async def rollback(self, task: Task) -> None:
        shown = await self.bench.controls.preview(task.id)
        name = shown.way.fit.merge if shown.way.fit else None
        await self._do("rollback", self._keyed(self.bench.controls.rollback(task.id, name)), task)

    async def undo(self, task: Task) -> None:
        await self._do("undo", self._keyed(self.bench.controls.undo_rollback(task.id, None)), task)

    async def commit(self, task: Task) -> None:
        deed = self.bench.controls.commit(task.project_id, MESSAGE, None, task.id)
        await self._do("commit", self._keyed(deed), task)

    async def _keyed(self, deed: Awaitable[object]) -> None:
        """With an Idempotency-Key, as the page sends it."""
        self._asked += 1
        token = idempotency.current.set(idempotency.Mark(str(self._asked), SCOPE, ""))
        await deed
        idempotency.current.reset(token)

    async def hold(self, task: Task) -> None:
        await self._do("hold", self.bench.controls.hold(task.workspace_id, "a look first"), task)

    async def release(self, task: Task) -> None:
        await self._do("release", self.bench.controls.release(task.workspace_id), task)

    async def _do(self, action: str, deed: Awaitable[object], task: Task) -> None:
        attempt = (await self.bench.task(task.id)).attempt
        self.journal.note("try", action=action, task=task.id, attempt=attempt)
        await deed
        self.journal.note("did", action=action, task=task.id, attempt=attempt)


async def question(person: Person) -> None:
    """A question, a second task that waits behind it, the answer, and both run to their end."""
    first = await person.submit("ask")
    second = await person.submit("quick", 2)
    await person.bench.rest(first, TaskStatus.AWAITING_RESPONSE)
    await person.reply(first)
    await person.bench.rest(first, TaskStatus.COMPLETE)
    await person.bench.rest(second, TaskStatus.COMPLETE)


async def cancelling(person: Person) -> None:
    """A task with children of every kind is cancelled while it runs, another while it waits, a third runs."""
    running = await person.submit("slow")
    waiting = await person.submit("quick", 2)
    await person.submit("quick", 3)
    await person.cancel(waiting)
    await person.bench.until_event("step.tool_started", running.id, count=4)
    await person.cancel(running)
    await person.bench.until(lambda c: _all_ended(c, running.workspace_id))


async def replay(person: Person) -> None:
    """A question, the answer, a crash of the agent; then rollback and replay, with the answer given again."""
    await _until_fragile_broke(person, ResumeMode.ROLLBACK)


async def soft(person: Person) -> None:
    """The same crash; then the task goes on with the tree as it is."""
    await _until_fragile_broke(person, ResumeMode.SOFT)


async def _until_fragile_broke(person: Person, mode: ResumeMode) -> None:
    task = await person.submit("fragile")
    await person.bench.rest(task, TaskStatus.AWAITING_RESPONSE)
    await person.reply(task)
    await person.bench.rest(task, TaskStatus.AWAITING_RESPONSE)
    await person.resume(task, mode)
    await person.bench.rest(task, TaskStatus.COMPLETE)


async def rollback(person: Person) -> None:
    """A finished task's changes, with a commit on another branch, are taken away, brought back, taken away again."""
    task = await person.submit("work")
    await person.bench.rest(task, TaskStatus.COMPLETE)
    await person.rollback(task)
    await person.undo(task)
    await person.rollback(task)


async def older(person: Person) -> None:
    """A task's changes are taken away under those of a later one, and brought back; then all is committed."""
    first = await person.submit("quick")
    second = await person.submit("plain", 2)
    await person.bench.rest(second, TaskStatus.COMPLETE)
    await person.rollback(first)
    await person.undo(first)
    await person.commit(second)


async def holding(person: Person) -> None:
    """A queue that the person holds and releases."""
    first = await person.submit("quick")
    await person.bench.rest(first, TaskStatus.COMPLETE)
    await person.hold(first)
    second = await person.submit("ask", 2)
    await person.release(first)
    await person.bench.rest(second, TaskStatus.AWAITING_RESPONSE)
    await person.cancel(second)


async def verified(person: Person) -> None:
    """Checks that fail, a fix, and checks that pass; another task waits behind it."""
    first = await person.submit("mend")
    second = await person.submit("quick", 2)
    await person.bench.rest(first, TaskStatus.COMPLETE)
    await person.bench.rest(second, TaskStatus.COMPLETE)


async def proposal(person: Person) -> None:
    """A dry run that is applied, fails its checks and is mended; another one that is discarded."""
    first = await person.submit("offer", dry_run=True)
    await person.bench.rest(first, TaskStatus.AWAITING_RESPONSE)
    await person.apply(first)
    await person.bench.rest(first, TaskStatus.COMPLETE)
    second = await person.submit("quick", 2, dry_run=True)
    await person.bench.rest(second, TaskStatus.AWAITING_RESPONSE)
    await person.discard(second)


def _all_ended(c: Connection, workspace_id: str) -> bool:
    return (
        not tasks.queue(c, workspace_id)
        and not tasks.running_of_workspace(c, workspace_id)
        and not tasks.holder(c, workspace_id)
    )


async def recovery(person: Person) -> None:
    """What an earlier kill left: the start itself, then rollback and replay, and what waits behind."""
    task = await person.bench.task(person.journal.promised("submit")[0]["task"])
    await person.resume(task, ResumeMode.ROLLBACK)
    await person.bench.until(lambda c: _all_ended(c, task.workspace_id))


async def before_recovery(person: Person) -> None:
    """A task at work with children, another behind it: what the kill in `recovery` comes after."""
    running = await person.submit("slow")
    await person.submit("quick", 2)
    await person.bench.until_event("step.tool_started", running.id, count=4)


SCRIPTS: dict[str, Callable[[Person], Awaitable[None]]] = {
    script.__name__: script
    for script in (question, cancelling, replay, soft, rollback, older, holding, verified, proposal, recovery)
}
EARLIER = {"recovery": before_recovery}
"""Scripts that begin with what a kill at the end of another one left."""
