"""Checks are pinned as a person accepted them, doubts count in lists, and a task keeps what its agent offered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "pins",
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("checks", sa.Text(), nullable=False),
        sa.Column("package", sa.Text(), nullable=True),
        sa.Column("files", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_pins_project_id")),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_pins")),
    )
    op.add_column("sessions", sa.Column("doubts", sa.Integer(), server_default="0", nullable=False))
    op.add_column("tasks", sa.Column("offer", sa.Text(), server_default="", nullable=False))
    op.add_column("stuck_reports", sa.Column("scope", sa.Text(), server_default="{}", nullable=False))
    op.add_column("stuck_reports", sa.Column("reason", sa.Text(), server_default="", nullable=False))
