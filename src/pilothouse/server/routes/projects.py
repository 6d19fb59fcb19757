"""Projects, their working trees and their queues."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Body, Query

from pilothouse.errors import CommitRefused, GitFailed
from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.routes.parameters import CHANGED, Id
from pilothouse.server.schemas.projects import (
    ChangesOut,
    CleanUpOut,
    CommitIn,
    CommitOut,
    HoldIn,
    PrepareOut,
    ProjectIn,
    ProjectList,
    ProjectOut,
    ProjectPatch,
    QueueList,
    QueueOut,
    StorageOut,
)
from pilothouse.server.services import AppServices
from pilothouse.server.views import projects, queues

TaskOf = Annotated[str | None, Query(max_length=64, description="The task whose workspace is meant.")]

router = APIRouter(prefix="/api", tags=["projects"], generate_unique_id_function=operation_id)


@router.get("/projects", responses=documented())
async def list_projects(services: AppServices) -> ProjectList:
    known = await services.store.read(lambda c: projects.states(c, services.host_id))
    return ProjectList(items=await asyncio.gather(*(projects.describe(project, services) for project in known)))


@router.post("/projects", status_code=201, responses=documented(409))
async def add_project(body: ProjectIn, services: AppServices) -> ProjectOut:
    project = await services.projects.add(body.path)
    return await projects.describe(
        await services.store.read(lambda c: projects.state(c, project.id, services.host_id)), services
    )


@router.patch("/projects/{project_id}", responses=CHANGED)
async def change_project(project_id: Id, body: ProjectPatch, services: AppServices) -> ProjectOut:
    await services.projects.choose_agent(project_id, body.agent)
    return await projects.describe(
        await services.store.read(lambda c: projects.state(c, project_id, services.host_id)), services
    )


@router.get("/projects/{project_id}/status", responses=CHANGED)
async def get_project_changes(project_id: Id, services: AppServices, task_id: TaskOf = None) -> ChangesOut:
    """Of the tree that a commit with the same task would be made in."""
    workspace, task = await services.controls.committed_in(project_id, task_id)
    busy = await services.store.read(lambda c: projects.busy(c, workspace.id))
    by_task = await services.controls.changed_by(task, workspace) if task else frozenset()
    return await projects.changes(workspace, busy, by_task)


@router.post("/projects/{project_id}/commit", responses=CHANGED)
async def commit_changes(project_id: Id, body: CommitIn, services: AppServices) -> CommitOut:
    try:
        commit, files = await services.controls.commit(project_id, body.message, body.paths, body.task_id, body.accept)
    except GitFailed as error:
        raise CommitRefused(error.message, error.details) from error
    return CommitOut(commit=commit, files=files)


@router.get("/projects/{project_id}/storage", responses=CHANGED)
async def get_storage(project_id: Id, services: AppServices) -> StorageOut:
    await services.store.read(lambda c: projects.state(c, project_id, services.host_id))
    kept = await services.runner.kept(project_id)
    days = services.settings.checkpoint_retention_days
    return StorageOut(checkpoints=kept.checkpoints, bytes=kept.bytes, retention_days=days)


@router.post("/projects/{project_id}/clean-up", responses=CHANGED)
async def clean_up(project_id: Id, services: AppServices) -> CleanUpOut:
    """Let go at once of what would go by itself within a day."""
    await services.store.read(lambda c: projects.state(c, project_id, services.host_id))
    forgotten = await services.runner.tidy(project_id)
    left = await get_storage(project_id, services)
    return CleanUpOut(**left.model_dump(), forgotten=forgotten)


@router.post("/projects/{project_id}/prepare", status_code=202, responses=CHANGED)
async def prepare_agent(project_id: Id, services: AppServices) -> PrepareOut:
    """Have the agent ready for the first message of a new chat, where it gains by that."""
    project = await services.store.read(lambda c: projects.state(c, project_id, services.host_id))
    return PrepareOut(prepared=await services.projects.prepare(project.project))


@router.get("/queues", responses=documented())
async def list_queues(services: AppServices) -> QueueList:
    return await services.store.read(lambda c: queues.queues(c, taken=services.takes_work))


@router.post("/workspaces/{workspace_id}/hold", responses=CHANGED)
async def hold_workspace(
    workspace_id: Id, services: AppServices, body: Annotated[HoldIn | None, Body()] = None
) -> QueueOut:
    await services.store.read(lambda c: queues.workspace(c, workspace_id))
    await services.controls.hold(workspace_id, body.reason if body else "")
    return await services.store.read(lambda c: queues.queue(c, workspace_id, taken=services.takes_work))


@router.post("/workspaces/{workspace_id}/release", responses=CHANGED)
async def release_workspace(workspace_id: Id, services: AppServices) -> QueueOut:
    await services.store.read(lambda c: queues.workspace(c, workspace_id))
    await services.controls.release(workspace_id)
    return await services.store.read(lambda c: queues.queue(c, workspace_id, taken=services.takes_work))
