"""Login, the state of the installation, and agents."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from pilothouse import __version__
from pilothouse.errors import NotFound, NotLoggedIn
from pilothouse.server.access.auth import client_address, open_route
from pilothouse.server.access.connections import guest_of
from pilothouse.server.access.hosts import opens_network
from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.routes.parameters import FOUND, Id
from pilothouse.server.schemas.fields import OkOut
from pilothouse.server.schemas.system import AgentCheckIn, AgentList, HealthOut, LinkOut, LoginIn, NoticeOut, StateOut
from pilothouse.server.services import AppServices
from pilothouse.server.views.runner import runner_out
from pilothouse.server.views.settings import agents_out
from pilothouse.store import events, notices
from pilothouse.words import say

router = APIRouter(tags=["system"], generate_unique_id_function=operation_id)


@router.post("/api/login", responses=documented())
@open_route
async def login(body: LoginIn, request: Request, response: Response, services: AppServices) -> OkOut:
    """Exchange the token for a cookie that scripts in the page cannot read."""
    if not services.keys.opens(body.token):
        request.app.state.throttle.wrong(client_address(request.scope))
        raise NotLoggedIn(say("login.wrong_token"))
    if guest_of(request.scope):
        await request.app.state.persons.require(request.scope)
    request.app.state.cookies.set(response)
    return OkOut()


@router.post("/api/links", status_code=201, responses=documented())
async def make_link(services: AppServices) -> LinkOut:
    """Make a token for a login link, for another device or a script. It is shown once."""
    return LinkOut(token=services.keys.new_token())


@router.post("/api/logout", responses=documented())
async def logout(request: Request, response: Response) -> OkOut:
    request.app.state.cookies.clear(request.headers.get("cookie", ""), response)
    return OkOut()


@router.get("/api/state", responses=documented())
async def get_state(request: Request, services: AppServices) -> StateOut:
    seq, open_notices = await services.store.read(lambda c: (events.head(c)[0], notices.open(c)))
    return StateOut(
        version=__version__,
        seq=seq,
        runner=await runner_out(services),
        agents=agents_out(services, await services.health.all()),
        notices=[NoticeOut.model_validate(notice) for notice in open_notices],
        lan=opens_network(services.settings.host),
    )


@router.get("/api/agents", responses=documented())
async def list_agents(services: AppServices) -> AgentList:
    """As last known: an agent that does not answer never holds this up."""
    return AgentList(items=agents_out(services, await services.health.all()))


@router.post("/api/agents/check", responses=FOUND)
async def check_agents(services: AppServices, body: Annotated[AgentCheckIn | None, Body()] = None) -> AgentList:
    """Ask them again, now."""
    name = body.name if body else None
    if name is not None and name not in services.agents:
        raise NotFound(say("agent.unknown", name=name))
    return AgentList(items=agents_out(services, await services.health.again([name] if name else None)))


@router.post("/api/notices/{notice_id}/dismiss", responses=FOUND)
async def dismiss_notice(notice_id: Id, services: AppServices) -> OkOut:
    await services.store.write(lambda tx: notices.dismiss(tx, notice_id))
    return OkOut()


@router.get("/health", responses={**documented(), 503: {"model": HealthOut, "description": "Nothing can be kept."}})
@open_route
async def health(request: Request, response: Response, services: AppServices) -> HealthOut:
    """For monitors; open without login, and says nothing of what is worked on."""
    look = await request.app.state.health.look()
    if not look.keeps:
        response.status_code = 503
    return HealthOut(
        status="healthy" if look.is_healthy else "degraded",
        version=__version__,
        uptime=request.app.state.health.uptime,
        checks=dict(look.checks),
        problems=list(look.problems),
    )
