"""What a task is for, and the answer of one that only asks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("tasks", sa.Column("purpose", sa.String(length=40), server_default="change", nullable=False))
    op.add_column("tasks", sa.Column("answer_schema", sa.Text(), nullable=True))
    op.add_column("tasks", sa.Column("answer", sa.Text(), nullable=True))
    # A dry run that was applied, or waits to be, is a change from then on.
    op.execute(
        sa.text(
            "UPDATE tasks SET purpose = 'propose' WHERE options LIKE '%\"dry_run\"\\:true%' "
            "AND id NOT IN (SELECT task_id FROM attempts WHERE mode = 'apply') "
            "AND NOT (status = 'QUEUED' AND proposal IS NOT NULL)"
        )
    )
