"""Sessions as the screens show them."""

from __future__ import annotations

from sqlalchemy import Connection

from pilothouse.domain.session.session import Session
from pilothouse.errors import NotFound
from pilothouse.server.schemas.guards import BudgetLimits, SpentSoFar
from pilothouse.server.schemas.sessions import SessionList, SessionOut
from pilothouse.server.schemas.talk import GrantList, GrantOut
from pilothouse.server.schemas.usage import SessionUsage
from pilothouse.store.agent import usage
from pilothouse.store.guard import holds
from pilothouse.store.session import sessions
from pilothouse.store.session.overview import SessionQuery, SessionRow, overview, row
from pilothouse.store.talk import grants
from pilothouse.words import say


def session(c: Connection, project_id: str, slug: str) -> SessionOut:
    return session_of(c, session_record(c, project_id, slug))


def session_of(c: Connection, session: Session) -> SessionOut:
    found = row(c, session.id)
    if found is None:
        raise NotFound(say("session.unknown"))
    told = {
        "usage": SessionUsage.of_all(usage.of_session(c, session.id), usage.differing_models(c, session.id)),
        "budgets": BudgetLimits.model_validate(holds.of_session(c, session.id).budget),
        "spent": SpentSoFar.model_validate(holds.spent_by_session(c, session.id)),
    }
    return _session_out(found).model_copy(update=told)


def session_list(c: Connection, query: SessionQuery) -> SessionList:
    page = overview(c, query)
    return SessionList(
        items=[_session_out(found) for found in page.items],
        next_cursor=page.next_cursor,
        counts={str(group): count for group, count in page.counts.items()},
    )


def session_record(c: Connection, project_id: str, slug: str) -> Session:
    found = sessions.by_slug(c, project_id, slug)
    if found is None:
        raise NotFound(say("session.unknown"))
    return found


def grants_of(c: Connection, session_id: str) -> GrantList:
    return GrantList(items=[GrantOut.model_validate(grant) for grant in grants.of_session(c, session_id)])


def _session_out(found: SessionRow) -> SessionOut:
    session = found.session
    return SessionOut(
        id=session.id,
        project_id=session.project_id,
        project_path=found.project_path,
        project_name=found.project_name,
        workspace_id=session.workspace_id,
        workspace_path=found.workspace_path,
        branch=found.branch,
        slug=session.slug,
        kind=session.kind,
        title=session.title,
        status=session.status,
        agent=session.agent,
        archived=session.archived,
        deleted=session.deleted,
        created_at=session.created_at,
        updated_at=session.updated_at,
        group=found.group.value,
        current_task_id=found.current_task_id,
        task_status=found.task_status,
        awaiting=found.awaiting,
        verdict=found.verdict,
        doubts=found.doubts,
        doing=found.doing,
        tasks=found.tasks,
        cost_usd=found.cost_usd,
    )
