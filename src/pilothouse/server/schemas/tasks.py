"""Tasks, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, StrictBool

from pilothouse.domain.task.loop import LOOPS
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import (
    AttemptMode,
    Awaiting,
    ErrorKind,
    PermissionMode,
    Purpose,
    ResumeMode,
    StepKind,
    Task,
    TaskStatus,
    Verdict,
)
from pilothouse.engine.guard.decisions import Choice
from pilothouse.server.schemas.doubts import DoubtOut
from pilothouse.server.schemas.fields import In, LongText, Out, SeenAttempt
from pilothouse.server.schemas.guards import BreakerOut, BudgetLimits, LimitOut, SpentOut
from pilothouse.server.schemas.talk import (
    FormQuestion,
    NoteOut,
    OptionOut,
    PermissionDecisionOut,
    PermissionOut,
    SentOut,
)
from pilothouse.server.schemas.usage import SpawnOut, TaskUsage
from pilothouse.server.schemas.ways import PreviewOut, StatOut
from pilothouse.words.fields import Words

if TYPE_CHECKING:
    from pilothouse.domain.task.stuck import StuckReport
    from pilothouse.engine.controls import ResumeView


class ReplyEntry(Out):
    content: str
    timestamp: datetime
    question: Words = ""
    attempt: int
    replayed: bool = False


class LoopOut(Out):
    total: int = Field(description="Verifications so far.")
    of: int = LOOPS
    replans: int


class ChecklistItemOut(Out):
    title: str
    done: bool
    note: str


class UntouchedOut(Out):
    before: str = Field(description="Id of the tree of the workspace's files where the dry run began.")
    after: str = Field(description="The same where it ended; equal ids mean equal bytes.")
    meanwhile: list[str] = Field(description="Files that differ between the two: somebody else was at work.")


class CommittedOut(Out):
    commit: str
    files: int


class TaskOut(Out):
    task_id: str
    session_id: str
    project_id: str
    session_slug: str
    workspace_id: str
    purpose: Purpose = Field(description="Whether it changes files, proposes a change, or only answers.")
    status: TaskStatus
    awaiting: Awaiting | None
    verdict: Verdict | None
    error_kind: ErrorKind | None
    error_message: Words | None
    prompt: str
    constraints: list[str]
    non_goals: list[str]
    boundaries: list[str]
    agent: str
    model: str | None = Field(description="As the message named it; null left it to what is chosen for the agent.")
    effort: str | None
    timeout_profile: str
    dry_run: bool
    auto_fix: bool
    scouts: bool | None
    from_stuck: str | None = Field(description="The stuck task whose report this one started from.")
    package: str | None = Field(description="The target package, as agent.yaml named it when the task began.")
    loop: LoopOut
    run_id: str | None = Field(description="The newest verification; after PASS the one that proves it.")
    checklist: list[ChecklistItemOut] = Field(description="The agent's own plan, as it ticks it off.")
    doubts: list[DoubtOut] = Field(description="What to look at before calling it done; it belongs to the verdict.")
    output: str
    summary: Words
    answer: dict[str, Any] | None = Field(description="What a task that only answers found, in the form asked for.")
    question: Words | None
    options: list[OptionOut] = Field(default=[])
    form: list[FormQuestion] = Field(default=[], description="What is asked now; several where the agent has a form.")
    offer: str = Field("", description="What the agent offered to do next, once the work was done.")
    plan: str | None = Field(None, description="The plan to approve, in Markdown.")
    permission: PermissionOut | None = Field(None, description="What the agent may not do yet.")
    permission_mode: PermissionMode = PermissionMode.EDITS
    decisions: list[PermissionDecisionOut] = Field(default=[], description="What was decided about permissions.")
    steering: list[SentOut] = Field(default=[], description="Messages that were sent while it ran.")
    notes: list[NoteOut] = Field(default=[], description="Tools that were refused, conversations begun anew.")
    milestone: Words
    attempt: int
    reply_history: list[ReplyEntry]
    position: int | None = Field(None, description="Place in the queue from 1, while queued.")
    waits_for: Words | None = Field(None, description="What it waits for, in words, while queued.")
    holds_workspace: bool
    repository: Words | None = Field(None, description="What became of the repository, if a rollback makes it again.")
    actions: list[Action] = Field(description="What a person may do now.")
    newest_of_workspace: bool = Field(description="Whether no other task changed files in its workspace since.")
    rollback_id: str | None = Field(None, description="The newest rollback that can be undone.")
    rollback_problem: Words | None = Field(None, description="Why the newest rollback could not be finished.")
    rolled_back: bool = Field(False, description="Whether the tree is as that rollback left it, with no run since.")
    untouched: UntouchedOut | None = Field(None, description="While a dry run awaits: the proof that it wrote nothing.")
    committed: CommittedOut | None = Field(None, description="The newest commit of its changes, with no run since.")
    limit: LimitOut | None = Field(None, description="While it awaits `usage_limit`.")
    budget: SpentOut | None = Field(None, description="While it awaits `budget`.")
    breaker: BreakerOut | None = Field(None, description="While it awaits `breaker`.")
    choices: list[Choice] = Field(default=[], description="What `decision` takes now.")
    budgets: BudgetLimits = Field(description="What the person set for this task.")
    files_changed: int
    insertions: int
    deletions: int
    cost_usd: float
    usage: TaskUsage
    worked_ms: int = Field(0, description="What its attempts that are over took; waiting for a person is not in it.")
    working_since: datetime | None = Field(None, description="When the attempt that runs began.")
    submitted_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    updated_at: datetime


class TaskList(Out):
    items: list[TaskOut]
    next_cursor: str | None = None


class ReplyIn(In):
    reply: LongText = Field(description="Up to 100,000 characters; not blank.")
    attempt: SeenAttempt = None


class ReplyOut(Out):
    success: bool = True
    task_id: str
    old_status: TaskStatus
    new_status: TaskStatus

    @classmethod
    def of(cls, before: Task, after: Task) -> Self:
        return cls(task_id=after.id, old_status=before.status, new_status=after.status)


class CancelIn(In):
    hold: StrictBool = Field(False, description="Also hold the workspace's queue.")


class CancelOut(Out):
    success: bool = True
    task_id: str
    old_status: TaskStatus
    new_status: TaskStatus | None = Field(description="Null when the task had not started: it is gone without a trace.")
    prompt: str = Field(description="The text, for the composer's draft; its limits stand beside it.")
    constraints: list[str]
    non_goals: list[str]
    boundaries: list[str]


class ApplyIn(In):
    merge: str | None = Field(
        None, max_length=64, description="The `merge` of a `merge_needed` answer, to confirm that very merge."
    )
    attempt: SeenAttempt = None


class DiscardIn(In):
    attempt: SeenAttempt = None


class ApplyOut(Out):
    success: bool = True
    task_id: str
    old_status: TaskStatus
    new_status: TaskStatus
    attempt: int
    merged: bool


class ResumeIn(In):
    mode: ResumeMode = ResumeMode.ROLLBACK
    attempt: SeenAttempt = None


class ResumeOut(Out):
    success: bool = True
    task_id: str
    mode: ResumeMode
    attempt: int
    new_status: TaskStatus


class SavedPart(Out):
    name: Literal["patch", "step_log", "failure_summary"]
    saved: bool
    detail: Words


class ResumeOptions(Out):
    happened: Words
    default: ResumeMode = ResumeMode.ROLLBACK
    why: Words
    saved: list[SavedPart]
    soft_available: bool
    soft_problem: Words | None
    takes_away: PreviewOut = Field(description="What a rollback would take away.")
    replies: int = Field(description="Recorded replies that a replay brings back.")

    @classmethod
    def of(cls, view: ResumeView) -> Self:
        return cls(
            happened=view.happened,
            default=view.default,
            why=view.why,
            saved=[SavedPart.model_validate(part) for part in view.saved],
            soft_available=view.soft_available,
            soft_problem=view.soft_problem,
            takes_away=PreviewOut.of(view.takes_away),
            replies=view.replies,
        )


class DiffOut(Out):
    stat: StatOut
    patch: str
    truncated: bool = Field(description="The patch is cut at 1 MB; ask for single files with `path`.")


class StepOut(Out):
    id: str
    attempt: int
    number: int
    kind: StepKind
    prompt: str
    outcome: str | None
    detail: Words
    exit_code: int | None
    started_at: datetime
    finished_at: datetime | None
    output_from: int
    output_to: int
    files_changed: int
    insertions: int
    deletions: int
    cost_usd: float
    name: str = Field(description="Which scout, or which check failed.")
    answer: Words = Field(description="What the spawn concluded: a diagnosis, a scout's answer, a summary.")
    run_id: str | None = Field(description="The verification run of a verify step.")
    spawn: SpawnOut | None = Field(None, description="What the agent used, and was told beside the prompt.")


class StuckRunOut(Out):
    run_id: str
    loop: int
    check: str
    first_failing_line: str


class StuckReportOut(Out):
    task_id: str
    attempt: int
    created_at: datetime
    request: str
    hypotheses: list[str]
    account: str = Field(description="The agent's own words.")
    runs: list[StuckRunOut]
    files: list[str]
    constraints: list[str]
    non_goals: list[str]
    boundaries: list[str]
    reason: Words = Field(description="Why it was stopped before its loops were used up; empty where they were.")
    markdown: str

    @classmethod
    def of(cls, report: StuckReport) -> Self:
        return cls(
            task_id=report.task_id,
            attempt=report.attempt,
            created_at=report.created_at,
            request=report.request,
            hypotheses=list(report.hypotheses),
            account=report.account,
            runs=[StuckRunOut.model_validate(run) for run in report.runs],
            files=list(report.files),
            constraints=list(report.scope.constraints),
            non_goals=list(report.scope.non_goals),
            boundaries=list(report.scope.boundaries),
            reason=report.reason,
            markdown=report.markdown(),
        )


class AttemptOut(Out):
    number: int
    mode: AttemptMode
    started_at: datetime
    finished_at: datetime | None
    outcome: str | None
    output_bytes: int
    steps: list[StepOut]


class AttemptList(Out):
    items: list[AttemptOut]


class OutputPage(Out):
    task_id: str
    attempt: int
    offset: int
    text: str
    next_offset: int = Field(description="Where the next page begins; equals `total` at the end.")
    total: int
    live: bool = Field(description="More may come.")
