"""What each spawn of an agent used."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    counted = ("input", "output", "cache_read", "cache_write", "context")
    op.create_table(
        "spawns",
        sa.Column("step_id", sa.String(length=64), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("agent", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=100), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("requested_model", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("models", sa.Text(), nullable=False),
        sa.Column("model_differs", sa.Boolean(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        *(sa.Column(f"{name}_tokens", sa.BigInteger(), nullable=False) for name in counted),
        sa.Column("context_window", sa.BigInteger(), nullable=False),
        sa.Column("agent_session", sa.Text(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.String(length=40), nullable=True),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["step_id"], ["steps.id"], name=op.f("fk_spawns_step_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_spawns_task_id")),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_spawns_session_id")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_spawns_project_id")),
        sa.PrimaryKeyConstraint("step_id", name=op.f("pk_spawns")),
    )
    op.create_index("ix_spawns_task", "spawns", ["task_id", "started_at"], unique=False)
    op.create_index("ix_spawns_session", "spawns", ["session_id", "started_at"], unique=False)
    sums = [
        *("slot", "project_id", "agent", "model", "cost_usd", "input_tokens", "output_tokens"),
        *("cache_read_tokens", "cache_write_tokens", "session_id", "task_id"),
    ]
    op.create_index("ix_spawns_sums", "spawns", sums, unique=False)
