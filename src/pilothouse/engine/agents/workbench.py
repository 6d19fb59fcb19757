"""Our tools for agents: which spawn may use them now, and what a call does."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import ValidationError

from pilothouse.domain.event.task import TaskMilestone
from pilothouse.domain.event.workbench import WorkbenchCalled
from pilothouse.domain.ports import AgentQuestion, Ended, Workbench
from pilothouse.domain.talk import workbench
from pilothouse.domain.talk.workbench import Answer, Blocked, Call, Decide, ShowPlan, Status, StepDone
from pilothouse.domain.task.task import Step, StepKind, Task
from pilothouse.store.database import Store, Tx
from pilothouse.store.task import steps, tasks

TURNS = (StepKind.EDIT, StepKind.FIX, StepKind.REPLAN)
CALLS_PER_SPAWN = 500


class CallRefused(Exception):
    """What the agent is told, so that it can do better."""


@dataclass(slots=True)
class Seat:
    """One spawn's place at the workbench."""

    offer: Workbench | None
    task: Task
    step: Step
    answers: bool = False
    """Whether its turn is to end with an answer."""
    answer: Mapping[str, object] | None = None
    questions: tuple[AgentQuestion, ...] = ()
    blocker: str = ""
    calls: int = 0
    closed: bool = False

    def close(self, ended: Ended) -> Ended:
        """The spawn is over; how it ended, with what it asked here."""
        self.closed = True
        return replace(workbench.concluded(ended, self.questions, self.blocker), answer=self.answer)


class Seats:
    """A token belongs to a session, since an agent's process may be kept for its next turn; it opens nothing while no
    spawn of that session runs. A process that is made ready has the token that the next new session of its workspace
    gets."""

    def __init__(self) -> None:
        self.url = ""
        """Where the tools are reached from this machine; empty while nobody serves them."""
        self._tokens: dict[str, str] = {}
        """By session."""
        self._reserved: dict[str, str] = {}
        """By workspace."""
        self._by_token: dict[str, Seat] = {}

    def take(self, task: Task, step: Step, *, answers: bool = False) -> Seat:
        """Before the spawn. What looks around or sums up has no say, and gets no tools; what is asked may `answer`."""
        self._by_token = {token: seat for token, seat in self._by_token.items() if not seat.closed}
        if not self.url or not (answers or step.kind in TURNS):
            return Seat(None, task, step)
        # A process that was asked is not kept, so its token is its own.
        token = secrets.token_hex() if answers else self._token(task)
        seat = self._by_token[token] = Seat(Workbench(self.url, token), task, step, answers)
        return seat

    def reserve(self, workspace_id: str) -> Workbench | None:
        """What the next new session there is offered, for a process that is told of the tools before there is one."""
        if not self.url:
            return None
        return Workbench(self.url, self._reserved.setdefault(workspace_id, secrets.token_hex()))

    def is_reserved(self, token: str) -> bool:
        """Whether its process has been told of the tools already, and gets its seat later."""
        return any(secrets.compare_digest(kept.encode(), token.encode()) for kept in self._reserved.values())

    def _token(self, task: Task) -> str:
        if task.session_id not in self._tokens:
            self._tokens[task.session_id] = self._reserved.pop(task.workspace_id, "") or secrets.token_hex()
        return self._tokens[task.session_id]

    def open_now(self) -> list[Seat]:
        return [seat for seat in self._by_token.values() if not seat.closed]

    def of(self, token: str) -> Seat | None:
        known = next((kept for kept in self._by_token if secrets.compare_digest(kept.encode(), token.encode())), None)
        seat = self._by_token[known] if known else None
        return None if seat is None or seat.closed else seat


async def call(store: Store, seat: Seat, tool: str, arguments: object) -> str:
    """Carry out a call and tell of it in one transaction; what the agent reads. Raises `CallRefused`."""
    parsed = _parsed(seat, tool, arguments)
    seat.calls += 1
    if seat.calls > CALLS_PER_SPAWN:
        raise CallRefused("That is too many calls for one turn; go on without these tools.")

    def write(tx: Tx) -> str:
        step = steps.get(tx.conn, seat.step.id)
        if seat.closed or step is None or step.finished_at is not None:
            raise CallRefused("Your turn is over.")
        said = _carried_out(tx, seat, parsed)
        told = WorkbenchCalled(
            attempt=seat.task.attempt, step_id=seat.step.id, tool=tool, arguments=dict(workbench.arguments_of(parsed))
        )
        tx.emit(told, session_id=seat.task.session_id, task_id=seat.task.id)
        return said

    said = await store.write(write)
    match parsed:
        case Decide():
            seat.questions = (*seat.questions, *workbench.questions_of(parsed))
        case Blocked():
            seat.blocker = workbench.blocker_words(parsed)
        case Answer():
            seat.answer = parsed.answer
    return said


def _parsed(seat: Seat, tool: str, arguments: object) -> Call:
    offered = workbench.offered(answers=seat.answers)
    kind = offered.get(tool)
    if kind is None:
        raise CallRefused(f"There is no tool “{tool}”. There are: {', '.join(offered)}.")
    try:
        return kind.model_validate(arguments if arguments is not None else {})
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, p['loc'])) or 'arguments'}: {p['msg']}" for p in error.errors())
        raise CallRefused(f"{tool} was not understood: {problems}.") from None


def _carried_out(tx: Tx, seat: Seat, call: Call) -> str:
    task = seat.task
    match call:
        case Decide():
            return f"Recorded; the person will be asked. {workbench.END_YOUR_TURN}"
        case Blocked():
            return f"Recorded; the person will see it. {workbench.END_YOUR_TURN}"
        case Answer():
            return workbench.ANSWER_TAKEN
        case ShowPlan(steps=planned):
            tasks.update(tx, task.id, checklist=workbench.planned(planned))
            return "The person sees your plan. Go on."
        case StepDone():
            checklist = tasks.require(tx.conn, task.id).checklist
            try:
                tasks.update(tx, task.id, checklist=workbench.ticked(checklist, call))
            except IndexError:
                raise CallRefused(f"Your plan has {len(checklist)} steps; call plan first.") from None
            return "Noted. Go on."
        case Status(text=text):
            tasks.update(tx, task.id, milestone=text)
            told = TaskMilestone(attempt=task.attempt, code="agent", text=text)
            tx.emit(told, session_id=task.session_id, task_id=task.id)
            return "Noted. Go on."
        case _:
            raise CallRefused(f"{call.tool} is not known here.")
