"""Verified work: runs, stuck reports, contexts, and what tasks, steps and projects know of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("projects", sa.Column("checks", sa.Text(), nullable=True))
    op.add_column("tasks", sa.Column("package", sa.Text(), nullable=True))
    op.add_column("tasks", sa.Column("checks", sa.Text(), nullable=True))
    op.add_column("tasks", sa.Column("loop", sa.Text(), server_default="{}", nullable=False))
    op.add_column("tasks", sa.Column("run_id", sa.String(length=64), nullable=True))
    op.add_column("tasks", sa.Column("findings", sa.Text(), server_default="[]", nullable=False))
    op.add_column("tasks", sa.Column("proposal", sa.Text(), nullable=True))
    op.add_column("steps", sa.Column("name", sa.String(length=100), server_default="", nullable=False))
    op.add_column("steps", sa.Column("answer", sa.Text(), server_default="", nullable=False))
    op.add_column("steps", sa.Column("run_id", sa.String(length=64), nullable=True))
    _runs()
    _stuck_reports()
    _contexts()


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("step_id", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("loop", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.String(length=40), nullable=False),
        sa.Column("commit", sa.String(length=64), nullable=True),
        sa.Column("tree", sa.String(length=64), nullable=False),
        sa.Column("checks", sa.Text(), nullable=False),
        sa.Column("first_failing_line", sa.Text(), nullable=False),
        sa.Column("tail", sa.Text(), nullable=False),
        sa.Column("log_path", sa.Text(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_runs_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_index("ix_runs_task", "runs", ["task_id", "started_at"], unique=False)
    op.create_index("ix_runs_age", "runs", ["kept", "started_at"], unique=False)


def _stuck_reports() -> None:
    op.create_table(
        "stuck_reports",
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("hypotheses", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("runs", sa.Text(), nullable=False),
        sa.Column("files", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_stuck_reports_task_id")),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_stuck_reports")),
    )


def _contexts() -> None:
    op.create_table(
        "contexts",
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_contexts_session_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_contexts_task_id")),
        sa.PrimaryKeyConstraint("session_id", "number", name=op.f("pk_contexts")),
    )
