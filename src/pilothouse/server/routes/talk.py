"""What a person says to a task: a filled-in form, a decision about a permission, words while it runs."""

from __future__ import annotations

from fastapi import APIRouter

from pilothouse.server.contract import operation_id
from pilothouse.server.routes.parameters import CHANGED, FOUND, Id, Slug
from pilothouse.server.schemas.fields import OkOut
from pilothouse.server.schemas.talk import AnswersIn, GrantList, PermissionIn, SteerActionIn, SteerIn, SteerOut
from pilothouse.server.schemas.tasks import ReplyOut
from pilothouse.server.services import AppServices
from pilothouse.server.views import sessions

router = APIRouter(prefix="/api", tags=["tasks"], generate_unique_id_function=operation_id)


@router.post("/tasks/{task_id}/answers", responses=CHANGED)
async def answer_form(task_id: Id, body: AnswersIn, services: AppServices) -> ReplyOut:
    given = {answer.question_id: answer.text for answer in body.answers}
    return ReplyOut.of(*await services.controls.talk.answer(task_id, given, body.attempt))


@router.post("/tasks/{task_id}/permission", responses=CHANGED)
async def decide_permission(task_id: Id, body: PermissionIn, services: AppServices) -> ReplyOut:
    return ReplyOut.of(*await services.controls.talk.permit(task_id, body.decision, body.reason.strip(), body.attempt))


@router.post("/tasks/{task_id}/steer", status_code=201, responses=CHANGED)
async def steer(task_id: Id, body: SteerIn, services: AppServices) -> SteerOut:
    """Send a message to a task that runs. It goes to the agent at its next pause, or into its next turn."""
    return SteerOut.of(await services.controls.talk.steer(task_id, body.text))


@router.post("/tasks/{task_id}/steer/{message_id}", responses=CHANGED)
async def change_steering(task_id: Id, message_id: Id, body: SteerActionIn, services: AppServices) -> SteerOut:
    talk = services.controls.talk
    act = talk.send_now if body.action == "now" else talk.take_back
    return SteerOut.of(await act(task_id, message_id))


@router.get("/sessions/{project_id}/{slug}/grants", responses=FOUND)
async def list_grants(project_id: Id, slug: Slug, services: AppServices) -> GrantList:
    session = await services.store.read(lambda c: sessions.session_record(c, project_id, slug))
    return await services.store.read(lambda c: sessions.grants_of(c, session.id))


@router.post("/sessions/{project_id}/{slug}/grants/{grant_id}/revoke", responses=FOUND)
async def revoke_grant(project_id: Id, slug: Slug, grant_id: Id, services: AppServices) -> OkOut:
    session = await services.store.read(lambda c: sessions.session_record(c, project_id, slug))
    await services.controls.talk.revoke(session.id, grant_id)
    return OkOut()
