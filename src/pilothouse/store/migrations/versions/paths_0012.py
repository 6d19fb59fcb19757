"""One workspace for each tree of a host: two would be two queues over the same files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    rows = op.get_bind().execute(sa.text("SELECT id, host, path, places FROM workspaces ORDER BY host, path, kind, id"))
    kept: dict[tuple[str, str], str] = {}
    for id, host, path, places in rows.all():
        # By kind, so that a project keeps its own directory.
        if (first := kept.setdefault((host, path), id)) != id:
            _join(id, first, places)
    op.create_index("uq_workspaces_path", "workspaces", ["host", "path"], unique=True)


def _join(id: str, first: str, places: int) -> None:
    """What was in the second goes on in the first."""
    given = {"id": id, "first": first, "places": places}
    for table in ("sessions", "tasks", "rollbacks"):
        op.get_bind().execute(sa.text(f"UPDATE {table} SET workspace_id = :first WHERE workspace_id = :id"), given)  # noqa: S608 - names of ours
    op.get_bind().execute(
        sa.text("UPDATE workspaces SET places = :places WHERE id = :first AND places < :places"), given
    )
    op.get_bind().execute(sa.text("DELETE FROM workspaces WHERE id = :id"), given)
