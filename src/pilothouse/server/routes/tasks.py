"""Tasks: what they did, and what a person may do with them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query

from pilothouse.engine.loop import acceptance
from pilothouse.server.contract import operation_id
from pilothouse.server.routes.parameters import BYTES, CHANGED, FOUND, ByteCount, EventCount, Id, Offset, Since
from pilothouse.server.schemas.doubts import AcceptIn
from pilothouse.server.schemas.guards import DecisionIn, DecisionOut
from pilothouse.server.schemas.sessions import EventPage
from pilothouse.server.schemas.tasks import (
    ApplyIn,
    ApplyOut,
    AttemptList,
    CancelIn,
    CancelOut,
    DiffOut,
    DiscardIn,
    OutputPage,
    ReplyIn,
    ReplyOut,
    ResumeIn,
    ResumeOptions,
    ResumeOut,
    StuckReportOut,
    TaskOut,
)
from pilothouse.server.schemas.ways import (
    BringBackIn,
    BringBackOut,
    MovedOut,
    PreviewOut,
    RollbackIn,
    RollbackOut,
    StatOut,
    UndoIn,
)
from pilothouse.server.services import AppServices
from pilothouse.server.views import events, tasks

router = APIRouter(prefix="/api/tasks/{task_id}", tags=["tasks"], generate_unique_id_function=operation_id)
Attempt = Annotated[int | None, Query(ge=1, le=1_000_000)]


@router.get("", responses=FOUND)
async def get_task(task_id: Id, services: AppServices) -> TaskOut:
    return await services.store.read(
        lambda c: tasks.task(c, task_id, taken=services.takes_work, withdrawing=services.withdrawing)
    )


@router.get("/output", responses=FOUND)
async def get_output(
    task_id: Id,
    services: AppServices,
    attempt: Annotated[int | None, Query(ge=1, le=1_000_000, description="The newest when omitted.")] = None,
    offset: Offset = 0,
    limit: ByteCount = BYTES,
) -> OutputPage:
    return await services.store.read(lambda c: tasks.output_page(c, task_id, attempt, offset, limit))


@router.get("/diff", responses=CHANGED)
async def get_diff(
    task_id: Id,
    services: AppServices,
    attempt: Attempt = None,
    step: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    path: Annotated[str | None, Query(max_length=4096)] = None,
) -> DiffOut:
    diff = await services.controls.diff(task_id, attempt, step, path)
    return DiffOut(stat=StatOut.of(diff.stat), patch=diff.patch, truncated=diff.truncated)


@router.get("/steps", responses=FOUND)
async def get_steps(task_id: Id, services: AppServices) -> AttemptList:
    return await services.store.read(lambda c: tasks.attempts_of(c, task_id))


@router.get("/stuck-report", responses=FOUND)
async def get_stuck_report(task_id: Id, services: AppServices) -> StuckReportOut:
    return await services.store.read(lambda c: tasks.stuck_report(c, task_id))


@router.get("/events", responses=FOUND)
async def get_task_events(
    task_id: Id,
    services: AppServices,
    since: Since = 0,
    limit: EventCount = 500,
) -> EventPage:
    return await services.store.read(lambda c: events.of_task(c, task_id, since, limit))


@router.get("/resume-options", responses=CHANGED)
async def get_resume_options(task_id: Id, services: AppServices) -> ResumeOptions:
    return ResumeOptions.of(await services.controls.resume_options(task_id))


@router.get("/rollback-preview", responses=CHANGED)
async def get_rollback_preview(task_id: Id, services: AppServices) -> PreviewOut:
    return PreviewOut.shown(await services.controls.preview(task_id))


@router.get("/undo-preview", responses=CHANGED)
async def get_undo_preview(
    task_id: Id,
    services: AppServices,
    rollback_id: Annotated[str | None, Query(max_length=64, description="The newest when omitted.")] = None,
    exact: bool = False,
) -> PreviewOut:
    return PreviewOut.shown(await services.controls.undo_preview(task_id, rollback_id, exact=exact))


@router.post("/reply", responses=CHANGED)
async def reply(task_id: Id, body: ReplyIn, services: AppServices) -> ReplyOut:
    return ReplyOut.of(*await services.controls.reply(task_id, body.reply, body.attempt))


@router.post("/cancel", responses=CHANGED)
async def cancel(task_id: Id, services: AppServices, body: Annotated[CancelIn | None, Body()] = None) -> CancelOut:
    before, after = await services.controls.cancel(task_id, hold=bool(body and body.hold))
    return CancelOut(
        task_id=before.id,
        old_status=before.status,
        new_status=after.status if after else None,
        prompt=before.prompt,
        constraints=list(before.scope.constraints),
        non_goals=list(before.scope.non_goals),
        boundaries=list(before.scope.boundaries),
    )


@router.post("/resume", status_code=202, responses=CHANGED)
async def resume(task_id: Id, services: AppServices, body: Annotated[ResumeIn | None, Body()] = None) -> ResumeOut:
    given = body or ResumeIn()
    task = await services.controls.resume(task_id, given.mode, given.attempt)
    return ResumeOut(task_id=task.id, mode=given.mode, attempt=task.attempt + 1, new_status=task.status)


@router.post("/apply", status_code=202, responses=CHANGED)
async def apply(task_id: Id, services: AppServices, body: Annotated[ApplyIn | None, Body()] = None) -> ApplyOut:
    """Write a dry run's proposal and verify it. Where the tree moved: 409 `merge_needed` with the merge to confirm."""
    given = body or ApplyIn()
    before, after = await services.controls.apply(task_id, given.merge, given.attempt)
    return ApplyOut(
        task_id=after.id, old_status=before.status, new_status=after.status, attempt=after.attempt + 1,
        merged=after.proposal is not None and after.proposal.merge is not None,
    )  # fmt: skip


@router.post("/discard", responses=CHANGED)
async def discard(task_id: Id, services: AppServices, body: Annotated[DiscardIn | None, Body()] = None) -> ReplyOut:
    return ReplyOut.of(*await services.controls.discard(task_id, body.attempt if body else None))


@router.post("/rollback", responses=CHANGED)
async def rollback(
    task_id: Id, services: AppServices, body: Annotated[RollbackIn | None, Body()] = None
) -> RollbackOut:
    """Take a task's changes away. Where others' lie on top: 409 `merge_needed` with what would change, to confirm."""
    return RollbackOut.of(await services.controls.rollback(task_id, body.merge if body else None))


@router.post("/undo-rollback", responses=CHANGED)
async def undo_rollback(
    task_id: Id, services: AppServices, body: Annotated[UndoIn | None, Body()] = None
) -> RollbackOut:
    """Where something changed since: 409 `merge_needed` with what would change, to confirm."""
    given = body or UndoIn()
    done = await services.controls.undo_rollback(task_id, given.rollback_id, given.merge, exact=given.exact)
    return RollbackOut.of(done)


@router.post("/bring-back", responses=CHANGED)
async def bring_back(task_id: Id, body: BringBackIn, services: AppServices) -> BringBackOut:
    """Set a branch, a tag or a stash to what it was when the task began."""
    move = await services.controls.bring_back(task_id, body.kind, body.name, body.then)
    return BringBackOut(brought_back=MovedOut(kind=move.kind, name=move.branch, then=move.then or "", now=move.now))


@router.post("/doubts/{doubt_id}/accept", responses=CHANGED)
async def accept_doubt(task_id: Id, doubt_id: Id, body: AcceptIn, services: AppServices) -> TaskOut:
    """Say why a doubt about the verdict is all right. A verdict without a serious one left is green again."""
    await acceptance.accept(services.store, task_id, doubt_id, body.reason, body.attempt)
    return await get_task(task_id, services)


@router.post("/decision", responses=CHANGED)
async def decide(task_id: Id, body: DecisionIn, services: AppServices) -> DecisionOut:
    """Wait for a limit or not, give a budget more or end it there, reset the breaker."""
    before, after = await services.controls.decide(task_id, body.choice, body.amount, body.attempt)
    return DecisionOut(task_id=before.id, choice=body.choice, old_status=before.status, new_status=after.status)
