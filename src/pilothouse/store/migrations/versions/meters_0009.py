"""What was spent is counted in the spawns' rows alone."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.drop_index("ix_steps_started_at", table_name="steps")
    op.drop_table("spending")
