"""What happens in a workspace has an order that is no clock's, and a rollback says how it was done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("attempts", sa.Column("turn", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("tasks", sa.Column("turn", sa.BigInteger(), nullable=True))
    op.add_column("rollbacks", sa.Column("turn", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("rollbacks", sa.Column("undoes", sa.String(length=64), nullable=True))
    op.add_column("rollbacks", sa.Column("base", sa.String(length=64), nullable=True))
    op.add_column("rollbacks", sa.Column("merge", sa.String(length=64), nullable=True))
    op.add_column("rollbacks", sa.Column("left", sa.String(length=64), nullable=True))
    op.add_column("rollbacks", sa.Column("branches", sa.Text(), server_default="[]", nullable=False))
    _give_turns(op.get_bind())
    op.drop_index("ix_tasks_newest", table_name="tasks")
    op.drop_column("tasks", "claimed_at")
    op.create_index("ix_tasks_newest", "tasks", ["workspace_id", "turn"], unique=False)
    op.create_index("ix_rollbacks_turn", "rollbacks", ["workspace_id", "turn"], unique=False)


def _give_turns(c: sa.Connection) -> None:
    """By the time of what is there already; a rollback that belongs to an attempt began after it."""
    happened = c.execute(
        sa.text(
            "SELECT t.workspace_id, a.started_at AS at, 0 AS later, a.task_id AS id, a.number FROM attempts a "
            "JOIN tasks t ON t.id = a.task_id "
            "UNION ALL SELECT r.workspace_id, r.at, 1 AS later, r.id, 0 FROM rollbacks r ORDER BY 2, 3, 5"
        )
    ).all()
    places: dict[str, int] = {row.id: row.places for row in c.execute(sa.text("SELECT id, places FROM workspaces"))}
    attempt = sa.text("UPDATE attempts SET turn = :turn WHERE task_id = :id AND number = :number")
    task = sa.text("UPDATE tasks SET turn = :turn WHERE id = :id")
    # One that was cut short left no state that its undo could count on.
    rollback = sa.text(
        'UPDATE rollbacks SET turn = :turn, "left" = CASE WHEN finished_at IS NULL THEN NULL ELSE checkpoint END '
        "WHERE id = :id"
    )
    for workspace_id, _, later, id, number in happened:
        places[workspace_id] = turn = places[workspace_id] + 1
        if later:
            c.execute(rollback, {"turn": turn, "id": id})
        else:
            c.execute(attempt, {"turn": turn, "id": id, "number": number})
            c.execute(task, {"turn": turn, "id": id})
    for workspace_id, last in places.items():
        c.execute(sa.text("UPDATE workspaces SET places = :last WHERE id = :id"), {"last": last, "id": workspace_id})
