"""The ways back as the screens show them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.server.schemas.ways import WayBackList, WayBackOut, WaysOfWorkspace
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.store.task import rollbacks, tasks

SHOWN = 100
PROMPT_SHOWN = 200


def ways_back(c: Connection, kept: Mapping[str, frozenset[str]]) -> WayBackList:
    """`kept`: the refs of each workspace that undo something."""
    found = []
    for project in projects.all(c):
        for workspace in workspaces.of_project(c, project.id):
            rows = rollbacks.last_of_workspace(c, workspace.id, SHOWN)
            refs = kept.get(workspace.id, frozenset())
            if rows:
                found.append(
                    WaysOfWorkspace(
                        workspace_id=workspace.id,
                        project_id=project.id,
                        project_name=project.name,
                        path=workspace.path,
                        branch=workspace.branch,
                        items=[_way(c, row, kept=row.undo in refs) for row in rows],
                    )
                )
    return WayBackList(items=found)


def _way(c: Connection, row: Rollback, *, kept: bool) -> WayBackOut:
    task = tasks.require(c, row.task_id)
    session = sessions.get(c, task.session_id)
    return WayBackOut(
        rollback_id=row.id,
        task_id=row.task_id,
        session_slug=session.slug if session else "",
        session_title=session.title if session else "",
        prompt=task.prompt[:PROMPT_SHOWN],
        at=row.at,
        replay=row.replay,
        files_changed=row.files,
        insertions=row.insertions,
        deletions=row.deletions,
        undone_at=row.undone_at,
        kept=kept,
    )
