"""What a person sets at run time, and the last error of each agent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("section", sa.String(length=60), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("section", name=op.f("pk_preferences")),
    )
    op.create_table(
        "agent_errors",
        sa.Column("agent", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=True),
        sa.PrimaryKeyConstraint("agent", name=op.f("pk_agent_errors")),
    )
