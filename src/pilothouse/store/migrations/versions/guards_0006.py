"""What the guards keep: breaker, budget and signals of a session, holds of tasks, tokens spent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "session_guards",
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("breaker", sa.Text(), nullable=False),
        sa.Column("signals", sa.Text(), nullable=False),
        sa.Column("unlimited", sa.Boolean(), nullable=False),
        sa.Column("budget", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_session_guards_session_id")),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_session_guards")),
    )
    op.create_table(
        "holds",
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("waiting", sa.Boolean(), nullable=False),
        sa.Column("scope", sa.String(length=40), nullable=False),
        sa.Column("spent", sa.Float(), nullable=True),
        sa.Column("limit", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_holds_task_id")),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_holds")),
    )
    op.create_index(op.f("ix_holds_waiting_until"), "holds", ["waiting", "until"], unique=False)
    op.create_table(
        "spending",
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_spending_task_id")),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_spending")),
    )
    op.create_index(op.f("ix_spending_session_id"), "spending", ["session_id"], unique=False)
    op.create_index("ix_steps_started_at", "steps", ["started_at"], unique=False)
