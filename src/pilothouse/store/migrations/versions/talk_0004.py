"""A structured conversation: forms, plans, permissions, and messages to a task that runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tasks", sa.Column("permission", sa.Text(), nullable=True))
    op.add_column("tasks", sa.Column("plan", sa.Text(), nullable=True))
    op.add_column("tasks", sa.Column("pending_decision", sa.Text(), nullable=True))
    op.add_column("tasks", sa.Column("pending_answers", sa.Text(), server_default="{}", nullable=False))
    op.add_column("tasks", sa.Column("decisions", sa.Text(), server_default="[]", nullable=False))
    op.add_column("tasks", sa.Column("notes", sa.Text(), server_default="[]", nullable=False))
    op.add_column("questions", sa.Column("header", sa.Text(), server_default="", nullable=False))
    op.add_column("questions", sa.Column("number", sa.Integer(), server_default="0", nullable=False))
    _grants()
    _steering()


def _grants() -> None:
    op.create_table(
        "grants",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("granted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_grants_session_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_grants_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grants")),
    )
    op.create_index(op.f("ix_grants_session_id"), "grants", ["session_id"], unique=False)


def _steering() -> None:
    op.create_table(
        "steering",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("step_id", sa.String(length=64), nullable=True),
        sa.Column("in_prompt", sa.Boolean(), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_steering_session_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_steering_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_steering")),
    )
    op.create_index(op.f("ix_steering_state"), "steering", ["state"], unique=False)
    op.create_index("uq_steering_number", "steering", ["task_id", "number"], unique=True)
