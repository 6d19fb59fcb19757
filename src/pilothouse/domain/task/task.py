"""A task, its attempts and their steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.talk.permissions import AgentNote, AskedPermission, Decided
from pilothouse.domain.task.checks import Check
from pilothouse.domain.task.doubts import Doubt
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.scope import Scope
from pilothouse.words import say


class TaskStatus(StrEnum):
    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    AWAITING_RESPONSE = "AWAITING_RESPONSE"
    COMPLETE = "COMPLETE"
    CANCELLED = "CANCELLED"
    STUCK = "STUCK"
    ERROR = "ERROR"


class Awaiting(StrEnum):
    QUESTION = "question"
    PERMISSION = "permission"
    INTERRUPTED = "interrupted"
    TIMEOUT = "timeout"
    DRY_RUN = "dry_run"
    BLOCKER = "blocker"
    USAGE_LIMIT = "usage_limit"
    BUDGET = "budget"
    BREAKER = "breaker"


def state_words(status: TaskStatus, awaiting: Awaiting | None) -> str:
    """What a person calls it: the reason it waits, if it does."""
    return say(f"awaiting.{awaiting}") if awaiting else say(f"status.{status}")


class Verdict(StrEnum):
    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    NO_CHANGES = "NO_CHANGES"
    UNVERIFIED = "UNVERIFIED"
    PROPOSED = "PROPOSED"


class ErrorKind(StrEnum):
    AGENT = "agent"
    INFRASTRUCTURE = "infrastructure"
    CREDENTIALS = "credentials"
    CONFIGURATION = "configuration"
    GUARD = "guard"


class Purpose(StrEnum):
    """What a task is for. Each has one course, the order of its steps."""

    CHANGE = "change"
    """Edit, verify, fix, sum up."""
    PROPOSE = "propose"
    """Work in a scratch copy, and show what would change. Applied, it becomes a change."""
    ASK = "ask"
    """Answer a question without changing anything; no checks, and it holds nothing."""


class PermissionMode(StrEnum):
    """What an agent may do without asking."""

    ASK = "ask"
    EDITS = "edits"
    """Change files of the workspace; commands are asked for."""
    ALL = "all"


class ResumeMode(StrEnum):
    ROLLBACK = "rollback"
    SOFT = "soft"


ENDED = frozenset({TaskStatus.COMPLETE, TaskStatus.CANCELLED, TaskStatus.STUCK, TaskStatus.ERROR})


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person answered, kept with the question so that a replay can give it back."""

    content: str
    at: datetime
    question: str = ""
    attempt: int = 1
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class TaskOptions:
    timeout_profile: str = "standard"
    dry_run: bool = False
    """Propose only: nothing is written to the workspace until the person applies it. So it was asked; what the task is
    for by now, its `purpose` says."""
    auto_fix: bool = False
    """Roll back by itself when it ends STUCK or ERROR."""
    scouts: bool | None = None
    """None leaves it to the project's configuration."""
    from_stuck: str | None = None
    """The task whose stuck report this one starts from."""
    permission_mode: PermissionMode = PermissionMode.EDITS
    model: str | None = None
    effort: str | None = None
    budget: Budget = field(default_factory=Budget)
    """What the task may cost; what is not set is left to the settings."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a dry run would change: a checkpoint of its scratch worktree, and the one it started from."""

    base: str
    commit: str
    ref: str
    """Where both are kept until the person applies or discards."""
    merge: str | None = None
    """The three-way merge onto a tree that moved, shown for confirmation before it is applied."""
    tree_before: str = ""
    """Id of the tree of the workspace's files where the dry run began."""
    tree_after: str = ""
    """The same where it ended: equal ids prove that no byte was written there."""
    meanwhile: tuple[str, ...] = ()
    """Files of the workspace that differ between the two: somebody else was at work."""


@dataclass(frozen=True, slots=True)
class RunnerMark:
    """Who runs a RUNNING task: a boot of the server, and the process behind it."""

    boot_id: str
    pid: int | None = None
    started: float | None = None


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """A step that an agent planned to take, and whether it ticked it off."""

    title: str
    done: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    session_id: str
    project_id: str
    workspace_id: str
    prompt: str
    agent: str
    submitted_at: datetime
    updated_at: datetime
    place: int
    """Order in the workspace's queue. Given once, at submit: a task that was answered keeps it."""
    scope: Scope = field(default_factory=Scope)
    options: TaskOptions = field(default_factory=TaskOptions)
    status: TaskStatus = TaskStatus.QUEUED
    awaiting: Awaiting | None = None
    verdict: Verdict | None = None
    error_kind: ErrorKind | None = None
    error_message: str | None = None
    output: str = ""
    """What the agent said last: its final text of the newest attempt."""
    summary: str = ""
    attempt: int = 0
    """Number of the newest attempt; 0 until the task is first claimed."""
    resume_mode: ResumeMode | None = None
    """How the next claim begins when a person asked to resume; cleared by the claim's attempt."""
    pending_reply: str | None = None
    replies: tuple[Reply, ...] = ()
    question: str | None = None
    """The open question while `awaiting` is `question`."""
    agent_session: str | None = None
    runner: RunnerMark | None = None
    holds_workspace: bool = False
    repository: str | None = None
    """What became of the repository since the task began, if it is gone, broken or another one."""
    milestone: str = ""
    files_changed: int = 0
    insertions: int = 0
    deletions: int = 0
    cost_usd: float = 0.0
    started_at: datetime | None = None
    finished_at: datetime | None = None
    package: str | None = None
    """The folder the task stays inside, as `agent.yaml` named it when the task began."""
    checks: tuple[Check, ...] | None = None
    """The checks as they stood when the work began, so that an agent cannot loosen them on its way."""
    loop: LoopState = field(default_factory=LoopState)
    run_id: str | None = None
    """The newest verification; after PASS the one that proves it."""
    doubts: tuple[Doubt, ...] = ()
    proposal: Proposal | None = None
    checklist: tuple[ChecklistItem, ...] = ()
    """The agent's own plan, as it ticks it off."""
    permission: AskedPermission | None = None
    """What the agent may not do yet, while `awaiting` is `permission`."""
    plan: str | None = None
    """What the person is to approve, while `awaiting` is `question`."""
    pending_decision: Decided | None = None
    """Goes with `pending_reply`, which says the same in words. So does `pending_answers`."""
    pending_answers: dict[str, str] = field(default_factory=dict)
    """Question to answer, where the agent put up a form."""
    decisions: tuple[Decided, ...] = ()
    notes: tuple[AgentNote, ...] = ()
    purpose: Purpose = Purpose.CHANGE
    answer_schema: dict[str, object] | None = None
    """JSON schema of the answer, where `purpose` is `ask` and the answer is more than words."""
    answer: dict[str, object] | None = None
    """What the agent answered, as the schema has it."""
    offer: str = ""
    """What the agent offered to do next, once the work was done."""

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    @property
    def never_started(self) -> bool:
        return self.status is TaskStatus.QUEUED and self.attempt == 0


class AttemptMode(StrEnum):
    FIRST = "first"
    REPLY = "reply"
    SOFT = "soft"
    ROLLBACK = "rollback"
    APPLY = "apply"


WORK_ANEW = frozenset({AttemptMode.FIRST, AttemptMode.ROLLBACK})
"""The agent begins with nothing: what it did before, and what scouts reported, no longer counts."""
COUNT_ANEW = WORK_ANEW | {AttemptMode.APPLY}
"""Checks are read again, and verifications counted from nothing. A proposal is verified only when it is applied."""
TREE_WITHOUT_PROPOSAL = frozenset({AttemptMode.ROLLBACK, AttemptMode.APPLY})
"""When these begin, the workspace has nothing of a proposal yet."""


@dataclass(frozen=True, slots=True)
class Attempt:
    task_id: str
    number: int
    mode: AttemptMode
    started_at: datetime
    checkpoint: str | None = None
    """Commit of the checkpoint this attempt started from."""
    base: str | None = None
    """Commit of the checkpoint that a rollback of the task goes back to from now on."""
    finished_at: datetime | None = None
    outcome: str | None = None
    patch_sha256: str | None = None
    step_log_sha256: str | None = None
    failures_sha256: str | None = None
    turn: int = 0
    """Its place in the order of what happened in the workspace."""


class StepKind(StrEnum):
    SCOUT = "scout"
    EDIT = "edit"
    VERIFY = "verify"
    FIX = "fix"
    REPLAN = "replan"
    SUMMARISE = "summarise"
    COMPACT = "compact"
    """A full agent session was left for a fresh one."""
    ASK = "ask"
    """A question that is answered without changing anything."""
    READ = "read"
    """The small model reads what a marker was meant to say."""


@dataclass(frozen=True, slots=True)
class Step:
    id: str
    task_id: str
    attempt: int
    number: int
    kind: StepKind
    prompt: str
    started_at: datetime
    finished_at: datetime | None = None
    outcome: str | None = None
    """`done`, `asked`, `permission`, `steered`, `failed`, `crashed`, or why it was stopped; `limit`, `budget` where a
    guard ended it, `held` where one did not let it begin."""
    detail: str = ""
    exit_code: int | None = None
    checkpoint: str | None = None
    """Commit of the checkpoint taken after the step."""
    log_path: str | None = None
    output_from: int = 0
    output_to: int = 0
    files_changed: int = 0
    insertions: int = 0
    deletions: int = 0
    cost_usd: float = 0.0
    name: str = ""
    """Which scout, or which check failed."""
    answer: str = ""
    """What the spawn concluded: a diagnosis, a scout's answer, a summary."""
    run_id: str | None = None
